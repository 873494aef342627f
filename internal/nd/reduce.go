package nd

import (
	"math"
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/indexed"
)

// Options that are passed among axes.
const (
	// Keep among the axes of a reduction leaves the reduced axes in place, with size 1:
	// x.Mean(-1, weft.Keep).
	Keep = math.MinInt
	// Descending beside the axis of a sort reverses its order: x.Sort(-1, weft.Descending).
	Descending = math.MinInt + 1
	// HalfOpen beside the axis of Linspace leaves out its end.
	HalfOpen = math.MinInt + 2
	// noAxes states that the list, without sentinels, is empty and not nil: nothing is reduced. Beside other axes it
	// has no meaning.
	noAxes = math.MinInt + 3
)

// withSentinel returns the axes without a sentinel, and whether it was among them. rest is nil if no axes
// remain.
func withSentinel(axes []int, sentinel int) (rest []int, found bool) {
	for _, a := range axes {
		if a == sentinel {
			found = true
		} else {
			rest = append(rest, a)
		}
	}
	return rest, found
}

// ReducedAxes returns the axes of a reduction, sorted: all axes for a list that is nil or holds Keep alone, none
// for an empty one. keep reports whether Keep is in the list.
func ReducedAxes(op string, a core.ShapedArray, axes []int) (dims core.Dims, keep bool) {
	var out []int
	none := axes != nil && len(axes) == 0
	for _, x := range axes {
		if x == Keep {
			keep = true
			continue
		}
		if x == noAxes {
			none = true
			continue
		}
		x = Axis(op, a, x)
		if slices.Contains(out, x) {
			core.FailOp(core.ErrIndex, op, []core.ShapedArray{a}, "axis %d of %v comes twice; name each once", x, a.Full())
		}
		out = append(out, x)
	}
	if out == nil && !none {
		return core.Range(0, a.Rank()), keep
	}
	slices.Sort(out)
	return core.MakeDims(out...), keep
}

// reduce applies f along axes. The result is strong, except for anvil's flag.
func reduce(op string, x core.Value, axes []int, f func(v core.Value, dims core.Dims) core.Value) core.Value {
	v := numbersOf(op, x)
	a := v.Aval()
	dims, keep := ReducedAxes(op, a, axes)
	r := WithFlag(op, f(Convert(op, v, a.DType, false), dims), a)
	if keep {
		r = restoreAxes(r, a, dims)
	}
	return r
}

func restoreAxes(r core.Value, a core.ShapedArray, dims core.Dims) core.Value {
	return prim.ExpandDims(r, dims)
}

// SumType converts v to the type of sums and products of its elements: small integers and truth values become
// integers of the default width.
func SumType(op string, v core.Value) core.Value {
	dt := v.Aval().DType
	least := DefaultInt()
	if dt.IsUnsigned() {
		least = core.Uint32
		if Current().Bits == 64 {
			least = core.Uint64
		}
	}
	if (dt.IsInteger() || dt.IsBool()) && (dt.IsBool() || dt.Bits() < least.Bits()) {
		return Convert(op, v, least, false)
	}
	return v
}

// Sum returns the sum along the given axes, or of all elements. Small integers are
// summed in i32 or u32, or 64 bits under DefaultBits(64).
func Sum(x core.Value, axes ...int) core.Value {
	return reduce("Sum", x, axes, func(v core.Value, dims core.Dims) core.Value { return prim.ReduceSum(SumType("Sum", v), dims) })
}

// Prod returns the product along the given axes, or of all elements.
func Prod(x core.Value, axes ...int) core.Value {
	return reduce("Prod", x, axes, func(v core.Value, dims core.Dims) core.Value { return prim.ReduceProd(SumType("Prod", v), dims) })
}

// Max returns the largest element along the given axes, or of all; NaN if any is NaN.
func Max(x core.Value, axes ...int) core.Value { return extremeAlong("Max", prim.ReduceMax, x, axes) }

