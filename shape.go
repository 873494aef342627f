package weft

import (
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
)

// Reshape is x's elements in row-major order as another shape. One size may be −1:
// the others decide it.
func (x Array) Reshape(dims ...int) Array {
	v := valueOf("Reshape", x)
	if len(dims) == 0 {
		if v.Aval().Size() != 1 {
			core.FailOp(core.ErrShape, "Reshape", []core.ShapedArray{v.Aval()}, "%v does not fit the shape (), which has one element", v.Aval().Full())
		}
		return FromValue(prim.Reshape(v, core.Dims{}))
	}
	n := v.Aval().Size()
	if d := core.MakeDims(dims...); !slices.ContainsFunc(dims, func(n int) bool { return n < 0 }) && d.Size() != n {
		core.FailOp(core.ErrShape, "Reshape", []core.ShapedArray{v.Aval()}, "%v has %s, the shape %v has %s; write -1 for one size, which the others then decide", v.Aval().Full(), core.Count(n, "element"), d, count(d))
	}
	return FromValue(prim.Reshape(v, fillDims("Reshape", n, dims)))
}

// Ravel is x's elements in row-major order as one axis.
func (x Array) Ravel() Array {
	v := valueOf("Ravel", x)
	return FromValue(prim.Reshape(v, core.MakeDims(v.Aval().Size())))
}

// Transpose is x with its axes in the given order, reversed if none is given.
func (x Array) Transpose(axes ...int) Array {
	v := valueOf("Transpose", x)
	a := v.Aval()
	if len(axes) == 0 {
		axes = core.Range(0, a.Rank()).Ints()
		slices.Reverse(axes)
	}
	if len(axes) != a.Rank() {
		core.FailOp(core.ErrShape, "Transpose", []core.ShapedArray{a}, "%v has %s, the order names %d", a.Full(), core.Count(a.Rank(), "axis"), len(axes))
	}
	perm := make([]int, len(axes))
	for i, ax := range axes {
		perm[i] = resolveAxis("Transpose", a, ax)
		if slices.Contains(perm[:i], perm[i]) {
			core.FailOp(core.ErrIndex, "Transpose", []core.ShapedArray{a}, "axis %d comes twice in the order %v; name each once", perm[i], axes)
		}
	}
	return FromValue(transpose(v, perm))
}

// transpose writes no equation where nothing moves.
func transpose(v core.Value, perm []int) core.Value {
	if core.MakeDims(perm...) == core.Range(0, len(perm)) {
		return v
	}
	return prim.Transpose(v, core.MakeDims(perm...))
}

// T is x with its axes reversed.
func (x Array) T() Array { return x.Transpose() }

// MT is x with its last two axes exchanged: the transposed matrices.
func (x Array) MT() Array { return x.SwapAxes(-2, -1) }

// SwapAxes is x with two axes exchanged.
func (x Array) SwapAxes(a, b int) Array {
	v := valueOf("SwapAxes", x)
	perm := core.Range(0, v.Aval().Rank()).Ints()
	a, b = resolveAxis("SwapAxes", v.Aval(), a), resolveAxis("SwapAxes", v.Aval(), b)
	perm[a], perm[b] = perm[b], perm[a]
	return FromValue(transpose(v, perm))
}

// MoveAxis is x with an axis moved to another place, the others in their order.
func (x Array) MoveAxis(from, to int) Array {
	v := valueOf("MoveAxis", x)
	a := v.Aval()
	from, to = resolveAxis("MoveAxis", a, from), resolveAxis("MoveAxis", a, to)
	perm := slices.Delete(core.Range(0, a.Rank()).Ints(), from, from+1)
	return FromValue(transpose(v, slices.Insert(perm, to, from)))
}

// ExpandDims is x with axes of size 1 at the given places of the result.
func (x Array) ExpandDims(axes ...int) Array {
	v := valueOf("ExpandDims", x)
	a := v.Aval()
	rank := a.Rank() + len(axes) // of the result, in which the axes are counted
	at := make([]int, len(axes))
	for i, ax := range axes {
		if ax < -rank || ax >= rank {
			core.FailOp(core.ErrIndex, "ExpandDims", []core.ShapedArray{a}, "axis %d is out of range for the result, which has %s: those of %v and %d new; count from 0, or from the end with negative numbers", ax, core.Count(rank, "axis"), a.Full(), len(axes))
		}
		if at[i] = ax; ax < 0 {
			at[i] += rank
		}
	}
	slices.Sort(at)
	return FromValue(prim.ExpandDims(v, core.MakeDims(at...)))
}

