//go:build linux

package cpu_test

import (
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim/windows"
)

// Windows have the reference's bits: sums, extrema and what belongs to them, every geometry
// and type, operands at guard pages.
func TestWindowFuzz(t *testing.T) {
	o := newOperation(t, 6, 2)
	o.fallbacks = true
	native := 0
	n := rounds(300)
	r := o.r
	for range n {
		dt := dotTypes[r.IntN(len(dotTypes))]
		if dt == core.Bool {
			dt = core.Float32
		}
		rank := 1 + r.IntN(4)
		var shape, dims, strides, padding, bases, dilations []int
		for range rank {
			shape = append(shape, 1+r.IntN(12))
			dims = append(dims, 1+r.IntN(3))
			strides = append(strides, 1+r.IntN(3))
			padding = append(padding, r.IntN(3), r.IntN(3))
			bases = append(bases, max(1, r.IntN(8)-5))
			dilations = append(dilations, max(1, r.IntN(4)-1))
		}
		d := core.MakeDims
		w := windows.Window{Dims: d(dims...), Strides: d(strides...), Padding: d(padding...), BaseDilation: d(bases...), WindowDilation: d(dilations...)}
		x := core.Aval(dt, shape...)
		p := []core.Primitive{windows.ReduceWindowSumP{Window: w}, windows.ReduceWindowMaxP{Window: w}, windows.ReduceWindowMinP{Window: w}}[r.IntN(3)]
		if valid(func() { p.Abstract([]core.ShapedArray{x}) }) && p.Abstract([]core.ShapedArray{x})[0].Size() > 0 {
			native += o.check(p, x)
		}
		sel := []windows.Select{windows.SelectGe, windows.SelectLe}[r.IntN(2)]
		if g := (windows.SelectAndGatherAddP{Select: sel, Window: w}); valid(func() { g.Abstract([]core.ShapedArray{x, x}) }) && g.Abstract([]core.ShapedArray{x, x})[0].Size() > 0 {
			native += o.check(g, x, x)
			simple := windows.SimpleWindow(w.Dims, w.Strides, w.Padding)
			if y := (windows.SelectAndGatherAddP{Select: sel, Window: simple}).Abstract([]core.ShapedArray{x, x})[0]; y.Size() > 0 {
				native += o.check(windows.SelectAndScatterAddP{Select: sel, Dims: w.Dims, Strides: w.Strides, Padding: w.Padding}, y, x)
			}
		}
	}
	if hasNative() && native < n/3 {
		t.Errorf("%d operations of %d ran as native code", native, n)
	}
}
