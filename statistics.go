package weft

import (
	"math"
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
)

// NaNSum is Sum of what is not NaN.
func NaNSum(x Array, axes ...int) Array { return withoutNaN("NaNSum", x, 0).Sum(axes...) }

// NaNProd is Prod of what is not NaN.
func NaNProd(x Array, axes ...int) Array { return withoutNaN("NaNProd", x, 1).Prod(axes...) }

// NaNMean is Mean of what is not NaN.
func NaNMean(x Array, axes ...int) Array { return MeanOf(x, notNaN("NaNMean", x, axes)) }

// NaNVar is Var of what is not NaN.
func NaNVar(x Array, axes ...int) Array { return VarOf(x, notNaN("NaNVar", x, axes)) }

// NaNStd is Std of what is not NaN.
func NaNStd(x Array, axes ...int) Array { return StdOf(x, notNaN("NaNStd", x, axes)) }

// NaNMax is Max of what is not NaN; NaN where nothing is left.
func NaNMax(x Array, axes ...int) Array {
	return nanExtreme("NaNMax", x, axes, prim.ReduceMax, Array.Neg)
}

// NaNMin is Min of what is not NaN; NaN where nothing is left.
func NaNMin(x Array, axes ...int) Array {
	return nanExtreme("NaNMin", x, axes, prim.ReduceMin, func(inf Array) Array { return inf })
}

func nanExtreme(op string, x Array, axes []int, f func(core.Value, core.Dims) core.Value, fill func(inf Array) Array) Array {
	v := valueOf(op, x)
	if !v.Aval().DType.IsInexact() {
		return extreme(op, f, x, axes)
	}
	return alone(func() Array {
		inf := FromValue(num(v, math.Inf(1)))
		bad := IsNaN(x)
		m := extreme(op, f, Where(bad, fill(inf), x), axes)
		return Where(bad.All(axes...), FromValue(num(m.Value(), math.NaN())), m)
	})
}

// withoutNaN is x with v for NaN.
func withoutNaN(op string, x Array, v int) Array {
	if !valueOf(op, x).Aval().DType.IsInexact() {
		return x
	}
	return alone(func() Array { return Where(IsNaN(x), v, x) })
}

func notNaN(op string, x Array, axes []int) ReduceConfig {
	axesOf(op, valueOf(op, x).Aval(), axes)
	c := ReduceConfig{Where: IsNaN(x).Not()}
	for _, a := range axes {
		if a == Keep {
			c.Keep = true
			continue
		}
		c.Axes = append(c.Axes, a)
	}
	return c
}

// Ptp is the distance from the least to the largest element along the given axes, or
// of all.
func Ptp(x Array, axes ...int) Array {
	return alone(func() Array {
		return extreme("Ptp", prim.ReduceMax, x, axes).Sub(extreme("Ptp", prim.ReduceMin, x, axes))
	})
}

// CountNonzero is how many elements along the given axes, or of all, are not 0.
func CountNonzero(x Array, axes ...int) Array {
	return FromValue(truth(valueOf("CountNonzero", x))).Sum(axes...)
}

// Average is the mean along an axis, or of all elements, in which each counts as
// much as its weight. The weights have x's shape, or its size along the axis.
func Average(x, weights Array, axis ...int) Array {
	v, w := floating2("Average", valueOf("Average", x), valueOf("Average", weights))
	a, b := v.Aval(), w.Aval()
	if a.Shape != b.Shape {
		if len(axis) != 1 || b.Rank() != 1 || b.Shape.At(0) != a.Shape.At(resolveAxis("Average", a, axis[0])) {
			core.FailOp(core.ErrShape, "Average", []core.ShapedArray{a, b}, "the weights %v have neither the shape of %v nor its size along the one axis given; reshape them, or name the axis", b.Full(), a.Full())
		}
		w = prim.BroadcastInDim(w, a.Shape, core.MakeDims(resolveAxis("Average", a, axis[0])))
	}
	return alone(func() Array {
		w := FromValue(w)
		return FromValue(v).Mul(w).Sum(axis...).Div(w.Sum(axis...))
	})
}

// Median is the middle element along the given axes, or of all: the mean of two if
// their number is even. NaN if one is.
func Median(x Array, axes ...int) Array {
	return quantile("Median", x, 0.5, 1, quantileAxes(axes))
}

// Percentile is Quantile with q out of a hundred.
func Percentile[Q Operand](x Array, q Q, axes ...int) Array {
	return quantile("Percentile", x, q, 100, quantileAxes(axes))
}

