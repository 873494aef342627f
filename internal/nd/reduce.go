package nd

import (
	"math"
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
)

// Keep among the axes of a reduction leaves the reduced axes in place, with size 1:
// x.Mean(-1, weft.Keep).
const Keep = math.MinInt

// ReducedAxes returns the axes of a reduction, sorted; all of them if none is given.
func ReducedAxes(op string, a core.ShapedArray, axes []int) (dims core.Dims, keep bool) {
	var out []int
	for _, x := range axes {
		if x == Keep {
			keep = true
			continue
		}
		x = Axis(op, a, x)
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

// reduce applies f along axes. The result is strong, but for anvil's flag.
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

// restoreAxes puts reduced axes back with size 1.
func restoreAxes(r core.Value, a core.ShapedArray, dims core.Dims) core.Value {
	return prim.ExpandDims(r, dims)
}

// SumType returns v in the type that sums and products of its type have: small integers
// and truth values in the default integer type.
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

// Max returns the largest element along the given axes, or of all; NaN if one is.
func Max(x core.Value, axes ...int) core.Value { return extremeAlong("Max", prim.ReduceMax, x, axes) }

// Min returns the smallest element along the given axes, or of all; NaN if one is.
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

// Mean returns the average along the given axes, or of all elements: of integers a
// float.
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

// AverageType returns the type that averages of dt are computed in: halves in f32.
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

// Std returns the standard deviation along the given axes, or of all elements.
func Std(x core.Value, axes ...int) core.Value {
	return reduce("Std", x, axes, func(v core.Value, dims core.Dims) core.Value { return prim.Sqrt(variance(v, dims)) })
}

// ArgMax returns the index of the largest element along an axis, or among all elements
// in row-major order. NaN counts as the largest; of equals the first.
func ArgMax(x core.Value, axis ...int) core.Value { return argExtreme("ArgMax", prim.Argmax, x, axis) }

// ArgMin returns the index of the smallest element along an axis, or among all elements.
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

// Sort returns x in ascending order along an axis, the last one unless another is given.
// NaNs come last; equal elements keep their order.
func Sort(x core.Value, axis ...int) core.Value {
	return prim.Sort(OneAxis("Sort", x, axis), 1, true, numbersOf("Sort", x))[0]
}

// ArgSort returns the indices that sort x along an axis, the last one unless another is
// given.
func ArgSort(x core.Value, axis ...int) core.Value {
	ax := OneAxis("ArgSort", x, axis)
	v := numbersOf("ArgSort", x)
	return prim.Sort(ax, 1, true, v, prim.Iota(DefaultInt(), v.Aval().Shape, ax))[1]
}

// CumSum returns the sums of all elements up to each, along an axis, or of all elements
// in row-major order.
func CumSum(x core.Value, axis ...int) core.Value {
	return cumulative("CumSum", prim.Cumsum, x, axis)
}

// CumProd returns the products of all elements up to each.
func CumProd(x core.Value, axis ...int) core.Value {
	return cumulative("CumProd", prim.Cumprod, x, axis)
}

// CumMax returns the largest of all elements up to each.
func CumMax(x core.Value, axis ...int) core.Value {
	return cumulative("CumMax", prim.Cummax, x, axis)
}

// CumMin returns the smallest of all elements up to each.
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

// ReduceConfig is what a reduction with more to say takes. Its zero value is that
// of the method without arguments.
type ReduceConfig struct {
	Op    ReduceOp
	Axes  []int      // nil: all
	Keep  bool       // reduced axes stay, with size 1
	Where core.Value // only elements where this holds take part
	DType core.DType // computed in and given as this; 0: as the method decides
	DDof  int        // subtracted from the number of elements in VarOf and StdOf
	// Initial, one number, takes part in SumOf, ProdOf, MaxOf and MinOf as one more
	// element; the last two need it where no element may be left. nil: none.
	Initial any
	SkipNaN bool // NaNs do not take part
}

// ReduceOp is what a reduction computes.
type ReduceOp uint8

// The reductions.
const (
	ReduceSum ReduceOp = iota
	ReduceProd
	ReduceMax
	ReduceMin
	ReduceMean
	ReduceVar
	ReduceStd
)

// Reduce reduces x as the configuration describes.
func Reduce(x core.Value, c ReduceConfig) core.Value {
	r := c.reduce(x)
	if c.DType != core.Invalid {
		return r
	}
	return WithFlag("Reduce", r, ValueOf("Reduce", x).Aval())
}

func (c ReduceConfig) reduce(x core.Value) core.Value {
	if c.SkipNaN && IsInexact(ValueOf("Reduce", x)) {
		bad := IsNaN(x)
		switch {
		case c.Op == ReduceSum:
			x = WithJAXPromotion(func() core.Value { return Where(bad, 0, x) })
		case c.Op == ReduceProd:
			x = WithJAXPromotion(func() core.Value { return Where(bad, 1, x) })
		case c.Op <= ReduceMin && c.Initial == nil && c.Where == nil:
			return c.skipNaN(x)
		case c.Where == nil:
			c.Where = Not(bad)
		default:
			c.Where = And(Truth(c.Where), Not(bad))
		}
	}
	switch c.Op {
	case ReduceSum:
		return c.sum(x)
	case ReduceProd:
		return c.prod(x)
	case ReduceMax:
		return c.max(x)
	case ReduceMin:
		return c.min(x)
	case ReduceMean:
		return c.mean(x)
	case ReduceVar:
		return c.variance(x)
	case ReduceStd:
		return c.std(x)
	}
	core.FailOp(core.ErrStatic, "Reduce", nil, "there is no reduction %d; use weft.ReduceSum … weft.ReduceStd", c.Op)
	return nil
}

// skipNaN returns the largest or least element that is not NaN; NaN where none is left.
func (c ReduceConfig) skipNaN(x core.Value) core.Value {
	x, axes := c.prepare("Reduce", x)
	if c.Op == ReduceMax {
		return c.finish(nanExtreme("Reduce", x, axes, prim.ReduceMax, Neg))
	}
	return c.finish(nanExtreme("Reduce", x, axes, prim.ReduceMin, func(inf core.Value) core.Value { return inf }))
}

// IsInexact reports whether v is floating or complex.
func IsInexact(v core.Value) bool { return v.Aval().DType.IsInexact() }

func (c ReduceConfig) sum(x core.Value) core.Value {
	x, axes := c.prepare("Reduce", x)
	return c.finish(c.begun("Reduce", Add, Sum(c.chosen(x, 0), axes...)))
}

func (c ReduceConfig) prod(x core.Value) core.Value {
	x, axes := c.prepare("Reduce", x)
	return c.finish(c.begun("Reduce", Mul, Prod(c.chosen(x, 1), axes...)))
}

func (c ReduceConfig) max(x core.Value) core.Value {
	return c.extreme("Reduce", x, Max, prim.MaxP{})
}

func (c ReduceConfig) min(x core.Value) core.Value {
	return c.extreme("Reduce", x, Min, prim.MinP{})
}

func (c ReduceConfig) mean(x core.Value) core.Value {
	x, axes := c.prepare("Reduce", x)
	if c.Where == nil {
		return c.finish(Mean(x, axes...))
	}
	x, dt := wideFloats("Reduce", x)
	return c.finish(AsType(WithJAXPromotion(func() core.Value { return Div(Sum(c.chosen(x, 0), axes...), c.count(x, axes)) }), dt))
}

func (c ReduceConfig) variance(x core.Value) core.Value {
	x, axes := c.prepare("Reduce", x)
	x, dt := wideFloats("Reduce", x)
	m := ReduceConfig{Axes: c.Axes, Keep: true, Where: c.Where}.mean(x)
	return c.finish(AsType(WithJAXPromotion(func() core.Value {
		d := c.chosen(Sub(x, m), 0) // before it is squared: the derivative of NaN² is NaN
		if d.Aval().DType.IsComplex() {
			d = Real(Mul(d, Conj(d)))
		} else {
			d = Square(d)
		}
		sum, n := Sum(d, axes...), Sub(c.count(x, axes), float64(c.DDof))
		return Where(Gt(n, 0), Div(sum, n), math.NaN())
	}), dt.Real()))
}

// wideFloats returns x as floats that averages are computed in, and the type that they have.
func wideFloats(op string, x core.Value) (core.Value, core.DType) {
	v := Strong(op, Floating(op, ValueOf(op, x)))
	dt := v.Aval().DType
	return Convert(op, v, AverageType(dt), false), dt
}

func (c ReduceConfig) std(x core.Value) core.Value { return Sqrt(c.variance(x)) }

func (c ReduceConfig) prepare(op string, x core.Value) (core.Value, []int) {
	if c.DType != core.Invalid {
		if a := ValueOf(op, x).Aval(); a.DType.IsComplex() && !c.DType.IsComplex() {
			core.FailOp(core.ErrDType, op, []core.ShapedArray{a}, "a reduction of %v in %v would drop the imaginary parts; take Real first", a.Full(), c.DType)
		}
		x = AsType(x, c.DType)
	}
	axes := slices.Clone(c.Axes)
	if c.Keep {
		axes = append(axes, Keep)
	}
	if c.Axes != nil && len(c.Axes) == 0 {
		core.FailOp(core.ErrIndex, op, nil, "Axes is empty, so nothing is reduced; nil means all axes")
	}
	ReducedAxes(op, ValueOf(op, x).Aval(), axes)
	return x, axes
}

// chosen returns x with zeros, or ones, where it does not take part.
func (c ReduceConfig) chosen(x core.Value, identity int) core.Value {
	if c.Where == nil {
		return x
	}
	return WithJAXPromotion(func() core.Value { return Where(c.Where, x, identity) })
}

// begun returns a reduction with Initial as one more element.
func (c ReduceConfig) begun(op string, f func(x, y any) core.Value, x core.Value) core.Value {
	if c.Initial == nil {
		return x
	}
	first := c.first(op, x)
	return WithJAXPromotion(func() core.Value { return f(x, first) })
}

// first returns Initial in x's type.
func (c ReduceConfig) first(op string, x core.Value) core.Value {
	v := fitInto(op, x, ValueOf(op, c.Initial))
	if a := v.Aval(); a.Rank() > 0 {
		core.FailOp(core.ErrShape, op, []core.ShapedArray{a}, "Initial must be one number (got %v); pass a scalar", a.Full())
	}
	return v
}

// extreme returns the largest or least of the elements that take part, and of Initial.
func (c ReduceConfig) extreme(op string, x core.Value, reduce func(core.Value, ...int) core.Value, p core.Primitive) core.Value {
	x, axes := c.prepare(op, x)
	if c.Initial == nil {
		if !(c.Where == nil) {
			core.FailOp(core.ErrShape, op, []core.ShapedArray{x.Aval()}, "Where may leave no element, which has no extreme; give Initial")
		}
		return c.finish(reduce(x, axes...))
	}
	first := c.first(op, x)
	return c.finish(WithJAXPromotion(func() core.Value {
		x := x
		if !(c.Where == nil) {
			x = Where(c.Where, x, first)
		}
		dims, _ := ReducedAxes(op, x.Aval(), c.Axes)
		for _, d := range dims.All() {
			if dim(x, d) == 0 { // nothing but Initial
				return reduced(x, axes, first)
			}
		}
		return applyPair(op, p, reduce(x, axes...), first)
	}))
}

// reduced returns first in the shape of x reduced along axes.
func reduced(x core.Value, axes []int, first core.Value) core.Value {
	return Spread("Reduce", first, AnyTrue(x, axes...).Aval().Shape)
}

func (c ReduceConfig) finish(x core.Value) core.Value {
	if c.DType != core.Invalid {
		return AsType(x, c.DType)
	}
	return x
}

// count returns the number of elements take part, in x's type.
func (c ReduceConfig) count(x core.Value, axes []int) core.Value {
	dt := AverageType(inexactOf(x.Aval().DType)).Real()
	if c.Where == nil {
		dims, _ := ReducedAxes("count", x.Aval(), axes)
		n := 1
		for _, d := range dims.All() {
			n *= dim(x, d)
		}
		return core.Lit(core.FloatNumber(float64(n)), dt)
	}
	return Sum(AsType(Spread("Where", Truth(c.Where), x.Aval().Shape), dt), axes...)
}
