package schedule

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
)

// maker writes kernels of a few loads and stores.
type maker struct{ *ir.Builder }

func (b maker) op(o scalar.Op, t scalar.Type, args ...ir.Ref) ir.Ref {
	in := scalar.Inst{Op: o, Type: t}
	copy(in.Args[:], args)
	return b.Op(in)
}

func (b maker) convert(t scalar.Type, x ir.Ref) ir.Ref {
	if b.TypeOf(x) == t {
		return x
	}
	return b.op(scalar.OpConvert, t, x)
}

func term(a ir.Axis, n int64) ir.Term { return ir.Term{Axis: a, Coeff: ir.Const(n)} }

// along returns a coordinate that ir.Kernel.Check must prove in bounds.
func along(stride, bound int64, terms ...ir.Term) ir.Coord {
	return ir.Coord{Stride: ir.Const(stride), Bound: ir.Const(bound), Terms: terms, Value: ir.NoRef}
}

func access(buffer int, offset int64, coords ...ir.Coord) ir.Access {
	return ir.Access{Buffer: buffer, Offset: ir.Const(offset), Coords: coords}
}

// rowGrid adds a grid over all rows and over k elements of each row.
func (b maker) rowGrid(r rows, k int64) (o, j, i ir.Axis) {
	return b.Grid(ir.Const(r.outer)), b.Grid(ir.Const(r.inner)), b.Grid(ir.Const(k))
}

// tile adds the kernel that writes reps copies of the operand one after the other along each axis.
func (n *Sequence) tile(in core.ShapedArray, reps core.Dims) {
	b := maker{ir.NewBuilder("tile")}
	t := scalar.Stored(in.DType)
	comps := int64(scalar.Components(in.DType))
	size, all := comps*int64(in.Size()), comps*int64(in.Size())
	for _, k := range reps.All() {
		all *= int64(k)
	}
	x := b.Buffer("x", ir.In, t, ir.Const(size))
	y := b.Buffer("y", ir.Out, t, ir.Const(all))
	rank := in.Rank()
	copies, places := make([]ir.Axis, rank), make([]ir.Axis, rank)
	for d := range rank {
		copies[d], places[d] = b.Grid(ir.Const(int64(reps.At(d)))), b.Grid(ir.Const(int64(in.Shape.At(d))))
	}
	var from, to []ir.Term
	stepX, stepY := int64(1), int64(1)
	for d := rank - 1; d >= 0; d-- {
		k := int64(in.Shape.At(d))
		from = append(from, term(places[d], stepX))
		to = append(to, term(places[d], stepY), term(copies[d], k*stepY))
		stepX *= k
		stepY *= k * int64(reps.At(d))
	}
	for c := range comps {
		b.Store(access(y, c, along(comps, all/comps, to...)), b.Load(access(x, c, along(comps, size/comps, from...))))
	}
	n.Run(b.Finish(), operand(0), result(0))
}
