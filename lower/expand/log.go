package expand

import "github.com/weft-go/weft/lower/scalar"

// logReduce writes x = 2ⁿ·(1 + f) with 1 + f within [√½, √2], for normal and
// subnormal x > 0. n is a float.
func (m fn) logReduce(x scalar.Ref) (n, f scalar.Ref) {
	i := m.t.Signed()
	mant := m.mantissa()
	least, up := pow2(1-m.bias()), pow2(mant+2)
	small := m.Lt(x, m.c(least))
	if m.brief { // every f32 is normal in f64
		small = scalar.NoRef
	}
	ix := m.Bitcast(i, x)
	if small != scalar.NoRef {
		ix = m.Bitcast(i, m.Select(small, m.Mul(x, m.c(up)), x))
	}
	rootHalf := m.Bitcast(i, m.c(0x1.6a09e667f3bcdp-1))
	e := m.ShrN(m.Sub(ix, rootHalf), mant)
	f = m.Sub(m.Bitcast(m.t, m.Sub(ix, m.ShlN(e, mant))), m.c(1))
	if small != scalar.NoRef {
		e = m.Select(small, m.Sub(e, m.Int(i, int64(mant+2))), e)
	}
	return m.fromInt(e), f
}

// logSeries returns log(1 + f) − f for 1 + f within [√½, √2]: with s = f/(2 + f) it is
// −(½f² − s·(½f² + s²L(s²))).
func (m fn) logSeries(f scalar.Ref) scalar.Ref {
	s := m.Div(f, m.Add(m.c(2), f))
	z := m.Mul(s, s)
	h := m.Mul(m.Mul(f, f), m.c(0.5))
	r := m.Mul(z, m.poly(z, m.choose(polyLog32, polyLog64, polyLogS)))
	return m.FMA(s, m.Add(h, r), m.Neg(h))
}

// logPositive returns log x for finite x > 0.
func (m fn) logPositive(x scalar.Ref) scalar.Ref {
	n, f := m.logReduce(x)
	hi, lo, _ := m.parts(ln2)
	t := m.FMA(n, lo, m.logSeries(f))
	// n·hi + f as a sum of two.
	s := m.FMA(n, hi, f)
	l := m.Add(m.FMA(n, hi, m.Neg(s)), f)
	return m.Add(s, m.Add(t, l))
}

// log returns the natural logarithm: −∞ at zero, NaN below.
func (m fn) log(x scalar.Ref) scalar.Ref { return m.logCorners(x, m.logPositive(x)) }

// logCorners returns r = log x where x is positive and finite, and the rest.
func (m fn) logCorners(x, r scalar.Ref) scalar.Ref {
	zero, inf := m.c(0), m.inf(m.t)
	c := m.Select(m.Eq(x, zero), m.Neg(inf), m.nan(m.t))
	c = m.Select(m.Eq(x, inf), inf, c)
	good := m.And(m.Lt(zero, x), m.Lt(x, inf))
	return m.Select(good, r, c)
}

// log1pSum returns log(1 + a.hi + a.lo) for a.hi > −1 finite, |a.lo| within an ulp.
func (m fn) log1pSum(a dd) scalar.Ref {
	one := m.c(1)
	u, c := m.twoSum(one, a.hi)
	c = m.Add(c, a.lo)
	n, f := m.logReduce(u)
	// What 1 + a lost is c of u: f and c scaled alike. Near zero a itself is f.
	near := m.And(m.Lt(m.c(-0.29), a.hi), m.Lt(a.hi, m.c(0.41)))
	g := m.Div(c, u)
	n = m.Select(near, m.c(0), n)
	f = m.Select(near, a.hi, f)
	g = m.Select(near, m.Div(a.lo, m.Add(one, a.hi)), g)
	hi, lo, _ := m.parts(ln2)
	t := m.FMA(n, lo, m.Add(m.logSeries(f), g))
	h := m.Mul(n, hi)
	e := m.FMA(n, hi, m.Neg(h))
	s, l := m.fastTwoSum(h, f)
	return m.Add(s, m.Add(t, m.Add(l, e)))
}

// log1p returns log(1 + x): −∞ at −1, NaN below.
func (m fn) log1p(x scalar.Ref) scalar.Ref {
	one, inf := m.c(1), m.inf(m.t)
	u, c := m.twoSum(one, x)
	n, f := m.logReduce(u)
	near := m.And(m.Lt(m.c(-0.29), x), m.Lt(x, m.c(0.41)))
	n = m.Select(near, m.c(0), n)
	f = m.Select(near, x, f)
	g := m.Select(near, m.c(0), m.Div(c, u))
	hi, lo, _ := m.parts(ln2)
	t := m.FMA(n, lo, m.Add(m.logSeries(f), g))
	h := m.Mul(n, hi)
	e := m.FMA(n, hi, m.Neg(h))
	s, l := m.fastTwoSum(h, f)
	r := m.Add(s, m.Add(t, m.Add(l, e)))
	k := m.Select(m.Eq(x, m.c(-1)), m.Neg(inf), m.nan(m.t))
	k = m.Select(m.Eq(x, inf), inf, k)
	good := m.And(m.Lt(m.c(-1), x), m.Lt(x, inf))
	r = m.Select(good, r, k)
	return m.Select(m.within(x, pow2(-m.mantissa()-2)), x, r)
}
