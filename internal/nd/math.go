package nd

import (
	"math"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/promote"
)

func UnaryFloat(op string, f func(core.Value) core.Value, x core.Value) core.Value {
	return f(Floating(op, ValueOf(op, x)))
}

// UnaryReal is UnaryFloat for functions that take no complex numbers.
func UnaryReal(op string, f func(core.Value) core.Value, x core.Value) core.Value {
	v := Floating(op, ValueOf(op, x))
	RequireReal(op, v)
	return f(v)
}

// RequireReal refuses complex numbers.
func RequireReal(op string, vs ...core.Value) {
	for _, v := range vs {
		if v.Aval().DType.IsComplex() {
			core.FailOp(core.ErrDType, op, core.AvalsOf(vs), "takes real numbers, got %v; take Real, Imag or Abs of it", v.Aval().Full())
		}
	}
}

func unary(op string, f func(core.Value) core.Value, x core.Value) core.Value {
	return f(numbersOf(op, x))
}

// Exp returns e to the power x.
func Exp(x core.Value) core.Value { return UnaryFloat("Exp", prim.Exp, x) }

// Exp2 returns 2 to the power x.
func Exp2(x core.Value) core.Value { return UnaryFloat("Exp2", prim.Exp2, x) }

// Expm1 returns e^x − 1, accurate near 0.
func Expm1(x core.Value) core.Value { return UnaryFloat("Expm1", prim.Expm1, x) }

// Log returns the natural logarithm of x.
func Log(x core.Value) core.Value { return UnaryFloat("Log", prim.Log, x) }

// Log1p returns log(1 + x), accurate near 0.
func Log1p(x core.Value) core.Value { return UnaryFloat("Log1p", prim.Log1p, x) }

// Log2 returns the logarithm to base 2.
func Log2(x core.Value) core.Value { return logBase("Log2", x, math.Ln2) }

// Log10 returns the logarithm to base 10.
func Log10(x core.Value) core.Value { return logBase("Log10", x, math.Ln10) }

func logBase(op string, x core.Value, ln float64) core.Value {
	v := prim.Log(Strong(op, Floating(op, ValueOf(op, x))))
	over := func(v core.Value) core.Value { return prim.Div(v, Num(v, ln)) }
	if v.Aval().DType.IsComplex() { // part by part: a complex quotient makes NaN of an infinite part
		return prim.Complex(over(prim.Real(v)), over(prim.Imag(v)))
	}
	return over(v)
}

// Sqrt returns the square root of x.
func Sqrt(x core.Value) core.Value { return UnaryFloat("Sqrt", prim.Sqrt, x) }

// RootOfSquares returns √x for a sum of squares x. Its derivative is 0 where x is 0. That of [Sqrt] is ∞ there,
// and ∞ times the squares' derivative 0 is NaN.
func RootOfSquares(x core.Value) core.Value {
	none, zero := prim.Eq(x, Num(x, 0)), FillLike(Num(x, 0), x)
	return Choose(none, zero, prim.Sqrt(Choose(none, FillLike(Num(x, 1), x), x)))
}

// Rsqrt returns 1 / √x.
func Rsqrt(x core.Value) core.Value { return UnaryFloat("Rsqrt", prim.Rsqrt, x) }

// Cbrt returns the cube root of x.
func Cbrt(x core.Value) core.Value { return UnaryReal("Cbrt", prim.Cbrt, x) }

// Sin returns the sine of x.
func Sin(x core.Value) core.Value { return UnaryFloat("Sin", prim.Sin, x) }

// Cos returns the cosine of x.
func Cos(x core.Value) core.Value { return UnaryFloat("Cos", prim.Cos, x) }

// Tan returns the tangent of x.
func Tan(x core.Value) core.Value { return UnaryFloat("Tan", prim.Tan, x) }

// Asin returns the angle whose sine is x.
func Asin(x core.Value) core.Value { return UnaryFloat("Asin", prim.Asin, x) }

