package nd

import (
	"math"
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
)

// nanExtreme returns the largest element that is not NaN if top, else the least; NaN where there is none.
func nanExtreme(op string, x core.Value, axes []int, f func(core.Value, core.Dims) core.Value, top bool) core.Value {
	v := ValueOf(op, x)
	if !v.Aval().DType.IsInexact() {
		return extremeAlong(op, f, x, axes)
	}
	return WithJAXPromotion(func() core.Value {
		fill := Num(v, math.Inf(1))
		switch {
		case !hasInfinity(v.Aval().DType):
			fill = extremeOf(Num(v, 0), !top)
		case top:
			fill = Neg(fill)
		}
		bad := IsNaN(x)
		m := extremeAlong(op, f, Where(bad, fill, x), axes)
		return Where(AllTrue(bad, axes...), Num(m, math.NaN()), m)
	})
}

// Average returns the weighted mean along an axis, or of all elements. The weights have x's
// shape, or its size along the axis.
func Average(x, weights core.Value, axis ...int) core.Value {
	v, w := FloatingPair("Average", ValueOf("Average", x), ValueOf("Average", weights))
	a, b := v.Aval(), w.Aval()
	if a.Shape != b.Shape {
		only, _ := withSentinel(axis, Keep)
		if len(only) != 1 || b.Rank() != 1 || b.Shape.At(0) != a.Shape.At(Axis("Average", a, only[0])) {
			core.FailOp(core.ErrShape, "Average", []core.ShapedArray{a, b}, "the weights %v have neither the shape of %v nor its size along the one axis given; reshape them, or name the axis", b.Full(), a.Full())
		}
		w = prim.BroadcastInDim(w, a.Shape, core.MakeDims(Axis("Average", a, only[0])))
	}
	mean := WithJAXPromotion(func() core.Value {
		w := w
		return Div(Sum(Mul(v, w), axis...), Sum(w, axis...))
	})
	return WithFlag("Average", mean, a)
}

// Median returns the middle element along the given axes, or of all elements; of an even number, the
// mean of the two middle ones. It is NaN if any element is NaN.
func Median(x core.Value, axes ...int) core.Value {
	return quantile("Median", x, 0.5, quantileAxes(axes))
}

func quantileAxes(axes []int) QuantileConfig {
	var c QuantileConfig
	for _, a := range axes {
		if a == Keep {
			c.Keep = true
			continue
		}
		c.Axes = append(c.Axes, a)
	}
	return c
}

// QuantileMethod selects the value of a quantile that lies between two elements.
type QuantileMethod uint8

// The methods: linear interpolation, the lower element, the higher, the nearer, or the mean of
// both.
const (
	QuantileLinear QuantileMethod = iota
	QuantileLower
	QuantileHigher
	QuantileNearest
	QuantileMidpoint
)

// QuantileConfig configures [Quantile]. Its zero value reduces all elements and interpolates
// linearly.
type QuantileConfig struct {
	Axes    []int // nil: all; empty: none
	Keep    bool  // reduced axes stay, with size 1
	Method  QuantileMethod
	SkipNaN bool // NaNs do not count
}

// Quantile returns the value below which the fraction q of the elements lies.
func Quantile(x core.Value, q any, c QuantileConfig) core.Value {
	return quantile("Quantile", x, q, c)
}

func quantile(op string, x core.Value, q any, c QuantileConfig) core.Value {
	v := Strong(op, Floating(op, ValueOf(op, x)))
	a := v.Aval()
	if a.DType.IsComplex() {
		core.FailOp(core.ErrDType, op, []core.ShapedArray{a}, "complex numbers have no order; take Real, Imag or Abs")
	}
	dims, _ := ReducedAxes(op, a, c.Axes)
	// The reduced axes become one, the last.
	var perm, kept []int
	n := 1
	for i, size := range a.Shape.All() {
		if slices.Contains(dims.Ints(), i) {
			n *= size
			continue
		}
		perm = append(perm, i)
		kept = append(kept, size)
	}
	if n == 0 {
		core.FailOp(core.ErrShape, op, []core.ShapedArray{a}, "%v has no elements along the axes %v, so none is in the middle; reduce what is not empty", a.Full(), dims)
	}
	v = prim.Reshape(Permute(v, append(perm, dims.Ints()...)), core.MakeDims(append(kept, n)...))
	p := Convert(op, ValueOf(op, q), AverageType(a.DType), false)
	y := WithJAXPromotion(func() core.Value { return c.at(op, v, p, n) })
	y = WithFlag(op, AsType(y, a.DType), a)
	if c.Keep {
		s := slices.Clone(p.Aval().Shape.Ints())
		for i, size := range a.Shape.All() {
			if slices.Contains(dims.Ints(), i) {
				size = 1
			}
			s = append(s, size)
		}
		y = Reshape(y, s...)
	}
	return y
}

