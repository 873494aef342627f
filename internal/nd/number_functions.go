package nd

import (
	"math"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/trace"
)

// Round returns the nearest integral number, or the nearest number with the given number of
// decimals; of two equally near numbers the even one. Negative decimals round to tens, hundreds
// and so on. Integers are unchanged; negative decimals are an error for them.
func Round(x core.Value, places ...int) core.Value {
	decimals := oneOf("Round", places)
	v := ValueOf("Round", x)
	a := v.Aval()
	if a.DType.IsInteger() || a.DType.IsBool() {
		if decimals < 0 {
			core.FailOp(core.ErrDType, "Round", []core.ShapedArray{a}, "integers are not rounded to %d decimals; make them floats with AsType", decimals)
		}
		return x
	}
	if decimals == 0 {
		return rounded("Round", roundAny, x)
	}
	w := Convert("Round", prim.StopGradient(x), AverageType(a.DType), keepsFlag(a))
	if w = roundedTo(w, decimals); w.Aval().DType == a.DType {
		return w
	}
	return Convert("Round", w, a.DType, keepsFlag(a))
}

// roundedTo returns v rounded to a number of decimals other than 0.
func roundedTo(v core.Value, decimals int) core.Value {
	if v.Aval().DType.IsComplex() {
		return prim.Complex(roundedTo(prim.Real(v), decimals), roundedTo(prim.Imag(v), decimals))
	}
	most := 38 // exponent of the largest power of ten
	if v.Aval().DType == core.Float64 {
		most = 308
	}
	power := func(n int) core.Value { return Num(v, math.Pow10(n)) }
	switch {
	case decimals > 2*most: // no two numbers are that close together
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
		return Choose(isInf(large), v, prim.Div(y, first)) // numbers so large have no decimals
	case decimals >= -most:
		return prim.Mul(roundAny(prim.Div(v, power(-decimals))), power(-decimals))
	}
	return Choose(isInf(v), v, prim.Mul(v, Num(v, 0)))
}

func isInf(v core.Value) core.Value { return IsInf(v) }

// Angle returns the angle of complex numbers in the plane. A real has the angle π if it is negative, −0 too, NaN
// if it is NaN, else 0.
func Angle(x core.Value) core.Value {
	v := atLeastDefault("Angle", ValueOf("Angle", x))
	if v.Aval().Rank() == 0 && !v.Aval().DType.IsComplex() {
		v = Strong("Angle", v)
	}
	if v.Aval().DType.IsComplex() {
		return prim.Atan2(prim.Imag(v), prim.Real(v))
	}
	zero := FillLike(Num(v, 0), v)
	turned := Choose(Signbit(v), FillLike(Num(v, math.Pi), v), zero)
	return Choose(prim.Ne(v, v), v, turned)
}

// atLeastDefault returns v if it is floating or complex, else v as a float of at least the default width.
func atLeastDefault(op string, v core.Value) core.Value {
	d := v.Aval().DType
	if d.IsInexact() {
		return v
	}
	if d = inexactOf(d); d.Bits() < DefaultFloat().Bits() {
		d = DefaultFloat()
	}
	return Convert(op, v, d, keepsFlag(v.Aval()))
}

// Deg2Rad converts degrees to radians.
func Deg2Rad(x core.Value) core.Value { return scaled("Deg2Rad", x, math.Pi/180) }

// Rad2Deg converts radians to degrees.
func Rad2Deg(x core.Value) core.Value { return scaled("Rad2Deg", x, 180/math.Pi) }

func scaled(op string, x core.Value, by float64) core.Value {
	v := strongUnlessScalar(op, Floating(op, ValueOf(op, x)))
	return prim.Mul(v, Num(v, by))
}

// NaNToNum returns x with 0 for NaN, and the largest and least finite numbers for the infinities.
// Integers are unchanged.
func NaNToNum(x core.Value) core.Value {
	v := ValueOf("NaNToNum", x)
	switch d := v.Aval().DType; {
	case d.IsComplex():
		return prim.Complex(finite(prim.Real(v)), finite(prim.Imag(v)))
	case d.IsFloat():
		return finite(v)
	}
	return x
}

