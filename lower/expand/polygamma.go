package expand

import "github.com/weft-go/weft/lower/scalar"

// emTerms are B₂ⱼ/(2j)! for j = 1, 2, …, of Euler and Maclaurin's sum.
var emTerms = []float64{
	0x1.5555555555555p-4, -0x1.6c16c16c16c17p-10, 0x1.1566abc011567p-15, -0x1.bbd779334ef0bp-21, 0x1.66a8f2bf70ebep-26,
	-0x1.22805d644267fp-31, 0x1.d6db2c4e09163p-37, -0x1.7da4e1f79955cp-42, 0x1.355871d652e9ep-47, -0x1.f57d968caacf1p-53,
	0x1.967e1f09c376fp-58,
}

// zetaRatio returns qˢ·ζ(s, q) = Σ (q/(q + k))ˢ over k ≥ 0, for q > 0 and s > 1: ten terms
// and the rest by Euler and Maclaurin's sum from y = q + 10 on.
func (m fn) zetaRatio(s, q scalar.Ref) scalar.Ref {
	const n = 10
	power := func(r scalar.Ref) scalar.Ref { // rˢ for 0 < r ≤ 1
		return m.exp(m.Mul(s, m.logPositive(r)))
	}
	sum := m.c(1)
	for k := 1; k < n; k++ {
		sum = m.Add(sum, power(m.Div(q, m.Add(q, m.c(float64(k))))))
	}
	y := m.Add(q, m.c(n))
	// y^(−s)·(y/(s − 1) + ½ + Σ B₂ⱼ/(2j)!·s(s+1)…(s+2j−2)/y^(2j−1)).
	w := m.Div(m.c(1), y)
	z := m.Mul(w, w)
	tail := m.Add(m.Div(y, m.Sub(s, m.c(1))), m.c(0.5))
	rise := m.Mul(s, w)
	for j, b := range emTerms {
		tail = m.FMA(rise, m.c(b), tail)
		a, c := m.Add(s, m.c(float64(2*j+1))), m.Add(s, m.c(float64(2*j+2)))
		rise = m.Mul(rise, m.Mul(m.Mul(a, c), z))
	}
	return m.FMA(power(m.Div(q, y)), tail, sum)
}

// factorialOver returns n!/qⁿ⁺¹ for a whole n ≥ 0 and q > 0.
func (m fn) factorialOver(n, q scalar.Ref) scalar.Ref {
	one := m.c(1)
	f, rest := one, n
	for range 9 {
		more := m.Lt(one, rest)
		f = m.Select(more, m.Mul(f, rest), f)
		rest = m.Select(more, m.Sub(rest, one), rest)
	}
	s := m.Add(n, one)
	p := m.logSum(q)
	h := m.Mul(s, p.hi)
	l := m.FMA(s, p.lo, m.FMA(s, p.hi, m.Neg(h)))
	direct := m.Mul(f, m.expSum(dd{m.Neg(h), m.Neg(l)}))
	g := m.lgammaPositive(s)
	a, e := m.twoSum(g, m.Neg(h))
	far := m.expSum(dd{a, m.Sub(e, l)})
	return m.Select(m.Lt(m.c(10), n), far, direct)
}

// polygamma returns the derivative of order n of digamma: (−1)ⁿ⁺¹·n!·ζ(n + 1, x). For x < 0, with
// d = x minus the nearest integer and s = n + 1, the sum of 1/(d + k)ˢ over all integers k is 1/dˢ +
// ζ(s, 1 + d) + (−1)ˢζ(s, 1 − d). ζ(s, x) is that sum minus its terms with d + k < x, which are
// (−1)ˢζ(s, 1 − x).
func (m fn) polygamma(n, x scalar.Ref) scalar.Ref {
	zero, one, inf, nan := m.c(0), m.c(1), m.inf(m.t), m.nan(m.t)
	s := m.Add(n, one)
	half := m.Mul(n, m.c(0.5))
	odd := m.Ne(m.Trunc(half), half) // n is odd, s even
	sign := func(v scalar.Ref) scalar.Ref { return m.Select(odd, v, m.Neg(v)) }
	whole := m.And(m.Eq(m.Trunc(n), n), m.And(m.Le(zero, n), m.Lt(n, inf)))
	// Order 0 and invalid orders are computed as order 1, and x ≤ 0 as x = 1.
	safe := m.Select(m.And(whole, m.Lt(zero, n)), s, m.c(2))
	order := m.Sub(safe, one)
	zeta := func(q scalar.Ref) scalar.Ref { return m.Mul(m.factorialOver(order, q), m.zetaRatio(safe, q)) }
	pos := zeta(m.Select(m.Lt(zero, x), x, one))

	neg := m.Lt(x, zero)
	d := m.Sub(x, m.Rint(x))
	flip := m.Select(odd, one, m.c(-1)) // (−1)ˢ
	near := m.factorialOver(order, m.Abs(d))
	near = m.Select(m.Lt(d, zero), m.Mul(flip, near), near)
	near = m.Select(m.Eq(d, zero), m.Select(odd, inf, nan), near)
	rest := m.Sub(zeta(m.Sub(one, d)), zeta(m.Sub(one, m.Select(neg, x, zero))))
	refl := m.Add(near, m.FMA(flip, rest, zeta(m.Add(one, d))))

	y := sign(m.Rare(neg, refl, pos))
	y = m.Select(m.Eq(x, zero), m.Select(odd, inf, m.Div(m.c(-1), x)), y)
	y = m.Select(m.Eq(x, inf), sign(zero), y)
	y = m.Select(m.Or(m.IsNaN(x), m.Eq(x, m.Neg(inf))), nan, y)
	y = m.Select(m.Eq(n, zero), m.digamma(x), y)
	return m.Select(whole, y, nan)
}
