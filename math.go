package weft

import (
	"github.com/weft-go/weft/internal/nd"
)

// Exp returns e to the power x.
func Exp(x Array) Array { return FromValue(nd.Exp(x.value())) }

// Exp2 returns 2 to the power x.
func Exp2(x Array) Array { return FromValue(nd.Exp2(x.value())) }

// Expm1 returns e^x − 1, accurate near 0.
func Expm1(x Array) Array { return FromValue(nd.Expm1(x.value())) }

// Log returns the natural logarithm of x.
func Log(x Array) Array { return FromValue(nd.Log(x.value())) }

// Log1p returns log(1 + x), accurate near 0.
func Log1p(x Array) Array { return FromValue(nd.Log1p(x.value())) }

// Log2 returns the logarithm to base 2.
func Log2(x Array) Array { return FromValue(nd.Log2(x.value())) }

// Log10 returns the logarithm to base 10.
func Log10(x Array) Array { return FromValue(nd.Log10(x.value())) }

// Sqrt returns the square root of x.
func Sqrt(x Array) Array { return FromValue(nd.Sqrt(x.value())) }

// Rsqrt returns 1 / √x.
func Rsqrt(x Array) Array { return FromValue(nd.Rsqrt(x.value())) }

// Cbrt returns the cube root of x.
func Cbrt(x Array) Array { return FromValue(nd.Cbrt(x.value())) }

// Sin returns the sine of x.
func Sin(x Array) Array { return FromValue(nd.Sin(x.value())) }

// Cos returns the cosine of x.
func Cos(x Array) Array { return FromValue(nd.Cos(x.value())) }

// Tan returns the tangent of x.
func Tan(x Array) Array { return FromValue(nd.Tan(x.value())) }

// Asin returns the angle whose sine is x.
func Asin(x Array) Array { return FromValue(nd.Asin(x.value())) }

// Acos returns the angle whose cosine is x.
func Acos(x Array) Array { return FromValue(nd.Acos(x.value())) }

// Atan returns the angle whose tangent is x.
func Atan(x Array) Array { return FromValue(nd.Atan(x.value())) }

// Sinh returns the hyperbolic sine of x.
func Sinh(x Array) Array { return FromValue(nd.Sinh(x.value())) }

// Cosh returns the hyperbolic cosine of x.
func Cosh(x Array) Array { return FromValue(nd.Cosh(x.value())) }

// Tanh returns the hyperbolic tangent of x.
func Tanh(x Array) Array { return FromValue(nd.Tanh(x.value())) }

// Asinh returns the inverse of Sinh.
func Asinh(x Array) Array { return FromValue(nd.Asinh(x.value())) }

// Acosh returns the inverse of Cosh.
func Acosh(x Array) Array { return FromValue(nd.Acosh(x.value())) }

// Atanh returns the inverse of Tanh.
func Atanh(x Array) Array { return FromValue(nd.Atanh(x.value())) }

// Reciprocal returns 1 / x.
func Reciprocal(x Array) Array { return FromValue(nd.Reciprocal(x.value())) }

// Square returns x · x.
func Square(x Array) Array { return FromValue(nd.Square(x.value())) }

// Abs returns |x|; for complex numbers it is the modulus.
func Abs(x Array) Array { return FromValue(nd.Abs(x.value())) }

// Sign returns −1, 0 or 1, the sign of x; for complex numbers it is x / |x|, and 0 for 0.
func Sign(x Array) Array { return FromValue(nd.Sign(x.value())) }

// Floor returns the largest integral number that is at most x. Integers are unchanged.
func Floor(x Array) Array { return FromValue(nd.Floor(x.value())) }

// Ceil returns the least integral number that is at least x. Integers are unchanged.
func Ceil(x Array) Array { return FromValue(nd.Ceil(x.value())) }

// Trunc returns x without its fraction. Integers are unchanged.
func Trunc(x Array) Array { return FromValue(nd.Trunc(x.value())) }

// Conj returns the complex conjugate of x; for reals it is x itself.
func Conj(x Array) Array { return FromValue(nd.Conj(x.value())) }

// IsFinite reports for each element whether it is neither infinite nor NaN.
func IsFinite(x Array) Array { return FromValue(nd.IsFinite(x.value())) }

// IsNaN reports for each element whether it is NaN.
func IsNaN(x Array) Array { return FromValue(nd.IsNaN(x.value())) }

// IsInf reports for each element whether it is infinite.
func IsInf(x Array) Array { return FromValue(nd.IsInf(x.value())) }

// LogicalAnd reports for each element whether both a and b are not zero.
func LogicalAnd[A, B Operand](a A, b B) Array { return FromValue(nd.LogicalAnd(unwrap(a), unwrap(b))) }

// LogicalOr reports for each element whether a or b is not zero.
func LogicalOr[A, B Operand](a A, b B) Array { return FromValue(nd.LogicalOr(unwrap(a), unwrap(b))) }

// LogicalXor reports for each element whether exactly one of a and b is not zero.
func LogicalXor[A, B Operand](a A, b B) Array { return FromValue(nd.LogicalXor(unwrap(a), unwrap(b))) }

