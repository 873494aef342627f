package expand

import "github.com/weft-go/weft/lower/scalar"

var halfLog2Pi = triple{0x1.d67f1c864beb5p-1, -0x1.65b5a1b7ff5dfp-55, -0x1.b7f70c13dc1ccp-110}

const halfLogHalfPi = 0x1.ce6bb25aa1316p-3

// gammaSteps returns the parts of log Γ(x) for x < 8. Γ(x) = Γ(y)·v with y within [1½, 2½] and v a product of
// y, y + 1, …; for x < 1½, which low reports, Γ(x) = Γ(y)/v. q is log Γ(y), a polynomial times y − 2.
func (m fn) gammaSteps(x scalar.Ref) (q, v, low scalar.Ref) {
	one := m.c(1)
	low = m.Lt(x, m.c(1.5))
	// From 2½ up: factors x − 1, x − 2, … while they are above 1½.
	y := x
	v = one
	for k := 1; k <= 6; k++ {
		t := m.Sub(x, m.c(float64(k)))
		more := m.Le(m.c(1.5), t)
		v = m.Select(more, m.Mul(v, t), v)
		y = m.Select(more, t, y)
	}
	// Below ½ two steps up, below 1½ one: then v is a divisor.
	tiny := m.Lt(x, m.c(0.5))
	v = m.Select(low, m.Select(tiny, m.FMA(x, x, x), x), v)
	f := m.Select(tiny, x, m.Select(low, m.Sub(x, one), m.Sub(y, m.c(2))))
	return m.Mul(f, m.poly(f, m.choose(nil, polyLgamma64, polyLgammaS))), v, low
}

// stirling returns the last part of Stirling's series for log Γ(x): W(1/x²)/x, x ≥ 8.
func (m fn) stirling(x scalar.Ref) scalar.Ref {
	w := m.Div(m.c(1), x)
	return m.Mul(w, m.poly(m.Mul(w, w), m.choose(nil, polyStirling64, polyStirlingS)))
}

// lgammaPositive returns log Γ(x) for x > 0, from 8 on by Stirling's series.
func (m fn) lgammaPositive(x scalar.Ref) scalar.Ref {
	one, zero := m.c(1), m.c(0)
	large := m.Le(m.c(8), x)
	q, v, low := m.gammaSteps(x)
	l := m.logPositive(m.Select(large, x, v))
	l = m.Select(m.Eq(x, m.inf(m.t)), x, l)
	near := m.Add(q, m.Select(low, m.Neg(l), l))
	// (x − ½)·(log x − 1) + (½·log 2π − ½) + W(1/x²)/x.
	c := m.Add(m.c(halfLog2Pi[0]-0.5), m.stirling(m.Select(large, x, one)))
	far := m.FMA(m.Sub(x, m.c(0.5)), m.Sub(l, one), c)
	r := m.Select(large, far, near)
	return m.Select(m.Eq(x, zero), m.inf(m.t), r)
}

// sinPiSums returns |sin πx| and |cos πx| as sums of two, from the distance of x to the nearest
// integer.
func (m fn) sinPiSums(x scalar.Ref) (s, c dd) {
	d := m.Sub(x, m.Rint(x)) // exact, |d| ≤ ½
	// r is π·|d|, or π/2 − π·|d| where that is above π/4: then sine and cosine change places.
	a := m.Abs(d)
	over := m.Lt(m.c(0.25), a)
	b := m.Select(over, m.Sub(m.c(0.5), a), a)
	p, e := m.twoProd(b, m.c(2*piHalf[0]))
	r := m.norm(dd{p, m.FMA(b, m.c(2*piHalf[1]), e)})
	sp, cp := m.norm(m.sinPoly(r)), m.norm(m.cosPoly(r))
	zero := m.c(0)
	none := m.Eq(b, zero)
	sp = dd{m.Select(none, zero, sp.hi), m.Select(none, zero, sp.lo)}
	pick := func(x, y dd) dd { return dd{m.Select(over, x.hi, y.hi), m.Select(over, x.lo, y.lo)} }
	return pick(cp, sp), pick(sp, cp)
}

