package weft

import (
	"math"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
)

// Functions of one array. Those whose results are floating take integers and
// truth values as floats: f32, or f64 for 64-bit integers.

func unaryFloat(op string, f func(core.Value) core.Value, x Array) Array {
	return FromValue(f(floating(op, valueOf(op, x))))
}

// unaryReal is unaryFloat of what has no meaning for complex numbers here.
func unaryReal(op string, f func(core.Value) core.Value, x Array) Array {
	v := floating(op, valueOf(op, x))
	reals(op, v)
	return FromValue(f(v))
}

// reals refuses complex numbers.
func reals(op string, vs ...core.Value) {
	for _, v := range vs {
		if v.Aval().DType.IsComplex() {
			core.FailOp(core.ErrDType, op, core.AvalsOf(vs), "takes real numbers, got %v; take Real, Imag or Abs of it", v.Aval().Full())
		}
	}
}

func unary(op string, f func(core.Value) core.Value, x Array) Array {
	return FromValue(f(valueOf(op, x)))
}

// Exp is e to the power x.
func Exp(x Array) Array { return unaryFloat("Exp", prim.Exp, x) }

// Exp2 is 2 to the power x.
func Exp2(x Array) Array { return unaryFloat("Exp2", prim.Exp2, x) }

// Expm1 is e^x − 1, exact near 0.
func Expm1(x Array) Array { return unaryFloat("Expm1", prim.Expm1, x) }

// Log is the natural logarithm of x.
func Log(x Array) Array { return unaryFloat("Log", prim.Log, x) }

// Log1p is log(1 + x), exact near 0.
func Log1p(x Array) Array { return unaryFloat("Log1p", prim.Log1p, x) }

// Log2 is the logarithm to base 2.
func Log2(x Array) Array { return logBase("Log2", x, math.Ln2) }

// Log10 is the logarithm to base 10.
func Log10(x Array) Array { return logBase("Log10", x, math.Ln10) }

func logBase(op string, x Array, ln float64) Array {
	v := prim.Log(strong(op, floating(op, valueOf(op, x))))
	return FromValue(prim.Div(v, num(v, ln)))
}

// Sqrt is the square root of x.
func Sqrt(x Array) Array { return unaryFloat("Sqrt", prim.Sqrt, x) }

// Rsqrt is 1 / √x.
func Rsqrt(x Array) Array { return unaryFloat("Rsqrt", prim.Rsqrt, x) }

// Cbrt is the cube root of x.
func Cbrt(x Array) Array { return unaryReal("Cbrt", prim.Cbrt, x) }

// Sin is the sine of x.
func Sin(x Array) Array { return unaryFloat("Sin", prim.Sin, x) }

// Cos is the cosine of x.
func Cos(x Array) Array { return unaryFloat("Cos", prim.Cos, x) }

// Tan is the tangent of x.
func Tan(x Array) Array { return unaryFloat("Tan", prim.Tan, x) }

// Asin is the angle whose sine is x.
func Asin(x Array) Array { return unaryFloat("Asin", prim.Asin, x) }

// Acos is the angle whose cosine is x.
func Acos(x Array) Array { return unaryFloat("Acos", prim.Acos, x) }

// Atan is the angle whose tangent is x.
func Atan(x Array) Array { return unaryFloat("Atan", prim.Atan, x) }

// Sinh is the hyperbolic sine of x.
func Sinh(x Array) Array { return unaryFloat("Sinh", prim.Sinh, x) }

// Cosh is the hyperbolic cosine of x.
func Cosh(x Array) Array { return unaryFloat("Cosh", prim.Cosh, x) }

// Tanh is the hyperbolic tangent of x.
func Tanh(x Array) Array { return unaryFloat("Tanh", prim.Tanh, x) }

// Asinh is the inverse of Sinh.
func Asinh(x Array) Array { return unaryFloat("Asinh", prim.Asinh, x) }

// Acosh is the inverse of Cosh.
func Acosh(x Array) Array { return unaryFloat("Acosh", prim.Acosh, x) }

// Atanh is the inverse of Tanh.
func Atanh(x Array) Array { return unaryFloat("Atanh", prim.Atanh, x) }

// Erf is the error function.
func Erf(x Array) Array { return unaryReal("Erf", prim.Erf, x) }

// Erfc is 1 − Erf(x), exact for large x.
func Erfc(x Array) Array { return unaryReal("Erfc", prim.Erfc, x) }