// Min returns the smallest element along the given axes, or of all; NaN if any is NaN.
func Min(x core.Value, axes ...int) core.Value { return extremeAlong("Min", prim.ReduceMin, x, axes) }

func extremeAlong(op string, f func(core.Value, core.Dims) core.Value, x core.Value, axes []int) core.Value {
	return reduce(op, x, axes, func(v core.Value, dims core.Dims) core.Value {
		a := v.Aval()
		for _, d := range dims.All() {
			if a.Shape.At(d) == 0 {
				core.FailOp(core.ErrShape, op, []core.ShapedArray{a}, "%v has no elements along axis %d, so none is the largest or smallest; use Reduce with Initial", a.Full(), d)
			}
		}
		return f(v, dims)
	})
}

// AllTrue reports whether no element along the given axes is zero.
func AllTrue(x core.Value, axes ...int) core.Value {
	return reduce("All", x, axes, func(v core.Value, dims core.Dims) core.Value { return prim.ReduceAnd(Truth(v), dims) })
}

// AnyTrue reports whether some element along the given axes is not zero.
func AnyTrue(x core.Value, axes ...int) core.Value {
	return reduce("Any", x, axes, func(v core.Value, dims core.Dims) core.Value { return prim.ReduceOr(Truth(v), dims) })
}

// Mean returns the average along the given axes, or of all elements: a float for integers.
func Mean(x core.Value, axes ...int) core.Value {
	return reduce("Mean", x, axes, mean)
}

func mean(v core.Value, dims core.Dims) core.Value {
	dt := inexactOf(v.Aval().DType)
	wider := AverageType(dt)
	s := prim.ReduceSum(Convert("Mean", v, wider, false), dims)
	n := 1
	for _, d := range dims.All() {
		n *= v.Aval().Shape.At(d)
	}
	return Convert("Mean", prim.Div(s, Num(s, float64(n))), dt, false)
}

// AverageType returns the type that averages of dt are computed in: f32 for narrower floats, else dt.
func AverageType(dt core.DType) core.DType {
	if dt.IsFloat() && dt.Bits() < 32 {
		return core.Float32
	}
	return dt
}

// Var returns the variance along the given axes, or of all elements: the mean of the
// squared distances from the mean.
func Var(x core.Value, axes ...int) core.Value { return reduce("Var", x, axes, variance) }

func variance(v core.Value, dims core.Dims) core.Value {
	a := v.Aval()
	dt := inexactOf(a.DType)
	v = Convert("Var", v, AverageType(dt), false)
	d := prim.Sub(v, restoreAxes(mean(v, dims), a, dims))
	if dt.IsComplex() {
		d = prim.Real(prim.Mul(d, prim.Conj(d)))
	} else {
		d = prim.Square(d)
	}
	return Convert("Var", mean(d, dims), dt.Real(), false)
}

// Std returns the standard deviation along the given axes, or of all elements. Where it is 0, so is
// its derivative.
func Std(x core.Value, axes ...int) core.Value {
	return reduce("Std", x, axes, func(v core.Value, dims core.Dims) core.Value { return RootOfSquares(variance(v, dims)) })
}

// ArgMax returns the index of the largest element along an axis, or among all elements in
// row-major order. NaN counts as the largest. Of equal elements it is the first.
func ArgMax(x core.Value, axis ...int) core.Value { return argExtreme("ArgMax", prim.Argmax, x, axis) }

// ArgMin returns the index of the smallest element along an axis, or among all elements, as
// ArgMax does. NaN counts as the smallest.
func ArgMin(x core.Value, axis ...int) core.Value { return argExtreme("ArgMin", prim.Argmin, x, axis) }