// Acos returns the angle whose cosine is x.
func Acos(x core.Value) core.Value { return UnaryFloat("Acos", prim.Acos, x) }

// Atan returns the angle whose tangent is x.
func Atan(x core.Value) core.Value { return UnaryFloat("Atan", prim.Atan, x) }

// Sinh returns the hyperbolic sine of x.
func Sinh(x core.Value) core.Value { return UnaryFloat("Sinh", prim.Sinh, x) }

// Cosh returns the hyperbolic cosine of x.
func Cosh(x core.Value) core.Value { return UnaryFloat("Cosh", prim.Cosh, x) }

// Tanh returns the hyperbolic tangent of x.
func Tanh(x core.Value) core.Value { return UnaryFloat("Tanh", prim.Tanh, x) }

// Asinh returns the inverse of Sinh.
func Asinh(x core.Value) core.Value { return UnaryFloat("Asinh", prim.Asinh, x) }

// Acosh returns the inverse of Cosh.
func Acosh(x core.Value) core.Value { return UnaryFloat("Acosh", prim.Acosh, x) }

// Atanh returns the inverse of Tanh.
func Atanh(x core.Value) core.Value { return UnaryFloat("Atanh", prim.Atanh, x) }

// Reciprocal returns 1 / x.
func Reciprocal(x core.Value) core.Value {
	return UnaryFloat("Reciprocal", func(v core.Value) core.Value { return prim.IntegerPow(v, -1) }, x)
}

// Square returns x · x.
func Square(x core.Value) core.Value {
	v := numbersOf("Square", x)
	if IsBool(v) {
		v = Convert("Square", v, core.Int32, false)
	}
	return prim.Square(v)
}

// Abs returns |x|; for complex numbers it is the modulus.
func Abs(x core.Value) core.Value {
	return unary("Abs", func(v core.Value) core.Value {
		if d := v.Aval().DType; d.IsBool() || d.IsUnsigned() {
			return v
		}
		return prim.Abs(v)
	}, x)
}

// Sign returns −1, 0 or 1, the sign of x; for complex numbers it is x / |x|.
func Sign(x core.Value) core.Value { return unary("Sign", prim.Sign, x) }

// Floor returns the largest integral number that is at most x. Integers are unchanged.
func Floor(x core.Value) core.Value { return rounded("Floor", prim.Floor, x) }

// Ceil returns the least integral number that is at least x. Integers are unchanged.
func Ceil(x core.Value) core.Value { return rounded("Ceil", prim.Ceil, x) }

// Trunc returns x without its fraction. Integers are unchanged.
func Trunc(x core.Value) core.Value {
	return rounded("Trunc", func(v core.Value) core.Value {
		return prim.Where(prim.Lt(v, Num(v, 0)), prim.Ceil(v), prim.Floor(v))
	}, x)
}

func roundAny(v core.Value) core.Value {
	if v.Aval().DType.IsComplex() {
		return prim.Complex(roundAny(prim.Real(v)), roundAny(prim.Imag(v)))
	}
	return prim.Round(v, prim.ToNearestEven)
}

func rounded(op string, f func(core.Value) core.Value, x core.Value) core.Value {
	v := numbersOf(op, x)
	if d := v.Aval().DType; d.IsInteger() || d.IsBool() {
		return x
	}
	if op != "Round" {
		RequireReal(op, v)
	}
	return f(v)
}

// Conj returns the complex conjugate of x; for reals it is x itself.
func Conj(x core.Value) core.Value {
	x = ValueOf("Conj", x)
	if !x.Aval().DType.IsComplex() {
		return x
	}
	return unary("Conj", prim.Conj, x)
}

// IsFinite reports for each element whether it is neither infinite nor NaN.
func IsFinite(x core.Value) core.Value {
	v := ValueOf("IsFinite", x)
	switch d := v.Aval().DType; {
	case d.IsComplex():
		return prim.And(prim.IsFinite(prim.Real(v)), prim.IsFinite(prim.Imag(v)))
	case d.IsFloat():
		finite := prim.IsFinite(v)
		if Current().Promotion == promote.Anvil { // whose is_finite never returns a weak type
			return Convert("IsFinite", finite, core.Bool, false)
		}
		return finite
	}
	return Full(v.Aval().Shape.Ints(), true)
}

