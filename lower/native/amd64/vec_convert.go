package amd64

import (
	"math"

	"github.com/weft-go/weft/lower/native"
	"github.com/weft-go/weft/lower/scalar"
)

func (g *x86) Convert(t scalar.Type, x native.Value) native.Value {
	switch {
	case x.T == scalar.Bool && t.IsFloat():
		one := uint64(math.Float32bits(1))
		if t == scalar.F64 {
			one = math.Float64bits(1)
		}
		return g.Choose(x, g.Splat(t, one), g.Splat(t, 0))
	case x.T == scalar.Bool:
		return g.BoolToInt(t, x)
	case t == scalar.F64 && x.T == scalar.F32:
		return g.widenWith(Vcvtps2pd, t, x)
	case t == scalar.F32 && x.T == scalar.F64:
		return g.narrowWith(Vcvtpd2ps, t, x)
	case t.IsFloat():
		return g.intToFloat(t, x)
	case x.T.IsFloat():
		return g.floatToInt(t, x)
	}
	return g.intToInt(t, x)
}

// intToFloat rounds integers to the nearest float.
func (g *x86) intToFloat(f scalar.Type, x native.Value) native.Value {
	t := x.T
	if t.Size() < 4 {
		x = g.intToInt(scalar.I32, x)
		t = scalar.I32
	}
	switch {
	case t == scalar.I32 && f == scalar.F32:
		return g.Un(Vcvtdq2ps, f, x)
	case t == scalar.I32:
		return g.widenWith(Vcvtdq2pd, f, x)
	case g.isa == AVX512:
		switch {
		case t == scalar.U32 && f == scalar.F32:
			return g.Un(Vcvtudq2ps, f, x)
		case t == scalar.U32:
			return g.widenWith(Vcvtudq2pd, f, x)
		case f == scalar.F64 && t == scalar.I64:
			return g.Un(Vcvtqq2pd, f, x)
		case f == scalar.F64:
			return g.Un(Vcvtuqq2pd, f, x)
		case t == scalar.I64:
			return g.narrowWith(Vcvtqq2ps, f, x)
		}
		return g.narrowWith(Vcvtuqq2ps, f, x)
	case t == scalar.U32 && f == scalar.F32:
		// Halves convert exactly; their sum rounds once.
		hi := g.Un(Vcvtdq2ps, f, g.UnI(VpsrldI, x, 16))
		lo := g.Un(Vcvtdq2ps, f, g.bits(scalar.OpAnd, x, g.Num(t, 0xffff)))
		return g.Bin(Vaddps, g.Bin(Vmulps, hi, g.Splat(f, native.Bits32(65536))), lo)
	case t == scalar.U32:
		// The bits of 2⁵² + x.
		w := g.bits(scalar.OpOr, g.intToInt(scalar.U64, x), g.Splat(scalar.U64, math.Float64bits(0x1p52)))
		return g.Bin(Vsubpd, w.As(f), g.Splat(f, math.Float64bits(0x1p52)))
	case f == scalar.F64:
		return g.int64ToF64(x)
	}
	return g.int64ToF32(x)
}

// int64ToF64 converts both halves to floats of their own scale, exactly, and adds them, which
// rounds once. It is for AVX2.
func (g *x86) int64ToF64(x native.Value) native.Value {
	u := x.As(scalar.U64)
	base := 0x1p84
	hi := g.UnI(VpsrlqI, u, 32)
	if x.T.IsSigned() { // offset by 2⁶³
		hi = g.bits(scalar.OpXor, hi, g.Splat(scalar.U64, 1<<31))
	}
	hi = g.bits(scalar.OpOr, hi, g.Splat(scalar.U64, math.Float64bits(base)))
	lo := g.bits(scalar.OpOr, g.bits(scalar.OpAnd, u, g.Splat(scalar.U64, 1<<32-1)), g.Splat(scalar.U64, math.Float64bits(0x1p52)))
	offset := base + 0x1p52
	if x.T.IsSigned() {
		offset += 0x1p63
	}
	h := g.Bin(Vsubpd, hi.As(scalar.F64), g.Splat(scalar.F64, math.Float64bits(offset)))
	return g.Bin(Vaddpd, h, lo.As(scalar.F64))
}

