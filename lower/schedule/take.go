package schedule

import (
	"encoding/binary"
	"fmt"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/elem"
	"github.com/weft-go/weft/core/prim/indexed"
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
)

// A Take is a gather of whole elements of one axis, whose kernel takes its extents as symbols.
type Take struct {
	Key     string
	Symbols []int64
	p       indexed.GatherP
	x, i    core.DType
}

// TakeOf returns an operation as a Take, nil if it is not such a gather, or if an array has no elements.
func TakeOf(p core.Primitive, in []core.ShapedArray, out core.ShapedArray) *Take {
	q, ok := p.(indexed.GatherP)
	if !ok || q.StartIndexMap.Len() != 1 || q.CollapsedSliceDims != q.StartIndexMap || q.OperandBatchingDims.Len() > 0 || in[0].Size() == 0 || out.Size() == 0 {
		return nil
	}
	x, at := in[0], in[1]
	if at.DType != core.Int32 && at.DType != core.Int64 || scalar.Components(x.DType) != 1 {
		return nil
	}
	axis := q.StartIndexMap.At(0)
	before, behind := int64(1), int64(1)
	for d, n := range x.Shape.All() {
		place := d // of the axis in the result
		switch {
		case d == axis:
			continue
		case d < axis:
			before *= int64(n)
		default:
			behind, place = behind*int64(n), d-1+at.Rank()-1
		}
		if !q.OffsetDims.Has(place) || q.SliceSizes.At(d) != n {
			return nil
		}
	}
	t := &Take{p: q, x: x.DType, i: at.DType}
	t.Key = fmt.Sprint(x.DType, at.DType)
	if q.Mode == indexed.FillOrDrop {
		t.Key += fmt.Sprint(" or ", t.fill())
	}
	n, count := int64(x.Shape.At(axis)), int64(at.Size())
	t.Symbols = []int64{int64(x.Size()), count, int64(out.Size()), before, n, behind, n * behind, count * behind}
	return t
}

// fill returns the bits of the value in the place of elements outside.
func (t *Take) fill() uint64 {
	var b [8]byte
	elem.Put(b[:], t.p.FillFor(t.x), t.x)
	return binary.LittleEndian.Uint64(b[:])
}

// Kernel returns the gather's kernel. Gathers with equal Keys have equal kernels.
func (t *Take) Kernel() *ir.Kernel {
	b := maker{ir.NewBuilder("take")}
	nx, count, ny, before, n, behind, rows, taken := b.Symbol("nx"), b.Symbol("count"), b.Symbol("ny"), b.Symbol("before"), b.Symbol("n"), b.Symbol("behind"), b.Symbol("rows"), b.Symbol("taken")
	x, at, y := b.Buffer("x", ir.In, scalar.Stored(t.x), nx), b.Buffer("at", ir.In, scalar.Stored(t.i), count), b.Buffer("y", ir.Out, scalar.Stored(t.x), ny)
	along := func(stride, bound ir.Size, a ir.Axis) ir.Coord {
		return ir.Coord{Stride: stride, Bound: bound, Terms: []ir.Term{term(a, 1)}, Value: ir.NoRef}
	}
	one := ir.Const(1)
	o, i, c := b.Grid(before), b.Grid(count), b.Grid(behind)
	start := b.convert(scalar.I64, b.Load(ir.Access{Buffer: at, Coords: []ir.Coord{along(one, count, i)}}))
	v := b.Load(ir.Access{Buffer: x, Coords: []ir.Coord{along(rows, before, o), {Stride: behind, Bound: n, Mode: ir.Clamp, Value: start}, along(one, behind, c)}})
	if t.p.Mode == indexed.FillOrDrop {
		inside := b.op(scalar.OpAnd, scalar.Bool, b.op(scalar.OpLe, scalar.Bool, b.Const(scalar.I64, 0), start), b.op(scalar.OpLt, scalar.Bool, start, b.Index(scalar.I64, n)))
		v = b.op(scalar.OpSelect, b.TypeOf(v), inside, v, b.Const(b.TypeOf(v), t.fill()))
	}
	b.Store(ir.Access{Buffer: y, Coords: []ir.Coord{along(taken, before, o), along(behind, count, i), along(one, behind, c)}}, v)
	return b.Finish()
}
