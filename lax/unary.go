package lax

import (
	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core/prim"
)

// Functions of one array. Corner cases (±0, infinities, NaN, branch cuts) are documented with the
// primitives in package core/prim.

// Neg returns −x.
func Neg(x weft.Array) weft.Array { return wrap(prim.Neg(x.Value())) }

// Sign returns the sign of x: −1, 0 or 1, or z/|z| for a complex number that is not 0.
func Sign(x weft.Array) weft.Array { return wrap(prim.Sign(x.Value())) }

// Abs returns |x|, which is real for complex numbers.
func Abs(x weft.Array) weft.Array { return wrap(prim.Abs(x.Value())) }

// Square returns x·x.
func Square(x weft.Array) weft.Array { return wrap(prim.Square(x.Value())) }

// Floor rounds towards −∞, in the dtype of x.
func Floor(x weft.Array) weft.Array { return wrap(prim.Floor(x.Value())) }

// Ceil rounds towards +∞, in the dtype of x.
func Ceil(x weft.Array) weft.Array { return wrap(prim.Ceil(x.Value())) }

// IsFinite reports for each element whether it is neither infinite nor NaN.
func IsFinite(x weft.Array) weft.Array { return wrap(prim.IsFinite(x.Value())) }

// Exp returns eˣ.
func Exp(x weft.Array) weft.Array { return wrap(prim.Exp(x.Value())) }

// Exp2 returns 2ˣ.
func Exp2(x weft.Array) weft.Array { return wrap(prim.Exp2(x.Value())) }

// Expm1 returns eˣ − 1, accurate near 0.
func Expm1(x weft.Array) weft.Array { return wrap(prim.Expm1(x.Value())) }

// Log returns the natural logarithm.
func Log(x weft.Array) weft.Array { return wrap(prim.Log(x.Value())) }

// Log1p returns ln(1 + x), accurate near 0.
func Log1p(x weft.Array) weft.Array { return wrap(prim.Log1p(x.Value())) }

// Logistic returns 1/(1 + e⁻ˣ).
func Logistic(x weft.Array) weft.Array { return wrap(prim.Logistic(x.Value())) }

// Sqrt returns the square root.
func Sqrt(x weft.Array) weft.Array { return wrap(prim.Sqrt(x.Value())) }

// Rsqrt returns 1/√x.
func Rsqrt(x weft.Array) weft.Array { return wrap(prim.Rsqrt(x.Value())) }

// Cbrt returns the real cube root.
func Cbrt(x weft.Array) weft.Array { return wrap(prim.Cbrt(x.Value())) }

// Sin returns the sine.
func Sin(x weft.Array) weft.Array { return wrap(prim.Sin(x.Value())) }

// Cos returns the cosine.
func Cos(x weft.Array) weft.Array { return wrap(prim.Cos(x.Value())) }

// Tan returns the tangent.
func Tan(x weft.Array) weft.Array { return wrap(prim.Tan(x.Value())) }

// Asin returns the arc sine.
func Asin(x weft.Array) weft.Array { return wrap(prim.Asin(x.Value())) }

// Acos returns the arc cosine.
func Acos(x weft.Array) weft.Array { return wrap(prim.Acos(x.Value())) }

// Atan returns the arc tangent.
func Atan(x weft.Array) weft.Array { return wrap(prim.Atan(x.Value())) }

// Sinh returns the hyperbolic sine.
func Sinh(x weft.Array) weft.Array { return wrap(prim.Sinh(x.Value())) }

// Cosh returns the hyperbolic cosine.
func Cosh(x weft.Array) weft.Array { return wrap(prim.Cosh(x.Value())) }

// Tanh returns the hyperbolic tangent.
func Tanh(x weft.Array) weft.Array { return wrap(prim.Tanh(x.Value())) }

// Asinh returns the inverse hyperbolic sine.
func Asinh(x weft.Array) weft.Array { return wrap(prim.Asinh(x.Value())) }

// Acosh returns the inverse hyperbolic cosine.
func Acosh(x weft.Array) weft.Array { return wrap(prim.Acosh(x.Value())) }

// Atanh returns the inverse hyperbolic tangent.
func Atanh(x weft.Array) weft.Array { return wrap(prim.Atanh(x.Value())) }

// Erf returns the error function.
func Erf(x weft.Array) weft.Array { return wrap(prim.Erf(x.Value())) }

// Erfc returns 1 − erf x, accurate for large x.
func Erfc(x weft.Array) weft.Array { return wrap(prim.Erfc(x.Value())) }

// ErfInv returns the inverse of erf.
func ErfInv(x weft.Array) weft.Array { return wrap(prim.ErfInv(x.Value())) }

// Lgamma returns ln|Γ(x)|.
func Lgamma(x weft.Array) weft.Array { return wrap(prim.Lgamma(x.Value())) }

// Digamma returns Γ'(x)/Γ(x).
func Digamma(x weft.Array) weft.Array { return wrap(prim.Digamma(x.Value())) }

// Real returns the real part of a complex array.
func Real(x weft.Array) weft.Array { return wrap(prim.Real(x.Value())) }

// Imag returns the imaginary part of a complex array, as a real one.
func Imag(x weft.Array) weft.Array { return wrap(prim.Imag(x.Value())) }

// Conj returns the complex conjugate; a real array becomes complex.
func Conj(x weft.Array) weft.Array { return wrap(prim.Conj(x.Value())) }

// BitwiseNot inverts every bit; for booleans it is logical not.
func BitwiseNot(x weft.Array) weft.Array { return wrap(prim.Not(x.Value())) }

// PopulationCount returns the number of bits that are set in each element.
func PopulationCount(x weft.Array) weft.Array { return wrap(prim.PopulationCount(x.Value())) }

// Clz returns the number of leading zero bits of each element.
func Clz(x weft.Array) weft.Array { return wrap(prim.Clz(x.Value())) }

// StopGradient returns x as a constant for differentiation.
func StopGradient(x weft.Array) weft.Array { return wrap(prim.StopGradient(x.Value())) }

// RoundingMethod selects the direction in which [Round] rounds numbers half way between two
// integers.
type RoundingMethod = prim.Rounding

// The rounding methods.
const (
	AwayFromZero  = prim.AwayFromZero  // 0.5 → 1, 2.5 → 3
	ToNearestEven = prim.ToNearestEven // 0.5 → 0, 2.5 → 2
)

// Round returns the nearest integer, in the dtype of x.
func Round(x weft.Array, method RoundingMethod) weft.Array {
	return wrap(prim.Round(x.Value(), method))
}

// IntegerPow returns xʸ for a Go integer y, by repeated squaring.
func IntegerPow(x weft.Array, y int) weft.Array { return wrap(prim.IntegerPow(x.Value(), y)) }

// Reciprocal returns 1/x, as IntegerPow(x, -1).
func Reciprocal(x weft.Array) weft.Array { return IntegerPow(x, -1) }

// ReducePrecision rounds to a float with the given numbers of bits for exponent and
// mantissa, in the dtype of x.
func ReducePrecision(x weft.Array, exponentBits, mantissaBits int) weft.Array {
	return wrap(prim.ReducePrecision(x.Value(), exponentBits, mantissaBits))
}
