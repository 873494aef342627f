package simt

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lower/scalar"
)

// Conversions of small floats are written as integer operations, which every machine has.

func (e *emitter) u32(n uint32) Reg { return e.constant(scalar.U32, uint64(n)) }

func (e *emitter) u(o scalar.Op, x, y Reg) Reg { return e.op(o, scalar.U32, x, y) }

func (e *emitter) is(o scalar.Op, x, y Reg) Reg { return e.op(o, scalar.Bool, x, y) }

// widen returns the f32 with the value of the code x of a small float.
func (e *emitter) widen(dt core.DType, x Reg) Reg {
	code := e.convert(scalar.U32, x)
	f32 := func(bits Reg) Reg { return e.op(scalar.OpBitcast, scalar.F32, bits) }
	f := scalar.FormatOf(dt)
	switch dt {
	case core.BFloat16:
		return f32(e.u(scalar.OpShl, code, e.u32(16)))
	case core.Float8E8M0FNU:
		bits := e.choose(e.same(code, e.u32(0)), e.u32(1<<22), e.u(scalar.OpShl, code, e.u32(23)))
		return f32(e.choose(e.same(code, e.u32(0xff)), e.u32(scalar.NaNBits32), bits))
	}
	n := uint32(f.EBits + f.MBits)
	sign := e.u(scalar.OpShl, e.u(scalar.OpAnd, e.u(scalar.OpShr, code, e.u32(n)), e.u32(1)), e.u32(31))
	a := e.u(scalar.OpAnd, code, e.u32(1<<n-1))
	exp := e.u(scalar.OpShr, a, e.u32(uint32(f.MBits)))
	m := e.u(scalar.OpAnd, a, e.u32(1<<f.MBits-1))
	normal := e.is(scalar.OpLt, e.u32(0), exp)
	m = e.u(scalar.OpOr, m, e.choose(normal, e.u32(1<<f.MBits), e.u32(0)))
	// m · 2^(max(exp, 1) − bias − mbits): both factors and the product are exact.
	power := e.u(scalar.OpAdd, e.choose(normal, exp, e.u32(1)), e.u32(uint32(127-f.Bias-f.MBits)))
	v := e.op(scalar.OpMul, scalar.F32, e.op(scalar.OpConvert, scalar.F32, m), f32(e.u(scalar.OpShl, power, e.u32(23))))
	bits := e.op(scalar.OpBitcast, scalar.U32, v)
	if f.Infs {
		bits = e.choose(e.same(a, e.u32(f.Max+1)), e.u32(0x7f800000), bits)
	}
	bits = e.u(scalar.OpOr, bits, sign)
	var nan Reg
	switch {
	case !f.SignedZero:
		return f32(e.choose(e.same(code, e.u32(f.NaN)), e.u(scalar.OpOr, sign, e.u32(scalar.NaNBits32)), bits))
	case f.NaNs && f.Infs:
		nan = e.is(scalar.OpLt, e.u32(f.Max+1), a)
	case f.NaNs:
		nan = e.is(scalar.OpLt, e.u32(f.Max), a)
	default:
		return f32(bits)
	}
	quiet := e.u(scalar.OpOr, sign, e.u32(scalar.NaNBits32))
	if dt == core.Float16 { // the payload survives
		quiet = e.u(scalar.OpOr, quiet, e.u(scalar.OpShl, a, e.u32(13)))
	}
	return f32(e.choose(nan, quiet, bits))
}

