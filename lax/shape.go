package lax

import (
	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/elem"
	"github.com/weft-go/weft/core/prim"
)

// Functions that make arrays from a number and change the shapes of arrays. Where the result
// would be the operand itself, no equation is written.

// axes counts negative axes from the end of a rank. Axes out of range are unchanged: the
// primitive refuses them.
func axes(list []int, rank int) core.Dims {
	return core.MakeDims(list...).Map(func(a int) int { return axis(a, rank) })
}

func axis(a, rank int) int {
	if a < 0 && a >= -rank {
		return a + rank
	}
	return a
}

// BroadcastInDim broadcasts x to a shape: axis i of x becomes axis dims[i] of the result, and is
// repeated if it has size 1. dims increases.
func BroadcastInDim[T weft.Operand](x T, shape, dims []int) weft.Array {
	return wrap(prim.BroadcastInDim(value(x), core.MakeDims(shape...), core.MakeDims(dims...)))
}

// Broadcast puts new axes of the given sizes in front of those of x.
func Broadcast[T weft.Operand](x T, sizes ...int) weft.Array {
	v := value(x)
	s := v.Aval().Shape
	return wrap(prim.BroadcastInDim(v, core.MakeDims(append(sizes[:len(sizes):len(sizes)], s.Ints()...)...), core.Range(len(sizes), len(sizes)+s.Len())))
}

// Full returns x, converted to dt, repeated over new axes of the given shape. If the shape is empty, a
// Go number becomes a literal. The dtype must be able to hold a Go number: floats and integers hold no complex one.
func Full[T weft.Operand](shape []int, x T, dt weft.DType) weft.Array {
	if l, ok := value(x).(core.Literal); ok && isNumber(x) {
		mustBeReal("full", l, dt)
	}
	return Broadcast(ConvertElementType(x, dt), shape...)
}

// FullLike returns an array of the shape and dtype of x, filled with a number, which is
// converted.
func FullLike[T weft.Elem](x weft.Array, fill T) weft.Array {
	a := x.Value().Aval()
	l := value(fill).(core.Literal)
	core.AbstractOf(prim.ConvertElementTypeP{NewDType: a.DType}, []core.ShapedArray{l.Aval()})
	mustBeReal("full_like", l, a.DType)
	v := core.Literal{Num: elem.Round(l.Num, a.DType), Type: a.DType, Weak: a.Weak}
	return wrap(prim.BroadcastInDim(v, a.Shape, core.Dims{}))
}

// mustBeReal refuses a complex Go number as a float or an integer.
func mustBeReal(op string, l core.Literal, dt weft.DType) {
	if l.Type.IsComplex() && !dt.IsComplex() && !dt.IsBool() {
		core.FailOp(core.ErrDType, op, []core.ShapedArray{l.Aval()}, "the complex number %s has no value as %v; take its real part first", l.Text(), dt)
	}
}

// Iota returns the numbers 0, 1, …, n−1.
func Iota(dt weft.DType, n int) weft.Array { return BroadcastedIota(dt, []int{n}, 0) }

// BroadcastedIota returns an array of the given shape whose elements are their position
// along an axis.
func BroadcastedIota(dt weft.DType, shape []int, dimension int) weft.Array {
	return wrap(prim.Iota(dt, core.MakeDims(shape...), axis(dimension, len(shape))))
}

// Empty returns an array whose elements do not matter. They are zeros.
func Empty(shape []int, dt weft.DType) weft.Array {
	return wrap(prim.Empty(dt, core.MakeDims(shape...)))
}

// Empty2 returns a scalar whose value does not matter. It is zero.
func Empty2(dt weft.DType) weft.Array { return wrap(prim.Empty2(dt)) }

// Reshape returns the elements of x, in row-major order, in another shape. No size may be −1
// here.
func Reshape(x weft.Array, sizes ...int) weft.Array {
	return wrap(prim.Reshape(x.Value(), core.MakeDims(sizes...)))
}

// ExpandDims inserts axes of size 1 at the given positions of the result; negative ones count
// from its end. It writes a broadcast_in_dim.
func ExpandDims(x weft.Array, positions ...int) weft.Array {
	return wrap(prim.ExpandDims(x.Value(), axes(positions, x.Rank()+len(positions))))
}

// Squeeze drops axes of size 1; negative axes count from the end.
func Squeeze(x weft.Array, dims ...int) weft.Array {
	return wrap(prim.Squeeze(x.Value(), axes(dims, x.Rank())))
}

// Transpose reorders axes: axis i of the result is axis perm[i] of x.
func Transpose(x weft.Array, perm ...int) weft.Array {
	return wrap(prim.Transpose(x.Value(), core.MakeDims(perm...)))
}

// Rev reverses x along axes.
func Rev(x weft.Array, dims ...int) weft.Array {
	return wrap(prim.Rev(x.Value(), core.MakeDims(dims...)))
}

// Tile repeats x along its axes, reps[i] times along axis i.
func Tile(x weft.Array, reps ...int) weft.Array {
	return wrap(prim.Tile(x.Value(), core.MakeDims(reps...)))
}

// Concatenate joins arrays along an axis.
func Concatenate(dimension int, xs ...weft.Array) weft.Array {
	return wrap(prim.Concatenate(dimension, unwrap(xs)...))
}

// Stack joins arrays of one type along a new axis; a negative one counts from the end of the
// result.
func Stack(dimension int, xs ...weft.Array) weft.Array {
	if len(xs) > 0 {
		dimension = axis(dimension, xs[0].Rank()+1)
	}
	return wrap(prim.Stack(dimension, unwrap(xs)...))
}

// Unstack returns the slices of x along an axis, without that axis.
func Unstack(x weft.Array, dimension int) []weft.Array {
	return wrapAll(prim.Unstack(x.Value(), axis(dimension, x.Rank())))
}

// Split cuts x along an axis into parts of the given sizes.
func Split(x weft.Array, dimension int, sizes ...int) []weft.Array {
	return wrapAll(prim.Split(x.Value(), axis(dimension, x.Rank()), core.MakeDims(sizes...)))
}

// Pad surrounds x with copies of a scalar: config is low, high and interior padding
// of each axis. Negative low and high padding cuts elements off.
func Pad[T weft.Operand](x weft.Array, padding T, config ...[3]int) weft.Array {
	v, with := x.Value(), value(padding)
	meetNumber(prim.PadP{}, with, v, isNumber(padding))
	flat := make([]int, 0, 3*len(config))
	for _, c := range config {
		flat = append(flat, c[:]...)
	}
	return wrap(prim.Pad(v, with, core.MakeDims(flat...)))
}