func (m fn) lgamma(x scalar.Ref) scalar.Ref {
	zero, inf := m.c(0), m.inf(m.t)
	a := m.Abs(x)
	neg := m.Lt(x, zero)
	g := m.lgammaPositive(a)
	s, _ := m.sinPiSums(a)
	refl := m.lgammaBelow(a, s.hi, g)
	refl = m.Select(m.Eq(s.hi, zero), inf, refl)
	// So close to zero the result is −log|x|, which is g; π/x² could overflow.
	refl = m.Select(m.Lt(a, m.c(0x1p-60)), g, refl)
	y := m.Rare(neg, refl, g)
	y = m.Select(m.Eq(a, zero), inf, y)
	y = m.Select(m.Eq(a, inf), inf, y)
	return m.Select(m.IsNaN(x), m.nan(m.t), y)
}

// lgammaBelow returns log|Γ(−a)|, where g = log Γ(a) and s = |sin πa|: Γ(a)·Γ(−a) is
// −π/(a·sin πa). There is a zero on either side of most integers, where two large
// logarithms would cancel. So, unless m is brief, it takes one logarithm of all factors
// for a < 8, and otherwise it is
//
//	a − (a + ½)·log a − log s + ½·log π/2 − W(1/a²)/a
//
// with logarithms that are sums of two.
func (m fn) lgammaBelow(a, s, g scalar.Ref) scalar.Ref {
	pi := m.c(2 * piHalf[0])
	if m.brief {
		return m.Sub(m.logPositive(m.Div(pi, m.Mul(a, s))), g)
	}
	one := m.c(1)
	q, v, low := m.gammaSteps(a)
	num, den := m.Select(low, m.Mul(pi, v), pi), m.Mul(a, s)
	near := m.Sub(m.logPositive(m.Div(num, m.Select(low, den, m.Mul(den, v)))), q)
	large := m.Le(m.c(8), a)
	b := m.Select(large, a, m.c(8))
	h, he := m.twoSum(b, m.c(0.5))
	p := m.ddMul(dd{h, he}, m.logSum(b))
	sum := m.ddAdd(dd{b, m.c(0)}, dd{m.Neg(p.hi), m.Neg(p.lo)})
	ls := m.logSum(m.Select(m.Eq(s, m.c(0)), one, s))
	sum = m.ddAdd(sum, dd{m.Neg(ls.hi), m.Neg(ls.lo)})
	rest := m.Sub(m.c(halfLogHalfPi), m.stirling(b))
	return m.Select(large, m.Add(sum.hi, m.Add(sum.lo, rest)), near)
}

var psiZero = triple{0x1.762d86356be3fp+0, 0x1.b86a722197829p-54, 0x1.e0d62a6be90c7p-109}

// digammaSteps returns the parts of digamma(x) for x < 8. near is (y − x₀)·D(y − x₀), where y within [1, 2] is
// reached from x by steps of 1, and x₀ is the zero. steps is the sum of 1/y, 1/(y + 1), …; for x < 1, which low
// reports, it is −1/x. The sum is taken from its least term up; where m is brief it is kept as one fraction.
func (m fn) digammaSteps(x scalar.Ref) (near, steps, low scalar.Ref) {
	one, zero := m.c(1), m.c(0)
	low = m.Lt(x, one)
	y := m.Select(low, m.Add(x, one), x)
	num, den := m.Select(low, m.c(-1), zero), m.Select(low, x, one)
	sum := scalar.NoRef
	if !m.brief {
		sum = m.Div(num, den)
	}
	for k := 1; k <= 6; k++ {
		t := m.Sub(x, m.c(float64(k)))
		more := m.Le(one, t)
		if m.brief {
			num = m.Select(more, m.FMA(num, t, den), num)
			den = m.Select(more, m.Mul(den, t), den)
		} else {
			sum = m.Select(more, m.Add(sum, m.Div(one, t)), sum)
		}
		y = m.Select(more, t, y)
	}
	// x + 1 − x₀ below one, without rounding x + 1.
	u := m.Sub(m.Sub(y, m.c(psiZero[0])), m.c(psiZero[1]))
	u1 := m.Sub(m.Sub(x, m.c(psiZero[0]-1)), m.c(psiZero[1]))
	u = m.Select(low, u1, u)
	near = m.Mul(u, m.poly(u, m.choose(nil, polyDigamma64, polyDigammaS)))
	if m.brief {
		sum = m.Div(num, den)
	}
	return near, sum, low
}

