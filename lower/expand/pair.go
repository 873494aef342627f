package expand

import "github.com/weft-go/weft/lower/scalar"

// Complex arithmetic on pairs of floats.

func addPair(b builder, z, w pair) pair { return pair{b.Add(z.re, w.re), b.Add(z.im, w.im)} }

func subPair(b builder, z, w pair) pair { return pair{b.Sub(z.re, w.re), b.Sub(z.im, w.im)} }

// mulPair returns (ac − bd) + (ad + bc)i, each product and sum rounded.
func mulPair(b builder, z, w pair) pair {
	return pair{
		b.Sub(b.Mul(z.re, w.re), b.Mul(z.im, w.im)),
		b.Add(b.Mul(z.re, w.im), b.Mul(z.im, w.re)),
	}
}

func squarePair(b builder, z pair) pair { return mulPair(b, z, z) }

// maxPair returns the greater in the order of lessPair; NaN in both parts if a part of either is
// NaN.
func maxPair(b builder, z, w pair) pair { return extremum(b, lessPair(b, w, z), z, w) }

func minPair(b builder, z, w pair) pair { return extremum(b, lessPair(b, z, w), z, w) }

func clampPair(b builder, a []pair) pair { return minPair(b, maxPair(b, a[1], a[0]), a[2]) }

// lessPair orders by the real, then by the imaginary part; of equal numbers −0 lies below +0, in
// the real part first.
func lessPair(b builder, z, w pair) scalar.Ref {
	negative := func(x scalar.Ref) scalar.Ref {
		t := b.TypeOf(x).Signed()
		return b.Lt(b.Bitcast(t, x), b.Int(t, 0))
	}
	re, im := negative(z.re), negative(z.im)
	below := b.Select(b.Xor(re, negative(w.re)), re, b.And(im, b.Not(negative(w.im))))
	below = b.Or(b.Lt(z.im, w.im), b.And(b.Eq(z.im, w.im), below))
	return b.Or(b.Lt(z.re, w.re), b.And(b.Eq(z.re, w.re), below))
}

// extremum returns z where c, else w, and NaN where either has one.
func extremum(b builder, c scalar.Ref, z, w pair) pair {
	none := b.Or(b.Or(b.IsNaN(z.re), b.IsNaN(z.im)), b.Or(b.IsNaN(w.re), b.IsNaN(w.im)))
	nan := b.nan(b.TypeOf(z.re))
	return pair{b.Select(none, nan, b.Select(c, z.re, w.re)), b.Select(none, nan, b.Select(c, z.im, w.im))}
}

// powerPair returns zⁿ by repeated squaring, or one divided by that.
func powerPair(b builder, z pair, n uint64, inverse bool) pair {
	t := b.TypeOf(z.re)
	one := pair{b.Float(t, 1), b.Float(t, 0)}
	if n == 0 {
		return one
	}
	var r pair
	first := true
	for sq := z; ; sq = mulPair(b, sq, sq) {
		if n&1 == 1 {
			if first {
				r, first = sq, false
			} else {
				r = mulPair(b, r, sq)
			}
		}
		if n >>= 1; n == 0 {
			break
		}
	}
	if inverse { // division looks at signs: those of NaN must not depend on the machine
		r = recipPair(b, pair{b.Canon(r.re), b.Canon(r.im)})
	}
	return r
}

// wide returns the pair in f64.
func (b builder) wide(z pair) pair {
	return pair{b.Convert(scalar.F64, z.re), b.Convert(scalar.F64, z.im)}
}

func (b builder) narrowPair(t scalar.Type, z pair) pair {
	return pair{b.Convert(t, z.re), b.Convert(t, z.im)}
}

func (b builder) selectPair(c scalar.Ref, z, w pair) pair {
	return pair{b.Select(c, z.re, w.re), b.Select(c, z.im, w.im)}
}

func (b builder) scalePair(z pair, s scalar.Ref) pair { return pair{b.Mul(z.re, s), b.Mul(z.im, s)} }

func (b builder) isInf(x scalar.Ref) scalar.Ref { return b.Eq(b.Abs(x), b.inf(b.TypeOf(x))) }

// modulus returns √(a² + b²) without overflow on the way; infinite if a part is, even
// if the other is NaN. c64 is computed in f64, where squares and their sum do not overflow.
func modulus(b builder, z pair) scalar.Ref {
	t := b.TypeOf(z.re)
	inf := b.Or(b.isInf(z.re), b.isInf(z.im))
	var r scalar.Ref
	if t == scalar.F32 {
		w := b.wide(z)
		r = b.Convert(scalar.F32, b.Sqrt(b.FMA(w.re, w.re, b.Mul(w.im, w.im))))
	} else {
		s, up := b.powerScale(b.Max(b.Abs(z.re), b.Abs(z.im)))
		r = b.Mul(b.hypotScaled(b.scalePair(z, s)), up)
	}
	return b.Select(inf, b.inf(t), r)
}