// int64ToF32 keeps what f64 cannot hold as one bit, so that the second rounding is the only one
// that counts. It is for AVX2.
func (g *x86) int64ToF32(x native.Value) native.Value {
	t := x.T
	magnitude := g.IntOp(scalar.OpAbs, x, native.Value{}).As(scalar.U64)
	fits := g.Compare(scalar.OpLt, magnitude, g.Splat(scalar.U64, 1<<53))
	low := g.bits(scalar.OpAnd, x, g.Num(t, 1<<11-1))
	sticky := g.Choose(g.Compare(scalar.OpEq, low, g.Num(t, 0)), g.Num(t, 0), g.Num(t, 1<<11))
	odd := g.bits(scalar.OpOr, g.Bin(Vpsubq, x, low), sticky)
	return g.narrowWith(Vcvtpd2ps, scalar.F32, g.int64ToF64(g.Choose(fits, x, odd)))
}

// truncU32 converts f64 whose integer parts are in the range of U32.
func (g *x86) truncU32(x native.Value) native.Value {
	if g.isa == AVX512 {
		return g.narrowWith(Vcvttpd2udq, scalar.U32, x)
	}
	w := g.Bin(Vaddpd, g.round(x, 11), g.Splat(scalar.F64, math.Float64bits(0x1p52)))
	return g.intToInt(scalar.U32, w.As(scalar.U64))
}

// floatToInt truncates and saturates; NaN becomes 0.
func (g *x86) floatToInt(t scalar.Type, x native.Value) native.Value {
	if t.Size() == 8 {
		return g.saturate64(t, x)
	}
	lo, hi := 0.0, float64(uint64(1)<<t.Bits()-1)
	if t.IsSigned() {
		lo, hi = -float64(uint64(1)<<(t.Bits()-1)), float64(uint64(1)<<(t.Bits()-1)-1)
	}
	if x.T == scalar.F32 && t.Size() == 4 {
		return g.saturate32(t, x)
	}
	// The bounds are floats of x's type.
	bits := func(v float64) uint64 {
		if x.T == scalar.F32 {
			return native.Bits32(float32(v))
		}
		return math.Float64bits(v)
	}
	// Maximum and minimum return their second operand where one is NaN.
	y := g.Bin(byType(Vmaxps, x.T), x, g.Splat(x.T, bits(lo)))
	y = g.Bin(byType(Vminps, x.T), y, g.Splat(x.T, bits(hi)))
	if t.IsSigned() {
		y = g.Bin(byType(Vandps, x.T), y, g.allOrNothing(x)) // NaN to 0
	}
	switch {
	case t == scalar.U32:
		return g.truncU32(y)
	case x.T == scalar.F64:
		return g.intToInt(t, g.narrowWith(Vcvttpd2dq, scalar.I32, y))
	}
	return g.intToInt(t, g.Un(Vcvttps2dq, scalar.I32, y))
}

// allOrNothing returns all ones where x is a number, zeros where it is NaN.
func (g *x86) allOrNothing(x native.Value) native.Value {
	if g.isa == AVX2 {
		return g.compareFloats(7, x, x).As(x.T)
	}
	return g.Choose(g.compareFloats(7, x, x), g.Splat(x.T, math.MaxUint64>>(64-x.T.Bits())), g.Splat(x.T, 0))
}

// saturate32 converts f32 to i32 and u32, whose largest numbers f32 does not have.
func (g *x86) saturate32(t scalar.Type, x native.Value) native.Value {
	f := scalar.F32
	if t == scalar.U32 {
		y := g.Bin(Vmaxps, x, g.Splat(f, 0)) // NaN becomes 0
		if g.isa == AVX512 {
			return g.Un(Vcvttps2udq, t, y) // too large becomes all ones
		}
		top := g.Splat(f, native.Bits32(0x1p31))
		large := g.Compare(scalar.OpLe, top, y)
		over := g.Compare(scalar.OpLe, g.Splat(f, native.Bits32(0x1p32)), y)
		low := g.Un(Vcvttps2dq, t, y)
		high := g.bits(scalar.OpXor, g.Un(Vcvttps2dq, t, g.Bin(Vsubps, y, top)), g.Num(t, 1<<31))
		return g.Choose(over, g.Num(t, -1), g.Choose(large, high, low))
	}
	i := g.Un(Vcvttps2dq, t, x) // out of range becomes MIN
	over := g.Compare(scalar.OpLe, g.Splat(f, native.Bits32(0x1p31)), x)
	i = g.Choose(over, g.Num(t, math.MaxInt32), i)
	return g.Choose(g.Unordered(x, x), g.Num(t, 0), i)
}