// IsNaN reports for each element whether it is NaN.
func IsNaN(x core.Value) core.Value {
	v := ValueOf("IsNaN", x)
	return prim.Ne(v, v)
}

// IsInf reports for each element whether it is infinite.
func IsInf(x core.Value) core.Value {
	v := Strong("IsInf", ValueOf("IsInf", x))
	inf := func(v core.Value) core.Value {
		return prim.Eq(prim.Abs(v), Num(v, math.Inf(1)))
	}
	switch d := v.Aval().DType; {
	case d.IsComplex():
		return prim.Or(inf(prim.Real(v)), inf(prim.Imag(v)))
	case d.IsFloat() && hasInfinity(d):
		return inf(v)
	}
	return Full(v.Aval().Shape.Ints(), false)
}

// LogicalAnd reports for each element whether a and b are both nonzero.
func LogicalAnd(a any, b any) core.Value { return logical("LogicalAnd", prim.And, a, b) }

// LogicalOr reports for each element whether a or b is nonzero.
func LogicalOr(a any, b any) core.Value { return logical("LogicalOr", prim.Or, a, b) }

// LogicalXor reports for each element whether exactly one of a and b is nonzero.
func LogicalXor(a any, b any) core.Value { return logical("LogicalXor", prim.Xor, a, b) }

// LogicalNot reports for each element whether it is zero.
func LogicalNot(x core.Value) core.Value {
	return unary("LogicalNot", func(v core.Value) core.Value { return prim.Not(strongUnlessScalar("LogicalNot", Truth(v))) }, x)
}

func logical(op string, f func(x, y core.Value) core.Value, a, b any) core.Value {
	x, y := ValueOf(op, a), ValueOf(op, b)
	RequireBroadcast(op, x, y) // by their own types
	weak := false
	if s, t := x.Aval(), y.Aval(); (s.Weak || t.Weak) && (s.Rank() == 0 && t.Rank() == 0 || keepsFlag(s) && keepsFlag(t)) {
		_, weak = PromoteTypes(op, x, y)
	}
	x, y = AlignRanks(op, Truth(x), Truth(y))
	return f(Convert(op, x, core.Bool, weak), Convert(op, y, core.Bool, weak))
}

// LogAddExp returns log(e^a + e^b), without overflow.
func LogAddExp(a any, b any) core.Value {
	x, y := FloatingPair("LogAddExp", ValueOf("LogAddExp", a), ValueOf("LogAddExp", b))
	x, y = AlignRanks("LogAddExp", x, y)
	if x.Aval().DType.IsComplex() {
		first := prim.Ge(prim.Real(x), prim.Real(y))
		long, short := Choose(first, x, y), Choose(first, y, x)
		return strongUnlessScalar("LogAddExp", prim.Add(long, prim.Log1p(prim.Exp(prim.Sub(short, long)))))
	}
	// Of equal infinities and of NaN the difference is NaN. Elsewhere one choice decides everything, so that
	// the derivatives add up to 1 even where both operands are equal.
	delta := prim.Sub(x, y)
	bad, zero := prim.Ne(delta, delta), Num(delta, 0)
	delta = Choose(bad, zero, delta)
	first := prim.Ge(delta, zero)
	top, less := Choose(first, x, y), Choose(first, prim.Neg(delta), delta)
	// Equal infinities share the derivative, too. The derivative at NaN is NaN, as that of a product with NaN.
	sum := prim.Add(x, y)
	nan := prim.Or(prim.Ne(x, x), prim.Ne(y, y)) // the sum is NaN also of −∞ and ∞
	sum = prim.Mul(sum, prim.StopGradient(Choose(nan, sum, Num(sum, 0.5))))
	return Choose(bad, sum, prim.Add(top, prim.Log1p(prim.Exp(less))))
}

