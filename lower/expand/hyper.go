package expand

import "github.com/weft-go/weft/lower/scalar"

var (
	tanh32 = []float64{-0x1.5554ep-2, 0x1.10c8cap-3, -0x1.a0954cp-5}                                                                                                // (tanh r − r)/r³ of r² for |r| ≤ ½log 2
	coth64 = []float64{1, 0x1.555555555554ep-2, -0x1.6c16c16c0facdp-6, 0x1.1566abadc8a3ap-9, -0x1.bbd74dae32ec1p-13, 0x1.668eb49ef034ep-16, -0x1.1ab0b358e28bdp-19} // r·coth r of r² for |r| ≤ 0.8·½log 2
)

// tanh uses the addition theorem with tanh(n·½log 2) = (s − ½)/(s + ½), s = 2ⁿ⁻¹. With |x| = n·½log 2 + r and T/E = tanh r,
// tanh |x| is (E(s − ½) + T(s + ½))/(E(s + ½) + T(s − ½)), and from n = 2 on it is computed as 1 + (T − E)/den. n is
// rounded after a shift by 0.3, which keeps the numerator away from cancellation; for n = 0 the quotient is T/E exactly.
// In f32, T is tanh r and E is 1, which rounds correctly more often. In f64, T is r and E is r·coth r, which takes fewer operations.
func (m fn) tanh(x scalar.Ref) scalar.Ref {
	top, h, l := 20.0, 0x1.62e42fefa39efp-2, 0x1.abc9e3b39803fp-57
	if m.t == scalar.F32 {
		top, h, l = 9.2, 0x1.62e43p-2, -0x1.05c61p-30
	}
	magic, half, one := m.powers(-1), m.c(0.5), m.c(1)
	a := m.lesser(m.Abs(x), m.c(top))
	t := m.Add(m.FMA(a, m.c(2*log2e[0]), m.c(-0.3)), m.c(magic))
	n := m.Sub(t, m.c(magic))
	r := m.FMA(n, m.c(-l), m.FMA(n, m.c(-h), a))
	z := m.Mul(r, r)
	s := m.powerOf(t)
	above, below := m.Add(s, half), m.Sub(s, half)
	far := m.Le(m.c(magic+2), t)
	var num, den scalar.Ref
	if m.t == scalar.F32 {
		T := m.FMA(m.Mul(r, z), m.poly(z, tanh32), r)
		num = m.Select(far, m.Sub(T, one), m.FMA(T, above, below))
		den = m.FMA(T, below, above)
	} else {
		E := m.poly(z, coth64)
		num = m.Select(far, m.Sub(r, E), m.FMA(E, below, m.Mul(r, above)))
		den = m.FMA(E, above, m.Mul(r, below))
	}
	y := m.Div(num, den)
	y = m.Select(far, m.Add(y, one), y)
	return m.copySign(y, x)
}

// expPair returns n, e and f with e^a = 2ⁿe and e^(−a) = 2ⁿf, for a ≥ 0.
func (m fn) expPair(a scalar.Ref) (n scalar.Ref, e dd, f scalar.Ref) {
	top, least := 800.0, int64(-200)
	if m.t == scalar.F32 {
		top, least = 100, -100
	}
	n, e = m.expParts(m.lesser(a, m.c(top)))
	// The exponent is bounded: f is then far below the last place of e.
	twice := m.Max(m.Neg(m.ShlN(n, 1)), m.Int(m.TypeOf(n), least))
	f = m.Mul(m.Div(m.c(1), e.hi), m.power2(twice))
	return n, e, f
}

// cosh returns (e^a + e^(−a))/2 with a = |x|.
func (m fn) cosh(x scalar.Ref) scalar.Ref {
	n, e, f := m.expPair(m.Abs(x))
	y := m.Add(e.hi, m.Add(f, e.lo))
	return m.scale(y, m.Sub(n, m.Int(m.TypeOf(n), 1)))
}