// saturate64 converts to i64 and u64.
func (g *x86) saturate64(t scalar.Type, x native.Value) native.Value {
	if x.T == scalar.F32 {
		x = g.Convert(scalar.F64, x)
	}
	f := scalar.F64
	if t == scalar.U64 {
		y := g.Bin(Vmaxpd, x, g.Splat(f, 0)) // NaN becomes 0
		over := g.Compare(scalar.OpLe, g.Splat(f, math.Float64bits(0x1p64)), y)
		return g.Choose(over, g.Num(t, -1), g.floatToInt64(y, true))
	}
	i := g.floatToInt64(x, false)
	over := g.Compare(scalar.OpLe, g.Splat(f, math.Float64bits(0x1p63)), x)
	i = g.Choose(over, g.Num(t, math.MaxInt64), i.As(t))
	if g.isa == AVX2 {
		under := g.Compare(scalar.OpLe, x, g.Splat(f, math.Float64bits(-0x1p63)))
		i = g.Choose(under, g.Num(t, math.MinInt64), i)
	}
	return g.Choose(g.Unordered(x, x), g.Num(t, 0), i)
}

// floatToInt64 truncates f64 that are in the range of the type.
func (g *x86) floatToInt64(x native.Value, unsigned bool) native.Value {
	t := scalar.I64
	if unsigned {
		t = scalar.U64
	}
	if g.isa == AVX512 {
		if unsigned {
			return g.Un(Vcvttpd2uqq, t, x)
		}
		return g.Un(Vcvttpd2qq, t, x)
	}
	// x = h·2³² + l with 0 ≤ l < 2³²: both are the low bits of sums with large numbers.
	f := scalar.F64
	x = g.round(x, 11)
	h := g.round(g.Bin(Vmulpd, x, g.Splat(f, math.Float64bits(0x1p-32))), 9)
	l := g.fmaOf(Vfnmadd132pd, h, g.Splat(f, math.Float64bits(0x1p32)), x)
	hb := g.Bin(Vaddpd, h, g.Splat(f, math.Float64bits(0x1.8p52))).As(t)
	lb := g.Bin(Vaddpd, l, g.Splat(f, math.Float64bits(0x1p52))).As(t)
	low := g.bits(scalar.OpAnd, lb, g.Splat(t, 1<<32-1))
	return g.bits(scalar.OpOr, g.UnI(VpsllqI, hb, 32), low)
}

func (g *x86) Rounded(x native.Value) native.Value {
	r, top := g.RoundTop(x), g.Splat(scalar.U32, 0xffff0000)
	if g.isa == AVX2 {
		return g.Choose(g.Unordered(x, x), x.As(scalar.U32), g.bits(scalar.OpAnd, r, top)).As(scalar.F32)
	}
	numbers := g.ordered(x, x)
	_, length := g.Layout(4)
	v := g.NewValue(scalar.F32)
	for i, from := range x.R {
		d := g.NewV(length)
		g.Regs[d].Hint = from
		g.Put(native.Inst{Op: Vpandd, Len: length, D: d, A: r.R[i], B: top.R[i], C: from, K: g.maskFor(numbers.R, i, 4)})
		v.R = append(v.R, d)
	}
	return v
}

func (g *x86) Truncate(t scalar.Type, x native.Value) native.Value {
	switch {
	case x.T == scalar.F32:
		return g.Un(Vcvttps2dq, t, x)
	case t == scalar.I32:
		return g.narrowWith(Vcvttpd2dq, t, x)
	case t == scalar.U32:
		return g.truncU32(x)
	}
	return g.floatToInt64(x, !t.IsSigned())
}

func (g *x86) WidenHalf(x native.Value) native.Value { return g.widenWith(Vcvtph2ps, scalar.F32, x) }

func (g *x86) NarrowHalf(x native.Value) native.Value { return g.narrowWith(Vcvtps2ph, scalar.U16, x) }
