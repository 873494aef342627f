package expand

import "github.com/weft-go/weft/lower/scalar"

// Complex functions, computed in f64, which loses nothing of c64. The cuts and the signs of zeros
// are those of C99.

// pairs64 returns a complex function, computed in f64 and rounded to f32 for c64.
//
// It is not inlined: each call would have its own copy of the closure.
//
//go:noinline
func pairs64(f func(m fn, z pair) pair) func(builder, []pair) pair {
	return func(b builder, a []pair) pair {
		if b.TypeOf(a[0].re) == scalar.F64 {
			return f(fn{b, scalar.F64, false}, a[0])
		}
		return b.narrowPair(scalar.F32, f(fn{b, scalar.F64, true}, b.wide(a[0])))
	}
}

// timesI returns i·z, and overI −i·z.
func (m fn) timesI(z pair) pair { return pair{m.Neg(z.im), z.re} }
func (m fn) overI(z pair) pair  { return pair{z.im, m.Neg(z.re)} }

func (m fn) isZero(x scalar.Ref) scalar.Ref { return m.Eq(x, m.c(0)) }

func (m fn) finite(x scalar.Ref) scalar.Ref { return m.Lt(m.Abs(x), m.inf(m.t)) }

func (m fn) sinCos(x scalar.Ref) (sin, cos scalar.Ref) {
	return m.sinCosSum(dd{x, scalar.NoRef})
}

// sinCosSum returns the sine and cosine of a sum of two; lo may be missing.
func (m fn) sinCosSum(x dd) (sin, cos scalar.Ref) {
	n, r := m.trigReduce(x.hi)
	if x.lo != scalar.NoRef {
		r.lo = m.Add(r.lo, x.lo)
		r = m.norm(r)
	}
	s, c := m.sinPoly(r), m.cosPoly(r)
	ss, cc := m.Add(s.hi, s.lo), m.Add(c.hi, c.lo)
	odd := m.odd(n)
	half := func(n scalar.Ref) scalar.Ref { return m.halfTurn(n) }
	sin = m.flipSign(m.Select(odd, cc, ss), half(n))
	cos = m.flipSign(m.Select(odd, ss, cc), half(m.Add(n, m.Int(scalar.U64, 1))))
	sin = m.finiteOrNaN(x.hi, sin)
	cos = m.finiteOrNaN(x.hi, cos)
	return m.Select(m.within(x.hi, m.tiny()), x.hi, sin), cos
}

// cosSquared returns cos² x from the cosine as a sum of two.
func (m fn) cosSquared(x scalar.Ref) scalar.Ref {
	n, r := m.trigReduce(x)
	s, c := m.sinPoly(r), m.cosPoly(r)
	odd := m.odd(n)
	h := dd{m.Select(odd, s.hi, c.hi), m.Select(odd, s.lo, c.lo)}
	rest := m.Mul(h.lo, m.FMA(m.c(2), h.hi, h.lo))
	return m.finiteOrNaN(x, m.FMA(h.hi, h.hi, rest))
}

// expC returns e^x·(cos y + i·sin y).
func (m fn) expC(z pair) pair {
	s, c := m.sinCos(z.im)
	return m.turned(z, dd{z.re, m.c(0)}, s, c)
}

