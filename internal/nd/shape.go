package nd

import (
	"reflect"
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
)

// Reshape returns x's elements in row-major order as another shape. One size may be −1:
// the others decide it.
func Reshape(x core.Value, dims ...int) core.Value {
	v := ValueOf("Reshape", x)
	if len(dims) == 0 {
		if v.Aval().Size() != 1 {
			core.FailOp(core.ErrShape, "Reshape", []core.ShapedArray{v.Aval()}, "%v does not fit the shape (), which has one element; select or sum elements first", v.Aval().Full())
		}
		return prim.Reshape(v, core.Dims{})
	}
	n := v.Aval().Size()
	if d := core.MakeDims(dims...); !slices.ContainsFunc(dims, func(n int) bool { return n < 0 }) && d.Size() != n {
		core.FailOp(core.ErrShape, "Reshape", []core.ShapedArray{v.Aval()}, "%v has %s, the shape %v has %s; write -1 for one size, which the others then decide", v.Aval().Full(), core.Count(n, "element"), d, countElements(d))
	}
	return prim.Reshape(v, FillDims("Reshape", n, dims))
}

// Ravel returns x's elements in row-major order as one axis.
func Ravel(x core.Value) core.Value {
	v := ValueOf("Ravel", x)
	return prim.Reshape(v, core.MakeDims(v.Aval().Size()))
}

// Transpose returns x with its axes in the given order, reversed if none is given.
func Transpose(x core.Value, axes ...int) core.Value {
	v := ValueOf("Transpose", x)
	a := v.Aval()
	if len(axes) == 0 {
		axes = core.Range(0, a.Rank()).Ints()
		slices.Reverse(axes)
	}
	if len(axes) != a.Rank() {
		core.FailOp(core.ErrShape, "Transpose", []core.ShapedArray{a}, "%v has %s, but the order names %d; list every axis once", a.Full(), core.Count(a.Rank(), "axis"), len(axes))
	}
	perm := make([]int, len(axes))
	for i, ax := range axes {
		perm[i] = Axis("Transpose", a, ax)
		if slices.Contains(perm[:i], perm[i]) {
			core.FailOp(core.ErrIndex, "Transpose", []core.ShapedArray{a}, "axis %d comes twice in the order %v; name each once", perm[i], axes)
		}
	}
	return Permute(v, perm)
}

// Permute transposes v. It writes no equation if nothing moves.
func Permute(v core.Value, perm []int) core.Value {
	if core.MakeDims(perm...) == core.Range(0, len(perm)) {
		return v
	}
	return prim.Transpose(v, core.MakeDims(perm...))
}

// MT returns x with its last two axes exchanged: the transposed matrices.
func MT(x core.Value) core.Value { return SwapAxes(x, -2, -1) }

// SwapAxes returns x with two axes exchanged.
func SwapAxes(x core.Value, a, b int) core.Value {
	v := ValueOf("SwapAxes", x)
	perm := core.Range(0, v.Aval().Rank()).Ints()
	a, b = Axis("SwapAxes", v.Aval(), a), Axis("SwapAxes", v.Aval(), b)
	perm[a], perm[b] = perm[b], perm[a]
	return Permute(v, perm)
}

// MoveAxis returns x with one axis, or several, moved to other positions. The other axes keep their order.
func MoveAxis(x core.Value, from, to any) core.Value {
	const op = "MoveAxis"
	v := ValueOf(op, x)
	a := v.Aval()
	f, t := someAxes(op, a, from), someAxes(op, a, to)
	if len(f) != len(t) {
		core.FailOp(core.ErrIndex, op, []core.ShapedArray{a}, "%s cannot move to %s; name a position for each", core.Count(len(f), "axis"), core.Count(len(t), "position"))
	}
	perm := slices.DeleteFunc(core.Range(0, a.Rank()).Ints(), func(k int) bool { return slices.Contains(f, k) })
	for k := range a.Rank() { // by positions, so that each axis gets the position that is given for it
		if i := slices.Index(t, k); i >= 0 {
			perm = slices.Insert(perm, k, f[i])
		}
	}
	return Permute(v, perm)
}