// ErfInv is the inverse of Erf.
func ErfInv(x Array) Array { return unaryReal("ErfInv", prim.ErfInv, x) }

// Lgamma is the logarithm of the absolute value of the gamma function.
func Lgamma(x Array) Array { return unaryReal("Lgamma", prim.Lgamma, x) }

// Digamma is the derivative of Lgamma.
func Digamma(x Array) Array { return unaryReal("Digamma", prim.Digamma, x) }

// Reciprocal is 1 / x.
func Reciprocal(x Array) Array {
	return unaryFloat("Reciprocal", func(v core.Value) core.Value { return prim.IntegerPow(v, -1) }, x)
}

// Square is x · x.
func Square(x Array) Array {
	v := valueOf("Square", x)
	if isBool(v) {
		v = convert("Square", v, core.Int32, false)
	}
	return FromValue(prim.Square(v))
}

// Abs is |x|: of complex numbers the modulus.
func Abs(x Array) Array {
	return unary("Abs", func(v core.Value) core.Value {
		if d := v.Aval().DType; d.IsBool() || d.IsUnsigned() {
			return v
		}
		return prim.Abs(v)
	}, x)
}

// Sign is −1, 0 or 1 as x is; of complex numbers x / |x|.
func Sign(x Array) Array { return unary("Sign", prim.Sign, x) }

// Floor is the largest integral number that is at most x. Integers stay.
func Floor(x Array) Array { return rounded("Floor", prim.Floor, x) }

// Ceil is the least integral number that is at least x. Integers stay.
func Ceil(x Array) Array { return rounded("Ceil", prim.Ceil, x) }

// Trunc is x without its fraction. Integers stay.
func Trunc(x Array) Array {
	return rounded("Trunc", func(v core.Value) core.Value {
		return prim.Where(prim.Lt(v, num(v, 0)), prim.Ceil(v), prim.Floor(v))
	}, x)
}

// Round is the nearest integral number, the even one of two; of complex numbers,
// part by part. Integers stay.
func Round(x Array) Array { return rounded("Round", roundAny, x) }

func roundAny(v core.Value) core.Value {
	if v.Aval().DType.IsComplex() {
		return prim.Complex(roundAny(prim.Real(v)), roundAny(prim.Imag(v)))
	}
	return prim.Round(v, prim.ToNearestEven)
}

func rounded(op string, f func(core.Value) core.Value, x Array) Array {
	v := valueOf(op, x)
	if d := v.Aval().DType; d.IsInteger() || d.IsBool() {
		return x
	}
	if op != "Round" {
		reals(op, v)
	}
	return FromValue(f(v))
}

// Conj is the complex conjugate of x; of reals x itself.
func Conj(x Array) Array {
	if !x.DType().IsComplex() {
		return x
	}
	return unary("Conj", prim.Conj, x)
}

// IsFinite reports for each element whether it is neither infinite nor NaN.
func IsFinite(x Array) Array {
	v := valueOf("IsFinite", x)
	switch d := v.Aval().DType; {
	case d.IsComplex():
		return FromValue(prim.And(prim.IsFinite(prim.Real(v)), prim.IsFinite(prim.Imag(v))))
	case d.IsFloat():
		return FromValue(prim.IsFinite(v))
	}
	return Full(Shape(v.Aval().Shape.Ints()), true)
}

// IsNaN reports for each element whether it is not a number.
func IsNaN(x Array) Array {
	v := valueOf("IsNaN", x)
	return FromValue(prim.Ne(v, v))
}

// IsInf reports for each element whether it is infinite.
func IsInf(x Array) Array {
	v := strong("IsInf", valueOf("IsInf", x))
	inf := func(v core.Value) core.Value {
		return prim.Eq(prim.Abs(v), num(v, math.Inf(1)))
	}
	switch d := v.Aval().DType; {
	case d.IsComplex():
		return FromValue(prim.Or(inf(prim.Real(v)), inf(prim.Imag(v))))
	case d.IsFloat():
		return FromValue(inf(v))
	}
	return Full(Shape(v.Aval().Shape.Ints()), false)
}

// LogicalAnd is whether both are not zero.
func LogicalAnd[A, B Operand](a A, b B) Array { return logical("LogicalAnd", prim.And, a, b) }

// LogicalOr is whether one is not zero.
func LogicalOr[A, B Operand](a A, b B) Array { return logical("LogicalOr", prim.Or, a, b) }