// narrow returns the code of the small float that x, an f32, rounds to: the steps of
// scalar.NarrowSmall without branches.
func (e *emitter) narrow(dt core.DType, x Reg) Reg {
	f := scalar.FormatOf(dt)
	stored := scalar.U8
	if f.EBits+f.MBits > 7 && dt != core.Float8E8M0FNU {
		stored = scalar.U16
	}
	bits := e.op(scalar.OpBitcast, scalar.U32, x)
	n := uint32(f.EBits + f.MBits)
	minus := e.u(scalar.OpShr, bits, e.u32(31))
	b := e.u(scalar.OpAnd, bits, e.u32(1<<31-1))
	isNaN := e.is(scalar.OpLt, e.u32(0x7f800000), b)
	if dt == core.Float8E8M0FNU {
		return e.convert(stored, e.narrowE8M0(minus, b))
	}
	if dt == core.BFloat16 {
		odd := e.u(scalar.OpAnd, e.u(scalar.OpShr, bits, e.u32(16)), e.u32(1))
		r := e.u(scalar.OpShr, e.u(scalar.OpAdd, e.u(scalar.OpAdd, bits, e.u32(0x7fff)), odd), e.u32(16))
		return e.convert(stored, e.choose(isNaN, e.u32(0x7fc0), r))
	}
	sign := e.u(scalar.OpShl, minus, e.u32(n))
	exp := e.u(scalar.OpShr, b, e.u32(23))
	m := e.u(scalar.OpAnd, b, e.u32(1<<23-1))
	normal := e.is(scalar.OpLt, e.u32(0), exp)
	m = e.u(scalar.OpOr, m, e.choose(normal, e.u32(1<<23), e.u32(0)))
	exp = e.choose(normal, exp, e.u32(1))
	// Exponents count from −127 here: emin is the format's least one.
	emin := uint32(127 + 1 - f.Bias)
	below := e.is(scalar.OpLt, exp, e.u32(emin))
	deep := e.u(scalar.OpAdd, e.u32(uint32(23-f.MBits)), e.u(scalar.OpSub, e.u32(emin), exp))
	shift := e.choose(below, e.least(deep, e.u32(26)), e.u32(uint32(23-f.MBits)))
	base := e.choose(below, e.u32(0), e.u(scalar.OpShl, e.u(scalar.OpSub, exp, e.u32(emin)), e.u32(uint32(f.MBits))))
	q := e.u(scalar.OpShr, m, shift)
	rest := e.u(scalar.OpSub, m, e.u(scalar.OpShl, q, shift))
	half := e.u(scalar.OpShl, e.u32(1), e.u(scalar.OpSub, shift, e.u32(1)))
	odd := e.same(e.u(scalar.OpAnd, q, e.u32(1)), e.u32(1))
	up := e.is(scalar.OpOr, e.less(half, rest), e.both(e.same(rest, half), odd))
	a := e.u(scalar.OpAdd, base, e.u(scalar.OpAdd, q, e.choose(up, e.u32(1), e.u32(0))))
	over := e.is(scalar.OpOr, e.less(e.u32(f.Max), a), e.same(b, e.u32(0x7f800000)))
	var r Reg
	if f.SignedZero {
		r = e.u(scalar.OpOr, sign, e.choose(over, e.u32(f.Over), a))
	} else {
		r = e.choose(e.same(a, e.u32(0)), e.u32(0), e.u(scalar.OpOr, sign, a))
		r = e.choose(over, e.u32(f.NaN), r)
	}
	return e.convert(stored, e.choose(isNaN, e.u32(f.NaN), r))
}

// narrowE8M0 rounds to a power of two, ties to the greater one. Zeros, negative numbers and infinities become NaN.
func (e *emitter) narrowE8M0(minus, b Reg) Reg {
	bad := e.is(scalar.OpOr, e.same(minus, e.u32(1)), e.same(b, e.u32(0)))
	bad = e.is(scalar.OpOr, bad, e.is(scalar.OpLe, e.u32(0x7f800000), b))
	code := e.u(scalar.OpShr, b, e.u32(23))
	rest := e.u(scalar.OpAnd, b, e.u32(1<<23-1))
	return e.choose(bad, e.u32(0xff), e.e8m0Code(code, rest))
}

// e8m0Code returns the code of the power of two nearest to the f32 with exponent bits `code` and mantissa bits `rest`.
func (e *emitter) e8m0Code(code, rest Reg) Reg {
	const half = 1 << 22
	// The least power, 2^−127, is half of the least normal number.
	least := e.choose(e.is(scalar.OpLe, e.u32(half+half/2), rest), e.u32(1), e.u32(0))
	other := e.u(scalar.OpAdd, code, e.choose(e.is(scalar.OpLe, e.u32(half), rest), e.u32(1), e.u32(0)))
	return e.choose(e.same(code, e.u32(0)), least, other)
}
