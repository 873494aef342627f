package schedule

import (
	"fmt"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
)

// A Movement says where an operation takes the elements of its result from: the number of an element in the operand's row-major order
// is Base plus the sum of the result's indices times the strides of their axes.
type Movement struct {
	Base int64
	Axes []MovedAxis // of the result, merged where that is possible; at least one
}

// MovedAxis is an axis of a movement's result: its extent, and its stride in the operand.
type MovedAxis struct{ N, Stride int64 }

// MovementOf returns the movement that an operation is: a broadcast, a transpose, a slice, a reversal or a reshape.
func MovementOf(p core.Primitive, in, out core.ShapedArray) (m Movement, ok bool) {
	strides := make([]int64, in.Rank())
	step := int64(1)
	for d := in.Rank() - 1; d >= 0; d-- {
		strides[d] = step
		step *= int64(in.Shape.At(d))
	}
	of := make([]int64, out.Rank()) // by axis of the result
	switch p := p.(type) {
	case prim.BroadcastInDimP:
		for d, axis := range p.Dims.All() {
			if in.Shape.At(d) > 1 {
				of[axis] = strides[d]
			}
		}
	case prim.TransposeP:
		for axis, d := range p.Perm.All() {
			of[axis] = strides[d]
		}
	case prim.SliceP:
		for d, start := range p.Start.All() {
			m.Base += int64(start) * strides[d]
			if of[d] = strides[d]; p.Strides.Len() > 0 {
				of[d] *= int64(p.Strides.At(d))
			}
		}
	case prim.RevP:
		for d := range of {
			if of[d] = strides[d]; p.Dims.Has(d) {
				m.Base += int64(in.Shape.At(d)-1) * strides[d]
				of[d] = -strides[d]
			}
		}
	case prim.ReshapeP, prim.SqueezeP:
		m.Axes = []MovedAxis{{int64(out.Size()), 1}}
		return m, true
	default:
		return m, false
	}
	for d, stride := range of {
		n := int64(out.Shape.At(d))
		if n == 1 {
			continue
		}
		if k := len(m.Axes) - 1; k >= 0 && m.Axes[k].Stride == n*stride {
			m.Axes[k] = MovedAxis{m.Axes[k].N * n, stride}
			continue
		}
		m.Axes = append(m.Axes, MovedAxis{n, stride})
	}
	if len(m.Axes) == 0 {
		m.Axes = []MovedAxis{{1, 0}}
	}
	return m, true
}

// MoveKernel returns the kernel of movements with a number of axes, of any extents. Its symbols are the numbers of elements of the operand
// and of the result, the base and, for each axis, the extent and the strides in the result and in the operand.
func MoveKernel(t scalar.Type, axes int) *ir.Kernel {
	b := maker{ir.NewBuilder("move")}
	nx, ny, base := b.Symbol("nx"), b.Symbol("ny"), b.Symbol("base")
	var extents, steps, strides []ir.Size
	for i := range axes {
		extents = append(extents, b.Symbol(fmt.Sprint("n", i)))
		steps = append(steps, b.Symbol(fmt.Sprint("step", i)))
		strides = append(strides, b.Symbol(fmt.Sprint("stride", i)))
	}
	from := ir.Access{Buffer: b.Buffer("x", ir.In, t, nx), Offset: base}
	to := ir.Access{Buffer: b.Buffer("y", ir.Out, t, ny)}
	for i, n := range extents {
		at := []ir.Term{term(b.Grid(n), 1)}
		from.Coords = append(from.Coords, ir.Coord{Stride: strides[i], Bound: n, Terms: at, Value: ir.NoRef})
		to.Coords = append(to.Coords, ir.Coord{Stride: steps[i], Bound: n, Terms: at, Value: ir.NoRef})
	}
	b.Store(to, b.Load(from))
	return b.Finish()
}
