package nd

import (
	"math"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/elem"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
)

// SegmentReduce reduces the parts of x that ids assigns to each of n segments, by sum, product, maximum or
// minimum. The parts are the slices along the first axis.
func SegmentReduce(x, ids core.Value, n int, by ReduceOp) core.Value {
	switch by {
	case ReduceSum:
		return segmentSum(x, ids, n)
	case ReduceProd:
		return segmentProd(x, ids, n)
	case ReduceMax:
		return segmentMax(x, ids, n)
	case ReduceMin:
		return segmentMin(x, ids, n)
	}
	core.FailOp(core.ErrStatic, "SegmentReduce", nil, "segments have no reduction %d; use weft.ReduceSum, ReduceProd, ReduceMax or ReduceMin", by)
	return nil
}

func segmentSum(x, ids core.Value, n int) core.Value {
	return segments("SegmentReduce", true, x, ids, n, func(v core.Value) core.Value { return ZerosOfType(v.Aval().Strong()) }, Ref.Add)
}

// segmentProd returns the products of the parts of each of n segments. It has no derivative
// with respect to x.
func segmentProd(x, ids core.Value, n int) core.Value {
	const op = "SegmentReduce"
	product := func(x core.Value) core.Value {
		return segments(op, true, x, ids, n, func(v core.Value) core.Value { return prim.Full(v.Aval().Strong(), 1) }, Ref.Mul)
	}
	if !ValueOf(op, x).Aval().DType.IsInexact() {
		return product(x)
	}
	return core.Bind1(&jaxpr.CustomJVP{
		Fn: op, RuleName: "rule",
		F: func(in []core.Value) []core.Value { return []core.Value{product(in[0])} },
		Rule: func(in, _ []core.Value) (out, dout []core.Value) {
			core.FailOp(core.ErrNoRule, op, core.AvalsOf(in), "has no derivative with respect to its elements; of positive ones take Exp of the sum over segments of their Log, or hold them fixed with StopGradient")
			return nil, nil
		},
	}, ValueOf(op, x))
}

// segmentMax returns the largest elements of the parts of each of n segments. For a segment without parts it is
// the least number of the type, −∞ if it has that.
func segmentMax(x, ids core.Value, n int) core.Value {
	return segments("SegmentReduce", false, x, ids, n, func(v core.Value) core.Value { return extremeOf(v, false) }, Ref.Max)
}

// segmentMin returns the least elements of the parts of each of n segments. For a segment without parts it is
// the largest number of the type, ∞ if it has that.
func segmentMin(x, ids core.Value, n int) core.Value {
	return segments("SegmentReduce", false, x, ids, n, func(v core.Value) core.Value { return extremeOf(v, true) }, Ref.Min)
}

// segments combines x's parts in n positions. begin returns the initial values.
func segments(op string, arithmetic bool, x, ids core.Value, n int, begin func(v core.Value) core.Value, add func(Ref, any) core.Value) core.Value {
	v, at := ValueOf(op, x), ValueOf(op, ids)
	a, b := v.Aval(), at.Aval()
	if a.Rank() == 0 || b.Rank() != 1 || b.Size() != a.Shape.At(0) || n < 0 {
		core.FailOp(core.ErrShape, op, []core.ShapedArray{a, b}, "needs an id for each part of the first axis and a number of segments, got %v, ids %v and %d segments; give as many ids as parts", a.Full(), b.Full(), n)
	}
	if !b.DType.IsInteger() {
		core.FailOp(core.ErrDType, op, []core.ShapedArray{a, b}, "the ids must be integers, got %v; convert them with AsType", b.Full())
	}
	if a.DType.IsBool() && arithmetic {
		v = Convert(op, v, DefaultInt(), false)
		a = v.Aval()
	}
	return WithJAXPromotion(func() core.Value {
		x := Strong(op, v)
		out := begin(prim.Zeros(a.WithShape(core.MakeDims(n).Append(a.Shape.Slice(1, a.Rank()).Ints()...))))
		if n == 0 {
			return out
		}
		at := wideIndices(op, at)
		return add(At(out, Where(Lt(at, 0), n, at)), x) // a negative position would count from the end
	})
}

// extremeOf returns v's shape filled with the largest number of its type if top is set, else the least: an
// infinity, if the type has it.
func extremeOf(v core.Value, top bool) core.Value {
	a := v.Aval().Strong()
	least, largest, _ := a.DType.Limits()
	n := least
	if top {
		n = largest
	}
	if a.DType.IsInexact() {
		inf := math.Inf(-1)
		if top {
			inf = math.Inf(1)
		}
		if hasInfinity(a.DType) {
			return prim.Full(a, inf)
		}
	}
	return prim.BroadcastInDim(core.Lit(n, a.DType), a.Shape, core.Dims{})
}

func hasInfinity(dt core.DType) bool {
	return math.IsInf(elem.Round(core.FloatNumber(math.Inf(1)), dt.Real()).Float(), 1)
}

// wideIndices returns integers in a type of at least 32 bits, without a weak mark.
func wideIndices(op string, v core.Value) core.Value {
	if v.Aval().DType.Bits() < 32 {
		v = Convert(op, v, core.Int32, false)
	}
	return Strong(op, v)
}