// turned returns e^a·(c + i·s), where c and s are the cosine and sine of the exponent's imaginary
// part. z has the zeros, infinities and NaNs of the exponent, which determine the corners.
func (m fn) turned(z pair, a dd, s, c scalar.Ref) pair {
	n, r := m.expReduce(m.lesser(m.greater(a.hi, m.c(-2000)), m.c(2000)))
	r.lo = m.Add(r.lo, a.lo)
	t := m.Mul(m.Mul(r.hi, r.hi), m.poly(r.hi, m.choose(nil, polyExp64, polyExpS)))
	t = m.Add(t, m.FMA(r.lo, m.Add(r.hi, t), r.lo))
	e := m.Add(m.c(1), m.Add(r.hi, t))
	part := func(f scalar.Ref) scalar.Ref { return m.scale3(m.Mul(e, f), n) }
	zero, inf := m.c(0), m.inf(m.t)
	w := pair{part(c), part(s)}
	// Infinite real part: ∞ or 0 times cosine and sine, which stay 0 at y = 0; with
	// y infinite or NaN there is no direction left.
	posInf, negInf := m.Eq(z.re, inf), m.Eq(z.re, m.Neg(inf))
	lost := m.Not(m.finite(z.im))
	w.re = m.Select(posInf, m.Select(lost, inf, m.Mul(inf, c)), w.re)
	w.im = m.Select(posInf, m.Select(lost, m.nan(m.t), m.Mul(inf, s)), w.im)
	w.re = m.Select(negInf, m.Select(lost, zero, m.Mul(zero, c)), w.re)
	w.im = m.Select(negInf, m.Select(lost, zero, m.Mul(zero, s)), w.im)
	w.im = m.Select(m.isZero(z.im), z.im, w.im)
	return w
}

// scale3 returns y·2ⁿ for |n| up to 3000.
func (m fn) scale3(y, n scalar.Ref) scalar.Ref {
	i := m.TypeOf(n)
	a := m.Min(m.Max(n, m.Int(i, -1000)), m.Int(i, 1000))
	n = m.Sub(n, a)
	b := m.Min(m.Max(n, m.Int(i, -1000)), m.Int(i, 1000))
	c := m.Min(m.Max(m.Sub(n, b), m.Int(i, -1000)), m.Int(i, 1000))
	return m.Mul(m.Mul(m.Mul(y, m.power2(a)), m.power2(b)), m.power2(c))
}

// exp2C returns e^(z·ln 2).
func (m fn) exp2C(z pair) pair {
	times := func(x scalar.Ref) dd {
		p, e := m.twoProd(x, m.c(ln2[0]))
		e = m.FMA(x, m.c(ln2[1]), e)
		ok := m.finite(p)
		return dd{p, m.Select(ok, e, m.c(0))}
	}
	x, y := times(z.re), times(z.im)
	x.lo = m.Select(m.within(x.hi, 2000), x.lo, m.c(0)) // turned bounds the rest
	// So large an angle is not known to a fraction of a turn.
	y.lo = m.Select(m.within(y.hi, 0x1p52), y.lo, m.c(0))
	s, c := m.sinCosSum(y)
	return m.turned(z, x, s, c)
}

// expm1C returns expm1(x)·cos y − 2·sin²(y/2) + i·e^x·sin y. Of ±0 ± 0i it is 0 ± 0i.
func (m fn) expm1C(z pair) pair {
	e := m.expC(z)
	_, c := m.sinCos(z.im)
	h, _ := m.sinCos(m.Mul(z.im, m.c(0.5)))
	re := m.Sub(m.Mul(m.expm1(z.re), c), m.Mul(m.c(2), m.Mul(h, h)))
	one := m.c(1)
	large := m.Lt(m.c(40), m.Abs(z.re))
	re = m.Select(large, m.Sub(e.re, one), re)
	re = m.Select(m.isZero(z.im), m.Add(m.expm1(z.re), m.c(0)), re)
	return pair{re, e.im}
}

// logC returns log|z| + i·arg z.
func (m fn) logC(z pair) pair {
	return pair{m.logModulus(z, m.Sub(m.Abs(z.re), m.c(1))), m.atan2(z.im, z.re)}
}

