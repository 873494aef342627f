package weft

import (
	"math"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
)

// The activation functions beyond those of math.go, each with the derivative at its
// kinks that jax.nn has.

// curve is f of x as floats: what f adds to integers would wrap.
func curve(op string, x Array, f func(x Array) Array) Array {
	x = FromValue(floating(op, valueOf(op, x)))
	return alone(func() Array { return f(x) })
}

// gated is f, which is v times something that goes from 0 to 1, and has come to both
// where |v| reaches the limit. From there on it is v, or 0, with the derivatives of
// these: the product would be of an infinity and 0.
func gated(v core.Value, limit float64, f func(core.Value) core.Value) core.Value {
	if v.Aval().DType.IsComplex() {
		return f(v)
	}
	size := prim.Abs(v)
	far := prim.Ge(size, num(size, limit))
	zero := num(v, 0)
	end := where(prim.Gt(v, zero), v, spreadLike(num(v, math.Copysign(0, -1)), v))
	return where(far, end, f(where(far, spreadLike(zero, v), v)))
}

// Relu6 is x brought into [0, 6]; its derivative at 0 and 6 is 0.
func Relu6(x Array) Array {
	return alone(func() Array {
		y := Minimum(Maximum(x, 0), 6.)
		if !y.DType().IsInexact() {
			return y
		}
		// Within, x itself, and beyond, and of NaN, what has no derivative.
		return Where(x.Gt(0).And(x.Lt(6)), x, StopGradient(y))
	})
}

// HardTanh is x brought into [−1, 1].
func HardTanh(x Array) Array {
	if valueOf("HardTanh", x).Aval().DType.IsUnsigned() {
		return Minimum(x, 1)
	}
	return alone(func() Array { return Where(x.Gt(1), 1, Where(x.Lt(-1), -1, x)) })
}

// HardSigmoid is Relu6(x + 3) / 6.
func HardSigmoid(x Array) Array {
	return curve("HardSigmoid", x, func(x Array) Array { return Relu6(x.Add(3)).Div(6.) })
}

// HardSilu is x · HardSigmoid(x).
func HardSilu(x Array) Array {
	return curve("HardSilu", x, func(x Array) Array {
		return FromValue(gated(x.Value(), 1024, func(v core.Value) core.Value {
			x := FromValue(v)
			return x.Mul(HardSigmoid(x)).Value()
		}))
	})
}

// LogSigmoid is the logarithm of Sigmoid, without loss where that is small.
func LogSigmoid(x Array) Array {
	return curve("LogSigmoid", x, func(x Array) Array { return Softplus(x.Neg()).Neg() })
}

// Softsign is x / (1 + |x|).
func Softsign(x Array) Array {
	return curve("Softsign", x, func(x Array) Array {
		size := Abs(x)
		far := size.Eq(math.Inf(1))
		safe := Where(far, 0, x)
		return Where(far, Sign(x), safe.Div(Abs(safe).Add(1)))
	})
}

// Mish is x · Tanh(Softplus(x)).
func Mish(x Array) Array {
	return curve("Mish", x, func(x Array) Array {
		return FromValue(gated(x.Value(), 1024, func(v core.Value) core.Value {
			x := FromValue(v)
			return x.Mul(Tanh(Softplus(x))).Value()
		}))
	})
}

// SquarePlus is (x + √(x² + 4)) / 2, a smooth Relu without exponentials.
func SquarePlus(x Array) Array {
	return unaryFloat("SquarePlus", func(v core.Value) core.Value {
		if v.Aval().DType.IsComplex() {
			root := prim.Sqrt(prim.Add(prim.Square(v), num(v, 4)))
			return prim.Div(prim.Add(v, root), num(v, 2))
		}
		up := prim.Ge(v, num(v, 0))
		size := where(up, v, prim.Neg(v)) // not Abs, whose derivative at 0 is another
		// From where the 4 is lost on, the root is the size: its square leaves the type.
		_, largest, _ := v.Aval().DType.Limits()
		_, bits := math.Frexp(largest.Float())
		far := prim.Ge(size, num(v, math.Ldexp(1, bits/2-1)))
		near := where(far, spreadLike(num(v, 0), v), size)
		root := where(far, size, prim.Sqrt(prim.Add(prim.Square(near), num(v, 4))))
		half := num(v, 0.5)
		y := prim.Add(prim.Mul(size, half), prim.Mul(root, half))
		return where(up, y, prim.Div(num(v, 1), y)) // f(x)·f(−x) is 1
	}, x)
}

