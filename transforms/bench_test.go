package transforms_test

import (
	"fmt"
	"runtime"
	"slices"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/internal/test/testcheck"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/trace"
	"github.com/weft-go/weft/transforms"
)

// longChain traces n equations, each using the one before: products, sums and, if
// the program need not be linear, sines.
func longChain(n int, linear bool) *jaxpr.Jaxpr {
	a := core.Aval(core.Float32, 4)
	c := prim.Num(core.Aval(core.Float32), 1.0009765625)
	return trace.Stage("chain", []core.ShapedArray{a}, func(in []core.Value) []core.Value {
		x, y := in[0], in[0]
		for i := range n {
			switch {
			case i%3 == 0:
				x, y = prim.Mul(x, c), x
			case i%3 == 1 && !linear:
				x, y = prim.Sin(x), x
			default:
				x, y = prim.Add(x, y), x
			}
		}
		return []core.Value{x}
	})
}

func median(xs []float64) float64 {
	slices.Sort(xs)
	return xs[len(xs)/2]
}

// The transformations of a long program, each as a multiple of the processor time that
// tracing the program takes, which is measured before it each time: the medians.
func BenchmarkLong(b *testing.B) {
	in := []int{0}
	for _, size := range []struct {
		name string
		n    int
	}{{"1e5", 100_000}, {"1e6", 1_000_000}} {
		for _, c := range []struct {
			name   string
			linear bool
			f      func(*jaxpr.Jaxpr) *jaxpr.Jaxpr
		}{
			{"jvp", false, transforms.JVPProgram},
			{"linearize", false, func(j *jaxpr.Jaxpr) *jaxpr.Jaxpr { fwd, _ := transforms.LinearizeProgram(j); return fwd }},
			{"vjp", false, transforms.VJPProgram},
			{"transpose", true, func(j *jaxpr.Jaxpr) *jaxpr.Jaxpr { return transforms.TransposeProgram(j, nil) }},
			{"vmap", false, func(j *jaxpr.Jaxpr) *jaxpr.Jaxpr { return transforms.VmapProgram(j, in, in, 8) }},
			{"split", false, func(j *jaxpr.Jaxpr) *jaxpr.Jaxpr {
				known, _, _, _ := transforms.Split(j, []bool{true}, nil)
				return known
			}},
			{"check", false, func(j *jaxpr.Jaxpr) *jaxpr.Jaxpr {
				if err := jaxpr.Check(j); err != nil {
					b.Fatal(err)
				}
				return j
			}},
		} {
			b.Run(c.name+"/"+size.name, func(b *testing.B) {
				var ratios, transforming []float64
				out := 0
				for b.Loop() {
					runtime.GC() // neither pays for what the other left behind
					start := testcheck.CPUTime()
					j := longChain(size.n, c.linear)
					tracing := testcheck.CPUTime() - start
					runtime.GC()
					start = testcheck.CPUTime()
					out = len(c.f(j).Eqns)
					took := float64(testcheck.CPUTime() - start)
					ratios, transforming = append(ratios, took/float64(tracing)), append(transforming, took/float64(size.n))
				}
				b.ReportMetric(median(ratios), "×tracing")
				b.ReportMetric(median(transforming), "ns/equation")
				b.ReportMetric(float64(out)/float64(size.n), "equations/equation")
			})
		}
	}
}

// A loop whose carries form a chain, each fed by the one before, so that a tangent, or a
// batch, needs as many steps to reach them all.
func BenchmarkCarries(b *testing.B) {
	f32 := core.Aval(core.Float32)
	for _, n := range []int{200, 2000} {
		avals := slices.Repeat([]core.ShapedArray{f32}, n)
		in, out := []int{0}, make([]int, n)
		loop := func() *jaxpr.Jaxpr {
			body := trace.Stage("body", avals, func(in []core.Value) []core.Value {
				out := slices.Clone(in)
				for k := 1; k < n; k++ {
					out[k] = prim.Add(in[k], prim.Sin(in[k-1]))
				}
				return out
			})
			return trace.Stage("loop", avals[:1], func(in []core.Value) []core.Value {
				carry := slices.Repeat([]core.Value{prim.Num(f32, 0)}, n)
				carry[0] = in[0]
				return core.Bind(&jaxpr.Scan{Jaxpr: body, Length: 5, NumCarry: n, Unroll: 1}, carry...)
			})
		}
		for _, c := range []struct {
			name string
			f    func(*jaxpr.Jaxpr) *jaxpr.Jaxpr
		}{
			{"jvp", transforms.JVPProgram},
			{"vjp", transforms.VJPProgram},
			{"vmap", func(j *jaxpr.Jaxpr) *jaxpr.Jaxpr { return transforms.VmapProgram(j, in, out, 8) }},
		} {
			b.Run(fmt.Sprintf("%s/%d", c.name, n), func(b *testing.B) {
				for b.Loop() {
					c.f(loop())
				}
			})
		}
	}
}