// logModulus returns log|w|, w = z or 1 + z. less is |Re w| − 1, computed from z: for
// 1 + z without the rounding of w.
func (m fn) logModulus(w pair, less scalar.Ref) scalar.Ref {
	x, y := m.Abs(w.re), m.Abs(w.im)
	one, inf := m.c(1), m.inf(m.t)
	hi := m.Max(x, y)
	// Near one: ½·log1p((x − 1)(x + 1) + y²).
	t := m.FMA(less, m.Add(less, m.c(2)), m.Mul(y, y))
	near := m.Mul(m.c(0.5), m.log1p(t))
	// Elsewhere the logarithm of the modulus, scaled.
	s, up := m.powerScale(hi)
	v := m.scalePair(w, s)
	h := m.Sqrt(m.FMA(v.re, v.re, m.Mul(v.im, v.im)))
	// Subnormal numbers are still small after one step.
	s2, up2 := m.powerScale(h)
	v2 := m.scalePair(v, s2)
	h2 := m.Sqrt(m.FMA(v2.re, v2.re, m.Mul(v2.im, v2.im)))
	n := m.Sub(m.Add(m.ShrN(m.Bitcast(scalar.I64, up), 52), m.ShrN(m.Bitcast(scalar.I64, up2), 52)), m.Int(scalar.I64, 2046))
	k, f := m.logReduce(m.Select(m.isZero(hi), one, h2))
	k = m.Add(k, m.fromInt(n))
	far := m.FMA(k, m.c(ln2[0]), m.Add(m.FMA(k, m.c(ln2[1]), m.logSeries(f)), f))
	inside := m.And(m.Lt(m.c(-0.5), t), m.Lt(t, m.c(2)))
	r := m.Select(inside, near, far)
	r = m.Select(m.isZero(hi), m.Neg(inf), r)
	r = m.Select(m.Or(m.IsNaN(x), m.IsNaN(y)), m.nan(m.t), r)
	return m.Select(m.Or(m.Eq(x, inf), m.Eq(y, inf)), inf, r)
}

func (m fn) log1pC(z pair) pair {
	w := pair{m.Add(m.c(1), z.re), z.im}
	// |1 + x| − 1 is x, or −x − 2.
	less := m.Select(m.Lt(w.re, m.c(0)), m.Sub(m.c(-2), z.re), z.re)
	return pair{m.logModulus(w, less), m.atan2(z.im, w.re)}
}

// sqrtC: with s = √((|z| + |x|)/2) it is s + i·y/(2s), or for x < 0 |y|/(2s) + i·±s.
func (m fn) sqrtC(z pair) pair {
	inf, zero := m.inf(m.t), m.c(0)
	hi := m.Max(m.Abs(z.re), m.Abs(z.im))
	// Two powers of 4 bring z near one: if z is subnormal, one is not enough.
	s1, _ := m.powerScale(hi)
	even := func(s scalar.Ref) (r, root scalar.Ref) { // the power of four below, and the root of its inverse
		e := m.ShrN(m.ShrN(m.Sub(m.ShrN(m.Bitcast(scalar.I64, s), 52), m.Int(scalar.I64, 1023)), 1), 0)
		return m.power2(m.ShlN(e, 1)), m.power2(m.Neg(e))
	}
	f1, r1 := even(s1)
	w := m.scalePair(z, f1)
	s2, _ := m.powerScale(m.Max(m.Abs(w.re), m.Abs(w.im)))
	f2, r2 := even(s2)
	w = m.scalePair(w, f2)
	x, y := m.Abs(w.re), m.Abs(w.im)
	h := m.Sqrt(m.FMA(x, x, m.Mul(y, y)))
	s := m.Sqrt(m.Mul(m.c(0.5), m.Add(h, x)))
	d := m.Div(y, m.Add(s, s))
	back := func(v scalar.Ref) scalar.Ref { return m.Mul(m.Mul(v, r2), r1) }
	s, d = back(s), back(d)
	neg := m.Lt(z.re, zero)
	re, im := m.Select(neg, d, s), m.Select(neg, s, d)
	none := m.isZero(hi)
	re, im = m.Select(none, zero, re), m.Select(none, zero, im)
	// x = ±∞ with y finite or NaN; y = ±∞ regardless of x.
	nan := m.nan(m.t)
	lost := m.IsNaN(z.im)
	pos := m.Eq(z.re, inf)
	re = m.Select(pos, inf, re)
	im = m.Select(pos, m.Select(lost, nan, zero), im)
	minus := m.Eq(z.re, m.Neg(inf))
	re = m.Select(minus, m.Select(lost, nan, zero), re)
	im = m.Select(minus, inf, im)
	over := m.isInf(z.im)
	re, im = m.Select(over, inf, re), m.Select(over, inf, im)
	return pair{re, m.copySign(im, z.im)}
}

