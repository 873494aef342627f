package native

import (
	"math"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lower/scalar"
)

// widen returns the f32 values of the bits of small floats.
func (g *Gen) widen(dt core.DType, x Value) Value {
	u := scalar.U32
	switch dt {
	case core.BFloat16:
		return g.ShiftConst(scalar.OpShl, g.Convert(u, x), 16).As(scalar.F32)
	case core.Float16:
		return g.WidenHalf(x)
	}
	c := g.Convert(u, x)
	op, is := g.intWith, g.compareWith
	if dt == core.Float8E8M0FNU {
		v := g.ShiftConst(scalar.OpShl, c, 23)
		v = g.Choose(is(scalar.OpEq, c, 0), g.Splat(u, 1<<22), v)
		return g.Choose(is(scalar.OpEq, c, 0xff), g.Splat(u, scalar.NaNBits32), v).As(scalar.F32)
	}
	f := scalar.FormatOf(dt)
	n := uint64(f.EBits + f.MBits)
	// Bits above the format do not count, as in the table of all codes.
	c = op(scalar.OpAnd, c, 1<<(n+1)-1)
	a := op(scalar.OpAnd, c, 1<<n-1)
	sign := g.ShiftConst(scalar.OpShl, op(scalar.OpAnd, c, 1<<n), 31-n)
	// Normal: the exponent moved to its place. Subnormal: an integer times a power of two.
	normal := g.IntOp(scalar.OpAdd, g.ShiftConst(scalar.OpShl, a, uint64(23-f.MBits)), g.Splat(u, uint64(127-f.Bias)<<23))
	small := g.FloatOp(scalar.OpMul, g.Convert(scalar.F32, a.As(scalar.I32)), g.Splat(scalar.F32, Bits32(float32(math.Ldexp(1, 1-f.Bias-f.MBits)))), Value{})
	v := g.Choose(is(scalar.OpLt, a, 1<<f.MBits), small.As(u), normal)
	if f.Infs {
		v = g.Choose(is(scalar.OpEq, a, uint64(f.Max)+1), g.Splat(u, 0x7f800000), v)
	}
	switch {
	case f.NaNs && f.Infs:
		v = g.Choose(g.Compare(scalar.OpLt, g.Splat(u, uint64(f.Max)+1), a), g.Splat(u, scalar.NaNBits32), v)
	case f.NaNs && f.SignedZero:
		v = g.Choose(g.Compare(scalar.OpLt, g.Splat(u, uint64(f.Max)), a), g.Splat(u, scalar.NaNBits32), v)
	}
	v = g.IntOp(scalar.OpOr, v, sign)
	if !f.SignedZero {
		// The format's only NaN has the sign bit set; so has its f32.
		v = g.Choose(is(scalar.OpEq, c, uint64(f.NaN)), g.Splat(u, 1<<31|scalar.NaNBits32), v)
	}
	return v.As(scalar.F32)
}

func (g *Gen) intWith(op scalar.Op, x Value, c uint64) Value { return g.IntOp(op, x, g.Splat(x.T, c)) }

func (g *Gen) compareWith(op scalar.Op, x Value, c uint64) Value {
	return g.Compare(op, x, g.Splat(x.T, c))
}

// narrow rounds f32 to the bits of small floats, to nearest even; ties go up for float8_e8m0fnu.
func (g *Gen) narrow(dt core.DType, x Value) Value {
	u := scalar.U32
	b := x.As(u)
	op, is := g.intWith, g.compareWith
	add := func(a, c Value) Value { return g.IntOp(scalar.OpAdd, a, c) }
	stored := scalar.Stored(dt)
	switch dt {
	case core.BFloat16:
		r := g.ShiftConst(scalar.OpShr, g.RoundTop(x), 16)
		return g.Convert(stored, g.Choose(g.Unordered(x, x), g.Splat(u, 0x7fc0), r))
	case core.Float16:
		canonical := g.Choose(g.Unordered(x, x), g.NaN(scalar.F32), x)
		return g.NarrowHalf(canonical)
	}
	f := scalar.FormatOf(dt)
	n := uint64(f.EBits + f.MBits)
	a := op(scalar.OpAnd, b, 1<<31-1)
	e := g.ShiftConst(scalar.OpShr, a, 23)
	m := op(scalar.OpAnd, a, 1<<23-1)
	if dt == core.Float8E8M0FNU {
		// Ties go up. Numbers below the least normal round to 2⁻¹²⁷ or 2⁻¹²⁶.
		up := g.Choose(is(scalar.OpLt, m, 1<<22), e, add(e, g.Splat(u, 1)))
		low := g.Choose(is(scalar.OpLt, m, 1<<22+1<<21), g.Splat(u, 0), g.Splat(u, 1))
		r := g.Choose(is(scalar.OpEq, e, 0), low, up)
		// −x, 0, ∞ and NaN are 0 or at least ∞ as unsigned integers.
		r = g.Choose(g.Compare(scalar.OpLt, b, g.Splat(u, 0x7f800000)), r, g.Splat(u, 0xff))
		r = g.Choose(is(scalar.OpEq, b, 0), g.Splat(u, 0xff), r)
		return g.Convert(stored, r)
	}
	// x = m·2^(e−23) with m of 24 bits. Below the format's least exponent m is shifted further.
	sub := is(scalar.OpEq, e, 0)
	m = g.Choose(sub, m, op(scalar.OpOr, m, 1<<23))
	e = g.Choose(sub, g.Splat(u, 1), e).As(scalar.I32)
	least := int64(1 - f.Bias + 127)
	over := g.IntOp(scalar.OpSub, e, g.Num(scalar.I32, least))
	zero := g.Num(scalar.I32, 0)
	down := g.IntOp(scalar.OpSub, zero, g.IntOp(scalar.OpMin, over, zero))
	shift := g.IntOp(scalar.OpMin, add(down, g.Num(scalar.I32, int64(23-f.MBits))), g.Num(scalar.I32, 26)).As(u)
	base := g.ShiftConst(scalar.OpShl, g.IntOp(scalar.OpMax, over, zero).As(u), uint64(f.MBits))
	one := g.Splat(u, 1)
	odd := g.IntOp(scalar.OpAnd, g.IntOp(scalar.OpShr, m, shift), one)
	half := g.IntOp(scalar.OpSub, g.IntOp(scalar.OpShl, one, g.IntOp(scalar.OpSub, shift, one)), one)
	q := g.IntOp(scalar.OpShr, add(add(m, half), odd), shift)
	code := add(base, q)
	sign := g.ShiftConst(scalar.OpShr, op(scalar.OpAnd, b, 1<<31), uint64(31-n))
	tooLarge := g.Compare(scalar.OpLt, g.Splat(u, uint64(f.Max)), code)
	nan := g.Splat(u, uint64(f.NaN))
	var r Value
	if f.SignedZero {
		r = g.IntOp(scalar.OpOr, g.Choose(tooLarge, g.Splat(u, uint64(f.Over)), code), sign)
	} else {
		r = g.Choose(is(scalar.OpEq, code, 0), code, g.IntOp(scalar.OpOr, code, sign))
		r = g.Choose(tooLarge, nan, r)
	}
	return g.Convert(stored, g.Choose(g.Unordered(x, x), nan, r))
}
