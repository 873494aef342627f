package expand

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/lower/scalar"
)

func signMask(t scalar.Type) uint64 { return 1 << (t.Bits() - 1) }

func (b builder) nan(t scalar.Type) scalar.Ref {
	if t == scalar.F32 {
		return b.Const(t, scalar.NaNBits32)
	}
	return b.Const(t, scalar.NaNBits64)
}

func (b builder) inf(t scalar.Type) scalar.Ref {
	if t == scalar.F32 {
		return b.Const(t, 0x7f800000)
	}
	return b.Const(t, 0x7ff<<52)
}

// signOf returns the sign bit of the float x, other bits zero, as an unsigned integer.
func (b builder) signOf(x scalar.Ref) scalar.Ref {
	t := b.TypeOf(x)
	u := t.Unsigned()
	return b.And(b.Bitcast(u, x), b.Const(u, signMask(t)))
}

// withSign returns |x| with a sign bit that signOf returned.
func (b builder) withSign(x, sign scalar.Ref) scalar.Ref {
	t := b.TypeOf(x)
	return b.Bitcast(t, b.Or(b.Bitcast(t.Unsigned(), b.Abs(x)), sign))
}

// flipSign returns x with its sign bit flipped where the sign bit of sign is set.
func (b builder) flipSign(x, sign scalar.Ref) scalar.Ref {
	t := b.TypeOf(x)
	return b.Bitcast(t, b.Xor(b.Bitcast(t.Unsigned(), x), sign))
}

func (b builder) copySign(x, y scalar.Ref) scalar.Ref { return b.withSign(x, b.signOf(y)) }

// negate flips the sign bits of floats, also of zeros and NaNs. In formats without −0, zero and NaN stay what they are;
// in float8_e8m0fnu, which has no negative numbers, the result is NaN. Integers are negated.
func negate(x *expander, e Elem) Elem {
	dt := e.DType
	switch {
	case dt.IsComplex():
		return Elem{dt, x.Neg(e.Re), x.Neg(e.Im)}
	case scalar.IsSmallFloat(dt):
		f := scalar.FormatOf(dt)
		t := x.TypeOf(e.Re)
		bit := x.Const(t, 1<<(f.EBits+f.MBits))
		r := x.Xor(e.Re, bit)
		if dt == core.Float8E8M0FNU {
			return Elem{dt, x.Const(t, uint64(f.NaN)), scalar.NoRef}
		}
		if !f.SignedZero { // −0 is the code of NaN: zero and NaN stay what they are
			r = x.Select(x.Or(x.Eq(e.Re, x.Const(t, 0)), x.Eq(e.Re, bit)), e.Re, r)
		}
		return Elem{dt, r, scalar.NoRef}
	case dt.IsFloat():
		return Elem{dt, x.Neg(e.Re), scalar.NoRef}
	case dt.IsInteger():
		return x.elem(dt, x.Neg(e.Re))
	}
	return x.fail(dt)
}

// absolute clears the sign bits of floats, but keeps the NaN of formats without −0. Of an integer it is |x|, of a
// complex number the modulus.
func absolute(x *expander, e Elem) Elem {
	dt := e.DType
	switch {
	case dt.IsComplex():
		return x.elem(dt.Real(), modulus(x.builder, x.loadPair(e)))
	case dt == core.Float8E8M0FNU:
		return e
	case scalar.IsSmallFloat(dt):
		f := scalar.FormatOf(dt)
		t := x.TypeOf(e.Re)
		r := x.And(e.Re, x.Const(t, 1<<(f.EBits+f.MBits)-1))
		if !f.SignedZero {
			bit := x.Const(t, uint64(f.NaN))
			r = x.Select(x.Eq(e.Re, bit), bit, r)
		}
		return Elem{dt, r, scalar.NoRef}
	case dt.IsFloat():
		return Elem{dt, x.Abs(e.Re), scalar.NoRef}
	case dt.IsInteger():
		return x.elem(dt, x.Abs(e.Re))
	}
	return x.fail(dt)
}

func signInt(b builder, x scalar.Ref) scalar.Ref {
	t := b.TypeOf(x)
	zero := b.Int(t, 0)
	one := b.Select(b.Lt(zero, x), b.Int(t, 1), zero)
	if !t.IsSigned() {
		return one
	}
	return b.Select(b.Lt(x, zero), b.Int(t, -1), one)
}

// signFloat returns ±1; ±0 and NaN stay what they are.
func signFloat(b builder, x scalar.Ref) scalar.Ref {
	t := b.TypeOf(x)
	nonzero := b.Lt(b.Float(t, 0), b.Abs(x))
	return b.Select(nonzero, b.copySign(b.Float(t, 1), x), x)
}