// someAxes returns one axis or a list of different ones, counted from the start.
func someAxes(op string, a core.ShapedArray, given any) []int {
	var axes []int
	switch given := given.(type) {
	case int:
		axes = []int{given}
	case []int:
		axes = given
	default:
		core.FailOp(core.ErrIndex, op, []core.ShapedArray{a}, "%s is no axis; pass an int, or a []int of several axes", core.WithArticle(reflect.TypeOf(given)))
	}
	out := make([]int, len(axes))
	for i, ax := range axes {
		out[i] = Axis(op, a, ax)
		if slices.Contains(out[:i], out[i]) {
			core.FailOp(core.ErrIndex, op, []core.ShapedArray{a}, "axis %d comes twice in %v; name each once", out[i], axes)
		}
	}
	return out
}

// ExpandDims returns x with axes of size 1 at the given positions of the result.
func ExpandDims(x core.Value, axes ...int) core.Value {
	v := ValueOf("ExpandDims", x)
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
	return prim.ExpandDims(v, core.MakeDims(at...))
}

// Squeeze returns x without the given axes, which have size 1, or without all such axes if the
// list is nil.
func Squeeze(x core.Value, axes ...int) core.Value {
	v := ValueOf("Squeeze", x)
	a := v.Aval()
	var at []int
	if axes == nil {
		for i, n := range a.Shape.All() {
			if n == 1 {
				at = append(at, i)
			}
		}
	}
	for _, ax := range axes {
		ax = Axis("Squeeze", a, ax)
		if a.Shape.At(ax) != 1 {
			core.FailOp(core.ErrShape, "Squeeze", []core.ShapedArray{a}, "axis %d of %v has %s, not 1; take one with Index, or reduce", ax, a.Full(), core.Count(a.Shape.At(ax), "element"))
		}
		at = append(at, ax)
	}
	slices.Sort(at)
	return prim.Squeeze(v, core.MakeDims(slices.Compact(at)...))
}

// BroadcastTo returns x broadcast to a shape: its axes are aligned with the last ones, and those
// of size 1 are repeated.
func BroadcastTo(x core.Value, dims ...int) core.Value {
	const op = "BroadcastTo"
	v, s := ValueOf(op, x), Sizes(op, dims)
	requireFits(op, v.Aval().WithShape(s), v)
	return Spread(op, v, s)
}

// AsType returns x converted to a type. To a float, numbers are rounded; to an integer, floats are
// truncated and saturated, and integers wrap; bool is x ≠ 0. A complex number becomes a float or an
// integer by its real part. The result is strong.
func AsType(x core.Value, dt core.DType) core.Value {
	return ConvertTo(ValueOf("AsType", x), dt)
}

// ConvertTo converts explicitly: numbers out of range are no error.
func ConvertTo(v core.Value, dt core.DType) core.Value {
	a := v.Aval()
	if a.DType == dt {
		return Convert("AsType", v, dt, false)
	}
	if a.DType == core.Float0 {
		RequireNumbers("AsType", v)
	}
	switch why := dt.NoArray(); {
	case why != "":
		core.FailOp(core.ErrDType, "AsType", []core.ShapedArray{a}, "%s", why)
	case a.DType.IsKey():
		core.FailOp(core.ErrDType, "AsType", []core.ShapedArray{a}, "%v is a key of random numbers and no number itself; take its words, k.Words(), of which random.Wrap makes the key again", a.Full())
	case dt.IsKey():
		core.FailOp(core.ErrDType, "AsType", []core.ShapedArray{a}, "%v does not become a key so; make one with random.New, or with random.Wrap of its words", a.Full())
	}
	if dt.IsBool() && a.DType.IsComplex() { // a conversion would look at the real part
		return Truth(v)
	}
	return prim.Convert(v, dt, false)
}

// Real returns the real part.
func Real(x core.Value) core.Value {
	x = ValueOf("Real", x)
	if !x.Aval().DType.IsComplex() {
		return x
	}
	return prim.Real(x)
}

// Imag returns the imaginary part, zeros for reals.
func Imag(x core.Value) core.Value {
	x = ValueOf("Imag", x)
	if !x.Aval().DType.IsComplex() {
		return ZerosOfType(x.Aval())
	}
	return prim.Imag(x)
}

// Stack joins arrays of one shape along a new axis.
func Stack(axis int, xs ...core.Value) core.Value { return StackNamed("Stack", axis, xs) }

func StackNamed(op string, axis int, xs []core.Value) core.Value {
	vs := promoteAll(op, xs)
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
	return prim.Concatenate(at, vs...)
}

// Concat joins arrays along an axis.
func Concat(axis int, xs ...core.Value) core.Value { return concatNamed("Concat", axis, xs) }