func finite(v core.Value) core.Value {
	v = Strong("NaNToNum", v)
	least, largest, _ := v.Aval().DType.Limits()
	v = Choose(prim.Ne(v, v), FillLike(Num(v, 0), v), v)
	return prim.Clamp(Num(v, least.Float()), v, Num(v, largest.Float()))
}

// Signbit reports for each element whether it is negative; −0 is, and a NaN may be.
func Signbit(x core.Value) core.Value {
	v := Strong("Signbit", ValueOf("Signbit", x))
	d := v.Aval().DType
	switch {
	case d.IsComplex():
		core.FailOp(core.ErrDType, "Signbit", []core.ShapedArray{v.Aval()}, "complex numbers have no sign; take that of Real or Imag")
	case d.Bits() < 8 && d.IsFloat() || d == core.Float8E8M0FNU: // signedOf has no integer of so few bits; e8m0 has no sign
		v = prim.BitcastConvert(prim.Convert(v, core.Float32, false), core.Int32)
	case d.IsFloat():
		v = prim.BitcastConvert(v, signedOf(d.Bits()))
	case !d.IsSigned():
		return prim.Full(v.Aval().Strong().WithDType(core.Bool), 0)
	}
	return prim.Lt(v, Num(v, 0))
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

// Copysign returns |a| with the sign of b.
func Copysign(a any, b any) core.Value {
	x, y := realPair("Copysign", a, b)
	abs := prim.Abs(x)
	return Choose(Signbit(y), prim.Neg(abs), abs)
}

// Heaviside returns 0 where a is negative, 1 where it is positive, b where it is 0, and NaN where it is NaN.
func Heaviside(a any, b any) core.Value {
	x, y := realPair("Heaviside", a, b)
	if ValueOf("Heaviside", a).Aval().Rank() > 0 {
		x, y = Strong("Heaviside", x), Strong("Heaviside", y)
	}
	zero := Num(x, 0)
	step := Choose(prim.Gt(x, zero), Num(x, 1), Choose(prim.Eq(x, zero), y, zero))
	step = Choose(prim.Lt(x, zero), zero, step)
	return Choose(prim.Ne(x, x), x, step)
}

func realPair(op string, a, b any) (core.Value, core.Value) {
	x, y := FloatingPair(op, ValueOf(op, a), ValueOf(op, b))
	x, y = AlignRanks(op, x, y)
	RequireReal(op, x, y)
	return x, y
}

// Fmax returns the larger of a and b; if one of them is NaN, the other.
func Fmax(a any, b any) core.Value { return fExtreme("Fmax", prim.GtP{}, a, b) }

// Fmin returns the smaller of a and b; if one of them is NaN, the other.
func Fmin(a any, b any) core.Value { return fExtreme("Fmin", prim.LtP{}, a, b) }

func fExtreme(op string, p core.Primitive, a, b any) core.Value {
	x, y := Pair(op, a, b)
	first := ordered(op, p, x, y)
	return Choose(prim.Or(first, prim.Ne(y, y)), x, y)
}

// Ldexp returns x · 2^n for integers n. The result is rounded only once where |n| is at most 126,
// or 1022 in f64.
func Ldexp(x any, n any) core.Value {
	v, e := Strong("Ldexp", Floating("Ldexp", ValueOf("Ldexp", x))), ValueOf("Ldexp", n)
	if d := e.Aval().DType; !d.IsInteger() && !d.IsBool() || v.Aval().DType.IsComplex() {
		core.FailOp(core.ErrDType, "Ldexp", core.AvalsOf([]core.Value{v, e}), "multiplies real numbers by powers of 2 with integer exponents, got %v and %v; convert them with AsType, or use Exp2", v.Aval().Full(), e.Aval().Full())
	}
	flag := v.Aval()
	dt := flag.DType
	limit := 126.
	if dt == core.Float64 {
		limit = 1022
	}
	if d := e.Aval().DType; d.IsBool() || d.Bits() < 16 {
		e = prim.Convert(e, core.Int32, false)
	}
	v, e = AlignRanks("Ldexp", Convert("Ldexp", v, AverageType(dt), false), e)
	low := Num(e, -limit)
	if e.Aval().DType.IsUnsigned() {
		low = Num(e, 0)
	}
	for range 3 { // three factors reach from the least number to the largest
		part := prim.Clamp(low, e, Num(e, limit))
		v = prim.Mul(v, prim.Exp2(Convert("Ldexp", part, v.Aval().DType, false)))
		e = prim.Sub(e, part)
	}
	return WithFlag("Ldexp", Convert("Ldexp", v, dt, false), flag)
}

// Gcd returns the greatest common divisor of integers.
func Gcd(a any, b any) core.Value {
	x, y := integers("Gcd", a, b)
	return gcd(x, y)
}

// Lcm returns the least common multiple of integers.
func Lcm(a any, b any) core.Value {
	x, y := integers("Lcm", a, b)
	d := gcd(x, y)
	return WithJAXPromotion(func() core.Value {
		none := Eq(d, 0)
		return Where(none, 0, Mul(Abs(x), FloorDiv(Abs(y), Where(none, 1, d))))
	})
}

func gcd(x, y core.Value) core.Value {
	return WithJAXPromotion(func() core.Value {
		d := trace.While(
			func(c []core.Value) core.Value { return AnyTrue(Ne(c[1], 0)) },
			func(c []core.Value) []core.Value {
				x, y := c[0], c[1]
				more := Ne(y, 0)
				return []core.Value{Where(more, y, x), Where(more, Rem(x, Where(more, y, 1)), 0)}
			}, []core.Value{Abs(x), Abs(y)})[0]
		return Abs(d) // the least integer, which has no absolute value, makes negative remainders
	})
}

// integers returns two operands as integers of one type and shape, strong unless both are scalars.
func integers(op string, a, b any) (core.Value, core.Value) {
	x, y := Pair(op, a, b)
	if x.Aval().Rank()+y.Aval().Rank() > 0 {
		x, y = Strong(op, x), Strong(op, y)
	}
	if d := x.Aval().DType; !d.IsInteger() {
		core.FailOp(core.ErrDType, op, core.AvalsOf([]core.Value{x, y}), "is of integers, got %v and %v; convert them with AsType", x.Aval().Full(), y.Aval().Full())
	}
	s := BroadcastShapes(op, x.Aval(), y.Aval())
	return Spread(op, x, s), Spread(op, y, s)
}

// PopulationCount returns the number of bits that are set in each truth value, or in the absolute
// value of each integer, as u8.
func PopulationCount(x core.Value) core.Value {
	v := ValueOf("PopulationCount", x)
	d := v.Aval().DType
	if d.IsBool() {
		return Convert("PopulationCount", v, core.Uint8, false)
	}
	if !d.IsInteger() {
		core.FailOp(core.ErrDType, "PopulationCount", []core.ShapedArray{v.Aval()}, "counts the bits of integers, got %v; use View for the bits of others", v.Aval().Full())
	}
	if d.IsSigned() {
		v = prim.Abs(v) // as NumPy counts
	}
	return Convert("PopulationCount", prim.PopulationCount(v), core.Uint8, false)
}

// IsReal reports for each element whether its imaginary part is 0.
func IsReal(x core.Value) core.Value {
	v := strongUnlessScalar("IsReal", ValueOf("IsReal", x))
	if !v.Aval().DType.IsComplex() {
		return prim.Full(v.Aval().WithDType(core.Bool), 1)
	}
	im := prim.Imag(v)
	return prim.Eq(im, Num(im, 0))
}

// Sinc returns sin(πx) / (πx), and 1 at 0.
func Sinc(x core.Value) core.Value {
	return UnaryFloat("Sinc", func(v core.Value) core.Value {
		v = strongUnlessScalar("Sinc", v)
		y := prim.Mul(v, Num(v, math.Pi))
		near := prim.Lt(prim.Abs(y), Num(prim.Abs(y), 0.125))
		safe := Choose(near, FillLike(Num(y, 1), y), y)
		// Near 0 the series, whose derivatives are those of the function.
		s, z := Num(y, 1), prim.Square(y)
		for _, n := range []float64{12 * 13, 10 * 11, 8 * 9, 6 * 7, 4 * 5, 2 * 3} {
			s = prim.Sub(Num(y, 1), prim.Mul(prim.Div(z, Num(y, n)), s))
		}
		return Choose(near, s, prim.Div(prim.Sin(safe), safe))
	}, x)
}

// FloatPower returns a to the power b, both as floats.
func FloatPower(a, b any) core.Value { return applyFloatPair("FloatPower", prim.PowP{}, a, b) }