// powerScale returns powers of two s and up = 1/s, both normal numbers. s·m is near 1 for a normal m > 0, and at
// least 2⁻⁵² for a subnormal one.
func (b builder) powerScale(m scalar.Ref) (s, up scalar.Ref) {
	e := b.ShrN(b.Bitcast(scalar.U64, m), 52)
	// 2^(1023 − e) has exponent field 2046 − e, its inverse e; both within [1, 2045].
	e = b.Min(b.Max(e, b.Int(scalar.U64, 1)), b.Int(scalar.U64, 2045))
	s = b.Bitcast(scalar.F64, b.ShlN(b.Sub(b.Int(scalar.U64, 2046), e), 52))
	up = b.Bitcast(scalar.F64, b.ShlN(e, 52))
	return s, up
}

// hypotScaled returns √(a² + b²) where nothing overflows or underflows: the root of
// the rounded sum, corrected by what was rounded away.
func (b builder) hypotScaled(z pair) scalar.Ref {
	x, y := b.Abs(z.re), b.Abs(z.im)
	hi, lo := b.Max(x, y), b.Min(x, y)
	// s + e is hi² + lo², with a relative error of about 2⁻¹⁰⁰.
	p, pe := b.twoProd(hi, hi)
	q, qe := b.twoProd(lo, lo)
	s := b.Add(p, q)
	e := b.Add(b.Sub(q, b.Sub(s, p)), b.Add(pe, qe))
	h := b.Sqrt(s)
	// h² = s − d.
	d := b.FMA(b.Neg(h), h, s)
	c := b.Div(b.Add(d, e), b.Add(h, h))
	r := b.Add(h, c)
	return b.Select(b.Eq(hi, b.Float(scalar.F64, 0)), b.Float(scalar.F64, 0), r)
}

// twoProd returns x·y as a float and its rounding error.
func (b builder) twoProd(x, y scalar.Ref) (p, e scalar.Ref) {
	p = b.Mul(x, y)
	return p, b.FMA(x, y, b.Neg(p))
}

// twoSum returns x + y as a float and its rounding error.
func (b builder) twoSum(x, y scalar.Ref) (s, e scalar.Ref) {
	s = b.Add(x, y)
	v := b.Sub(s, x)
	return s, b.Add(b.Sub(x, b.Sub(s, v)), b.Sub(y, v))
}

// fastTwoSum is twoSum for |x| ≥ |y| or x = 0.
func (b builder) fastTwoSum(x, y scalar.Ref) (s, e scalar.Ref) {
	s = b.Add(x, y)
	return s, b.Sub(y, b.Sub(s, x))
}

// signPair returns z/|z|, 0 at 0.
func signPair(b builder, z pair) pair {
	t := b.TypeOf(z.re)
	zero := b.Float(t, 0)
	w := z
	if t == scalar.F32 {
		w = b.wide(z)
	} else {
		s, _ := b.powerScale(b.Max(b.Abs(z.re), b.Abs(z.im)))
		w = b.scalePair(z, s)
		// What was subnormal is normal after a second step.
		s, _ = b.powerScale(b.Max(b.Abs(w.re), b.Abs(w.im)))
		w = b.scalePair(w, s)
	}
	m := b.Sqrt(b.FMA(w.re, w.re, b.Mul(w.im, w.im)))
	r := b.narrowPair(t, pair{b.Div(w.re, m), b.Div(w.im, m)})
	isZero := b.And(b.Eq(z.re, zero), b.Eq(z.im, zero))
	return b.selectPair(isZero, z, r)
}