func squareReal(b builder, x scalar.Ref) scalar.Ref { return b.Mul(x, x) }

func clamp(b builder, a []scalar.Ref) scalar.Ref { return b.Min(b.Max(a[1], a[0]), a[2]) }

func clampBool(b builder, a []scalar.Ref) scalar.Ref { return b.And(b.Or(a[1], a[0]), a[2]) }

// integerPow multiplies the powers x^(2ᵇ) for the bits b that are set in the exponent, from the lowest up. For a
// negative exponent it divides 1 by that product.
func integerPow(x *expander, p prim.IntegerPowP, in []Elem) Elem {
	y := p.Y
	n := uint64(y)
	if y < 0 {
		n = -n
	}
	power := func(one scalar.Ref, mul func(b builder, x, y scalar.Ref) scalar.Ref) func(builder, []scalar.Ref) scalar.Ref {
		return func(b builder, a []scalar.Ref) scalar.Ref {
			if n == 0 {
				return one
			}
			r, sq := scalar.NoRef, a[0]
			for m := n; ; {
				if m&1 == 1 {
					if r == scalar.NoRef {
						r = sq
					} else {
						r = mul(b, r, sq)
					}
				}
				if m >>= 1; m == 0 {
					break
				}
				sq = mul(b, sq, sq)
			}
			if y < 0 {
				r = b.Div(one, r)
			}
			return r
		}
	}
	dt := in[0].DType
	if dt.IsComplex() {
		return x.elemPair(dt, powerPair(x.builder, x.loadPair(in[0]), n, y < 0))
	}
	one := x.Num(computed(dt), 1)
	f := power(one, builder.Mul)
	return arith(rule{ints: f, floats: f})(x, in)
}

func computed(dt core.DType) scalar.Type {
	if scalar.IsSmallFloat(dt) {
		return scalar.F32
	}
	return scalar.Stored(dt)
}

// round rounds to integral numbers: halves away from zero, or to even.
func round(x *expander, p prim.RoundP, in []Elem) Elem {
	f := builder.Rint
	if p.Method == prim.AwayFromZero {
		f = func(b builder, x scalar.Ref) scalar.Ref {
			// |x| − trunc|x| is exact, and so is trunc|x| + 1.
			t := b.TypeOf(x)
			a := b.Abs(x)
			whole := b.Trunc(a)
			up := b.Le(b.Float(t, 0.5), b.Sub(a, whole))
			r := b.Select(up, b.Add(whole, b.Float(t, 1)), whole)
			return b.copySign(r, x)
		}
	}
	return arith(rule{floats: fn1(f)})(x, in)
}

func isFinite(b builder, x scalar.Ref) scalar.Ref {
	t := b.TypeOf(x)
	if !t.IsFloat() {
		return b.Const(scalar.Bool, 1)
	}
	return b.Lt(b.Abs(x), b.inf(t))
}

// nextAfter steps the bits of x towards y.
func nextAfter(x *expander, in []Elem) Elem {
	dt := in[0].DType
	switch {
	case !dt.IsFloat():
		return x.fail(dt)
	case dt == core.Float8E8M0FNU:
		return nextPower(x, in)
	}
	b := x.builder
	xf, yf := x.load(in[0]), x.load(in[1])
	// Steps are taken on the stored bits of x. From 0, the step is to the least number with the sign of y.
	bits, ybits := in[0].Re, in[1].Re
	top := uint64(1) << (dt.Bits() - 1)
	nan, least := uint64(scalar.NaNBits32), uint64(1)
	switch {
	case dt == core.Float64:
		nan = scalar.NaNBits64
	case scalar.IsSmallFloat(dt):
		nan = uint64(scalar.FormatOf(dt).NaN)
	}
	u := x.TypeOf(bits).Unsigned()
	bits, ybits = b.Bitcast(u, bits), b.Bitcast(u, ybits)
	zero := b.Float(x.TypeOf(xf), 0)
	mag := b.And(bits, b.Const(u, top-1))
	sign := b.And(bits, b.Const(u, top))
	one := b.Const(u, 1)
	away := b.Select(b.Lt(zero, xf), b.Lt(xf, yf), b.Lt(yf, xf)) // from zero
	step := b.Select(away, b.Add(mag, one), b.Sub(mag, one))
	if scalar.IsSmallFloat(dt) && !scalar.FormatOf(dt).SignedZero { // the only zero is positive
		sign = b.Select(b.Eq(step, b.Const(u, 0)), step, sign)
	}
	step = b.Or(sign, step)
	fromZero := b.Or(b.And(ybits, b.Const(u, top)), b.Const(u, least))
	r := b.Select(b.Eq(xf, zero), fromZero, step)
	r = b.Select(b.Eq(xf, yf), ybits, r)
	r = b.Select(b.Or(b.IsNaN(xf), b.IsNaN(yf)), b.Const(u, nan), r)
	return Elem{dt, b.Bitcast(x.TypeOf(in[0].Re), r), scalar.NoRef}
}

