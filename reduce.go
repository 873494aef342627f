package weft

import (
	"math"
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/promote"
)

// Keep among the axes of a reduction leaves the reduced axes in place, with size 1:
// x.Mean(-1, weft.Keep).
const Keep = math.MinInt

// axesOf is the axes of a reduction, sorted; all of them if none is given.
func axesOf(op string, a core.ShapedArray, axes []int) (dims core.Dims, keep bool) {
	var out []int
	for _, x := range axes {
		if x == Keep {
			keep = true
			continue
		}
		x = resolveAxis(op, a, x)
		if slices.Contains(out, x) {
			core.FailOp(core.ErrIndex, op, []core.ShapedArray{a}, "axis %d of %v comes twice; name each once", x, a.Full())
		}
		out = append(out, x)
	}
	if out == nil {
		return core.Range(0, a.Rank()), keep
	}
	slices.Sort(out)
	return core.MakeDims(out...), keep
}

// reduce applies f along axes. The result is strong.
func reduce(op string, x Array, axes []int, f func(v core.Value, dims core.Dims) core.Value) Array {
	v := valueOf(op, x)
	a := v.Aval()
	dims, keep := axesOf(op, a, axes)
	r := f(convert(op, v, a.DType, false), dims)
	if keep {
		r = kept(r, a, dims)
	}
	return FromValue(r)
}

// kept puts reduced axes back with size 1.
func kept(r core.Value, a core.ShapedArray, dims core.Dims) core.Value {
	return prim.ExpandDims(r, dims)
}

// wide is v in the type that sums and products of its type have: small integers
// and truth values in the default integer type.
func wide(op string, v core.Value) core.Value {
	dt := v.Aval().DType
	least := defaultInt()
	if dt.IsUnsigned() {
		least = core.Uint32
		if current().bits == 64 {
			least = core.Uint64
		}
	}
	if (dt.IsInteger() || dt.IsBool()) && (dt.IsBool() || dt.Bits() < least.Bits()) {
		return convert(op, v, least, false)
	}
	return v
}

// Sum is the sum along the given axes, or of all elements. Small integers are
// summed in i32 or u32, or 64 bits under DefaultBits(64).
func (x Array) Sum(axes ...int) Array {
	return reduce("Sum", x, axes, func(v core.Value, dims core.Dims) core.Value { return prim.ReduceSum(wide("Sum", v), dims) })
}

// Prod is the product along the given axes, or of all elements.
func (x Array) Prod(axes ...int) Array {
	return reduce("Prod", x, axes, func(v core.Value, dims core.Dims) core.Value { return prim.ReduceProd(wide("Prod", v), dims) })
}

// Max is the largest element along the given axes, or of all; NaN if one is.
func (x Array) Max(axes ...int) Array { return extreme("Max", prim.ReduceMax, x, axes) }

// Min is the smallest element along the given axes, or of all; NaN if one is.
func (x Array) Min(axes ...int) Array { return extreme("Min", prim.ReduceMin, x, axes) }

func extreme(op string, f func(core.Value, core.Dims) core.Value, x Array, axes []int) Array {
	return reduce(op, x, axes, func(v core.Value, dims core.Dims) core.Value {
		a := v.Aval()
		for _, d := range dims.All() {
			if a.Shape.At(d) == 0 {
				core.FailOp(core.ErrShape, op, []core.ShapedArray{a}, "%v has no elements along axis %d, so none is the largest or smallest; use MaxOf or MinOf with Initial", a.Full(), d)
			}
		}
		return f(v, dims)
	})
}

// All is whether no element along the given axes is zero.
func (x Array) All(axes ...int) Array {
	return reduce("All", x, axes, func(v core.Value, dims core.Dims) core.Value { return prim.ReduceAnd(truth(v), dims) })
}

// Any is whether some element along the given axes is not zero.
func (x Array) Any(axes ...int) Array {
	return reduce("Any", x, axes, func(v core.Value, dims core.Dims) core.Value { return prim.ReduceOr(truth(v), dims) })
}

