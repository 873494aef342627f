package weft

import (
	"math"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
)

// Segments are parts of an array's first axis: the i-th part of x belongs to segment
// ids[i]. Parts whose segment is not among 0, 1, …, n−1 do not count. Sums and products
// of truth values are the default integers'.

// SegmentSum is the sums of the parts of each of n segments.
func SegmentSum(x, ids Array, n int) Array {
	return segments("SegmentSum", x, ids, n, func(v core.Value) Array { return zerosOf(v.Aval().Strong()) }, Ref.Add)
}

// SegmentProd is the products of the parts of each of n segments. It has no derivative
// with respect to x.
func SegmentProd(x, ids Array, n int) Array {
	const op = "SegmentProd"
	product := func(x Array) Array {
		return segments(op, x, ids, n, func(v core.Value) Array { return FromValue(prim.Full(v.Aval().Strong(), 1)) }, Ref.Mul)
	}
	if !valueOf(op, x).Aval().DType.IsInexact() {
		return product(x)
	}
	return CustomJVP(product, func(x, _ Array) (Array, Array) {
		core.FailOp(core.ErrNoRule, op, []core.ShapedArray{x.aval()}, "has no derivative with respect to its elements; of positive ones take Exp of the SegmentSum of their Log, or hold them fixed with StopGradient")
		return Array{}, Array{}
	}, NameOption(op))(x)
}

// SegmentMax is the largest elements of the parts of each of n segments; the least
// number of the type, −∞ of floats, where there is none.
func SegmentMax(x, ids Array, n int) Array {
	return segments("SegmentMax", x, ids, n, func(v core.Value) Array { return extremeOf(v, false) }, Ref.Max)
}

// SegmentMin is the least elements of the parts of each of n segments; the largest
// number of the type, ∞ of floats, where there is none.
func SegmentMin(x, ids Array, n int) Array {
	return segments("SegmentMin", x, ids, n, func(v core.Value) Array { return extremeOf(v, true) }, Ref.Min)
}

// segments gathers x's parts into n places that begin as v spread.
func segments(op string, x, ids Array, n int, begin func(v core.Value) Array, add func(Ref, any) Array) Array {
	v, at := valueOf(op, x), valueOf(op, ids)
	a, b := v.Aval(), at.Aval()
	if a.Rank() == 0 || b.Rank() != 1 || b.Size() != a.Shape.At(0) || n < 0 {
		core.FailOp(core.ErrShape, op, []core.ShapedArray{a, b}, "needs an id for each part of the first axis and a number of segments, got %v, ids %v and %d segments; give as many ids as parts", a.Full(), b.Full(), n)
	}
	if !b.DType.IsInteger() {
		core.FailOp(core.ErrDType, op, []core.ShapedArray{a, b}, "the ids must be integers, got %v; convert them with AsType", b.Full())
	}
	if a.DType.IsBool() && (op == "SegmentSum" || op == "SegmentProd") {
		v = convert(op, v, defaultInt(), false)
		a = v.Aval()
	}
	return alone(func() Array {
		x := FromValue(strong(op, v))
		out := begin(prim.Zeros(a.WithShape(core.MakeDims(n).Append(a.Shape.Slice(1, a.Rank()).Ints()...))))
		if n == 0 {
			return out
		}
		at := roomy(op, at)
		return add(out.At(Where(at.Lt(0), n, at)), x) // a negative place would count from the end
	})
}

// extremeOf is v's shape filled with the end of its type's numbers.
func extremeOf(v core.Value, top bool) Array {
	a := v.Aval().Strong()
	least, largest, _ := a.DType.Limits()
	n := least
	if top {
		n = largest
	}
	if a.DType.IsFloat() {
		sign := -1
		if top {
			sign = 1
		}
		return FromValue(prim.Full(a, math.Inf(sign)))
	}
	return FromValue(prim.BroadcastInDim(core.Lit(n, a.DType), a.Shape, core.Dims{}))
}

// roomy is integers in a type that any size and place fits.
func roomy(op string, v core.Value) Array {
	if v.Aval().DType.Bits() < 32 {
		v = convert(op, v, core.Int32, false)
	}
	return FromValue(strong(op, v))
}
