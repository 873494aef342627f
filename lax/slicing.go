package lax

import (
	"fmt"
	"sync"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/indexed"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/trace"
)

// Functions that take and replace parts of arrays at positions that are known when
// the program is written, or only when it runs.

// Slice takes the elements of each axis from start up to, but not including, limit, in steps of
// strides[i]. nil strides are ones; programs distinguish the two.
func Slice(x weft.Array, start, limit, strides []int) weft.Array {
	return wrap(prim.Slice(x.Value(), core.MakeDims(start...), core.MakeDims(limit...), core.MakeDims(strides...)))
}

// SliceInDim slices along one axis. Negative start and limit count from the end.
func SliceInDim(x weft.Array, start, limit, stride, dimension int) weft.Array {
	a := x.Value().Aval()
	d := axisOf("slice_in_dim", a, dimension)
	n := a.Shape.At(d)
	lo, hi, by := make([]int, a.Rank()), a.Shape.Ints(), a.Shape.Map(func(int) int { return 1 }).Ints()
	lo[d], hi[d], by[d] = axis(start, n), axis(limit, n), stride
	return Slice(x, lo, hi, by)
}

// axisOf returns an axis counted from the start, which must be one of a.
func axisOf(op string, a core.ShapedArray, dimension int) int {
	d := axis(dimension, a.Rank())
	if d < 0 || d >= a.Rank() {
		core.FailOp(core.ErrIndex, op, []core.ShapedArray{a}, "axis %d is out of range for %v, which has %s; count from 0, or from the end with negative numbers", dimension, a.Full(), core.Count(a.Rank(), "axis"))
	}
	return d
}

// IndexInDim takes one position along an axis, which is dropped unless keepDims. A
// negative index counts from the end. It writes a slice, and a squeeze unless keepDims.
func IndexInDim(x weft.Array, index, dimension int, keepDims bool) weft.Array {
	a := x.Value().Aval()
	d := axisOf("index_in_dim", a, dimension)
	i := axis(index, a.Shape.At(d))
	if i < 0 || i >= a.Shape.At(d) {
		core.FailOp(core.ErrIndex, "index_in_dim", []core.ShapedArray{a}, "index %d is out of range for axis %d of %v; take one inside, or use DynamicIndexInDim to clamp", index, d, a.Full())
	}
	y := SliceInDim(x, i, i+1, 1, d)
	if keepDims {
		return y
	}
	return Squeeze(y, d)
}

// Starts makes a list of start indices from Go integers and integer scalars.
func Starts(at ...any) []weft.Array {
	out := make([]weft.Array, len(at))
	for i, v := range at {
		switch v := v.(type) {
		case weft.Array:
			out[i] = v
		case int:
			out[i] = weft.AsArray(v)
		case int32:
			out[i] = weft.AsArray(v)
		case int64:
			out[i] = weft.AsArray(v)
		case uint32:
			out[i] = weft.AsArray(v)
		default:
			core.FailOp(core.ErrIndex, "Starts", nil, "a start index must be an int or an integer scalar (got %s); convert it", core.WithArticle(fmt.Sprintf("%T", v)))
		}
	}
	return out
}

// DynamicSlice takes a part of the given sizes that begins at start, one index per axis: see
// [Starts]. A start that would make the part reach out of x is clamped.
//
// A negative start counts from the end. For a signed index that is known only when the program
// runs, this writes lt, add and select_n first.
func DynamicSlice(x weft.Array, start []weft.Array, sizes ...int) weft.Array {
	v := x.Value()
	return wrap(indexed.DynamicSlice(v, fromEnd("dynamic_slice", v.Aval(), start), core.MakeDims(sizes...)))
}

// DynamicUpdateSlice returns x with update written at start, which is treated as in
// [DynamicSlice].
func DynamicUpdateSlice(x, update weft.Array, start []weft.Array) weft.Array {
	v := x.Value()
	return wrap(indexed.DynamicUpdateSlice(v, update.Value(), fromEnd("dynamic_update_slice", v.Aval(), start)))
}