// Mean is the average along the given axes, or of all elements: of integers a
// float.
func (x Array) Mean(axes ...int) Array {
	return reduce("Mean", x, axes, mean)
}

func mean(v core.Value, dims core.Dims) core.Value {
	dt := inexact(v.Aval().DType)
	wider := single(dt)
	s := prim.ReduceSum(convert("Mean", v, wider, false), dims)
	n := 1
	for _, d := range dims.All() {
		n *= v.Aval().Shape.At(d)
	}
	return convert("Mean", prim.Div(s, num(s, float64(n))), dt, false)
}

// single is the type that averages of dt are computed in: halves in f32.
func single(dt core.DType) core.DType {
	if dt.IsFloat() && dt.Bits() < 32 {
		return core.Float32
	}
	return dt
}

// Var is the variance along the given axes, or of all elements: the mean of the
// squared distances from the mean.
func (x Array) Var(axes ...int) Array { return reduce("Var", x, axes, variance) }

func variance(v core.Value, dims core.Dims) core.Value {
	a := v.Aval()
	dt := inexact(a.DType)
	v = convert("Var", v, single(dt), false)
	d := prim.Sub(v, kept(mean(v, dims), a, dims))
	if dt.IsComplex() {
		d = prim.Real(prim.Mul(d, prim.Conj(d)))
	} else {
		d = prim.Square(d)
	}
	return convert("Var", mean(d, dims), dt.Real(), false)
}

// Std is the standard deviation along the given axes, or of all elements.
func (x Array) Std(axes ...int) Array {
	return reduce("Std", x, axes, func(v core.Value, dims core.Dims) core.Value { return prim.Sqrt(variance(v, dims)) })
}

// ArgMax is the index of the largest element along an axis, or among all elements
// in row-major order. NaN counts as the largest; of equals the first.
func (x Array) ArgMax(axis ...int) Array { return argExtreme("ArgMax", prim.Argmax, x, axis) }

// ArgMin is the index of the smallest element along an axis, or among all elements.
func (x Array) ArgMin(axis ...int) Array { return argExtreme("ArgMin", prim.Argmin, x, axis) }

func argExtreme(op string, f func(core.Value, int, core.DType) core.Value, x Array, axes []int) Array {
	v, ax, keep := oneAxis(op, x, axes)
	if a := v.Aval(); a.Shape.At(ax) == 0 {
		core.FailOp(core.ErrShape, op, []core.ShapedArray{a}, "%v has no elements along axis %d; check that it is not empty", a.Full(), ax)
	}
	r := f(v, ax, defaultInt())
	if keep {
		if len(axes) == 1 {
			r = prim.ExpandDims(r, core.Range(0, x.Rank()))
		} else {
			r = prim.ExpandDims(r, core.MakeDims(ax))
		}
	}
	return FromValue(r)
}

// oneAxis is x and its axis, or x as one axis if none is given.
func oneAxis(op string, x Array, axes []int) (v core.Value, axis int, keep bool) {
	v = valueOf(op, x)
	given := slices.DeleteFunc(slices.Clone(axes), func(a int) bool { return a == Keep })
	keep = len(given) < len(axes)
	switch len(given) {
	case 0:
		return prim.Reshape(v, core.MakeDims(v.Aval().Size())), 0, keep
	case 1:
		return v, resolveAxis(op, v.Aval(), given[0]), keep
	}
	core.FailOp(core.ErrIndex, op, nil, "takes one axis, got %d", len(given))
	return nil, 0, false
}

// Sort is x in ascending order along an axis, the last one unless another is given.
// NaNs come last; equal elements keep their order.
func (x Array) Sort(axis ...int) Array {
	return FromValue(prim.Sort(lastAxis("Sort", x, axis), 1, true, valueOf("Sort", x))[0])
}

// ArgSort is the indices that sort x along an axis, the last one unless another is
// given.
func (x Array) ArgSort(axis ...int) Array {
	ax := lastAxis("ArgSort", x, axis)
	v := valueOf("ArgSort", x)
	return FromValue(prim.Sort(ax, 1, true, v, prim.Iota(defaultInt(), v.Aval().Shape, ax))[1])
}