// LogicalXor is whether exactly one is not zero.
func LogicalXor[A, B Operand](a A, b B) Array { return logical("LogicalXor", prim.Xor, a, b) }

// LogicalNot is whether x is zero.
func LogicalNot(x Array) Array {
	return unary("LogicalNot", func(v core.Value) core.Value { return prim.Not(strong("LogicalNot", truth(v))) }, x)
}

func logical(op string, f func(x, y core.Value) core.Value, a, b any) Array {
	x, y := valueOf(op, a), valueOf(op, b)
	mustSpread(op, x, y) // by their own types
	x, y = ranks2(op, truth(x), truth(y))
	return FromValue(f(strong(op, x), strong(op, y)))
}

// LogAddExp is log(e^a + e^b), without overflow.
func LogAddExp[A, B Operand](a A, b B) Array {
	x, y := floating2("LogAddExp", valueOf("LogAddExp", a), valueOf("LogAddExp", b))
	x, y = ranks2("LogAddExp", x, y)
	if x.Aval().DType.IsComplex() {
		first := prim.Ge(prim.Real(x), prim.Real(y))
		long, short := where(first, x, y), where(first, y, x)
		return FromValue(prim.Add(long, prim.Log1p(prim.Exp(prim.Sub(short, long)))))
	}
	// Equal infinities and NaNs have no difference to go by. Elsewhere one choice goes
	// through everything, so that the derivatives add up to 1 where both are equal, too.
	delta := prim.Sub(x, y)
	bad, zero := prim.Ne(delta, delta), num(delta, 0)
	delta = where(bad, zero, delta)
	first := prim.Ge(delta, zero)
	top, less := where(first, x, y), where(first, prim.Neg(delta), delta)
	// Equal infinities share the derivative, too. That of NaN is NaN, as of a product
	// with it.
	sum := prim.Add(x, y)
	sum = prim.Mul(sum, where(prim.Ne(sum, sum), sum, num(sum, 0.5)))
	return FromValue(where(bad, sum, prim.Add(top, prim.Log1p(prim.Exp(less)))))
}

// Hypot is √(a² + b²), without overflow.
func Hypot[A, B Operand](a A, b B) Array {
	x, y := floating2("Hypot", valueOf("Hypot", a), valueOf("Hypot", b))
	x, y = ranks2("Hypot", x, y)
	if a := x.Aval(); a.DType.IsComplex() {
		core.FailOp(core.ErrDType, "Hypot", []core.ShapedArray{a, y.Aval()}, "the sides of a triangle are real; take Abs of the complex numbers first")
	}
	x, y = prim.Abs(strong("Hypot", x)), prim.Abs(strong("Hypot", y))
	long, short := prim.Max(x, y), prim.Min(x, y)
	// Where both are 0 the quotient is taken of 1, so that nothing is 0/0.
	unit := where(prim.Eq(long, num(long, 0)), spreadLike(num(long, 1), long), long)
	h := prim.Mul(long, prim.Sqrt(prim.Add(num(long, 1), prim.Square(prim.Div(short, unit)))))
	inf := prim.Eq(long, num(long, math.Inf(1)))
	return FromValue(where(inf, spreadLike(num(long, math.Inf(1)), long), where(prim.Eq(long, num(long, 0)), long, h)))
}

// Clip is x with what lies outside of [lo, hi] brought to the nearer bound.
func Clip[A, B Operand](x Array, lo A, hi B) Array {
	const op = "Clip"
	v, l, h := valueOf(op, x), valueOf(op, lo), valueOf(op, hi)
	mustSpread(op, v, l, h)
	y := apply2(op, prim.MinP{}, apply2(op, prim.MaxP{}, FromValue(v), lo), hi)
	if a := y.aval(); a.DType.IsComplex() {
		core.FailOp(core.ErrDType, "Clip", []core.ShapedArray{x.aval()}, "complex numbers have no order; clip Real and Imag")
	}
	return y
}

// Sigmoid is 1 / (1 + e^−x).
func Sigmoid(x Array) Array { return unaryFloat("Sigmoid", prim.Logistic, x) }

// Relu is the larger of x and 0, NaN at NaN; its derivative at 0 is 0.
func Relu(x Array) Array {
	v := valueOf("Relu", x)
	reals("Relu", v)
	zero := num(v, 0)
	return FromValue(where(prim.Le(v, zero), spreadLike(zero, v), v))
}

// Softplus is log(1 + e^x).
func Softplus(x Array) Array { return alone(func() Array { return LogAddExp(x, 0) }) }