// Hypot returns √(a² + b²), without overflow. It is ∞ where a or b is infinite, also beside NaN.
func Hypot(a any, b any) core.Value {
	x, y := FloatingPair("Hypot", ValueOf("Hypot", a), ValueOf("Hypot", b))
	x, y = AlignRanks("Hypot", x, y)
	if a := x.Aval(); a.DType.IsComplex() {
		core.FailOp(core.ErrDType, "Hypot", []core.ShapedArray{a, y.Aval()}, "the sides of a triangle are real; take Abs of the complex numbers first")
	}
	if x.Aval().Rank()+y.Aval().Rank() > 0 { // the result of weak scalars is weak, as in JAX
		x, y = Strong("Hypot", x), Strong("Hypot", y)
	}
	x, y = prim.Abs(x), prim.Abs(y)
	infinite := func(v core.Value) core.Value { return prim.Eq(v, Num(v, math.Inf(1))) }
	inf := prim.Or(infinite(x), infinite(y))
	long, short := prim.Max(x, y), prim.Min(x, y)
	// Infinite sides are replaced, so that derivatives of what is not chosen are finite.
	long, short = Choose(inf, FillLike(Num(long, 1), long), long), Choose(inf, FillLike(Num(short, 0), short), short)
	// Where both are 0 the divisor is 1, so that nothing is 0/0.
	unit := Choose(prim.Eq(long, Num(long, 0)), FillLike(Num(long, 1), long), long)
	h := prim.Mul(long, prim.Sqrt(prim.Add(Num(long, 1), prim.Square(prim.Div(short, unit)))))
	zero := FillLike(Num(long, 0), long) // a constant: at the kink the derivative is 0
	return Choose(inf, FillLike(Num(long, math.Inf(1)), long), Choose(prim.Eq(long, Num(long, 0)), zero, h))
}

// Clip returns x limited to [lo, hi].
func Clip(x core.Value, lo any, hi any) core.Value {
	const op = "Clip"
	v, l, h := ValueOf(op, x), ValueOf(op, lo), ValueOf(op, hi)
	RequireBroadcast(op, v, l, h)
	y := applyPair(op, prim.MinP{}, applyPair(op, prim.MaxP{}, v, lo), hi)
	if a := y.Aval(); a.DType.IsComplex() {
		core.FailOp(core.ErrDType, "Clip", []core.ShapedArray{x.Aval()}, "complex numbers have no order; clip Real and Imag")
	}
	return y
}

// LogSumExp returns log Σ e^x along the given axes, all unless some are given, without
// overflow.
func LogSumExp(x core.Value, axes ...int) core.Value {
	x = Floating("LogSumExp", ValueOf("LogSumExp", x))
	dims, keep := ReducedAxes("LogSumExp", x.Aval(), axes)
	at := append(dims.Ints(), noAxes, Keep)
	sum := WithJAXPromotion(func() core.Value {
		for _, d := range dims.All() {
			if dim(x, d) == 0 { // a sum of nothing
				return Log(Sum(Exp(x), at...))
			}
		}
		top := x
		if x.Aval().DType.IsComplex() {
			top = Real(x)
		}
		top = prim.StopGradient(Max(top, at...))
		top = Where(IsFinite(top), top, 0.)
		return Add(Log(Sum(Exp(Sub(x, top)), at...)), top)
	})
	sum = WithFlag("LogSumExp", sum, x.Aval())
	if keep {
		return sum
	}
	return prim.Squeeze(sum, dims)
}

// OneAxis returns the one axis given, or the last.
func OneAxis(op string, x core.Value, axis []int) int {
	return axisOfType(op, ValueOf(op, x).Aval(), axis)
}

func axisOfType(op string, a core.ShapedArray, axis []int) int {
	switch len(axis) {
	case 0:
		return Axis(op, a, -1)
	case 1:
		return Axis(op, a, axis[0])
	}
	core.FailOp(core.ErrIndex, op, nil, "too many axes (got %d, want 1); pass one", len(axis))
	return 0
}
