package amd64

import (
	"math"

	"github.com/weft-go/weft/lower/scalar"
)

// convert converts between numbers.
func (g *x86) convert(t scalar.Type, x value) value {
	switch {
	case x.t == scalar.Bool && t.IsFloat():
		one := uint64(math.Float32bits(1))
		if t == scalar.F64 {
			one = math.Float64bits(1)
		}
		return g.choose(x, g.konst(t, one), g.konst(t, 0))
	case x.t == scalar.Bool:
		return g.boolToInt(t, x)
	case t == scalar.F64 && x.t == scalar.F32:
		return g.widenWith(Vcvtps2pd, t, x)
	case t == scalar.F32 && x.t == scalar.F64:
		return g.narrowWith(Vcvtpd2ps, t, x)
	case t.IsFloat():
		return g.intToFloat(t, x)
	case x.t.IsFloat():
		return g.floatToInt(t, x)
	}
	return g.intToInt(t, x)
}

// intToFloat rounds integers to the nearest float.
func (g *x86) intToFloat(f scalar.Type, x value) value {
	t := x.t
	if t.Size() < 4 {
		x = g.intToInt(scalar.I32, x)
		t = scalar.I32
	}
	switch {
	case t == scalar.I32 && f == scalar.F32:
		return g.un(Vcvtdq2ps, f, x)
	case t == scalar.I32:
		return g.widenWith(Vcvtdq2pd, f, x)
	case g.isa == AVX512:
		switch {
		case t == scalar.U32 && f == scalar.F32:
			return g.un(Vcvtudq2ps, f, x)
		case t == scalar.U32:
			return g.widenWith(Vcvtudq2pd, f, x)
		case f == scalar.F64 && t == scalar.I64:
			return g.un(Vcvtqq2pd, f, x)
		case f == scalar.F64:
			return g.un(Vcvtuqq2pd, f, x)
		case t == scalar.I64:
			return g.narrowWith(Vcvtqq2ps, f, x)
		}
		return g.narrowWith(Vcvtuqq2ps, f, x)
	case t == scalar.U32 && f == scalar.F32:
		// Halves convert exactly; their sum rounds once.
		hi := g.un(Vcvtdq2ps, f, g.unI(VpsrldI, x, 16))
		lo := g.un(Vcvtdq2ps, f, g.bits(scalar.OpAnd, x, g.num(t, 0xffff)))
		return g.bin(Vaddps, g.bin(Vmulps, hi, g.konst(f, f32(65536))), lo)
	case t == scalar.U32:
		// The bits of 2⁵² + x.
		w := g.bits(scalar.OpOr, g.intToInt(scalar.U64, x), g.konst(scalar.U64, f64(0x1p52)))
		return g.bin(Vsubpd, w.as(f), g.konst(f, f64(0x1p52)))
	case f == scalar.F64:
		return g.int64ToF64(x)
	}
	return g.int64ToF32(x)
}

// int64ToF64 adds the halves as floats of their places, which round once. AVX2.
func (g *x86) int64ToF64(x value) value {
	u := x.as(scalar.U64)
	base := 0x1p84
	hi := g.unI(VpsrlqI, u, 32)
	if x.t.IsSigned() { // offset by 2⁶³
		hi = g.bits(scalar.OpXor, hi, g.konst(scalar.U64, 1<<31))
	}
	hi = g.bits(scalar.OpOr, hi, g.konst(scalar.U64, f64(base)))
	lo := g.bits(scalar.OpOr, g.bits(scalar.OpAnd, u, g.konst(scalar.U64, 1<<32-1)), g.konst(scalar.U64, f64(0x1p52)))
	offset := base + 0x1p52
	if x.t.IsSigned() {
		offset += 0x1p63
	}
	h := g.bin(Vsubpd, hi.as(scalar.F64), g.konst(scalar.F64, f64(offset)))
	return g.bin(Vaddpd, h, lo.as(scalar.F64))
}