func (m fn) rsqrtC(z pair) pair {
	return recipPair(m.builder, m.sqrtC(z))
}

// sinhCosh returns n, and sinh x and cosh x divided by 2ⁿ.
func (m fn) sinhCosh(x scalar.Ref) (n, s, c scalar.Ref) {
	a := m.Abs(x)
	n, e := m.expParts(m.lesser(a, m.c(2000)))
	i := m.TypeOf(n)
	f := m.Mul(m.Div(m.c(1), e.hi), m.power2(m.Max(m.Neg(m.ShlN(n, 1)), m.Int(i, -200))))
	c = m.Mul(m.c(0.5), m.Add(e.hi, m.Add(f, e.lo)))
	s = m.Mul(m.c(0.5), m.Add(e.hi, m.Sub(e.lo, f)))
	z := m.Mul(a, a)
	near := m.FMA(m.Mul(a, z), m.poly(z, m.choose(nil, polySinh64, polySinhS)), a)
	small := m.Lt(a, m.c(1))
	// The series returns sinh x itself, so cosh x must not be divided either.
	s = m.Select(small, near, s)
	c = m.Select(small, m.Mul(c, m.power2(m.Min(n, m.Int(i, 2)))), c)
	n = m.Select(small, m.Int(i, 0), n)
	return n, m.copySign(s, x), c
}

// sinhC returns sinh x·cos y + i·cosh x·sin y.
func (m fn) sinhC(z pair) pair {
	n, sh, ch := m.sinhCosh(z.re)
	s, c := m.sinCos(z.im)
	w := pair{m.scale3(m.Mul(sh, c), n), m.scale3(m.Mul(ch, s), n)}
	inf := m.inf(m.t)
	over := m.isInf(z.re)
	lost := m.Not(m.finite(z.im))
	w.re = m.Select(over, m.Select(lost, z.re, m.Mul(z.re, c)), w.re)
	w.im = m.Select(over, m.Select(lost, m.nan(m.t), m.Mul(inf, s)), w.im)
	w.re = m.Select(m.isZero(z.re), m.Select(lost, z.re, m.Mul(z.re, c)), w.re)
	w.im = m.Select(m.isZero(z.im), z.im, w.im)
	return w
}

// coshC returns cosh x·cos y + i·sinh x·sin y.
func (m fn) coshC(z pair) pair {
	n, sh, ch := m.sinhCosh(z.re)
	s, c := m.sinCos(z.im)
	w := pair{m.scale3(m.Mul(ch, c), n), m.scale3(m.Mul(sh, s), n)}
	inf := m.inf(m.t)
	over := m.isInf(z.re)
	lost := m.Not(m.finite(z.im))
	w.re = m.Select(over, m.Select(lost, inf, m.Mul(inf, c)), w.re)
	w.im = m.Select(over, m.Select(lost, m.nan(m.t), m.Mul(z.re, s)), w.im)
	// A zero part makes a zero imaginary part.
	none := m.Or(m.isZero(z.im), m.isZero(z.re))
	w.im = m.Select(none, m.Select(m.isZero(z.im), m.Mul(m.copySign(m.c(1), z.re), z.im), m.zeroTimes(z.re, s)), w.im)
	return w
}