// at reads the quantiles p of x's last axis, which has n elements. The axes of p come
// first.
func (c QuantileConfig) at(op string, x, p core.Value, n int) core.Value {
	sorted := MoveAxis(AsType(Sort(x, -1), p.Aval().DType), -1, 0)
	bad := IsNaN(x)
	rest := slices.Repeat([]int{1}, x.Aval().Rank()-1)
	wide := Reshape(p, append(slices.Clone(p.Aval().Shape.Ints()), rest...)...)
	last := AsType(Operand(op, n-1), p.Aval().DType)
	if c.SkipNaN {
		last = Sub(AsType(Sum(Not(bad), -1), p.Aval().DType), 1)
	}
	place := Mul(wide, last)
	low, high := Floor(place), Ceil(place)
	take := func(at core.Value) core.Value {
		at = AsType(Clip(at, 0., float64(n-1)), core.Int32)
		if c.SkipNaN && x.Aval().Rank() > 1 { // each slice has a position of its own
			s := append(slices.Clone(p.Aval().Shape.Ints()), sorted.Aval().Shape.Ints()[1:]...)
			flat := Reshape(BroadcastTo(at, s...), append([]int{p.Aval().Size()}, sorted.Aval().Shape.Ints()[1:]...)...)
			return Reshape(TakeAlongAxis(sorted, flat, 0), s...)
		}
		return Index(sorted, Reshape(at, p.Aval().Shape.Ints()...))
	}
	var y core.Value
	switch c.Method {
	case QuantileLower:
		y = take(low)
	case QuantileHigher:
		y = take(high)
	case QuantileNearest:
		y = take(Round(place))
	case QuantileMidpoint:
		y = Mul(Add(take(low), take(high)), 0.5)
	case QuantileLinear:
		w := Sub(place, low)
		y = take(low) // only this element where w is 0: the other may be infinite, and ∞·0 is NaN
		y = Where(Eq(w, 0), y, Add(Mul(y, Sub(1., w)), Mul(take(high), w)))
	default:
		core.FailOp(core.ErrStatic, op, nil, "there is no method %d; use weft.QuantileLinear and its neighbours", c.Method)
	}
	none := AnyTrue(bad, -1)
	if c.SkipNaN {
		none = AllTrue(bad, -1)
	}
	return Where(none, Num(y, math.NaN()), y)
}

// Cov returns the covariances of the variables that are x's rows; its columns are the
// observations. Sums over n observations are divided by n − 1.
func Cov(x core.Value) core.Value { return cov("Cov", x) }

func cov(op string, x core.Value) core.Value {
	x = ValueOf(op, x)
	if a := x.Aval(); a.Rank() > 2 {
		core.FailOp(core.ErrShape, op, []core.ShapedArray{a}, "takes a variable a row, or one variable, got %v; reshape it", a.Full())
	}
	x = Strong(op, Floating(op, x))
	a := x.Aval()
	one := a.Rank() < 2
	c := WithJAXPromotion(func() core.Value {
		if one {
			x = Reshape(x, 1, -1)
		}
		n := dim(x, 1)
		x = Sub(x, Mean(x, 1, Keep))
		return Div(MatMul(x, Conj(Transpose(x))), float64(max(n-1, 0)))
	})
	c = WithFlag(op, c, a)
	if one {
		return Squeeze(c)
	}
	return c
}

// CorrCoef returns the correlations of the variables that are x's rows.
func CorrCoef(x core.Value) core.Value {
	c := cov("CorrCoef", x)
	if c.Aval().Rank() == 0 {
		return WithJAXPromotion(func() core.Value { return Div(c, c) })
	}
	return WithJAXPromotion(func() core.Value {
		d := Sqrt(Real(Diag(c)))
		c = Div(Div(c, ExpandDims(d, 1)), d)
		if c.Aval().DType.IsComplex() {
			return c
		}
		return Clip(c, -1., 1.)
	})
}