// CumSum is the sums of all elements up to each, along an axis, or of all elements
// in row-major order.
func (x Array) CumSum(axis ...int) Array {
	return cumulative("CumSum", prim.Cumsum, x, axis)
}

// CumProd is the products of all elements up to each.
func (x Array) CumProd(axis ...int) Array {
	return cumulative("CumProd", prim.Cumprod, x, axis)
}

// CumMax is the largest of all elements up to each.
func (x Array) CumMax(axis ...int) Array {
	return cumulative("CumMax", prim.Cummax, x, axis)
}

// CumMin is the smallest of all elements up to each.
func (x Array) CumMin(axis ...int) Array {
	return cumulative("CumMin", prim.Cummin, x, axis)
}

func cumulative(op string, f func(core.Value, int, bool) core.Value, x Array, axis []int) Array {
	v, ax, _ := oneAxis(op, x, axis)
	if isBool(v) {
		v = convert(op, v, defaultInt(), false)
	}
	return FromValue(f(strong(op, v), ax, false))
}

// ReduceConfig is what a reduction with more to say takes. Its zero value is that
// of the method without arguments.
type ReduceConfig struct {
	Axes  []int // nil: all
	Keep  bool  // reduced axes stay, with size 1
	Where Array // only elements where this holds take part
	DType DType // computed in and given as this; 0: as the method decides
	DDof  int   // subtracted from the number of elements in VarOf and StdOf
	// Initial, one number, takes part in SumOf, ProdOf, MaxOf and MinOf as one more
	// element; the last two need it where no element may be left. nil: none.
	Initial any
}

// SumOf is Sum of the elements that the configuration chooses.
func SumOf(x Array, c ReduceConfig) Array {
	x, axes := c.prepare("SumOf", x)
	return c.finish(c.begun("SumOf", Array.Add, c.chosen(x, 0).Sum(axes...)))
}

// ProdOf is Prod of the elements that the configuration chooses.
func ProdOf(x Array, c ReduceConfig) Array {
	x, axes := c.prepare("ProdOf", x)
	return c.finish(c.begun("ProdOf", Array.Mul, c.chosen(x, 1).Prod(axes...)))
}

// MaxOf is Max of the elements that the configuration chooses.
func MaxOf(x Array, c ReduceConfig) Array {
	return c.extreme("MaxOf", x, Array.Max, prim.MaxP{})
}

// MinOf is Min of the elements that the configuration chooses.
func MinOf(x Array, c ReduceConfig) Array {
	return c.extreme("MinOf", x, Array.Min, prim.MinP{})
}

// MeanOf is Mean of the elements that the configuration chooses.
func MeanOf(x Array, c ReduceConfig) Array {
	x, axes := c.prepare("MeanOf", x)
	if c.Where.IsZero() {
		return c.finish(x.Mean(axes...))
	}
	x, dt := wideFloats("MeanOf", x)
	return c.finish(alone(func() Array { return c.chosen(x, 0).Sum(axes...).Div(c.count(x, axes)) }).AsType(dt))
}

// VarOf is Var of the elements that the configuration chooses, with DDof taken from
// their number; NaN where that leaves nothing to divide by.
func VarOf(x Array, c ReduceConfig) Array {
	x, axes := c.prepare("VarOf", x)
	x, dt := wideFloats("VarOf", x)
	m := MeanOf(x, ReduceConfig{Axes: c.Axes, Keep: true, Where: c.Where})
	return c.finish(alone(func() Array {
		d := c.chosen(x.Sub(m), 0) // before it is squared: the derivative of NaN² is NaN
		if d.DType().IsComplex() {
			d = d.Mul(Conj(d)).Real()
		} else {
			d = Square(d)
		}
		sum, n := d.Sum(axes...), c.count(x, axes).Sub(float64(c.DDof))
		return Where(n.Gt(0), sum.Div(n), math.NaN())
	}).AsType(dt.Real()))
}

