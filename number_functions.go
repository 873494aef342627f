package weft

import (
	"github.com/weft-go/weft/internal/nd"
)

// Angle returns the angle of complex numbers in the plane: 0 of positive reals, π of
// negative ones.
func Angle(x Array) Array { return FromValue(nd.Angle(x.value())) }

// Deg2Rad returns degrees as radians.
func Deg2Rad(x Array) Array { return FromValue(nd.Deg2Rad(x.value())) }

// Rad2Deg returns radians as degrees.
func Rad2Deg(x Array) Array { return FromValue(nd.Rad2Deg(x.value())) }

// NaNToNum returns x with 0 for NaN, and the largest and least finite numbers for the
// infinities. Integers stay.
func NaNToNum(x Array) Array { return FromValue(nd.NaNToNum(x.value())) }

// Signbit reports whether x is negative; −0 is, and a NaN may be.
func Signbit(x Array) Array { return FromValue(nd.Signbit(x.value())) }

// Copysign returns |a| with the sign of b.
func Copysign[A, B Operand](a A, b B) Array { return FromValue(nd.Copysign(unwrap(a), unwrap(b))) }

// Heaviside returns 0 where a is negative, 1 where it is positive, and b where it is 0.
func Heaviside[A, B Operand](a A, b B) Array { return FromValue(nd.Heaviside(unwrap(a), unwrap(b))) }

// Fmax returns the larger of a and b, and the other one where one is NaN.
func Fmax[A, B Operand](a A, b B) Array { return FromValue(nd.Fmax(unwrap(a), unwrap(b))) }

// Fmin returns the smaller of a and b, and the other one where one is NaN.
func Fmin[A, B Operand](a A, b B) Array { return FromValue(nd.Fmin(unwrap(a), unwrap(b))) }

// Ldexp returns x · 2^n for integers n. It is rounded once where |n| is at most 126, or
// 1022 in f64.
func Ldexp[A, B Operand](x A, n B) Array { return FromValue(nd.Ldexp(unwrap(x), unwrap(n))) }

// Gcd returns the greatest common divisor of integers.
func Gcd[A, B Operand](a A, b B) Array { return FromValue(nd.Gcd(unwrap(a), unwrap(b))) }

// Lcm returns the least common multiple of integers.
func Lcm[A, B Operand](a A, b B) Array { return FromValue(nd.Lcm(unwrap(a), unwrap(b))) }

// PopulationCount returns the number of bits that are set in each integer or truth value, as u8.
func PopulationCount(x Array) Array { return FromValue(nd.PopulationCount(x.value())) }

// IsReal reports for each element whether its imaginary part is 0.
func IsReal(x Array) Array { return FromValue(nd.IsReal(x.value())) }

// Sinc returns sin(πx) / (πx), and 1 at 0.
func Sinc(x Array) Array { return FromValue(nd.Sinc(x.value())) }

// FloatPower returns a to the power b, both as floats.
func FloatPower[A, B Operand](a A, b B) Array { return FromValue(nd.FloatPower(unwrap(a), unwrap(b))) }
