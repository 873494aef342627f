package weft

import (
	"math"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
)

// Functions that take a number apart or put one together.

// RoundTo is x rounded to a number of decimals, the even one of two; a negative
// number of decimals rounds to tens, hundreds and so on. Integers stay.
func RoundTo(x Array, decimals int) Array {
	v := valueOf("RoundTo", x)
	a := v.Aval()
	if a.DType.IsInteger() || a.DType.IsBool() {
		if decimals < 0 {
			core.FailOp(core.ErrDType, "RoundTo", []core.ShapedArray{a}, "integers are not rounded to %d decimals; make them floats with AsType", decimals)
		}
		return x
	}
	if decimals == 0 {
		return Round(x)
	}
	w := convert("RoundTo", StopGradient(x).Value(), single(a.DType), false)
	if w = roundedTo(w, decimals); w.Aval().DType == a.DType {
		return FromValue(w)
	}
	return FromValue(convert("RoundTo", w, a.DType, false))
}

// roundedTo is v rounded to decimals, which are not 0.
func roundedTo(v core.Value, decimals int) core.Value {
	if v.Aval().DType.IsComplex() {
		return prim.Complex(roundedTo(prim.Real(v), decimals), roundedTo(prim.Imag(v), decimals))
	}
	most := 38 // the largest power of ten
	if v.Aval().DType == core.Float64 {
		most = 308
	}
	power := func(n int) core.Value { return num(v, math.Pow10(n)) }
	switch {
	case decimals > 2*most: // as close together no two numbers are
		return v
	case decimals > 0:
		first, second := power(min(decimals, most)), power(max(decimals-most, 0))
		large := prim.Mul(v, first)
		if decimals > most {
			large = prim.Mul(large, second)
		}
		y := roundAny(large)
		if decimals > most {
			y = prim.Div(y, second)
		}
		return where(isInf(large), v, prim.Div(y, first)) // which had no decimals before that
	case decimals >= -most:
		return prim.Mul(roundAny(prim.Div(v, power(-decimals))), power(-decimals))
	}
	return where(isInf(v), v, prim.Mul(v, num(v, 0)))
}

func isInf(v core.Value) core.Value { return IsInf(FromValue(v)).Value() }

// Angle is the angle of complex numbers in the plane: 0 of positive reals, π of
// negative ones.
func Angle(x Array) Array {
	v := atLeastDefault("Angle", valueOf("Angle", x))
	if v.Aval().DType.IsComplex() {
		return FromValue(prim.Atan2(prim.Imag(v), prim.Real(v)))
	}
	zero := spreadLike(num(v, 0), v)
	turned := where(prim.Lt(v, num(v, 0)), spreadLike(num(v, math.Pi), v), zero)
	return FromValue(where(prim.Ne(v, v), v, turned))
}

// atLeastDefault is v as a float, of the default width or more if it is none.
func atLeastDefault(op string, v core.Value) core.Value {
	d := v.Aval().DType
	if d.IsInexact() {
		return v
	}
	if d = inexact(d); d.Bits() < defaultFloat().Bits() {
		d = defaultFloat()
	}
	return convert(op, v, d, false)
}

// Deg2Rad is degrees as radians.
func Deg2Rad(x Array) Array { return scaled("Deg2Rad", x, math.Pi/180) }

// Rad2Deg is radians as degrees.
func Rad2Deg(x Array) Array { return scaled("Rad2Deg", x, 180/math.Pi) }

func scaled(op string, x Array, by float64) Array {
	v := strong(op, floating(op, valueOf(op, x)))
	return FromValue(prim.Mul(v, num(v, by)))
}

// NaNToNum is x with 0 for NaN, and the largest and least finite numbers for the
// infinities. Integers stay.
func NaNToNum(x Array) Array {
	v := valueOf("NaNToNum", x)
	switch d := v.Aval().DType; {
	case d.IsComplex():
		return FromValue(prim.Complex(finite(prim.Real(v)), finite(prim.Imag(v))))
	case d.IsFloat():
		return FromValue(finite(v))
	}
	return x
}