// fromEnd makes negative start indices count from the end.
func fromEnd(op string, a core.ShapedArray, start []weft.Array) []core.Value {
	if len(start) != a.Rank() {
		core.FailOp(core.ErrIndex, op, []core.ShapedArray{a}, "%v needs %d start indices, one an axis, got %d; give one an axis", a.Full(), a.Rank(), len(start))
	}
	out := make([]core.Value, len(start))
	for i, s := range start {
		v := s.Value()
		t, n := v.Aval(), int64(a.Shape.At(i))
		lit, known := v.(core.Literal)
		switch {
		case known && t.DType.IsInteger():
			at := lit.Num.Int64()
			if at < 0 && t.DType.IsSigned() {
				at += n
			}
			v = core.Lit(core.IntNumber(at), t.DType)
		case t.DType.IsSigned():
			number := func(n int64, weak bool) core.Literal {
				return core.Literal{Num: core.IntNumber(n), Type: t.DType, Weak: weak}
			}
			negative := prim.Lt(v, number(0, t.Weak))
			v = prim.Where(negative, prim.Add(prim.Convert(v, t.DType, false), number(n, false)), v)
		}
		out[i] = v
	}
	return out
}

// along returns start along one axis and 0, in its dtype, along the others.
func along(op string, a core.ShapedArray, start core.Value, dimension int) []weft.Array {
	d := axisOf(op, a, dimension)
	out := make([]weft.Array, a.Rank())
	for i := range out {
		out[i] = wrap(core.Lit(core.IntNumber(0), start.Aval().DType))
	}
	out[d] = wrap(start)
	return out
}

// DynamicSliceInDim is [DynamicSlice] along one axis.
func DynamicSliceInDim[I weft.Operand](x weft.Array, start I, size, dimension int) weft.Array {
	a := x.Value().Aval()
	at := along("dynamic_slice_in_dim", a, value(start), dimension)
	sizes := a.Shape.Ints()
	sizes[axis(dimension, a.Rank())] = size
	return DynamicSlice(x, at, sizes...)
}

// DynamicUpdateSliceInDim is [DynamicUpdateSlice] along one axis.
func DynamicUpdateSliceInDim[I weft.Operand](x, update weft.Array, start I, dimension int) weft.Array {
	return DynamicUpdateSlice(x, update, along("dynamic_update_slice_in_dim", x.Value().Aval(), value(start), dimension))
}

// DynamicIndexInDim takes one position along an axis, which is dropped unless keepDims. It writes
// a call with the name dynamic_index_in_dim.
func DynamicIndexInDim[I weft.Operand](x weft.Array, index I, dimension int, keepDims bool) weft.Array {
	const op = "dynamic_index_in_dim"
	axisOf(op, x.Value().Aval(), dimension)
	return called(op, fmt.Sprint(dimension, keepDims), func(in []weft.Array) weft.Array {
		y := DynamicSliceInDim(in[0], in[1], 1, dimension)
		if keepDims {
			return y
		}
		return Squeeze(y, dimension)
	}, x, wrap(value(index)))
}

// DynamicUpdateIndexInDim returns x with update, which may lack the axis, written at one position
// along an axis. It writes a call with the name dynamic_update_index_in_dim.
func DynamicUpdateIndexInDim[I weft.Operand](x, update weft.Array, index I, dimension int) weft.Array {
	const op = "dynamic_update_index_in_dim"
	axisOf(op, x.Value().Aval(), dimension)
	return called(op, fmt.Sprint(dimension), func(in []weft.Array) weft.Array {
		x, u := in[0], in[1]
		if u.Rank() != x.Rank() {
			u = ExpandDims(u, axis(dimension, x.Rank()))
		}
		return DynamicUpdateSliceInDim(x, u, in[2], dimension)
	}, x, update, wrap(value(index)))
}

var calls sync.Map // name, statics and types → *jaxpr.Jaxpr

// called binds a call with the given name to the program of f, which is staged once for each
// combination of the operands' types and static, a text of all other arguments.
func called(name, static string, f func(in []weft.Array) weft.Array, in ...weft.Array) weft.Array {
	vs := unwrap(in)
	key := name + " " + static
	avals := core.AvalsOf(vs)
	for _, a := range avals {
		key += " " + a.Full()
	}
	j, ok := calls.Load(key)
	if !ok {
		j, _ = calls.LoadOrStore(key, trace.Stage(name, avals, func(vs []core.Value) []core.Value {
			return []core.Value{f(wrapAll(vs)).Value()}
		}))
	}
	return wrap(core.Bind1(&jaxpr.Jit{Fn: name, Jaxpr: j.(*jaxpr.Jaxpr)}, vs...))
}
