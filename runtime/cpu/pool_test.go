//go:build linux

package cpu_test

import (
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim/windows"
)

// Derivatives of pooling with features last have the reference's bits: windows that overlap,
// leave gaps or touch, padding that adds or removes elements, NaN, equal elements, every type.
func TestPoolDerivativeFuzz(t *testing.T) {
	o := newOperation(t, 13, 2)
	r := o.r
	native, n := 0, rounds(120)
	for range n {
		dt := []core.DType{core.Float32, core.Float32, core.Float64, core.BFloat16, core.Float16, core.Int32, core.Int8, core.Uint64}[r.IntN(8)]
		var shape, dims, strides, padding []int
		for range 1 + r.IntN(3) {
			shape, dims, strides = append(shape, 1+r.IntN(14)), append(dims, 1+r.IntN(3)), append(strides, 1+r.IntN(4))
			padding = append(padding, r.IntN(6)-2, r.IntN(6)-2)
		}
		shape, dims, strides, padding = append(shape, 8+r.IntN(40)), append(dims, 1), append(strides, 1), append(padding, 0, 0)
		d := core.MakeDims
		x := core.Aval(dt, shape...)
		w := windows.SimpleWindow(d(dims...), d(strides...), d(padding...))
		sel := []windows.Select{windows.SelectGe, windows.SelectLe}[r.IntN(2)]
		g := windows.SelectAndGatherAddP{Select: sel, Window: w}
		if !valid(func() { g.Abstract([]core.ShapedArray{x, x}) }) {
			n--
			continue
		}
		if y := g.Abstract([]core.ShapedArray{x, x})[0]; y.Size() > 0 {
			native += o.check(windows.SelectAndScatterAddP{Select: sel, Dims: w.Dims, Strides: w.Strides, Padding: w.Padding}, y, x)
		}
	}
	if hasNative() && native < n/2 {
		t.Errorf("%d operations of %d ran as native code", native, n)
	}
}

// Windows that are much farther apart than the array is long need no memory for what lies between them.
func TestPoolDerivativeFarWindows(t *testing.T) {
	o := newOperation(t, 13, 2)
	d := core.MakeDims
	x := core.Aval(core.Float32, 5, 6, 8)
	for _, stride := range []int{7, 11, 1 << 20, 1 << 31, 1 << 40} {
		q := windows.SelectAndScatterAddP{Select: windows.SelectGe, Dims: d(2, 2, 1), Strides: d(stride, stride, 1), Padding: d(1, 0, 0, 1, 0, 0)}
		o.check(q, core.Aval(core.Float32, 1, 1, 8), x)
	}
}