func finite(v core.Value) core.Value {
	v = strong("NaNToNum", v)
	_, largest, _ := v.Aval().DType.Limits()
	top := num(v, largest.Float())
	v = where(prim.Ne(v, v), spreadLike(num(v, 0), v), v)
	return prim.Clamp(prim.Neg(top), v, top)
}

// Signbit is whether x is negative; −0 is, and a NaN may be.
func Signbit(x Array) Array {
	v := strong("Signbit", valueOf("Signbit", x))
	d := v.Aval().DType
	switch {
	case d.IsComplex():
		core.FailOp(core.ErrDType, "Signbit", []core.ShapedArray{v.Aval()}, "complex numbers have no sign; take that of Real or Imag")
	case d.IsFloat():
		v = prim.BitcastConvert(v, signedOf(d.Bits()))
	case !d.IsSigned():
		return FromValue(prim.Full(v.Aval().Strong().WithDType(core.Bool), 0))
	}
	return FromValue(prim.Lt(v, num(v, 0)))
}

func signedOf(bits int) core.DType {
	switch bits {
	case 8:
		return core.Int8
	case 16:
		return core.Int16
	case 32:
		return core.Int32
	}
	return core.Int64
}

// Copysign is |a| with the sign of b.
func Copysign[A, B Operand](a A, b B) Array {
	x, y := realPair("Copysign", a, b)
	abs := prim.Abs(x)
	return FromValue(where(Signbit(FromValue(y)).Value(), prim.Neg(abs), abs))
}

// Heaviside is 0 where a is negative, 1 where it is positive, and b where it is 0.
func Heaviside[A, B Operand](a A, b B) Array {
	x, y := realPair("Heaviside", a, b)
	x, y = strong("Heaviside", x), strong("Heaviside", y)
	zero := num(x, 0)
	step := where(prim.Gt(x, zero), num(x, 1), where(prim.Eq(x, zero), y, zero))
	step = where(prim.Lt(x, zero), zero, step)
	return FromValue(where(prim.Ne(x, x), x, step))
}

// realPair is two operands as floats of one type and rank; complex ones are refused.
func realPair(op string, a, b any) (core.Value, core.Value) {
	x, y := floating2(op, valueOf(op, a), valueOf(op, b))
	x, y = ranks2(op, x, y)
	reals(op, x, y)
	return x, y
}

// Fmax is the larger of a and b, and the other one where one is NaN.
func Fmax[A, B Operand](a A, b B) Array { return fExtreme("Fmax", prim.GtP{}, a, b) }

// Fmin is the smaller of a and b, and the other one where one is NaN.
func Fmin[A, B Operand](a A, b B) Array { return fExtreme("Fmin", prim.LtP{}, a, b) }

func fExtreme(op string, p core.Primitive, a, b any) Array {
	x, y := pair(op, a, b)
	first := ordered(op, p, FromValue(x), FromValue(y)).Value()
	return FromValue(where(prim.Or(first, prim.Ne(y, y)), x, y))
}

// FloatPower is a to the power b, both as floats.
func FloatPower[A, B Operand](a A, b B) Array { return apply2Float("FloatPower", prim.PowP{}, a, b) }

// DivMod is FloorDiv and Mod at once.
func DivMod[A, B Operand](a A, b B) (q, r Array) { return FloorDiv(a, b), Mod(a, b) }

// Ldexp is x · 2^n for integers n. It is rounded once where |n| is at most 126, or
// 1022 in f64.
func Ldexp[A, B Operand](x A, n B) Array {
	v, e := strong("Ldexp", floating("Ldexp", valueOf("Ldexp", x))), valueOf("Ldexp", n)
	if d := e.Aval().DType; !d.IsInteger() && !d.IsBool() || v.Aval().DType.IsComplex() {
		core.FailOp(core.ErrDType, "Ldexp", core.AvalsOf([]core.Value{v, e}), "multiplies real numbers by powers of 2 with integer exponents, got %v and %v; convert them with AsType, or use Exp2", v.Aval().Full(), e.Aval().Full())
	}
	dt := v.Aval().DType
	limit := 126.
	if dt == core.Float64 {
		limit = 1022
	}
	if d := e.Aval().DType; d.IsBool() || d.Bits() < 16 {
		e = prim.Convert(e, core.Int32, false)
	}
	v, e = ranks2("Ldexp", convert("Ldexp", v, single(dt), false), e)
	low := num(e, -limit)
	if e.Aval().DType.IsUnsigned() {
		low = num(e, 0)
	}
	for range 3 { // farther than from the least number to the largest
		part := prim.Clamp(low, e, num(e, limit))
		v = prim.Mul(v, prim.Exp2(convert("Ldexp", part, v.Aval().DType, false)))
		e = prim.Sub(e, part)
	}
	return FromValue(convert("Ldexp", v, dt, false))
}