// sinh returns a + a³H(a²) near zero, else (e^a − e^(−a))/2, with a = |x| and the sign of x.
func (m fn) sinh(x scalar.Ref) scalar.Ref {
	a := m.Abs(x)
	n, e, f := m.expPair(a)
	y := m.Add(e.hi, m.Sub(e.lo, f))
	y = m.scale(y, m.Sub(n, m.Int(m.TypeOf(n), 1)))
	z := m.Mul(a, a)
	near := m.FMA(m.Mul(a, z), m.poly(z, m.choose(polySinh32, polySinh64, polySinhS)), a)
	y = m.Select(m.Lt(a, m.c(1)), near, y)
	return m.copySign(y, x)
}

// asinh returns log(a + √(a² + 1)) = log1p(a + a²/(1 + √(a² + 1))) with a = |x| and the sign of x.
func (m fn) asinh(x scalar.Ref) scalar.Ref {
	a := m.Abs(x)
	one := m.c(1)
	// Where a² + 1 is a², log a + log 2.
	far := m.Lt(m.c(0x1p28), a)
	b := m.lesser(a, m.c(0x1p28))
	z := m.Mul(b, b)
	s := m.Sqrt(m.FMA(b, b, one))
	q := m.Div(z, m.Add(one, s))
	h, l := m.twoSum(b, q)
	y := m.log1pSum(dd{h, l})
	y = m.Select(far, m.logTwice(a), y)
	y = m.Select(m.within(x, 0x1p-28), a, y)
	return m.copySign(y, x)
}

// logTwice returns log 2a for finite a > 1, and a itself if it is ∞ or NaN.
func (m fn) logTwice(a scalar.Ref) scalar.Ref {
	n, f := m.logReduce(a)
	n = m.Add(n, m.c(1))
	hi, lo, _ := m.parts(ln2)
	t := m.FMA(n, lo, m.logSeries(f))
	h := m.Mul(n, hi)
	e := m.FMA(n, hi, m.Neg(h))
	s, l := m.fastTwoSum(h, f)
	return m.Select(m.Lt(a, m.inf(m.t)), m.Add(s, m.Add(t, m.Add(l, e))), a)
}

// acosh returns log1p(t + √(2t + t²)) with t = x − 1; NaN below one.
func (m fn) acosh(x scalar.Ref) scalar.Ref {
	one, zero := m.c(1), m.c(0)
	far := m.Lt(m.c(0x1p28), x)
	t := m.Sub(m.lesser(x, m.c(0x1p28)), one) // exact below 2, and almost above
	v, ve := m.twoProd(t, t)
	t2 := m.Add(t, t)
	w, we := m.twoSum(t2, v)
	we = m.Add(we, ve)
	s := m.Sqrt(w)
	se := m.Div(m.Add(m.FMA(m.Neg(s), s, w), we), m.Add(s, s))
	se = m.Select(m.Eq(w, zero), zero, se)
	h, l := m.twoSum(t, s)
	y := m.log1pSum(dd{h, m.Add(l, se)})
	y = m.Select(far, m.logTwice(x), y)
	return m.Select(m.Le(one, x), y, m.nan(m.t))
}

// atanh returns ½·log1p(2a/(1 − a)) with a = |x| and the sign of x, NaN for a > 1.
func (m fn) atanh(x scalar.Ref) scalar.Ref {
	a := m.Abs(x)
	one := m.c(1)
	d, de := m.fastTwoSum(one, m.Neg(a))
	n := m.Add(a, a)
	q := m.Div(n, d)
	r := m.FMA(m.Neg(q), d, n)
	qe := m.Div(m.FMA(m.Neg(q), de, r), d)
	y := m.Mul(m.c(0.5), m.log1pSum(dd{q, qe}))
	y = m.Select(m.Eq(a, one), m.inf(m.t), y)
	y = m.Select(m.Le(a, one), y, m.nan(m.t))
	y = m.Select(m.within(x, 0x1p-28), a, y)
	return m.copySign(y, x)
}
