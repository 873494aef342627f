//go:build linux

package cpu_test

import (
	"context"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/runtime"
)

// The position of the first true comparison is right in rows of every length: bools that a
// kernel computes are masks, whose lanes are combined by halves.
func TestPositionsOfComparisons(t *testing.T) {
	r := newOperation(t, 14, 0).r
	for _, e := range runtime.Executors() {
		if e.Available() != nil {
			continue
		}
		for _, dt := range []core.DType{core.Float64, core.Float32, core.Int16, core.Int8} {
			for _, index := range []core.DType{core.Int32, core.Int64} {
				for n := 1; n <= 70; n += 1 + n/8 {
					b := jaxpr.NewBuilder()
					x, y := b.Input(core.Aval(dt, 3, n)), b.Input(core.Aval(dt, 3, n))
					less := b.Eqn(prim.LtP{}, x, y)[0]
					axes := core.MakeDims(1)
					j := b.Build(b.Eqn(prim.ArgmaxP{Axes: axes, Index: index}, less)[0], b.Eqn(prim.ArgminP{Axes: axes, Index: index}, less)[0])
					args := []*runtime.Array{runtime.New(x.Aval()), runtime.New(y.Aval())}
					for _, a := range args {
						fill(r, a, false)
					}
					want, err := runtime.Evaluate(context.Background(), runtime.Reference, j, args)
					if err != nil {
						t.Fatal(err)
					}
					got, err := runtime.Evaluate(context.Background(), e, j, args)
					if err != nil {
						t.Fatal(err)
					}
					for i := range want {
						if string(got[i].Tensor().Data) != string(want[i].Tensor().Data) {
							t.Errorf("%s, %v[3,%d], result %d: %s", e.Name(), dt, n, i, difference(got[i], want[i]))
						}
					}
				}
			}
		}
	}
}