// Squeeze is x without the given axes, which have size 1, or without all such axes.
func (x Array) Squeeze(axes ...int) Array {
	v := valueOf("Squeeze", x)
	a := v.Aval()
	var at []int
	if len(axes) == 0 {
		for i, n := range a.Shape.All() {
			if n == 1 {
				at = append(at, i)
			}
		}
	}
	for _, ax := range axes {
		ax = resolveAxis("Squeeze", a, ax)
		if a.Shape.At(ax) != 1 {
			core.FailOp(core.ErrShape, "Squeeze", []core.ShapedArray{a}, "axis %d of %v has %s, not 1; take one with Index, or reduce", ax, a.Full(), core.Count(a.Shape.At(ax), "element"))
		}
		at = append(at, ax)
	}
	slices.Sort(at)
	return FromValue(prim.Squeeze(v, core.MakeDims(slices.Compact(at)...)))
}

// BroadcastTo is x spread over a shape: its axes are aligned with the last ones,
// and those of size 1 are repeated.
func (x Array) BroadcastTo(dims ...int) Array {
	const op = "BroadcastTo"
	v, s := valueOf(op, x), sizes(op, dims)
	fits(op, v.Aval().WithShape(s), v)
	return FromValue(spread(op, v, s))
}

// AsType is x converted to a type: rounded to a float, truncated and saturated to
// an integer, x ≠ 0 to bool. The result is strong.
func (x Array) AsType(dt DType) Array {
	return FromValue(convertTo(valueOf("AsType", x), dt))
}

// convertTo converts explicitly: nothing is too large.
func convertTo(v core.Value, dt core.DType) core.Value {
	a := v.Aval()
	if a.DType == dt {
		return convert("AsType", v, dt, false)
	}
	switch {
	case a.DType.IsKey():
		core.FailOp(core.ErrDType, "AsType", []core.ShapedArray{a}, "%v is a key of random numbers and no number itself; take its words, k.Words(), of which random.Wrap makes the key again", a.Full())
	case dt.IsKey():
		core.FailOp(core.ErrDType, "AsType", []core.ShapedArray{a}, "%v does not become a key so; make one with random.New, or with random.Wrap of its words", a.Full())
	}
	return prim.Convert(v, dt, false)
}

// Real is the real part.
func (x Array) Real() Array {
	if !x.DType().IsComplex() {
		return x
	}
	return FromValue(prim.Real(x.Value()))
}

// Imag is the imaginary part, zeros for reals.
func (x Array) Imag() Array {
	if !x.DType().IsComplex() {
		return zerosOf(x.aval().Strong())
	}
	return FromValue(prim.Imag(x.Value()))
}

// Stack joins arrays of one shape along a new axis.
func Stack(axis int, xs ...Array) Array { return stack("Stack", axis, xs) }

func stack(op string, axis int, xs []Array) Array {
	vs := joined2(op, xs)
	first := vs[0].Aval()
	at, axes := axis, first.Rank()+1 // of the result
	if at < 0 {
		at += axes
	}
	if at < 0 || at >= axes {
		core.FailOp(core.ErrIndex, op, core.AvalsOf(vs), "axis %d is out of range for what is stacked of %v, which has %s; count from 0, or from the end with negative numbers", axis, first.Full(), core.Count(axes, "axis"))
	}
	for i, v := range vs {
		if v.Aval().Shape != first.Shape {
			core.FailOp(core.ErrShape, op, core.AvalsOf(vs), "array 0 is %v and array %d is %v; give all one shape, or join them with Concat", first.Full(), i, v.Aval().Full())
		}
		vs[i] = prim.ExpandDims(v, core.MakeDims(at))
	}
	return FromValue(prim.Concatenate(at, vs...))
}

// Concat joins arrays along an axis.
func Concat(axis int, xs ...Array) Array { return concat("Concat", axis, xs) }