// divPair returns z/w = (a + bi)/(c + di) as ((ac + bd) + (bc − ad)i) / (c² + d²). Where the
// formula yields NaN + NaN·i, the result is C99's: a number other than 0 divided by zero is
// infinite, an infinity by a finite number is infinite, and a finite number by an infinity is zero.
func divPair(b builder, z, w pair) pair {
	t := b.TypeOf(z.re)
	q := b.quotient(z, w)
	inf, zero, one := b.inf(t), b.Float(t, 0), b.Float(t, 1)
	bad := b.And(b.IsNaN(q.re), b.IsNaN(q.im))
	finite := func(x pair) scalar.Ref { return b.And(isFinite(b, x.re), isFinite(b, x.im)) }
	infinite := func(x pair) scalar.Ref { return b.Or(b.isInf(x.re), b.isInf(x.im)) }
	// box is the parts as ±1 where infinite, ±0 elsewhere.
	box := func(x pair) pair {
		part := func(v scalar.Ref) scalar.Ref { return b.copySign(b.Select(b.isInf(v), one, zero), v) }
		return pair{part(x.re), part(x.im)}
	}
	dot := func(x, y pair) pair { // x · conj y
		return pair{b.Add(b.Mul(x.re, y.re), b.Mul(x.im, y.im)), b.Sub(b.Mul(x.im, y.re), b.Mul(x.re, y.im))}
	}
	byZero := b.And(b.And(b.Eq(w.re, zero), b.Eq(w.im, zero)), b.Not(b.And(b.IsNaN(z.re), b.IsNaN(z.im))))
	signedInf := b.copySign(inf, w.re)
	over := dot(box(z), w)
	r := b.selectPair(b.And(infinite(z), finite(w)), pair{b.Mul(inf, over.re), b.Mul(inf, over.im)}, q)
	r = b.selectPair(byZero, pair{b.Mul(signedInf, z.re), b.Mul(signedInf, z.im)}, r)
	under := dot(z, box(w))
	r = b.selectPair(b.And(infinite(w), finite(z)), pair{b.Mul(zero, under.re), b.Mul(zero, under.im)}, r)
	return pair{b.Rare(bad, r.re, q.re), b.Rare(bad, r.im, q.im)}
}

// quotient returns z/w for finite z and finite w ≠ 0: c64 in f64, c128 with operands scaled by powers of two that
// bring their greater parts near one.
func (b builder) quotient(z, w pair) pair {
	if t := b.TypeOf(z.re); t == scalar.F32 {
		z, w = b.wide(z), b.wide(w)
		den := b.FMA(w.re, w.re, b.Mul(w.im, w.im))
		re := b.Div(b.FMA(z.re, w.re, b.Mul(z.im, w.im)), den)
		im := b.Div(b.FMA(z.im, w.re, b.Neg(b.Mul(z.re, w.im))), den)
		return b.narrowPair(scalar.F32, pair{re, im})
	}
	s, _ := b.powerScale(b.Max(b.Abs(w.re), b.Abs(w.im)))
	u, _ := b.powerScale(b.Max(b.Abs(z.re), b.Abs(z.im)))
	w = b.scalePair(w, s)
	a := b.scalePair(z, u)
	den := b.FMA(w.re, w.re, b.Mul(w.im, w.im))
	re := b.Div(b.dot2(a.re, w.re, a.im, w.im), den)
	im := b.Div(b.dot2(a.im, w.re, b.Neg(a.re), w.im), den)
	return b.unscale(pair{re, im}, s, u)
}

// dot2 returns x·y + v·w, corrected by the rounding error of v·w. For an infinite v·w the formula of the error
// yields NaN, which is not added.
func (b builder) dot2(x, y, v, w scalar.Ref) scalar.Ref {
	p := b.Mul(v, w)
	e := b.FMA(v, w, b.Neg(p))
	s := b.FMA(x, y, p)
	// Adding an e of 0 would turn −0 into +0.
	return b.Select(b.Lt(b.Float(scalar.F64, 0), b.Abs(e)), b.Add(s, e), s)
}

// recipPair returns 1/w: the quotient (a − bi)/(a² + b²), whose zeros have the signs of a
// and −b.
func recipPair(b builder, w pair) pair {
	t := b.TypeOf(w.re)
	q := divPair(b, pair{b.Float(t, 1), b.Float(t, 0)}, w)
	zero := b.Float(t, 0)
	sign := func(q, w scalar.Ref) scalar.Ref { return b.Select(b.Eq(q, zero), b.copySign(q, w), q) }
	return pair{sign(q.re, w.re), sign(q.im, b.Neg(w.im))}
}

// unscale returns z·s/u, for powers of two s and u.
func (b builder) unscale(z pair, s, u scalar.Ref) pair {
	inv := b.Bitcast(scalar.F64, b.Sub(b.Int(scalar.U64, 0x7fe<<52), b.Bitcast(scalar.U64, u))) // 1/u
	step := func(x scalar.Ref) scalar.Ref {
		// Beyond these bounds s·inv itself could overflow or underflow; then both factors move x the same way.
		f := b.Mul(s, inv)
		ok := b.And(b.Lt(b.Float(scalar.F64, 0x1p-1000), f), b.Lt(f, b.Float(scalar.F64, 0x1p1000)))
		return b.Select(ok, b.Mul(x, f), b.Mul(b.Mul(x, s), inv))
	}
	return pair{step(z.re), step(z.im)}
}