// nextPower returns nextAfter of float8_e8m0fnu, whose numbers are powers of two in the order
// of their bits.
func nextPower(x *expander, in []Elem) Elem {
	b := x.builder
	xf, yf := x.load(in[0]), x.load(in[1])
	bits, one := in[0].Re, b.Const(x.TypeOf(in[0].Re), 1)
	r := b.Select(b.Lt(xf, yf), b.Add(bits, one), b.Sub(bits, one))
	r = b.Select(b.Eq(xf, yf), bits, r)
	nan := b.Const(x.TypeOf(bits), uint64(scalar.FormatOf(core.Float8E8M0FNU).NaN))
	r = b.Select(b.Or(b.IsNaN(xf), b.IsNaN(yf)), nan, r)
	return Elem{core.Float8E8M0FNU, r, scalar.NoRef}
}

func compareElems(f func(b builder, x, y scalar.Ref) scalar.Ref, join func(b builder, x, y scalar.Ref) scalar.Ref) expansion {
	return func(x *expander, in []Elem) Elem {
		if scalar.Components(in[0].DType) == 2 {
			r := join(x.builder, f(x.builder, in[0].Re, in[1].Re), f(x.builder, in[0].Im, in[1].Im))
			return Elem{core.Bool, r, scalar.NoRef}
		}
		return Elem{core.Bool, f(x.builder, x.load(in[0]), x.load(in[1])), scalar.NoRef}
	}
}

// totalOrder compares floats by their bits: −NaN < −∞ < … < −0 < +0 < … < ∞ < NaN, NaNs of one sign being
// equal. Elements of other types compare as usual.
func totalOrder(f func(b builder, x, y scalar.Ref) scalar.Ref) expansion {
	return func(x *expander, in []Elem) Elem {
		if !in[0].DType.IsFloat() {
			return compared(fn2(f))(x, in)
		}
		return Elem{core.Bool, f(x.builder, x.orderKey(in[0]), x.orderKey(in[1])), scalar.NoRef}
	}
}

// orderKey returns a signed integer that orders floats.
func (x *expander) orderKey(e Elem) scalar.Ref {
	b := x.builder
	v := x.load(e)
	t := b.TypeOf(v)
	i := t.Signed()
	if scalar.IsSmallFloat(e.DType) {
		// Widening may lose the sign of NaN: take it from the code.
		f := scalar.FormatOf(e.DType)
		u := b.TypeOf(e.Re)
		neg := b.Ne(b.And(e.Re, b.Const(u, 1<<(f.EBits+f.MBits))), b.Const(u, 0))
		if e.DType == core.Float8E8M0FNU || !f.SignedZero {
			neg = b.And(neg, b.Not(b.IsNaN(v)))
		}
		v = b.withSign(v, b.Select(neg, b.Const(scalar.U32, 1<<31), b.Const(scalar.U32, 0)))
	}
	v = b.Select(b.IsNaN(v), b.copySign(b.nan(t), v), v)
	bits := b.Bitcast(i, v)
	// Negative: larger bits are lower.
	flipped := b.Xor(bits, b.Const(i, signMask(t)-1))
	return b.Select(b.Lt(bits, b.Int(i, 0)), flipped, bits)
}

// selectN returns the case whose number is the first operand, clamped.
func selectN(x *expander, in []Elem) Elem {
	which, cases := in[0], in[1:]
	r := cases[0]
	for i := 1; i < len(cases); i++ {
		var c scalar.Ref
		if which.DType.IsBool() {
			c = which.Re
		} else {
			if !core.IntNumber(int64(i)).Fits(which.DType) {
				break // no index reaches this case
			}
			t := x.TypeOf(which.Re)
			c = x.Le(x.Int(t, int64(i)), which.Re)
		}
		r.Re = x.Select(c, cases[i].Re, r.Re)
		if r.Im != scalar.NoRef {
			r.Im = x.Select(c, cases[i].Im, r.Im)
		}
	}
	return r
}

// conjugate returns the complex conjugate. A real number becomes a complex one with imaginary part 0.
func conjugate(x *expander, in []Elem) Elem {
	e := in[0]
	if !e.DType.IsComplex() {
		return Elem{x.out, e.Re, x.Float(x.TypeOf(e.Re), 0)}
	}
	return Elem{e.DType, e.Re, x.Neg(e.Im)}
}