func concat(op string, axis int, xs []Array) Array {
	vs := joined2(op, xs)
	first := vs[0].Aval()
	if first.Rank() == 0 {
		core.FailOp(core.ErrShape, op, core.AvalsOf(vs), "scalars have no axis to be joined along; use Stack")
	}
	ax := resolveAxis(op, first, axis)
	for i, v := range vs[1:] {
		a := v.Aval()
		if a.Rank() != first.Rank() {
			core.FailOp(core.ErrShape, op, core.AvalsOf(vs), "array 0 is %v and array %d is %v; give all as many axes, by ExpandDims or Reshape", first.Full(), i+1, a.Full())
		}
		for k, n := range a.Shape.All() {
			if k != ax && n != first.Shape.At(k) {
				core.FailOp(core.ErrShape, op, core.AvalsOf(vs), "array 0 is %v and array %d is %v, joined along axis %d; make axis %d of both the same", first.Full(), i+1, a.Full(), ax, k)
			}
		}
	}
	return FromValue(prim.Concatenate(ax, vs...))
}

// joined2 gives all arrays one type.
func joined2(op string, xs []Array) []core.Value {
	if len(xs) == 0 {
		core.FailOp(core.ErrShape, op, nil, "there are no arrays; pass one or more")
	}
	vs := make([]core.Value, len(xs))
	for i, x := range xs {
		vs[i] = valueOf(op, x)
	}
	dt, weak := promoteTypes(op, vs...)
	for i, v := range vs {
		vs[i] = convert(op, v, dt, weak)
	}
	return vs
}

// Split cuts x into parts of the given sizes along an axis.
func Split(x Array, axis int, sizes ...int) []Array {
	v := valueOf("Split", x)
	ax := resolveAxis("Split", v.Aval(), axis)
	sum := 0
	for _, n := range sizes {
		sum += n
	}
	if sum != v.Aval().Shape.At(ax) {
		core.FailOp(core.ErrShape, "Split", []core.ShapedArray{v.Aval()}, "the sizes add up to %d, axis %d of %v has %s; make the sizes add up to that", sum, ax, v.Aval().Full(), core.Count(v.Aval().Shape.At(ax), "element"))
	}
	return arraysOf(prim.Split(v, ax, core.MakeDims(sizes...)))
}

// Flip is x in reverse order along the given axes, or along all.
func Flip(x Array, axes ...int) Array {
	v := valueOf("Flip", x)
	dims, _ := axesOf("Flip", v.Aval(), axes)
	return FromValue(prim.Rev(v, dims))
}

// Roll shifts x's elements along an axis; what leaves at one end enters at the other.
func Roll(x Array, shift, axis int) Array {
	v := valueOf("Roll", x)
	ax := resolveAxis("Roll", v.Aval(), axis)
	n := v.Aval().Shape.At(ax)
	if n == 0 {
		return x
	}
	k := ((-shift)%n + n) % n
	if k == 0 {
		return x
	}
	return FromValue(prim.Concatenate(ax, sliceAxis(v, ax, k, n, 1), sliceAxis(v, ax, 0, k, 1)))
}

// Tile repeats x as a whole along its axes.
func Tile(x Array, reps ...int) Array {
	v := valueOf("Tile", x)
	for _, n := range reps {
		if n < 0 {
			core.FailOp(core.ErrShape, "Tile", nil, "cannot repeat %d times", n)
		}
	}
	r := max(len(reps), v.Aval().Rank())
	for len(reps) < r {
		reps = slices.Insert(slices.Clone(reps), 0, 1)
	}
	return FromValue(prim.Tile(leading(v, r), core.MakeDims(reps...)))
}

// Repeat repeats each element n times along an axis.
func Repeat(x Array, n, axis int) Array {
	v := valueOf("Repeat", x)
	a := v.Aval()
	ax := resolveAxis("Repeat", a, axis)
	if n < 0 {
		core.FailOp(core.ErrShape, "Repeat", nil, "cannot repeat %d times", n)
	}
	wide := a.Shape.Ints()
	wide = slices.Insert(wide, ax+1, n)
	dims := slices.Delete(core.Range(0, a.Rank()+1).Ints(), ax+1, ax+2)
	v = prim.BroadcastInDim(v, core.MakeDims(wide...), core.MakeDims(dims...))
	shape := a.Shape.Ints()
	shape[ax] *= n
	return FromValue(prim.Reshape(v, core.MakeDims(shape...)))
}