// Quantile is the element below which the part q of all lies, along the given axes or
// of all; between two elements it is interpolated. q is from 0 to 1; its axes come
// first in the result. NaN if one is.
func Quantile[Q Operand](x Array, q Q, axes ...int) Array {
	return quantile("Quantile", x, q, 1, quantileAxes(axes))
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

// QuantileMethod is what a quantile between two elements is.
type QuantileMethod uint8

// The methods: on the line between both, the lower, the higher, the nearer one, or
// the mean.
const (
	QuantileLinear QuantileMethod = iota
	QuantileLower
	QuantileHigher
	QuantileNearest
	QuantileMidpoint
)

// QuantileConfig is what a quantile with more to say takes. Its zero value is that of
// [Quantile].
type QuantileConfig struct {
	Axes    []int // nil: all
	Keep    bool  // reduced axes stay, with size 1
	Method  QuantileMethod
	SkipNaN bool // NaNs do not count
}

// QuantileOf is Quantile as the configuration has it.
func QuantileOf[Q Operand](x Array, q Q, c QuantileConfig) Array {
	return quantile("QuantileOf", x, q, 1, c)
}

// quantile is that of q/of.
func quantile(op string, x Array, q any, of float64, c QuantileConfig) Array {
	v := strong(op, floating(op, valueOf(op, x)))
	a := v.Aval()
	if a.DType.IsComplex() {
		core.FailOp(core.ErrDType, op, []core.ShapedArray{a}, "complex numbers have no order; take Real, Imag or Abs")
	}
	dims, _ := axesOf(op, a, c.Axes)
	// The reduced axes last, as one.
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
	v = prim.Reshape(transpose(v, append(perm, dims.Ints()...)), core.MakeDims(append(kept, n)...))
	p := FromValue(convert(op, valueOf(op, q), single(a.DType), false))
	if of != 1 {
		p = alone(func() Array { return p.Div(of) })
	}
	y := alone(func() Array { return c.at(op, FromValue(v), p, n) })
	y = y.AsType(a.DType)
	if c.Keep {
		s := slices.Clone(p.Shape())
		for i, size := range a.Shape.All() {
			if slices.Contains(dims.Ints(), i) {
				size = 1
			}
			s = append(s, size)
		}
		y = y.Reshape(s...)
	}
	return y
}

// at reads the quantiles p of x's last axis, which has n elements. The axes of p come
// first.
func (c QuantileConfig) at(op string, x, p Array, n int) Array {
	sorted := x.Sort(-1).AsType(p.DType()).MoveAxis(-1, 0)
	bad := IsNaN(x)
	rest := slices.Repeat([]int{1}, x.Rank()-1)
	wide := p.Reshape(append(slices.Clone(p.Shape()), rest...)...)
	last := Scalar(n - 1).AsType(p.DType())
	if c.SkipNaN {
		last = bad.Not().Sum(-1).AsType(p.DType()).Sub(1)
	}
	place := wide.Mul(last)
	low, high := Floor(place), Ceil(place)
	take := func(at Array) Array {
		at = Clip(at, 0., float64(n-1)).AsType(Int32)
		if c.SkipNaN && x.Rank() > 1 { // another place for each
			s := append(slices.Clone(p.Shape()), sorted.Shape()[1:]...)
			flat := at.BroadcastTo(s...).Reshape(append([]int{-1}, sorted.Shape()[1:]...)...)
			return TakeAlongAxis(sorted, flat, 0).Reshape(s...)
		}
		return sorted.Index(at.Reshape(p.Shape()...))
	}
	var y Array
	switch c.Method {
	case QuantileLower:
		y = take(low)
	case QuantileHigher:
		y = take(high)
	case QuantileNearest:
		y = take(Round(place))
	case QuantileMidpoint:
		y = take(low).Add(take(high)).Mul(0.5)
	case QuantileLinear:
		w := place.Sub(low)
		y = take(low) // alone where w is 0: an infinity is not to be multiplied by it
		y = Where(w.Eq(0), y, y.Mul(Sub(1., w)).Add(take(high).Mul(w)))
	default:
		core.FailOp(core.ErrStatic, op, nil, "there is no method %d; use weft.QuantileLinear and its neighbours", c.Method)
	}
	none := bad.Any(-1)
	if c.SkipNaN {
		none = bad.All(-1)
	}
	return Where(none, FromValue(num(y.Value(), math.NaN())), y)
}

// Cov is the covariances of the variables that are x's rows; its columns are the
// observations. The sum is divided by one less than their number.
func Cov(x Array) Array { return cov("Cov", x) }

func cov(op string, x Array) Array {
	if a := valueOf(op, x).Aval(); a.Rank() > 2 || a.Rank() == 0 {
		core.FailOp(core.ErrShape, op, []core.ShapedArray{a}, "takes a variable a row, or one variable, got %v; reshape it", a.Full())
	}
	x = FromValue(strong(op, floating(op, x.Value())))
	one := x.Rank() == 1
	c := alone(func() Array {
		if one {
			x = x.ExpandDims(0)
		}
		n := x.Dim(1)
		x = x.Sub(x.Mean(1, Keep))
		return x.MatMul(Conj(x.T())).Div(float64(max(n-1, 0)))
	})
	if one {
		return c.Squeeze()
	}
	return c
}

// CorrCoef is the correlations of the variables that are x's rows.
func CorrCoef(x Array) Array {
	c := cov("CorrCoef", x)
	if c.Rank() == 0 {
		return alone(func() Array { return c.Div(c) })
	}
	return alone(func() Array {
		d := Sqrt(Diag(c).Real())
		c = c.Div(d.ExpandDims(1)).Div(d)
		if c.DType().IsComplex() {
			return c
		}
		return Clip(c, -1., 1.)
	})
}