// int64ToF32 keeps what f64 cannot hold as one bit, so that the second rounding is the only
// one that counts. AVX2.
func (g *x86) int64ToF32(x value) value {
	t := x.t
	magnitude := g.intOp(scalar.OpAbs, x, value{}).as(scalar.U64)
	fits := g.compare(scalar.OpLt, magnitude, g.konst(scalar.U64, 1<<53))
	low := g.bits(scalar.OpAnd, x, g.num(t, 1<<11-1))
	sticky := g.choose(g.compare(scalar.OpEq, low, g.num(t, 0)), g.num(t, 0), g.num(t, 1<<11))
	odd := g.bits(scalar.OpOr, g.bin(Vpsubq, x, low), sticky)
	return g.narrowWith(Vcvtpd2ps, scalar.F32, g.int64ToF64(g.choose(fits, x, odd)))
}

// truncU32 converts f64 that are integers of 32 bits but for their fractions.
func (g *x86) truncU32(x value) value {
	if g.isa == AVX512 {
		return g.narrowWith(Vcvttpd2udq, scalar.U32, x)
	}
	w := g.bin(Vaddpd, g.round(x, 11), g.konst(scalar.F64, f64(0x1p52)))
	return g.intToInt(scalar.U32, w.as(scalar.U64))
}

// floatToInt truncates and saturates; NaN becomes 0.
func (g *x86) floatToInt(t scalar.Type, x value) value {
	if t.Size() == 8 {
		return g.saturate64(t, x)
	}
	lo, hi := 0.0, float64(uint64(1)<<t.Bits()-1)
	if t.IsSigned() {
		lo, hi = -float64(uint64(1)<<(t.Bits()-1)), float64(uint64(1)<<(t.Bits()-1)-1)
	}
	if x.t == scalar.F32 && t.Size() == 4 {
		return g.saturate32(t, x)
	}
	// The bounds are floats of x's type.
	bits := func(v float64) uint64 {
		if x.t == scalar.F32 {
			return f32(float32(v))
		}
		return f64(v)
	}
	// Maximum and minimum return their second operand where one is NaN.
	y := g.bin(byType(Vmaxps, x.t), x, g.konst(x.t, bits(lo)))
	y = g.bin(byType(Vminps, x.t), y, g.konst(x.t, bits(hi)))
	if t.IsSigned() {
		y = g.bin(byType(Vandps, x.t), y, g.allOrNothing(x)) // NaN to 0
	}
	switch {
	case t == scalar.U32:
		return g.truncU32(y)
	case x.t == scalar.F64:
		return g.intToInt(t, g.narrowWith(Vcvttpd2dq, scalar.I32, y))
	}
	return g.intToInt(t, g.un(Vcvttps2dq, scalar.I32, y))
}

// allOrNothing returns all ones where x is a number, zeros where it is NaN.
func (g *x86) allOrNothing(x value) value {
	if g.isa == AVX2 {
		return g.compareFloats(7, x, x).as(x.t)
	}
	return g.choose(g.compareFloats(7, x, x), g.konst(x.t, math.MaxUint64>>(64-x.t.Bits())), g.konst(x.t, 0))
}

// saturate32 converts f32 to i32 and u32, whose bounds f32 does not have.
func (g *x86) saturate32(t scalar.Type, x value) value {
	f := scalar.F32
	if t == scalar.U32 {
		y := g.bin(Vmaxps, x, g.konst(f, 0)) // NaN becomes 0
		if g.isa == AVX512 {
			return g.un(Vcvttps2udq, t, y) // too large becomes all ones
		}
		top := g.konst(f, f32(0x1p31))
		large := g.compare(scalar.OpLe, top, y)
		over := g.compare(scalar.OpLe, g.konst(f, f32(0x1p32)), y)
		low := g.un(Vcvttps2dq, t, y)
		high := g.bits(scalar.OpXor, g.un(Vcvttps2dq, t, g.bin(Vsubps, y, top)), g.num(t, 1<<31))
		return g.choose(over, g.num(t, -1), g.choose(large, high, low))
	}
	i := g.un(Vcvttps2dq, t, x) // out of range becomes MIN
	over := g.compare(scalar.OpLe, g.konst(f, f32(0x1p31)), x)
	i = g.choose(over, g.num(t, math.MaxInt32), i)
	return g.choose(g.unordered(x, x), g.num(t, 0), i)
}

