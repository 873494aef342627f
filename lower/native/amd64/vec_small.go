package amd64

import (
	"math"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lower/scalar"
)

// widen returns the f32 values of the bits of small floats.
func (g *gen) widen(dt core.DType, x value) value {
	u := scalar.U32
	switch dt {
	case core.BFloat16:
		return g.shiftConst(scalar.OpShl, g.convert(u, x), 16).as(scalar.F32)
	case core.Float16:
		return g.widenHalf(x)
	}
	c := g.convert(u, x)
	op := func(o scalar.Op, a value, b uint64) value { return g.intOp(o, a, g.konst(u, b)) }
	is := func(o scalar.Op, a value, b uint64) value { return g.compare(o, a, g.konst(u, b)) }
	if dt == core.Float8E8M0FNU {
		v := g.shiftConst(scalar.OpShl, c, 23)
		v = g.choose(is(scalar.OpEq, c, 0), g.konst(u, 1<<22), v)
		return g.choose(is(scalar.OpEq, c, 0xff), g.konst(u, scalar.NaNBits32), v).as(scalar.F32)
	}
	f := scalar.FormatOf(dt)
	n := uint64(f.EBits + f.MBits)
	// Bits above the format do not count, as in the table of all codes.
	c = op(scalar.OpAnd, c, 1<<(n+1)-1)
	a := op(scalar.OpAnd, c, 1<<n-1)
	sign := g.shiftConst(scalar.OpShl, op(scalar.OpAnd, c, 1<<n), 31-n)
	// Normal: the exponent moved to its place. Subnormal: an integer times a power of two.
	normal := g.intOp(scalar.OpAdd, g.shiftConst(scalar.OpShl, a, uint64(23-f.MBits)), g.konst(u, uint64(127-f.Bias)<<23))
	small := g.floatOp(scalar.OpMul, g.convert(scalar.F32, a.as(scalar.I32)), g.konst(scalar.F32, f32(float32(math.Ldexp(1, 1-f.Bias-f.MBits)))), value{})
	v := g.choose(is(scalar.OpLt, a, 1<<f.MBits), small.as(u), normal)
	if f.Infs {
		v = g.choose(is(scalar.OpEq, a, uint64(f.Max)+1), g.konst(u, 0x7f800000), v)
	}
	switch {
	case f.NaNs && f.Infs:
		v = g.choose(g.compare(scalar.OpLt, g.konst(u, uint64(f.Max)+1), a), g.konst(u, scalar.NaNBits32), v)
	case f.NaNs && f.SignedZero:
		v = g.choose(g.compare(scalar.OpLt, g.konst(u, uint64(f.Max)), a), g.konst(u, scalar.NaNBits32), v)
	}
	v = g.intOp(scalar.OpOr, v, sign)
	if !f.SignedZero {
		// The one NaN has the sign bit and the sign of its code.
		v = g.choose(is(scalar.OpEq, c, uint64(f.NaN)), g.konst(u, 1<<31|scalar.NaNBits32), v)
	}
	return v.as(scalar.F32)
}

// narrow rounds f32 to the bits of small floats, to nearest even.
func (g *gen) narrow(dt core.DType, x value) value {
	u := scalar.U32
	b := x.as(u)
	op := func(o scalar.Op, a value, c uint64) value { return g.intOp(o, a, g.konst(u, c)) }
	is := func(o scalar.Op, a value, c uint64) value { return g.compare(o, a, g.konst(u, c)) }
	add := func(a, c value) value { return g.intOp(scalar.OpAdd, a, c) }
	stored := scalar.Stored(dt)
	switch dt {
	case core.BFloat16:
		r := g.shiftConst(scalar.OpShr, g.roundTop(x), 16)
		return g.convert(stored, g.choose(g.unordered(x, x), g.konst(u, 0x7fc0), r))
	case core.Float16:
		canonical := g.choose(g.unordered(x, x), g.nan(scalar.F32), x)
		return g.narrowHalf(canonical)
	}
	f := scalar.FormatOf(dt)
	n := uint64(f.EBits + f.MBits)
	a := op(scalar.OpAnd, b, 1<<31-1)
	e := g.shiftConst(scalar.OpShr, a, 23)
	m := op(scalar.OpAnd, a, 1<<23-1)
	if dt == core.Float8E8M0FNU {
		// Ties go up; below the least normal to 2⁻¹²⁷ or 2⁻¹²⁶.
		up := g.choose(is(scalar.OpLt, m, 1<<22), e, add(e, g.konst(u, 1)))
		low := g.choose(is(scalar.OpLt, m, 1<<22+1<<21), g.konst(u, 0), g.konst(u, 1))
		r := g.choose(is(scalar.OpEq, e, 0), low, up)
		// −x, 0, ∞ and NaN are 0 or at least ∞ as unsigned integers.
		r = g.choose(g.compare(scalar.OpLt, b, g.konst(u, 0x7f800000)), r, g.konst(u, 0xff))
		r = g.choose(is(scalar.OpEq, b, 0), g.konst(u, 0xff), r)
		return g.convert(stored, r)
	}
	// x = m·2^(e−23) with m of 24 bits; below the format's least exponent it shifts further.
	sub := is(scalar.OpEq, e, 0)
	m = g.choose(sub, m, op(scalar.OpOr, m, 1<<23))
	e = g.choose(sub, g.konst(u, 1), e).as(scalar.I32)
	least := int64(1 - f.Bias + 127)
	over := g.intOp(scalar.OpSub, e, g.num(scalar.I32, least)) // e − least
	zero := g.num(scalar.I32, 0)
	down := g.intOp(scalar.OpSub, zero, g.intOp(scalar.OpMin, over, zero))
	shift := g.intOp(scalar.OpMin, add(down, g.num(scalar.I32, int64(23-f.MBits))), g.num(scalar.I32, 26)).as(u)
	base := g.shiftConst(scalar.OpShl, g.intOp(scalar.OpMax, over, zero).as(u), uint64(f.MBits))
	one := g.konst(u, 1)
	odd := g.intOp(scalar.OpAnd, g.intOp(scalar.OpShr, m, shift), one)
	half := g.intOp(scalar.OpSub, g.intOp(scalar.OpShl, one, g.intOp(scalar.OpSub, shift, one)), one)
	q := g.intOp(scalar.OpShr, add(add(m, half), odd), shift)
	code := add(base, q)
	sign := g.shiftConst(scalar.OpShr, op(scalar.OpAnd, b, 1<<31), uint64(31-n))
	tooLarge := g.compare(scalar.OpLt, g.konst(u, uint64(f.Max)), code)
	nan := g.konst(u, uint64(f.NaN))
	var r value
	if f.SignedZero {
		r = g.intOp(scalar.OpOr, g.choose(tooLarge, g.konst(u, uint64(f.Over)), code), sign)
	} else {
		r = g.choose(is(scalar.OpEq, code, 0), code, g.intOp(scalar.OpOr, code, sign))
		r = g.choose(tooLarge, nan, r)
	}
	return g.convert(stored, g.choose(g.unordered(x, x), nan, r))
}