// zeroTimes returns x·s for a zero x, and x if s is NaN.
func (m fn) zeroTimes(x, s scalar.Ref) scalar.Ref { return m.Select(m.IsNaN(s), x, m.Mul(x, s)) }

// sinC returns −i·sinh(iz), cosC is cosh(iz), tanC is −i·tanh(iz).
func (m fn) sinC(z pair) pair { return m.overI(m.sinhC(m.timesI(z))) }
func (m fn) cosC(z pair) pair { return m.coshC(m.timesI(z)) }
func (m fn) tanC(z pair) pair { return m.overI(m.tanhC(m.timesI(z))) }

// tanhC, by Kahan: with t = tan y, s = sinh x, b = 1 + t² and r = √(1 + s²) it is
// (b·r·s + i·t)/(1 + b·s²); far out ±1 + i·4·sin y·cos y·e^(−2|x|).
func (m fn) tanhC(z pair) pair {
	one, zero := m.c(1), m.c(0)
	a := m.Abs(z.re)
	far := m.Lt(m.c(22), a)
	sn, cs := m.sinCos(z.im)
	x := m.Select(far, one, z.re)
	n, s, _ := m.sinhCosh(x)
	s = m.scale(s, n)
	// Multiplied by cos²y: (r·s + i·sin y·cos y)/(cos²y + s²).
	r := m.Sqrt(m.FMA(s, s, one))
	den := m.FMA(cs, cs, m.Mul(s, s))
	w := pair{m.Div(m.Mul(r, s), den), m.Div(m.Mul(sn, cs), den)}
	e := m.exp(m.Mul(a, m.c(-2)))
	lost := m.Not(m.finite(z.im))
	over := m.isInf(z.re)
	// Of a finite x and an angle that is infinite or NaN both parts are NaN, also far out.
	w.re = m.Select(m.And(far, m.Or(over, m.Not(lost))), m.copySign(one, z.re), w.re)
	w.im = m.Select(far, m.Mul(m.Mul(m.c(4), m.Mul(sn, cs)), e), w.im)
	w.im = m.Select(m.And(over, lost), zero, w.im)
	w.re = m.Select(m.And(m.isZero(z.re), lost), z.re, w.re)
	w.im = m.Select(m.isZero(z.im), z.im, w.im)
	return w
}

// logisticC, with t = e^(−|x|), u = 1 − t and c = 2·cos²(y/2), is
// (u + t·c + i·t·sin y)/(u² + 2t·c) for x ≥ 0 and t·(c − u + i·sin y)/(u² + 2t·c) below:
// near the poles, where u and c are small, nothing cancels.
func (m fn) logisticC(z pair) pair {
	a := m.Neg(m.Abs(z.re))
	t, u := m.exp(a), m.Neg(m.expm1(a))
	sn, cs := m.sinCos(z.im)
	c := m.Mul(m.c(2), m.cosSquared(m.Mul(z.im, m.c(0.5))))
	den := m.FMA(u, u, m.Mul(m.c(2), m.Mul(t, c)))
	// c − u is cos y + t, which is better where u is not small.
	cu := m.Select(m.Lt(u, m.c(0.25)), m.Sub(c, u), m.Add(cs, t))
	right := pair{m.Div(m.FMA(t, c, u), den), m.Div(m.Mul(t, sn), den)}
	left := pair{m.Mul(t, m.Div(cu, den)), m.Mul(t, m.Div(sn, den))}
	w := m.selectPair(m.Lt(z.re, m.c(0)), left, right)
	// Far out the angle is undefined: 1 or 0.
	lost := m.And(m.isInf(z.re), m.Not(m.finite(z.im)))
	far := m.Select(m.Lt(z.re, m.c(0)), m.c(0), m.c(1))
	w = m.selectPair(lost, pair{far, m.c(0)}, w)
	w.im = m.Select(m.isZero(z.im), z.im, w.im)
	return w
}
