//go:build linux

package cpu_test

import (
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
)

// Derivatives of pooling with features last have the reference's bits: windows that overlap,
// leave gaps or touch, padding, NaN, equal elements, every type.
func TestPoolDerivativeFuzz(t *testing.T) {
	o := newOperation(t, 13, 2)
	r := o.r
	native, n := 0, rounds(120)
	for range n {
		dt := []core.DType{core.Float32, core.Float32, core.Float64, core.BFloat16, core.Float16, core.Int32, core.Int8, core.Uint64}[r.IntN(8)]
		var shape, dims, strides, padding []int
		for range 1 + r.IntN(3) {
			shape, dims, strides = append(shape, 1+r.IntN(14)), append(dims, 1+r.IntN(3)), append(strides, 1+r.IntN(4))
			padding = append(padding, r.IntN(3), r.IntN(3))
		}
		shape, dims, strides, padding = append(shape, 8+r.IntN(40)), append(dims, 1), append(strides, 1), append(padding, 0, 0)
		d := core.MakeDims
		x := core.Aval(dt, shape...)
		w := prim.SimpleWindow(d(dims...), d(strides...), d(padding...))
		sel := []prim.Select{prim.SelectGe, prim.SelectLe}[r.IntN(2)]
		g := prim.SelectAndGatherAddP{Select: sel, Window: w}
		if !valid(func() { g.Abstract([]core.ShapedArray{x, x}) }) {
			n--
			continue
		}
		if y := g.Abstract([]core.ShapedArray{x, x})[0]; y.Size() > 0 {
			native += o.check(prim.SelectAndScatterAddP{Select: sel, Dims: w.Dims, Strides: w.Strides, Padding: w.Padding}, y, x)
		}
	}
	if hasNative() && native < n/2 {
		t.Errorf("%d operations of %d ran as native code", native, n)
	}
}
