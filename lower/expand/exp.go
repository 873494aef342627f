package expand

import "github.com/weft-go/weft/lower/scalar"

// expReduce writes x = n·ln 2 + r, |r| ≤ ½ln 2, r as a sum of two. It is exact but
// for the last bits of lo: x − n·hi(ln 2) fits a float, since it is a multiple of
// the last place of either and less than one.
func (m fn) expReduce(x scalar.Ref) (n scalar.Ref, r dd) {
	scale, _, _ := m.parts(log2e)
	hi, lo, _ := m.parts(ln2)
	k, n := m.toInt(x, scale)
	k = m.Neg(k)
	a := m.FMA(k, hi, x)
	r.hi = m.FMA(k, lo, a)
	r.lo = m.FMA(k, lo, m.Sub(a, r.hi))
	return n, r
}

// expRange keeps x where exp is neither 0 nor ∞, such that exponents stay in range.
func (m fn) expRange(x scalar.Ref) scalar.Ref {
	if m.t == scalar.F32 {
		return m.lesser(m.greater(x, m.c(-104)), m.c(89))
	}
	return m.lesser(m.greater(x, m.c(-746)), m.c(710))
}

// exp returns eˣ = 2ⁿ·(1 + r·(1 + r·q(r))): by Horner's rule to the end, since what the
// inner factor is rounded by counts only as much as r.
func (m fn) exp(x scalar.Ref) scalar.Ref {
	n, r := m.expReduce(m.expRange(x))
	one := m.c(1)
	w := m.FMA(r.hi, m.poly(r.hi, m.choose(polyExp32, polyExp64, polyExpS)), one)
	return m.scale(m.FMA(r.hi, w, one), n)
}

// expm1Parts returns n and p = e^r − 1 as a sum of two, with eˣ = 2ⁿ(1 + p).
func (m fn) expm1Parts(x scalar.Ref) (n scalar.Ref, p dd) {
	n, r := m.expReduce(x)
	coef := m.choose(polyExp32x, polyExp64, polyExpS)
	t := m.Mul(m.Mul(r.hi, r.hi), m.poly(r.hi, coef))
	p.hi, p.lo = m.fastTwoSum(r.hi, t)
	// e^(r+l) ≈ e^r + l·(1 + r).
	p.lo = m.Add(p.lo, m.FMA(r.lo, r.hi, r.lo))
	return n, p
}

// expParts returns n and eˣ/2ⁿ, within [√½, √2], as a sum of two.
func (m fn) expParts(x scalar.Ref) (n scalar.Ref, e dd) {
	n, p := m.expm1Parts(x)
	s, l := m.fastTwoSum(m.c(1), p.hi)
	return n, dd{s, m.Add(l, p.lo)}
}

// exp2 returns 2ˣ; the fraction of x is turned into a multiple of ln 2 as a sum of two.
func (m fn) exp2(x scalar.Ref) scalar.Ref {
	if m.t == scalar.F32 {
		x = m.lesser(m.greater(x, m.c(-151)), m.c(129))
	} else {
		x = m.lesser(m.greater(x, m.c(-1077)), m.c(1025))
	}
	k, n := m.toInt(x, m.c(1))
	d := m.Sub(x, k)
	hi, lo, _ := m.parts(ln2)
	r := m.Mul(d, hi)
	l := m.FMA(d, lo, m.FMA(d, hi, m.Neg(r)))
	q := m.poly(r, m.choose(polyExp32, polyExp64, polyExpS))
	p := m.Add(m.FMA(m.Mul(r, r), q, l), r)
	return m.scale(m.Add(m.c(1), p), n)
}

// expm1 returns eˣ − 1 = (2ⁿ − 1) + 2ⁿp.
func (m fn) expm1(x scalar.Ref) scalar.Ref {
	t := x
	if m.t == scalar.F32 {
		t = m.lesser(m.greater(t, m.c(-18)), m.c(89))
	} else {
		t = m.lesser(m.greater(t, m.c(-38)), m.c(710))
	}
	n, p := m.expm1Parts(t)
	// 2ⁿ as half of it doubled, since n may be one above the greatest exponent.
	h := m.power2(m.Sub(n, m.Int(m.TypeOf(n), 1)))
	a, ae := m.fastTwoSum(h, m.c(-0.5))
	s := m.FMA(h, p.hi, a)
	e := m.FMA(h, p.hi, m.Sub(a, s))
	y := m.Add(s, m.FMA(h, p.lo, m.Add(e, ae)))
	y = m.Add(y, y)
	// So small that x is the result: zeros keep their sign, subnormals their bits.
	return m.Select(m.within(x, pow2(-m.mantissa()-2)), x, y)
}
