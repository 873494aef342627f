//go:build !race

// The race detector allocates on its own, and drops what pools contain at random, so that bytes are not those of the library.

package transforms_test

import (
	"fmt"
	"io"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lax"
)

// A depthCase prepares a run of programs within each other to a depth; what run allocates is counted.
type depthCase struct {
	name    string
	prepare func(depth int) (run func())
}

func depthCases(t testing.TB) (cases []depthCase) {
	x, ones := weft.Scalar(float32(0.5)), weft.Ones(1)
	add := func(name string, of wrapping, f func(f scalarFunc) func()) {
		cases = append(cases, depthCase{name + " of " + of.name, func(n int) func() { return f(nested(n, of.wrap)) }})
	}
	staged := func(f any, args ...any) *jaxpr.Jaxpr {
		j, err := weft.Jaxpr(f, args...)
		if err != nil {
			t.Fatal(err)
		}
		return j
	}
	for _, w := range wrappings {
		add("call", w, func(f scalarFunc) func() { return func() { f(x).Float() } })
		add("Jit", w, func(f scalarFunc) func() { return func() { weft.Jit(f)(x).Float() } })
		add("trace", w, func(f scalarFunc) func() { return func() { staged(f, x) } })
		if w.name == "LinearSolve's operator" {
			continue // its text doubles with each level, as in JAX: a text of its own for each of its programs
		}
		add("print", w, func(f scalarFunc) func() { j := staged(f, x); return func() { j.Write(io.Discard, jaxpr.Options{}) } })
		add("parse", w, func(f scalarFunc) func() {
			text := staged(f, x).String()
			return func() {
				if _, err := jaxpr.Parse(text, prim.Vocabulary); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
	ws := slices.Clone(wrappings)
	for _, w := range slices.Concat(wrappings, []wrapping{mixed("Jit", "Remat", "Call"), mixed("Jit", "Cond"), mixed("Scan", "Jit"), mixed("custom.Vmap", "ForI", "Switch")}) {
		ws = append(ws, w.withResidual())
	}
	for _, w := range ws {
		add("Vmap", w, func(f scalarFunc) func() { return func() { weft.Vmap(f)(ones).Sum().Float() } })
		add("trace of Vmap", w, func(f scalarFunc) func() { return func() { staged(weft.Vmap(f), ones) } })
		derivatives := map[string]func(f scalarFunc) func(){}
		if w.reverse {
			derivatives["Grad"] = func(f scalarFunc) func() { return func() { weft.Grad(f)(x).Float() } }
			derivatives["trace of Grad"] = func(f scalarFunc) func() { return func() { staged(weft.Grad(f), x) } }
			derivatives["Vmap of Grad"] = func(f scalarFunc) func() { return func() { weft.Vmap(weft.Grad(f))(ones).Sum().Float() } }
			derivatives["Grad of Vmap"] = func(f scalarFunc) func() {
				return func() {
					weft.Grad(func(x weft.Array) weft.Array { return weft.Vmap(f)(x).Sum() })(ones).Sum().Float()
				}
			}
		}
		if w.forward {
			derivatives["JVP"] = func(f scalarFunc) func() { return func() { y, _ := weft.JVP(f, x, x); y.Float() } }
			derivatives["trace of JVP"] = func(f scalarFunc) func() {
				return func() { staged(func(x weft.Array) weft.Array { _, t := weft.JVP(f, x, x); return t }, x) }
			}
		}
		if w.name == "LinearCall's residual" {
			jvp := func(f scalarFunc) scalarFunc {
				return func(x weft.Array) weft.Array { y, t := weft.JVP(f, x, x); return y.Add(t) }
			}
			derivatives["Jit of JVP"] = func(f scalarFunc) func() { return func() { weft.Jit(jvp(f))(x).Float() } }
			derivatives["Jit of Grad"] = func(f scalarFunc) func() { return func() { weft.Jit(weft.Grad(f))(x).Float() } }
		}
		for name, d := range derivatives {
			add(name, w, d)
		}
	}
	cases = append(cases, depthCase{"Vmap", func(n int) func() {
		f, ones := nested(n, func(f scalarFunc) scalarFunc { return weft.Vmap(f) }), weft.Ones(slices.Repeat([]int{1}, n)...)
		return func() { f(ones).Sum().Float() }
	}})
	psum := func(n, step int) (f scalarFunc, ones weft.Array) {
		names, summed := make([]string, n), make([]string, n)
		for i := range names {
			names[i] = fmt.Sprint("axis", i)
			summed[(n+step*i%n)%n] = names[i]
		}
		f = func(x weft.Array) weft.Array { return lax.Psum(x, summed...) }
		for _, name := range names {
			f = weft.Vmap(f, weft.AxisName(name))
		}
		return f, weft.Ones(slices.Repeat([]int{1}, n)...)
	}
	for order, step := range map[string]int{"": 1, " in reverse": -1, " in another order": 7} {
		cases = append(cases, depthCase{"Psum" + order, func(n int) func() {
			f, ones := psum(n, step)
			return func() { f(ones).Sum().Float() }
		}}, depthCase{"trace of Psum" + order, func(n int) func() {
			f, ones := psum(n, step)
			return func() { staged(f, ones) }
		}})
	}
	return cases
}

// BenchmarkDepth measures transformations of programs within each other.
func BenchmarkDepth(b *testing.B) {
	for _, c := range depthCases(b) {
		for _, depth := range []int{250, 500, 1000} {
			b.Run(fmt.Sprintf("%s/%d", c.name, depth), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					b.StopTimer()
					run := c.prepare(depth)
					b.StartTimer()
					run()
				}
			})
		}
	}
}

// Twice the depth allocates about twice the memory: a copy of programs, of stacks or of residuals at each level
// would multiply it by 4. Two costs grow with the square. A batching rule that maps its function traces a loop in
// it, with all that is within, and the batch of the loop calls the rules within, which do so again: the innermost
// of 96 functions is called 32 times, by JAX 0.10.2 33 times. Names of axes are copied, as bytes, where a batch leaves out one that is neither the first nor the last.
func TestDepthCost(t *testing.T) {
	bytes := func(c depthCase, depth, tries int) float64 {
		least := math.Inf(1)
		for range tries { // what else runs allocates too, and pools that the collector emptied are filled
			var before, after runtime.MemStats
			run := c.prepare(depth)
			runtime.ReadMemStats(&before)
			run()
			runtime.ReadMemStats(&after)
			least = min(least, float64(after.TotalAlloc-before.TotalAlloc))
		}
		return least
	}
	for _, c := range depthCases(t) {
		limit, depth := 2.4, 100
		switch {
		case strings.Contains(c.name, "Vmap of") && strings.Contains(c.name, "custom.Vmap, ForI"):
			limit = 4.1
		case strings.Contains(c.name, "in another order"):
			limit = 2.8
		case strings.Contains(c.name, "Grad") && strings.Contains(c.name, "Jit, Remat"):
			depth = 300 // what a Remat computes again is inlined up to about 200 levels
		}
		c.prepare(depth)() // fills caches
		short, long := bytes(c, depth, 1), bytes(c, 2*depth, 1)
		if long > limit*short {
			long = bytes(c, 2*depth, 8)
		}
		t.Logf("%-40s %.2f times the bytes, %.0f a level", c.name, long/short, short/float64(depth))
		if long > limit*short {
			t.Errorf("%s: got %.0f bytes at depth %d and %.0f at %d, want at most %v times as many", c.name, short, depth, long, 2*depth, limit)
		}
	}
}
