//go:build linux

package cpu_test

import (
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/windows"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/runtime"
)

// Concatenations and padded arrays that other operations read have the reference's bits:
// loops are divided where one piece ends, so that each segment reads one piece.
func TestPiecesFuzz(t *testing.T) {
	o := newOperation(t, 11, 10)
	r := o.r
	for range rounds(300) {
		dt := []core.DType{core.Float32, core.Float32, core.Float64, core.Int32, core.BFloat16, core.Complex64, core.Int8}[r.IntN(7)]
		b := jaxpr.NewBuilder()
		rows := 1 + r.IntN(12)
		axis := r.IntN(5) / 4 // mostly the last axis
		var pieces []jaxpr.Atom
		var args []*runtime.Array
		input := func(shape ...int) jaxpr.Atom {
			a := core.Aval(dt, shape...)
			x := o.mem[len(args)].array(a, r.IntN(2) == 0)
			fill(r, x, r.IntN(3) == 0)
			args = append(args, x)
			return b.Input(a)
		}
		for range 1 + r.IntN(4) {
			n := 1 + r.IntN(1+[]int{3, 40, 150}[r.IntN(3)])
			shape := []int{rows, n}
			if axis == 0 {
				shape = []int{1 + n/8, 40}
			}
			x := input(shape...)
			switch {
			case r.IntN(3) == 0:
				x = b.Eqn(prim.MulP{}, x, x)[0]
			case r.IntN(3) == 0 && axis == 1:
				lo, hi, inner := r.IntN(5)-2, r.IntN(5)-2, r.IntN(2)
				if lo+hi+n+inner*(n-1) > 0 {
					x = b.Eqn(prim.PadP{Config: core.MakeDims(0, 0, 0, lo, hi, inner)}, x, input())[0]
				}
			}
			pieces = append(pieces, x)
		}
		x := jaxpr.Atom(b.Eqn(prim.ConcatenateP{Dimension: axis}, pieces...)[0])
		var outs []jaxpr.Atom
		if r.IntN(2) == 0 {
			outs = append(outs, b.Eqn(prim.AddP{}, x, input(x.Aval().Shape.Ints()...))[0])
		}
		if r.IntN(2) == 0 {
			outs = append(outs, b.Eqn(prim.ReduceSumP{Axes: core.MakeDims(r.IntN(2))}, x)[0])
		}
		if len(outs) == 0 || r.IntN(3) == 0 {
			outs = append(outs, b.Eqn(prim.RevP{Dims: core.MakeDims(r.IntN(2))}, x)[0])
		}
		o.same(b.Build(outs...), args)
	}
}

// Kernels over many windows have the reference's bits: their grids are divided at the
// border of the array, and short rows are loops within a point.
func TestBoxedWindows(t *testing.T) {
	o := newOperation(t, 14, 2)
	o.fallbacks = true
	r := o.r
	d := core.MakeDims
	for range rounds(30) {
		dt := []core.DType{core.Float32, core.Float32, core.Float64, core.Int32, core.BFloat16}[r.IntN(5)]
		batch, side, features := 1+r.IntN(3), 14+r.IntN(20), 16+r.IntN(20)
		size, stride, spread := 1+r.IntN(4), 1+r.IntN(2), 1+r.IntN(2)
		pads := []int{r.IntN(3), r.IntN(3), r.IntN(3), r.IntN(3)}
		x := core.Aval(dt, batch, side, side+r.IntN(20), features)
		w := windows.Window{Dims: d(1, size, size, 1), Strides: d(1, stride, stride, 1), Padding: d(0, 0, pads[0], pads[1], pads[2], pads[3], 0, 0),
			BaseDilation: d(1, 1, 1, 1), WindowDilation: d(1, spread, spread, 1)}
		switch r.IntN(3) {
		case 0:
			o.check([]core.Primitive{windows.ReduceWindowSumP{Window: w}, windows.ReduceWindowMaxP{Window: w}, windows.ReduceWindowMinP{Window: w}}[r.IntN(3)], x)
		case 1:
			o.check(prim.PadP{Config: d(0, 0, 0, pads[0], -pads[1], 0, pads[2], pads[3], r.IntN(2), 0, 0, 0)}, x, core.Aval(dt))
		default:
			q := windows.ConvP{Strides: d(stride, stride), Padding: d(pads...), LhsDilation: d(1, 1), RhsDilation: d(spread, spread),
				LhsSpec: d(0, 3, 1, 2), RhsSpec: d(3, 2, 0, 1), OutSpec: d(0, 3, 1, 2), FeatureGroups: features, BatchGroups: 1}
			kernel := core.Aval(dt, size, size, 1, features)
			if dt.IsFloat() && valid(func() { q.Abstract([]core.ShapedArray{x, kernel}) }) {
				o.check(q, x, kernel)
			}
		}
	}
}