func concatNamed(op string, axis int, xs []core.Value) core.Value {
	vs := promoteAll(op, xs)
	first := vs[0].Aval()
	if first.Rank() == 0 {
		core.FailOp(core.ErrShape, op, core.AvalsOf(vs), "scalars have no axis to be joined along; use Stack")
	}
	ax := Axis(op, first, axis)
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
	return prim.Concatenate(ax, vs...)
}

func promoteAll(op string, xs []core.Value) []core.Value {
	if len(xs) == 0 {
		core.FailOp(core.ErrShape, op, nil, "there are no arrays; pass one or more")
	}
	vs := make([]core.Value, len(xs))
	for i, x := range xs {
		vs[i] = ValueOf(op, x)
	}
	dt, weak := PromoteTypes(op, vs...)
	for i, v := range vs {
		vs[i] = Convert(op, v, dt, weak)
	}
	return vs
}

// Split cuts x into parts of the given sizes along an axis.
func Split(x core.Value, axis int, sizes ...int) []core.Value {
	v := ValueOf("Split", x)
	ax := Axis("Split", v.Aval(), axis)
	sum := 0
	for _, n := range sizes {
		sum += n
	}
	if sum != v.Aval().Shape.At(ax) {
		core.FailOp(core.ErrShape, "Split", []core.ShapedArray{v.Aval()}, "the sizes add up to %d, axis %d of %v has %s; make the sizes add up to that", sum, ax, v.Aval().Full(), core.Count(v.Aval().Shape.At(ax), "element"))
	}
	return prim.Split(v, ax, core.MakeDims(sizes...))
}

// Flip returns x in reverse order along the given axes: along all axes for a nil list, along none
// for an empty one.
func Flip(x core.Value, axes ...int) core.Value {
	v := ValueOf("Flip", x)
	dims, _ := ReducedAxes("Flip", v.Aval(), axes)
	if dims.Len() == 0 && v.Aval().Rank() > 0 {
		return v
	}
	return prim.Rev(v, dims)
}

// Roll shifts x's elements along each of the given axes; what leaves at one end enters at the
// other. Without axes it shifts all elements in row-major order.
func Roll(x core.Value, shift int, axes ...int) core.Value {
	v := ValueOf("Roll", x)
	if axes == nil {
		return Reshape(rollAlong(Ravel(v), shift, 0), v.Aval().Shape.Ints()...)
	}
	for _, ax := range axes {
		v = rollAlong(v, shift, Axis("Roll", v.Aval(), ax))
	}
	return v
}

func rollAlong(v core.Value, shift, ax int) core.Value {
	n := v.Aval().Shape.At(ax)
	if n == 0 {
		return v
	}
	k := (n - shift%n) % n
	if k == 0 {
		return v
	}
	return prim.Concatenate(ax, prim.SliceAxis(v, ax, k, n, 1), prim.SliceAxis(v, ax, 0, k, 1))
}

// Tile repeats x as a whole along each axis. reps has the numbers of repetitions, the last one for x's last axis;
// where they are fewer than x's axes, the first axes are not repeated.
func Tile(x core.Value, reps ...int) core.Value {
	v := ValueOf("Tile", x)
	for _, n := range reps {
		if n < 0 {
			core.FailOp(core.ErrShape, "Tile", nil, "invalid number of repetitions (got %d); use 0 or more, within memory", n)
		}
	}
	r := max(len(reps), v.Aval().Rank())
	for len(reps) < r {
		reps = slices.Insert(slices.Clone(reps), 0, 1)
	}
	return prim.Tile(prependAxes(v, r), core.MakeDims(reps...))
}

// Repeat repeats each element n times along an axis.
func Repeat(x core.Value, n, axis int) core.Value {
	v := ValueOf("Repeat", x)
	a := v.Aval()
	ax := Axis("Repeat", a, axis)
	if n < 0 {
		core.FailOp(core.ErrShape, "Repeat", nil, "invalid number of repetitions (got %d); use 0 or more, within memory", n)
	}
	wide := a.Shape.Ints()
	wide = slices.Insert(wide, ax+1, n)
	dims := slices.Delete(core.Range(0, a.Rank()+1).Ints(), ax+1, ax+2)
	v = prim.BroadcastInDim(v, core.MakeDims(wide...), core.MakeDims(dims...))
	shape := a.Shape.Ints()
	shape[ax] *= n
	return prim.Reshape(v, core.MakeDims(shape...))
}
