package lower_test

import (
	"fmt"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower"
)

// chain returns a program of n elementwise equations; every fourth repeats an earlier one.
func chain(n int) *jaxpr.Jaxpr {
	b := jaxpr.NewBuilder()
	x := jaxpr.Atom(b.Input(core.Aval(core.Float32, 1000)))
	y, z := x, x
	for i := range n {
		switch i % 4 {
		case 0:
			z = b.Eqn(prim.SinP{}, y)[0]
		case 1:
			y = b.Eqn(prim.SinP{}, y)[0]
		case 2:
			y = b.Eqn(prim.AddP{}, y, z)[0]
		case 3:
			y = b.Eqn(prim.MulP{}, y, core.Lit(core.FloatNumber(1.5), core.Float32))[0]
		}
	}
	return b.Build(y)
}

// BenchmarkPasses measures the pipeline, and the same with the program in a call.
func BenchmarkPasses(b *testing.B) {
	for _, n := range []int{1000, 100_000, 1_000_000} {
		plain := chain(n)
		build := jaxpr.NewBuilder()
		call := build.Build(build.Eqn(&jaxpr.Jit{Fn: "f", Jaxpr: plain}, build.Input(core.Aval(core.Float32, 1000)))[0])
		for name, j := range map[string]*jaxpr.Jaxpr{"plain": plain, "call": call} {
			b.Run(fmt.Sprint(name, "/", n), func(b *testing.B) {
				passes := lower.Passes()
				for b.Loop() {
					lower.After(j, passes[len(passes)-1].Name)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/eqn")
			})
		}
	}
}