// LogicalNot reports for each element whether it is zero.
func LogicalNot(x Array) Array { return FromValue(nd.LogicalNot(x.value())) }

// LogAddExp returns log(e^a + e^b), without overflow.
func LogAddExp[A, B Operand](a A, b B) Array { return FromValue(nd.LogAddExp(unwrap(a), unwrap(b))) }

// Hypot returns √(a² + b²), without overflow.
func Hypot[A, B Operand](a A, b B) Array { return FromValue(nd.Hypot(unwrap(a), unwrap(b))) }

// Clip returns x limited to [lo, hi].
func Clip[A, B Operand](x Array, lo A, hi B) Array {
	return FromValue(nd.Clip(x.value(), unwrap(lo), unwrap(hi)))
}

// Round returns the nearest integral number, or the nearest number with the given number of
// decimals; of two equally near numbers the even one. Negative decimals round to tens, hundreds
// and so on. Complex numbers are rounded part by part. Integers are unchanged; negative decimals are an error for them.
func Round(x Array, decimals ...int) Array { return FromValue(nd.Round(x.value(), decimals...)) }

// Angle returns the angle of complex numbers in the plane. A real has the angle π if it is negative, −0 too, NaN
// if it is NaN, else 0.
func Angle(x Array) Array { return FromValue(nd.Angle(x.value())) }

// Deg2Rad converts degrees to radians.
func Deg2Rad(x Array) Array { return FromValue(nd.Deg2Rad(x.value())) }

// Rad2Deg converts radians to degrees.
func Rad2Deg(x Array) Array { return FromValue(nd.Rad2Deg(x.value())) }

// NaNToNum returns x with 0 for NaN, and the largest and least finite numbers for the infinities.
// Integers are unchanged.
func NaNToNum(x Array) Array { return FromValue(nd.NaNToNum(x.value())) }

// Signbit reports for each element whether its sign bit is set: for negative numbers, for −0 and
// for some NaNs.
func Signbit(x Array) Array { return FromValue(nd.Signbit(x.value())) }

// Copysign returns |a| with the sign of b.
func Copysign[A, B Operand](a A, b B) Array { return FromValue(nd.Copysign(unwrap(a), unwrap(b))) }

// Heaviside returns 0 where a is negative, 1 where it is positive, b where it is 0, and NaN where it is NaN.
func Heaviside[A, B Operand](a A, b B) Array { return FromValue(nd.Heaviside(unwrap(a), unwrap(b))) }

// Fmax returns the larger of a and b; if one of them is NaN, the other.
func Fmax[A, B Operand](a A, b B) Array { return FromValue(nd.Fmax(unwrap(a), unwrap(b))) }

// Fmin returns the smaller of a and b; if one of them is NaN, the other.
func Fmin[A, B Operand](a A, b B) Array { return FromValue(nd.Fmin(unwrap(a), unwrap(b))) }

// Ldexp returns x · 2^n for integers n. The result is rounded only once where |n| is at most 126,
// or 1022 in f64.
func Ldexp[A, B Operand](x A, n B) Array { return FromValue(nd.Ldexp(unwrap(x), unwrap(n))) }

// Gcd returns the greatest common divisor of integers.
func Gcd[A, B Operand](a A, b B) Array { return FromValue(nd.Gcd(unwrap(a), unwrap(b))) }

// Lcm returns the least common multiple of integers.
func Lcm[A, B Operand](a A, b B) Array { return FromValue(nd.Lcm(unwrap(a), unwrap(b))) }

// PopulationCount returns the number of bits that are set in each truth value, or in the absolute
// value of each integer, as u8.
func PopulationCount(x Array) Array { return FromValue(nd.PopulationCount(x.value())) }

// IsReal reports for each element whether its imaginary part is 0.
func IsReal(x Array) Array { return FromValue(nd.IsReal(x.value())) }

// Sinc returns sin(πx) / (πx), and 1 at 0.
func Sinc(x Array) Array { return FromValue(nd.Sinc(x.value())) }

// FloatPower returns a to the power b, both as floats.
func FloatPower[A, B Operand](a A, b B) Array { return FromValue(nd.FloatPower(unwrap(a), unwrap(b))) }

// Diff returns the differences of neighbours along an axis, the last one unless another is given.
// For truth values it reports whether they differ. Differences of integers wrap, as in NumPy;
// convert unsigned ones with AsType(weft.Int64) first if the values may decrease.
func Diff(x Array, axis ...int) Array { return FromValue(nd.Diff(x.value(), axis...)) }

// Interp returns the linear interpolation at x of the points (xp, fp), where xp increases.
// Outside of them it is the value of the nearest point.
func Interp(x, xp, fp Array) Array { return FromValue(nd.Interp(x.value(), xp.value(), fp.value())) }

// Trapezoid returns the integral of y over xs along y's last axis, by the trapezoidal rule.
func Trapezoid(y, xs Array) Array { return FromValue(nd.Trapezoid(y.value(), xs.value())) }

// CentralDiff returns the slope along an axis, the last one unless another is given, of values at
// positions 1 apart: half the difference of the two neighbours, at the ends the difference to the
// only neighbour.
func CentralDiff(x Array, axis ...int) Array { return FromValue(nd.CentralDiff(x.value(), axis...)) }
