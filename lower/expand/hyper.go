package expand

import "github.com/weft-go/weft/lower/scalar"

// tanh returns x + x³T(x²) near zero, else (1 − t)/(1 + t) with t = e^(−2|x|) as a sum of
// two.
func (m fn) tanh(x scalar.Ref) scalar.Ref {
	a := m.Abs(x)
	one := m.c(1)
	top := 22.0
	if m.t == scalar.F32 {
		top = 10
	}
	b := m.lesser(a, m.c(top))
	n, e := m.expParts(m.Mul(b, m.c(-2)))
	s := m.power2(n)
	t := dd{m.Mul(e.hi, s), m.Mul(e.lo, s)}
	nh, nl := m.fastTwoSum(one, m.Neg(t.hi))
	dh, dl := m.fastTwoSum(one, t.hi)
	y := m.quotBy(dd{nh, m.Sub(nl, t.lo)}, dd{dh, m.Add(dl, t.lo)})
	z := m.Mul(a, a)
	near := m.FMA(m.Mul(a, z), m.poly(z, m.choose(polyTanh32, polyTanh64, nil)), a)
	limit := 0.6
	if m.t == scalar.F32 {
		limit = 0.55
	}
	y = m.Select(m.Lt(a, m.c(limit)), near, y)
	return m.copySign(y, x)
}

// quotBy returns a/b for sums of two, by one division: b must be near one.
func (m fn) quotBy(a, b dd) scalar.Ref {
	inv := m.Div(m.c(1), b.hi)
	q := m.Mul(a.hi, inv)
	r := m.FMA(m.Neg(q), b.hi, a.hi)
	r = m.Add(r, m.FMA(m.Neg(q), b.lo, a.lo))
	return m.FMA(r, inv, q)
}

// logistic returns 1/(1 + t) for x ≥ 0 and t/(1 + t) below, t = e^(−|x|) as a sum of two.
func (m fn) logistic(x scalar.Ref) scalar.Ref {
	one, zero := m.c(1), m.c(0)
	a := m.Abs(x)
	top, gone := 746.0, -100
	if m.t == scalar.F32 {
		top, gone = 104, -40
	}
	n, e := m.expParts(m.Neg(m.lesser(a, m.c(top))))
	i := m.t.Signed()
	// Where t is too small to show beside one, some t as small.
	s := m.power2(m.Max(n, m.Int(i, int64(gone))))
	dh, dl := m.fastTwoSum(one, m.Mul(e.hi, s))
	dl = m.FMA(e.lo, s, dl)
	neg := m.Lt(x, zero)
	num := dd{m.Select(neg, e.hi, one), m.Select(neg, e.lo, zero)}
	q := m.quotBy(num, dd{dh, dl})
	return m.scale(q, m.Select(neg, n, m.Int(i, 0)))
}

// expPair returns n, e and f with e^a = 2ⁿe and e^(−a) = 2ⁿf, for a ≥ 0.
func (m fn) expPair(a scalar.Ref) (n scalar.Ref, e dd, f scalar.Ref) {
	n, e = m.expParts(m.lesser(a, m.c(800)))
	i := m.TypeOf(n)
	// Below 2⁻²⁰⁰ beside e: nothing.
	twice := m.Max(m.Neg(m.ShlN(n, 1)), m.Int(i, -200))
	f = m.Mul(m.Div(m.c(1), e.hi), m.power2(twice))
	return n, e, f
}

// cosh returns (e^a + e^(−a))/2.
func (m fn) cosh(x scalar.Ref) scalar.Ref {
	n, e, f := m.expPair(m.Abs(x))
	y := m.Add(e.hi, m.Add(f, e.lo))
	return m.scale(y, m.Sub(n, m.Int(m.TypeOf(n), 1)))
}

// sinh returns x + x³H(x²) near zero, else (e^a − e^(−a))/2.
func (m fn) sinh(x scalar.Ref) scalar.Ref {
	a := m.Abs(x)
	n, e, f := m.expPair(a)
	y := m.Add(e.hi, m.Sub(e.lo, f))
	y = m.scale(y, m.Sub(n, m.Int(m.TypeOf(n), 1)))
	z := m.Mul(a, a)
	near := m.FMA(m.Mul(a, z), m.poly(z, m.choose(nil, polySinh64, polySinhS)), a)
	y = m.Select(m.Lt(a, m.c(1)), near, y)
	return m.copySign(y, x)
}

// asinh returns log(a + √(a² + 1)) = log1p(a + a²/(1 + √(a² + 1))).
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

// logTwice returns log 2a for a > 1, or ∞ and NaN.
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

// atanh returns ½·log1p(2a/(1 − a)), NaN above one.
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