// Gcd is the greatest common divisor of integers.
func Gcd[A, B Operand](a A, b B) Array {
	x, y := integers("Gcd", a, b)
	return gcd(x, y)
}

// Lcm is the least common multiple of integers.
func Lcm[A, B Operand](a A, b B) Array {
	x, y := integers("Lcm", a, b)
	d := gcd(x, y)
	return alone(func() Array {
		none := d.Eq(0)
		return Where(none, 0, Abs(x.Mul(y.FloorDiv(Where(none, 1, d)))))
	})
}

func gcd(x, y Array) Array {
	type both struct{ X, Y Array }
	return alone(func() Array {
		return While(
			func(c both) Array { return c.Y.Ne(0).Any() },
			func(c both) both {
				more := c.Y.Ne(0)
				return both{Where(more, c.Y, c.X), Where(more, c.X.Rem(Where(more, c.Y, 1)), 0)}
			}, both{Abs(x), Abs(y)}).X
	})
}

// integers is two operands as strong integers of one type and shape.
func integers(op string, a, b any) (Array, Array) {
	x, y := pair(op, a, b)
	if d := x.Aval().DType; !d.IsInteger() {
		core.FailOp(core.ErrDType, op, core.AvalsOf([]core.Value{x, y}), "is of integers, got %v and %v; convert them with AsType", x.Aval().Full(), y.Aval().Full())
	}
	s := broadcastShapes(op, x.Aval(), y.Aval())
	return FromValue(spread(op, x, s)), FromValue(spread(op, y, s))
}

// PopulationCount is the number of bits that are set in each integer, as u8.
func PopulationCount(x Array) Array {
	v := valueOf("PopulationCount", x)
	d := v.Aval().DType
	if !d.IsInteger() {
		core.FailOp(core.ErrDType, "PopulationCount", []core.ShapedArray{v.Aval()}, "counts the bits of integers, got %v; use View to see the bits of others", v.Aval().Full())
	}
	if d.IsSigned() {
		v = prim.Abs(v) // as NumPy counts
	}
	return FromValue(convert("PopulationCount", prim.PopulationCount(v), core.Uint8, false))
}

// IsReal reports for each element whether its imaginary part is 0.
func IsReal(x Array) Array {
	v := strong("IsReal", valueOf("IsReal", x))
	if !v.Aval().DType.IsComplex() {
		return FromValue(prim.Full(v.Aval().Strong().WithDType(core.Bool), 1))
	}
	im := prim.Imag(v)
	return FromValue(prim.Eq(im, num(im, 0)))
}

// Sinc is sin(πx) / (πx), and 1 at 0.
func Sinc(x Array) Array {
	return unaryFloat("Sinc", func(v core.Value) core.Value {
		y := prim.Mul(v, num(v, math.Pi))
		near := prim.Lt(prim.Abs(y), num(prim.Abs(y), 0.125))
		safe := where(near, spreadLike(num(y, 1), y), y)
		// Near 0 the series, whose derivatives are those of the function.
		s, z := num(y, 1), prim.Square(y)
		for _, n := range []float64{12 * 13, 10 * 11, 8 * 9, 6 * 7, 4 * 5, 2 * 3} {
			s = prim.Sub(num(y, 1), prim.Mul(prim.Div(z, num(y, n)), s))
		}
		return where(near, s, prim.Div(prim.Sin(safe), safe))
	}, x)
}