// Celu is x where it is positive, else α · (e^(x/α) − 1).
func Celu(x Array, alpha float64) Array {
	return unaryReal("Celu", func(v core.Value) core.Value {
		return curved(v, func(safe core.Value) core.Value {
			return prim.Mul(num(v, alpha), prim.Expm1(prim.Div(safe, num(v, alpha))))
		})
	}, x)
}

// Selu is Elu scaled so that the mean 0 and the variance 1 are kept from layer to
// layer.
func Selu(x Array) Array {
	const alpha, scale = 1.6732632423543772848170429916717, 1.0507009873554804934193349852946
	return unaryReal("Selu", func(v core.Value) core.Value {
		return prim.Mul(num(v, scale), curved(v, func(safe core.Value) core.Value {
			return prim.Mul(num(v, alpha), prim.Expm1(safe))
		}))
	}, x)
}

// curved is v where it is positive, else f, which sees 0 in the other places.
func curved(v core.Value, f func(safe core.Value) core.Value) core.Value {
	zero := num(v, 0)
	pos := prim.Gt(v, zero)
	return where(pos, v, f(where(pos, spreadLike(zero, v), v)))
}

// Glu is one half of x along an axis, the last one unless another is given, times the
// Sigmoid of the other half.
func Glu(x Array, axis ...int) Array {
	ax := lastAxis("Glu", x, axis)
	if n := x.Dim(ax); n%2 != 0 {
		core.FailOp(core.ErrShape, "Glu", []core.ShapedArray{x.aval()}, "axis %d of %v has %s, which has no half; give it an even number", ax, x.aval().Full(), core.Count(n, "element"))
	}
	h := SplitEvenly(x, ax, 2)
	return alone(func() Array { return h[0].Mul(Sigmoid(h[1])) })
}

// Standardize is x less its mean, divided by the root of its variance plus 1e-5, along
// an axis, the last one unless another is given.
func Standardize(x Array, axis ...int) Array {
	return standardized("Standardize", x, lastAxis("Standardize", x, axis), 1e-5)
}

// LayerNorm is x less its mean, divided by the root of its variance plus 1e-6, along its
// last axis, times scale, plus shift.
func LayerNorm(x, scale, shift Array) Array {
	broadcastShapes("LayerNorm", valueOf("LayerNorm", x).Aval(), valueOf("LayerNorm", scale).Aval(), valueOf("LayerNorm", shift).Aval())
	y := standardized("LayerNorm", x, lastAxis("LayerNorm", x, nil), 1e-6)
	return alone(func() Array { return y.Mul(scale).Add(shift) })
}

// standardized has the variance of the differences from the mean: the mean of the squares
// less the square of the mean would lose what both have in common, and the squares of
// halves are soon beyond their type.
func standardized(op string, x Array, axis int, more float64) Array {
	v := floating(op, valueOf(op, x))
	dt := v.Aval().DType
	return alone(func() Array {
		x := FromValue(convert(op, v, single(dt), v.Aval().Weak))
		d := x.Sub(x.Mean(axis, Keep))
		y := d.Mul(Rsqrt(Square(d).Mean(axis, Keep).Add(more)))
		if y.DType() == dt {
			return y
		}
		return y.AsType(dt)
	})
}

// NormalCDF is the probability that a standard normal number is below x.
func NormalCDF(x Array) Array {
	return unaryReal("NormalCDF", func(v core.Value) core.Value {
		return prim.Mul(num(v, 0.5), prim.Erfc(prim.Mul(v, num(v, -math.Sqrt2/2))))
	}, x)
}

// NormalPDF is the density of standard normal numbers at x.
func NormalPDF(x Array) Array {
	return unaryFloat("NormalPDF", func(v core.Value) core.Value {
		size := prim.Abs(v)
		far := prim.Ge(size, num(size, 1024)) // where the product with the derivative would be of an infinity and 0
		zero := spreadLike(num(v, 0), v)
		v = where(far, zero, v)
		return where(far, zero, prim.Exp(prim.Sub(prim.Mul(num(v, -0.5), prim.Square(v)), num(v, math.Log(2*math.Pi)/2))))
	}, x)
}
