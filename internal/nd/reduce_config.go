package nd

import (
	"math"
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
)

// ReduceConfig configures [Reduce]. Its zero value is the sum of all elements.
type ReduceConfig struct {
	Op    ReduceOp
	Axes  []int      // nil: all; empty: none
	Keep  bool       // reduced axes stay, with size 1
	Where core.Value // only elements where this holds take part
	DType core.DType // type of the computation and the result; 0: the one that Sum, Mean and so on choose
	DDof  float64    // subtracted from the number of elements in variances and deviations
	// Initial, one number, takes part in sums, products, maxima and minima as one more element. Maxima and
	// minima need it where possibly no element takes part. nil: none.
	Initial any
	SkipNaN bool // NaNs do not take part
	// Cumulative asks for the reduction of the elements up to each position, along one axis or, if
	// Axes is nil, in row-major order. Op must be a sum, a product, a maximum or a minimum. Initial
	// counts as an element before the first, so there is one more result.
	Cumulative bool
}

// ReduceOp selects the reduction that Reduce computes.
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

// Reduce returns a reduction of x with the settings of the configuration.
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
		case c.Op <= ReduceMin && c.Initial == nil && c.Where == nil && !c.Cumulative:
			return c.skipNaN(x)
		case c.Where == nil:
			c.Where = Not(bad)
		default:
			c.Where = And(Truth(c.Where), Not(bad))
		}
	}
	if c.Cumulative {
		return c.cumulative(x)
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

func (c ReduceConfig) cumulative(x core.Value) core.Value {
	const op = "Reduce"
	if c.Op > ReduceMin {
		core.FailOp(core.ErrStatic, op, nil, "sums, products, maxima and minima are cumulative, reduction %d is not; use one of them", c.Op)
	}
	if c.Axes != nil && len(c.Axes) != 1 {
		core.FailOp(core.ErrIndex, op, nil, "a cumulative reduction runs along one axis (got %v); name one, or leave Axes nil for all elements in row-major order", c.Axes)
	}
	x, axes := c.prepare(op, x)
	x = Strong(op, numbersOf(op, x))
	if c.Op <= ReduceProd && c.DType == core.Invalid {
		x = SumType(op, x)
	}
	if c.Where != nil {
		identity := any(int(c.Op)) // 0 of sums, 1 of products
		if c.Op >= ReduceMax {
			identity = extremeOf(x, c.Op == ReduceMin)
		}
		x = WithJAXPromotion(func() core.Value { return Where(c.Where, x, identity) })
	}
	axes, _ = withSentinel(axes, Keep)
	if axes == nil {
		x, axes = Ravel(x), []int{0}
	}
	if c.Initial != nil {
		one := x.Aval().Shape.Ints()
		one[Axis(op, x.Aval(), axes[0])] = 1
		x = Concat(axes[0], Spread(op, c.first(op, x), core.MakeDims(one...)), x)
	}
	return c.finish([]func(core.Value, ...int) core.Value{CumSum, CumProd, CumMax, CumMin}[c.Op](x, axes...))
}

// skipNaN returns the largest or least element that is not NaN; NaN where none is left.
func (c ReduceConfig) skipNaN(x core.Value) core.Value {
	x, axes := c.prepare("Reduce", x)
	if c.Op == ReduceMax {
		return c.finish(nanExtreme("Reduce", x, axes, prim.ReduceMax, true))
	}
	return c.finish(nanExtreme("Reduce", x, axes, prim.ReduceMin, false))
}

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
		sum, n := Sum(d, axes...), Sub(c.count(x, axes), c.DDof)
		return Where(Gt(n, 0), Div(sum, n), math.NaN())
	}), dt.Real()))
}

// wideFloats returns x in the type that averages are computed in, and the type of the averages.
func wideFloats(op string, x core.Value) (core.Value, core.DType) {
	v := Strong(op, Floating(op, ValueOf(op, x)))
	dt := v.Aval().DType
	return Convert(op, v, AverageType(dt), false), dt
}

func (c ReduceConfig) std(x core.Value) core.Value { return RootOfSquares(c.variance(x)) }

func (c ReduceConfig) prepare(op string, x core.Value) (core.Value, []int) {
	if c.DType != core.Invalid {
		if a := ValueOf(op, x).Aval(); a.DType.IsComplex() && !c.DType.IsComplex() {
			core.FailOp(core.ErrDType, op, []core.ShapedArray{a}, "a reduction of %v in %v would drop the imaginary parts; take Real first", a.Full(), c.DType)
		}
		x = AsType(x, c.DType)
	}
	axes := slices.Clone(c.Axes)
	if c.Axes != nil && len(c.Axes) == 0 {
		axes = append(axes, noAxes)
	}
	if c.Keep {
		axes = append(axes, Keep)
	}
	ReducedAxes(op, ValueOf(op, x).Aval(), axes)
	return x, axes
}

func (c ReduceConfig) chosen(x core.Value, identity int) core.Value {
	if c.Where == nil {
		return x
	}
	return WithJAXPromotion(func() core.Value { return Where(c.Where, x, identity) })
}

// begun returns the reduction x combined with Initial by f, or x if there is no Initial.
func (c ReduceConfig) begun(op string, f func(x, y any) core.Value, x core.Value) core.Value {
	if c.Initial == nil {
		return x
	}
	first := c.first(op, x)
	return WithJAXPromotion(func() core.Value { return f(x, first) })
}

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

// reduced broadcasts the scalar first to the shape that x has once it is reduced along axes.
func reduced(x core.Value, axes []int, first core.Value) core.Value {
	return Spread("Reduce", first, AnyTrue(x, axes...).Aval().Shape)
}

func (c ReduceConfig) finish(x core.Value) core.Value {
	if c.DType != core.Invalid {
		return AsType(x, c.DType)
	}
	return x
}

// count returns the number of elements that take part, in the type in which averages of x are computed.
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