// saturate64 converts to i64 and u64.
func (g *x86) saturate64(t scalar.Type, x value) value {
	if x.t == scalar.F32 {
		x = g.convert(scalar.F64, x)
	}
	f := scalar.F64
	if t == scalar.U64 {
		y := g.bin(Vmaxpd, x, g.konst(f, 0)) // NaN becomes 0
		over := g.compare(scalar.OpLe, g.konst(f, f64(0x1p64)), y)
		return g.choose(over, g.num(t, -1), g.floatToInt64(y, true))
	}
	i := g.floatToInt64(x, false)
	over := g.compare(scalar.OpLe, g.konst(f, f64(0x1p63)), x)
	i = g.choose(over, g.num(t, math.MaxInt64), i.as(t))
	if g.isa == AVX2 {
		under := g.compare(scalar.OpLe, x, g.konst(f, f64(-0x1p63)))
		i = g.choose(under, g.num(t, math.MinInt64), i)
	}
	return g.choose(g.unordered(x, x), g.num(t, 0), i)
}

// floatToInt64 truncates f64 that are in the range of the type.
func (g *x86) floatToInt64(x value, unsigned bool) value {
	t := scalar.I64
	if unsigned {
		t = scalar.U64
	}
	if g.isa == AVX512 {
		if unsigned {
			return g.un(Vcvttpd2uqq, t, x)
		}
		return g.un(Vcvttpd2qq, t, x)
	}
	// x = h·2³² + l with 0 ≤ l < 2³²: both are the low bits of sums with large numbers.
	f := scalar.F64
	x = g.round(x, 11)
	h := g.round(g.bin(Vmulpd, x, g.konst(f, f64(0x1p-32))), 9)
	l := g.fmaOf(Vfnmadd132pd, h, g.konst(f, f64(0x1p32)), x)
	hb := g.bin(Vaddpd, h, g.konst(f, f64(0x1.8p52))).as(t)
	lb := g.bin(Vaddpd, l, g.konst(f, f64(0x1p52))).as(t)
	low := g.bits(scalar.OpAnd, lb, g.konst(t, 1<<32-1))
	return g.bits(scalar.OpOr, g.unI(VpsllqI, hb, 32), low)
}

// rounded returns f32 values rounded to bfloat16, NaN as it was.
func (g *x86) rounded(x value) value {
	r, top := g.roundTop(x), g.konst(scalar.U32, 0xffff0000)
	if g.isa == AVX2 {
		return g.choose(g.unordered(x, x), x.as(scalar.U32), g.bits(scalar.OpAnd, r, top)).as(scalar.F32)
	}
	numbers := g.ordered(x, x)
	_, length := g.layout(4)
	v := g.newValue(scalar.F32)
	for i, from := range x.r {
		d := g.newV(length)
		g.regs[d].hint = from
		g.put(minst{op: Vpandd, len: length, d: d, a: r.r[i], b: top.r[i], c: from, k: g.maskFor(numbers.r, i, 4)})
		v.r = append(v.r, d)
	}
	return v
}

// truncate converts floats that are in the range of an integer type but for their fractions: f32 to
// I32, f64 to integers of 32 and 64 bits.
func (g *x86) truncate(t scalar.Type, x value) value {
	switch {
	case x.t == scalar.F32:
		return g.un(Vcvttps2dq, t, x)
	case t == scalar.I32:
		return g.narrowWith(Vcvttpd2dq, t, x)
	case t == scalar.U32:
		return g.truncU32(x)
	}
	return g.floatToInt64(x, !t.IsSigned())
}

// widenHalf returns the f32 values of the bits of float16.
func (g *x86) widenHalf(x value) value { return g.widenWith(Vcvtph2ps, scalar.F32, x) }

// narrowHalf rounds f32 to the bits of float16, to nearest even. NaNs are canonical.
func (g *x86) narrowHalf(x value) value { return g.narrowWith(Vcvtps2ph, scalar.U16, x) }