// Silu is x · Sigmoid(x).
func Silu(x Array) Array {
	return unaryFloat("Silu", func(v core.Value) core.Value {
		return gated(v, 1024, func(v core.Value) core.Value { return prim.Mul(v, prim.Logistic(v)) })
	}, x)
}

// Gelu is x times the probability that a normal number is below x.
func Gelu(x Array) Array {
	return unaryReal("Gelu", func(v core.Value) core.Value {
		return gated(v, 1024, func(v core.Value) core.Value {
			half := prim.Mul(v, num(v, 0.5))
			return prim.Mul(half, prim.Erfc(prim.Mul(prim.Neg(v), num(v, math.Sqrt(0.5)))))
		})
	}, x)
}

// GeluTanh is the usual approximation of Gelu by a hyperbolic tangent.
func GeluTanh(x Array) Array {
	return unaryFloat("GeluTanh", func(v core.Value) core.Value {
		return gated(v, 16, func(v core.Value) core.Value {
			cube := prim.IntegerPow(v, 3)
			inner := prim.Mul(num(v, math.Sqrt(2/math.Pi)), prim.Add(v, prim.Mul(num(v, 0.044715), cube)))
			return prim.Mul(v, prim.Mul(num(v, 0.5), prim.Add(num(v, 1), prim.Tanh(inner))))
		})
	}, x)
}

// Elu is x where it is positive, else e^x − 1.
func Elu(x Array) Array {
	return unaryReal("Elu", func(v core.Value) core.Value {
		zero := num(v, 0)
		pos := prim.Gt(v, zero)
		safe := where(pos, spreadLike(zero, v), v)
		return where(pos, v, prim.Expm1(safe))
	}, x)
}

// LeakyRelu is x where it is at least 0, else a hundredth of x.
func LeakyRelu(x Array) Array {
	return unaryReal("LeakyRelu", func(v core.Value) core.Value {
		return where(prim.Ge(v, num(v, 0)), v, prim.Mul(v, num(v, 0.01)))
	}, x)
}

// Softmax is e^x divided by its sum along an axis, the last one unless another is
// given.
func Softmax(x Array, axis ...int) Array {
	x = FromValue(floating("Softmax", valueOf("Softmax", x)))
	ax := lastAxis("Softmax", x, axis)
	return alone(func() Array {
		e := Exp(shifted("Softmax", x, ax))
		return e.Div(e.Sum(ax, Keep))
	})
}

// LogSoftmax is the logarithm of Softmax, without loss where that is small.
func LogSoftmax(x Array, axis ...int) Array {
	x = FromValue(floating("LogSoftmax", valueOf("LogSoftmax", x)))
	ax := lastAxis("LogSoftmax", x, axis)
	return alone(func() Array {
		s := shifted("LogSoftmax", x, ax)
		return s.Sub(Log(Exp(s).Sum(ax, Keep)))
	})
}

// shifted is x less its largest element along an axis.
func shifted(op string, x Array, axis int) Array {
	if x.Dim(axis) == 0 {
		return FromValue(strong(op, x.Value()))
	}
	return x.Sub(StopGradient(x.Max(axis, Keep)))
}

// LogSumExp is log Σ e^x along the given axes, all unless some are given, without
// overflow.
func LogSumExp(x Array, axes ...int) Array {
	x = FromValue(floating("LogSumExp", valueOf("LogSumExp", x)))
	dims, keep := axesOf("LogSumExp", x.aval(), axes)
	at := append(dims.Ints(), Keep)
	sum := alone(func() Array {
		for _, d := range dims.All() {
			if x.Dim(d) == 0 { // a sum of nothing
				return Log(Exp(x).Sum(at...))
			}
		}
		top := StopGradient(x.Max(at...))
		top = Where(IsFinite(top), top, 0.)
		return Log(Exp(x.Sub(top)).Sum(at...)).Add(top)
	})
	if keep {
		return sum
	}
	return sum.Squeeze(dims.Ints()...)
}

// lastAxis is the one axis given, or the last.
func lastAxis(op string, x Array, axis []int) int { return axisOf(op, valueOf(op, x).Aval(), axis) }

func axisOf(op string, a core.ShapedArray, axis []int) int {
	switch len(axis) {
	case 0:
		return resolveAxis(op, a, -1)
	case 1:
		return resolveAxis(op, a, axis[0])
	}
	core.FailOp(core.ErrIndex, op, nil, "takes one axis, got %d", len(axis))
	return 0
}
