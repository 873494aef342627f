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

// log(1 + f) = f + f²q(f), on [√½, √2] of f32 and on the intervals of logTable64 of f64.
var (
	log32 = []float64{-0x1.fffff8p-2, 0x1.55555p-2, -0x1.000432p-2, 0x1.99a41ap-3, -0x1.5425c4p-3, 0x1.226dfcp-3, -0x1.0f3fa6p-3, 0x1.0860cep-3, -0x1.38472ap-4}
	log64 = []float64{-0.5, 0x1.55555555554edp-2, -0x1.ffffffffffea8p-3, 0x1.9999999b94f53p-3, -0x1.55555557e3d69p-3, 0x1.249231373a53ep-3, -0x1.ffffcb2473397p-4, 0x1.c7fff0f8ec59dp-4, -0x1.9a7b477f903cfp-4}
)

// log 2 as the sum of two, the first short.
const (
	ln2Short32, ln2Rest32 = 0x1.62e4p-1, 0x1.7f7d1cp-20
	ln2Short64, ln2Rest64 = 0x1.62e42fefa38p-1, 0x1.ef35793c7673p-45
)

// exponentOf splits a positive normal x = 2ⁿ·m with m within [o, 2o), where o is given by its bits: w = bits(x)
// − o has n in the exponent's place. It returns w, the bits of 2ⁿ less the bits of 1, and n as a float.
func (m fn) exponentOf(x scalar.Ref, o uint64) (w, e, n scalar.Ref) {
	u := m.t.Unsigned()
	mant := m.mantissa()
	w = m.Sub(m.Bitcast(u, x), m.Const(u, o))
	e = m.And(w, m.Const(u, ^uint64(0)<<mant))
	return w, e, m.fromInt(m.ShrN(m.Bitcast(m.t.Signed(), w), mant))
}

// rootHalf returns the bits of the least mantissa that exponentOf yields: √½, or for f64 a little
// less.
func (m fn) rootHalf() uint64 {
	if m.t == scalar.F32 {
		return 0x3f3504f3
	}
	return 0x3fe6800000000000
}

// logOf returns n·log 2 + log(1 + f). In f64, w selects the interval of f.
func (m fn) logOf(w, n, f scalar.Ref) scalar.Ref {
	if m.t == scalar.F32 {
		q := m.poly(f, log32)
		s := m.FMA(n, m.c(ln2Short32), f)
		e := m.Sub(f, m.FMA(n, m.c(-ln2Short32), s)) // exact
		e = m.FMA(n, m.c(ln2Rest32), e)
		return m.Add(s, m.FMA(m.Mul(f, f), q, e))
	}
	i := m.ShrN(w, 48)
	c, h := m.Lookup(scalar.FloatTable(m.t, logTable64[0]...), i), m.Lookup(scalar.FloatTable(m.t, logTable64[1]...), i)
	r := m.FMA(f, c, m.Sub(c, m.c(1)))
	return m.logTail(n, h, r)
}

// logTail returns n·log 2 + h + log(1 + r) in f64.
func (m fn) logTail(n, h, r scalar.Ref) scalar.Ref {
	q := m.poly(r, log64)
	v := m.FMA(n, m.c(ln2Short64), h) // exact
	s := m.Add(v, r)
	e := m.Add(m.Sub(v, s), r)
	e = m.FMA(n, m.c(ln2Rest64), e)
	return m.Add(s, m.FMA(m.Mul(r, r), q, e))
}

// logNormal returns log x + shift·log 2 for positive normal x.
func (m fn) logNormal(x scalar.Ref, shift int) scalar.Ref {
	w, e, n := m.exponentOf(x, m.rootHalf())
	if shift != 0 {
		n = m.Add(n, m.c(float64(shift)))
	}
	v := m.Bitcast(m.t, m.Sub(m.Bitcast(m.t.Unsigned(), x), e))
	if m.t == scalar.F32 {
		return m.logOf(w, n, m.Sub(v, m.c(1)))
	}
	i := m.ShrN(w, 48)
	c, h := m.Lookup(scalar.FloatTable(m.t, logTable64[0]...), i), m.Lookup(scalar.FloatTable(m.t, logTable64[1]...), i)
	return m.logTail(n, h, m.FMA(v, c, m.c(-1)))
}

// isNormal reports whether x is a positive normal number, by its bits.
func (m fn) isNormal(x scalar.Ref) scalar.Ref {
	u := m.t.Unsigned()
	least := uint64(1) << m.mantissa()
	return m.Lt(m.Sub(m.Bitcast(u, x), m.Const(u, least)), m.Const(u, uint64(2*m.bias())<<m.mantissa()))
}

// log returns the natural logarithm: −∞ at zero, NaN below. Numbers that are not positive
// and normal are rare.
func (m fn) log(x scalar.Ref) scalar.Ref {
	mant := m.mantissa()
	small := m.logNormal(m.Mul(x, m.c(pow2(mant))), -mant)
	return m.Rare(m.Not(m.isNormal(x)), m.logCorners(x, small), m.logNormal(x, 0))
}

// logCorners returns r, which is log x, where x is positive and finite, and the logarithms of all other x.
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
	// The rounding error c of u = 1 + a is scaled as f is. Near zero a itself is f.
	near := m.And(m.Lt(m.c(-0.29), a.hi), m.Lt(a.hi, m.c(0.41)))
	if m.t == scalar.F32 {
		c = m.Select(near, a.lo, c) // f has the whole of a.hi then; as a divisor, the rounded u will do
	}
	g := m.Div(c, u)
	n = m.Select(near, m.c(0), n)
	f = m.Select(near, a.hi, f)
	if m.t == scalar.F64 {
		g = m.Select(near, m.Div(a.lo, m.Add(one, a.hi)), g)
	}
	hi, lo, _ := m.parts(ln2)
	t := m.FMA(n, lo, m.Add(m.logSeries(f), g))
	h := m.Mul(n, hi)
	e := m.FMA(n, hi, m.Neg(h))
	s, l := m.fastTwoSum(h, f)
	return m.Add(s, m.Add(t, m.Add(l, e)))
}

// log1p returns log(1 + x): −∞ at −1, NaN below. With u = 1 + x rounded and 2ⁿ its power of two, f = x·2⁻ⁿ +
// (2⁻ⁿ − 1) contains what u lost.
func (m fn) log1p(x scalar.Ref) scalar.Ref {
	one := m.c(1)
	u := m.Add(one, x)
	w, e, n := m.exponentOf(u, m.rootHalf())
	t := m.t.Unsigned()
	g := m.Bitcast(m.t, m.Sub(m.Bitcast(t, one), e)) // 2⁻ⁿ
	y := m.copySign(m.logOf(w, n, m.FMA(x, g, m.Sub(g, one))), x)
	// Rare: u is zero, negative, from 2^(bias−1) on, or NaN.
	far := uint64(2*m.bias()-1) << m.mantissa()
	rare := m.Le(m.Const(t, far-1), m.Sub(m.Bitcast(t, u), m.Int(t, 1)))
	return m.Rare(rare, m.logCorners(u, m.logNormal(u, 0)), y)
}