func argExtreme(op string, f func(core.Value, int, core.DType) core.Value, x core.Value, axes []int) core.Value {
	v, ax, keep := axisOrFlat(op, x, axes)
	if a := v.Aval(); a.Shape.At(ax) == 0 {
		core.FailOp(core.ErrShape, op, []core.ShapedArray{a}, "%v has no elements along axis %d; check that it is not empty", a.Full(), ax)
	}
	r := f(v, ax, DefaultInt())
	if keep {
		if len(axes) == 1 {
			r = prim.ExpandDims(r, core.Range(0, x.Aval().Rank()))
		} else {
			r = prim.ExpandDims(r, core.MakeDims(ax))
		}
	}
	return r
}

// axisOrFlat returns x and its axis, or x as one axis if none is given.
func axisOrFlat(op string, x core.Value, axes []int) (v core.Value, axis int, keep bool) {
	v = numbersOf(op, x)
	given := slices.DeleteFunc(slices.Clone(axes), func(a int) bool { return a == Keep })
	keep = len(given) < len(axes)
	switch len(given) {
	case 0:
		return prim.Reshape(v, core.MakeDims(v.Aval().Size())), 0, keep
	case 1:
		return v, Axis(op, v.Aval(), given[0]), keep
	}
	core.FailOp(core.ErrIndex, op, nil, "too many axes (got %d, want 1); pass one", len(given))
	return nil, 0, false
}

// Sort returns x in ascending order along an axis, the last one unless another is given. NaNs come last; equal
// elements keep their order. With Descending the order is descending, NaNs come first, and equal elements still
// keep their order.
func Sort(x core.Value, axis ...int) core.Value {
	axis, down := withSentinel(axis, Descending)
	ax := OneAxis("Sort", x, axis)
	return sorted(down, ax, numbersOf("Sort", x))[0]
}

// sorted sorts the first of vs, and the others with it.
func sorted(down bool, axis int, vs ...core.Value) []core.Value {
	if !down {
		return indexed.Sort(axis, 1, true, vs...)
	}
	// Backwards before and after, so that equal elements keep their order.
	at := core.MakeDims(axis)
	back := make([]core.Value, len(vs))
	for i, v := range vs {
		back[i] = prim.Rev(v, at)
	}
	out := indexed.Sort(axis, 1, true, back...)
	for i, v := range out {
		out[i] = prim.Rev(v, at)
	}
	return out
}

// ArgSort returns the indices that sort x along an axis, the last one unless another is
// given, in the order of [Sort].
func ArgSort(x core.Value, axis ...int) core.Value {
	axis, down := withSentinel(axis, Descending)
	ax := OneAxis("ArgSort", x, axis)
	v := numbersOf("ArgSort", x)
	return sorted(down, ax, v, prim.Iota(DefaultInt(), v.Aval().Shape, ax))[1]
}

// CumSum returns the sums of all elements up to each, along an axis, or of all elements
// in row-major order.
func CumSum(x core.Value, axis ...int) core.Value {
	return cumulative("CumSum", prim.Cumsum, x, axis)
}

// CumProd returns the products of all elements up to each, as CumSum does the sums.
func CumProd(x core.Value, axis ...int) core.Value {
	return cumulative("CumProd", prim.Cumprod, x, axis)
}

// CumMax returns the largest of all elements up to each, as CumSum does the sums.
func CumMax(x core.Value, axis ...int) core.Value {
	return cumulative("CumMax", prim.Cummax, x, axis)
}

// CumMin returns the smallest of all elements up to each, as CumSum does the sums.
func CumMin(x core.Value, axis ...int) core.Value {
	return cumulative("CumMin", prim.Cummin, x, axis)
}

func cumulative(op string, f func(core.Value, int, bool) core.Value, x core.Value, axis []int) core.Value {
	v, ax, _ := axisOrFlat(op, x, axis)
	if IsBool(v) {
		v = Convert(op, v, DefaultInt(), keepsFlag(v.Aval()))
	}
	return f(Strong(op, v), ax, false)
}

// IsInexact reports whether v is floating or complex.
func IsInexact(v core.Value) bool { return v.Aval().DType.IsInexact() }