// psiTail returns log x − digamma x for x ≥ 8: 1/2x + B(1/x²)/x².
func (m fn) psiTail(x scalar.Ref) scalar.Ref {
	w := m.Div(m.c(1), x)
	z := m.Mul(w, w)
	return m.FMA(w, m.c(0.5), m.Mul(z, m.poly(z, m.choose(nil, polyPsi64, polyPsiS))))
}

// digammaPositive returns Γ'(x)/Γ(x) for x > 0, from 8 on by the asymptotic series.
func (m fn) digammaPositive(x scalar.Ref) scalar.Ref {
	large := m.Le(m.c(8), x)
	near, steps, _ := m.digammaSteps(x)
	v := m.Select(large, x, m.c(1))
	far := m.Sub(m.logPositive(v), m.psiTail(v))
	return m.Select(large, far, m.Add(near, steps))
}

func (m fn) digamma(x scalar.Ref) scalar.Ref {
	zero, inf := m.c(0), m.inf(m.t)
	a := m.Abs(x)
	neg := m.Lt(x, zero)
	g := m.digammaPositive(a)
	s, c := m.sinPiSums(a)
	refl := m.digammaBelow(a, s, c)
	refl = m.Select(m.Eq(s.hi, zero), m.nan(m.t), refl)
	y := m.Rare(neg, refl, g)
	// So close to zero that only −1/x is left.
	y = m.Select(m.Lt(a, m.c(0x1p-60)), m.Div(m.c(-1), x), y)
	return m.Select(m.Eq(a, inf), m.Select(neg, m.nan(m.t), inf), y)
}

// digammaBelow returns digamma(−a) = digamma(a) + 1/a + π·cot πa, given |sin πa| and |cos πa|. The
// terms are sums of two, since they cancel near the zeros of digamma, of which there is one
// between any two neighbouring negative integers.
func (m fn) digammaBelow(a scalar.Ref, s, c dd) scalar.Ref {
	one, zero := m.c(1), m.c(0)
	large := m.Le(m.c(8), a)
	near, steps, low := m.digammaSteps(a)
	// Below one the step up subtracts 1/a, which cancels the 1/a of the formula.
	near = m.Select(low, near, m.Add(near, steps))
	v := m.Select(large, a, m.c(8))
	l := m.logSum(v)
	g := dd{m.Select(large, l.hi, near), m.Select(large, m.Sub(l.lo, m.psiTail(v)), zero)}
	r := m.Div(one, m.Select(low, one, a))
	re := m.Div(m.FMA(m.Neg(r), a, one), a)
	g = m.ddAdd(g, dd{m.Select(low, zero, r), m.Select(low, zero, re)})
	// π·cot, its sign that of the distance to the nearest integer.
	q := m.Div(c.hi, s.hi)
	e := m.FMA(m.Neg(q), s.hi, c.hi)
	e = m.Div(m.Add(e, m.FMA(m.Neg(q), s.lo, c.lo)), s.hi)
	p, pe := m.twoProd(q, m.c(2*piHalf[0]))
	pe = m.FMA(e, m.c(2*piHalf[0]), m.FMA(q, m.c(2*piHalf[1]), pe))
	sign := m.signOf(m.Sub(a, m.Rint(a)))
	y := m.ddAdd(g, dd{m.flipSign(p, sign), m.flipSign(pe, sign)})
	return m.Add(y.hi, y.lo)
}