// wideFloats is x as floats that averages are computed in, and the type that they have.
func wideFloats(op string, x Array) (Array, DType) {
	v := strong(op, floating(op, valueOf(op, x)))
	dt := v.Aval().DType
	return FromValue(convert(op, v, single(dt), false)), dt
}

// StdOf is Std of the elements that the configuration chooses.
func StdOf(x Array, c ReduceConfig) Array { return Sqrt(VarOf(x, c)) }

func (c ReduceConfig) prepare(op string, x Array) (Array, []int) {
	if c.DType != core.Invalid {
		if a := valueOf(op, x).Aval(); a.DType.IsComplex() && !c.DType.IsComplex() {
			core.FailOp(core.ErrDType, op, []core.ShapedArray{a}, "a reduction of %v in %v would drop the imaginary parts; take Real first", a.Full(), c.DType)
		}
		x = x.AsType(c.DType)
	}
	axes := slices.Clone(c.Axes)
	if c.Keep {
		axes = append(axes, Keep)
	}
	if c.Axes != nil && len(c.Axes) == 0 {
		core.FailOp(core.ErrIndex, op, nil, "Axes is empty, so nothing is reduced; nil means all axes")
	}
	axesOf(op, valueOf(op, x).Aval(), axes)
	return x, axes
}

// chosen is x with zeros, or ones, where it does not take part.
func (c ReduceConfig) chosen(x Array, identity int) Array {
	if c.Where.IsZero() {
		return x
	}
	return alone(func() Array { return Where(c.Where, x, identity) })
}

// begun is a reduction with Initial as one more element.
func (c ReduceConfig) begun(op string, f func(Array, any) Array, x Array) Array {
	if c.Initial == nil {
		return x
	}
	first := FromValue(c.first(op, x))
	return alone(func() Array { return f(x, first) })
}

// first is Initial in x's type.
func (c ReduceConfig) first(op string, x Array) core.Value {
	v := Ref{x: x}.fitted(op, x.Value(), valueOf(op, c.Initial))
	if a := v.Aval(); a.Rank() > 0 {
		core.FailOp(core.ErrShape, op, []core.ShapedArray{a}, "Initial is one number, got %v", a.Full())
	}
	return v
}

// extreme is the largest or least of the elements that take part, and of Initial.
func (c ReduceConfig) extreme(op string, x Array, reduce func(Array, ...int) Array, p core.Primitive) Array {
	x, axes := c.prepare(op, x)
	if c.Initial == nil {
		if !c.Where.IsZero() {
			core.FailOp(core.ErrShape, op, []core.ShapedArray{x.aval()}, "Where may leave no element, which has no extreme; give Initial")
		}
		return c.finish(reduce(x, axes...))
	}
	first := c.first(op, x)
	return c.finish(alone(func() Array {
		x := x
		if !c.Where.IsZero() {
			x = Where(c.Where, x, FromValue(first))
		}
		dims, _ := axesOf(op, x.aval(), c.Axes)
		for _, d := range dims.All() {
			if x.Dim(d) == 0 { // nothing but Initial
				return x.reduced(axes, first)
			}
		}
		return apply2(op, p, reduce(x, axes...), FromValue(first))
	}))
}

// reduced is first in the shape of x reduced along axes.
func (x Array) reduced(axes []int, first core.Value) Array {
	return FromValue(spread("Reduce", first, x.Any(axes...).aval().Shape))
}

func (c ReduceConfig) finish(x Array) Array {
	if c.DType != core.Invalid {
		return x.AsType(c.DType)
	}
	return x
}

// count is how many elements take part, in x's type.
func (c ReduceConfig) count(x Array, axes []int) Array {
	dt := single(promote.Inexact(x.DType())).Real()
	if c.Where.IsZero() {
		dims, _ := axesOf("count", x.aval(), axes)
		n := 1
		for _, d := range dims.All() {
			n *= x.Dim(d)
		}
		return FromValue(core.Lit(core.FloatNumber(float64(n)), dt))
	}
	return FromValue(spread("Where", truth(c.Where.Value()), x.aval().Shape)).AsType(dt).Sum(axes...)
}
