package reference

import (
	"math"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/indexed"
	"github.com/weft-go/weft/core/prim/windows"
	"github.com/weft-go/weft/lower/reference/internal/block"
)

// The greater and the lesser of two complex numbers are the same to elementwise
// operations, reductions, cumulative ones, windows and scatters, and in either order.
func TestComplexExtremaAgree(t *testing.T) {
	parts := []float64{0, math.Copysign(0, -1), 1, -1, math.Inf(1), math.Inf(-1), math.NaN()}
	var all []float64
	for _, re := range parts {
		for _, im := range parts {
			all = append(all, re, im)
		}
	}
	n := len(all) / 2
	d := core.MakeDims
	for _, dt := range []core.DType{core.Complex64, core.Complex128} {
		var pairs []float64 // [n², 2]
		for i := range n {
			for k := range n {
				pairs = append(pairs, all[2*i:2*i+2]...)
				pairs = append(pairs, all[2*k:2*k+2]...)
			}
		}
		two := block.NewTensor(core.Aval(dt, n*n, 2))
		setFloats(two, pairs)
		column := func(k int) *block.Tensor {
			y := apply(t, prim.SliceP{Start: d(0, k), Limit: d(n*n, k+1), Strides: d(1, 1)}, two)[0]
			return apply(t, prim.SqueezeP{Dims: d(1)}, y)[0]
		}
		a, b := column(0), column(1)
		rows := block.NewTensor(core.Aval(core.Int32, n*n, 1))
		for i := range n * n {
			block.View[int32](rows)[i] = int32(i)
		}
		rowwise := indexed.Scattering{InsertedWindowDims: d(0), ScatterDimsToOperandDims: d(0)}
		last := prim.SliceP{Start: d(0, 1), Limit: d(n*n, 2), Strides: d(1, 1)}
		window := windows.SimpleWindow(d(1, 2), d(1, 1), d(0, 0, 0, 0))
		for _, c := range []struct{ two, reduce, run, window, scatter core.Primitive }{
			{prim.MaxP{}, prim.ReduceMaxP{Axes: d(1)}, prim.CummaxP{Cumulation: prim.Cumulation{Axis: 1}}, windows.ReduceWindowMaxP{Window: window}, rowwise.By(indexed.CombineMax, dt)},
			{prim.MinP{}, prim.ReduceMinP{Axes: d(1)}, prim.CumminP{Cumulation: prim.Cumulation{Axis: 1}}, windows.ReduceWindowMinP{Window: window}, rowwise.By(indexed.CombineMin, dt)},
		} {
			want := apply(t, c.two, a, b)[0]
			for name, got := range map[string]*block.Tensor{
				"turned":     apply(t, c.two, b, a)[0],
				"reduced":    apply(t, c.reduce, two)[0],
				"cumulative": apply(t, last, apply(t, c.run, two)[0])[0],
				"window":     apply(t, c.window, two)[0],
				"scatter":    apply(t, c.scatter, a, rows, b)[0],
			} {
				if string(got.Data) != string(want.Data) {
					for i := range n * n {
						w := dt.Size()
						if g, e := got.Data[i*w:(i+1)*w], want.Data[i*w:(i+1)*w]; string(g) != string(e) {
							t.Errorf("%s, %s of %v and %v: %x, not %x", c.two.Name(), name, pairs[4*i:4*i+2], pairs[4*i+2:4*i+4], g, e)
							break
						}
					}
				}
			}
		}
	}
}
