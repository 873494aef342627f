package kernel

// erf is x + x·E(x²) for |x| ≤ 1, else 1 − erfc|x|.
func (m fn) erf(x Ref) Ref {
	a := m.Abs(x)
	z := m.Mul(a, a)
	near := m.FMA(a, m.poly(z, m.choose(nil, polyErf64, polyErfS)), a)
	far := m.Sub(m.c(1), m.erfcTail(a))
	y := m.Select(m.Lt(a, m.c(1)), near, far)
	return m.copySign(y, x)
}

// erf32 is erf in f32 itself: x + x·E(x²) for |x| ≤ 1, else 1 − e^(−P(|x|)), which is
// one from 4 on.
func (m fn) erf32(x Ref) Ref {
	a := m.Abs(x)
	z := m.Mul(a, a)
	near := m.FMA(a, m.poly(z, polyErf32), a)
	b := m.Sub(m.lesser(a, m.c(4)), m.c(2.5))
	tail := m.exp(m.Neg(m.poly(b, polyLogErfc32)))
	far := m.Sub(m.c(1), tail)
	y := m.Select(m.Lt(a, m.c(1)), near, far)
	return m.copySign(y, x)
}

// erfReal is erf in the type of its operand.
func erfReal(b *Builder, x Ref) Ref {
	if b.TypeOf(x) == F32 {
		return fn{b, F32, false}.erf32(x)
	}
	return fn{b, F64, false}.erf(x)
}

// erfcTail is erfc a for a ≥ ½: e^(−a²)·P((a−4)/(a+4))/(1 + 2a).
func (m fn) erfcTail(a Ref) Ref {
	top := 28.0
	if m.brief {
		top = 11
	}
	b := m.lesser(a, m.c(top))
	four := m.c(4)
	t := m.Div(m.Sub(b, four), m.Add(b, four))
	p := m.poly(t, m.choose(nil, polyErfc64, polyErfcS))
	p = m.Div(p, m.FMA(b, m.c(2), m.c(1)))
	z, e := m.twoProd(b, b)
	n, r := m.expReduce(m.Neg(z))
	r.lo = m.Sub(r.lo, e)
	q := m.Mul(m.Mul(r.hi, r.hi), m.poly(r.hi, m.choose(nil, polyExp64, polyExpS)))
	v := m.Add(r.hi, q)
	v = m.Add(v, m.FMA(r.lo, v, r.lo))
	return m.scale(m.FMA(p, v, p), n)
}

// erfc is 1 − erf x: the tail for x ≥ ½, and 2 − erfc(−x) far below.
func (m fn) erfc(x Ref) Ref {
	a := m.Abs(x)
	one := m.c(1)
	z := m.Mul(a, a)
	// Near zero 1 − x − x·E.
	xe := m.Mul(x, m.poly(z, m.choose(nil, polyErf64, polyErfS)))
	h, l := m.fastTwoSum(one, m.Neg(x))
	near := m.Add(h, m.Sub(l, xe))
	tail := m.erfcTail(a)
	neg := m.Lt(x, m.c(0))
	y := m.Select(neg, m.Sub(m.c(2), tail), tail)
	y = m.Select(m.Lt(a, m.c(0.5)), near, y)
	return m.Select(m.IsNaN(x), m.nan(m.t), y)
}

// erfInv is x·P(w) in pieces of w = −log(1 − x²): of w itself, then of its root.
func (m fn) erfInv(x Ref) Ref {
	one := m.c(1)
	a := m.Abs(x)
	// 1 − x² = (1 − a)(1 + a), the first factor exact where it is small.
	d, de := m.fastTwoSum(one, m.Neg(a))
	p := m.Add(one, a)
	v := m.Mul(d, p)
	v = m.Add(v, m.Mul(de, p))
	// Near zero −log(1 − x²) from x² itself.
	w := m.Select(m.Lt(a, m.c(0.5)), m.Neg(m.log1p(m.Neg(m.Mul(a, a)))), m.Neg(m.log(v)))
	y := m.poly(m.Sub(w, m.c(3.125)), m.choose(nil, polyErfinvA64, polyErfinvAS))
	s := m.Sqrt(w)
	b := m.poly(m.Sub(s, m.c(3.25)), m.choose(nil, polyErfinvB64, polyErfinvBS))
	y = m.Select(m.Lt(w, m.c(6.25)), y, b)
	if !m.brief {
		c := m.poly(m.Sub(s, m.c(5)), polyErfinvC64)
		y = m.Rare(m.Le(m.c(16), w), c, y)
	}
	y = m.Mul(x, y)
	y = m.Select(m.Eq(a, one), m.copySign(m.inf(m.t), x), y)
	return m.Select(m.Le(a, one), y, m.nan(m.t))
}

var halfLog2Pi = triple{0x1.d67f1c864beb5p-1, -0x1.65b5a1b7ff5dfp-55, -0x1.b7f70c13dc1ccp-110}

// lgammaPositive is log Γ(x) for x > 0.
//
// From 8 on it is Stirling's series. Below, Γ(x) = Γ(y)·v with y within [1½, 2½] and
// v a product of y, y + 1, …, or 1/x for x < 1½; log Γ(y) is a polynomial times y − 2.
func (m fn) lgammaPositive(x Ref) Ref {
	one, zero := m.c(1), m.c(0)
	large := m.Le(m.c(8), x)
	low := m.Lt(x, m.c(1.5))
	// From 2½ up: factors x − 1, x − 2, … while they are above 1½.
	y, v := x, one
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
	q := m.Mul(f, m.poly(f, m.choose(nil, polyLgamma64, polyLgammaS)))
	l := m.logPositive(m.Select(large, x, v))
	l = m.Select(m.Eq(x, m.inf(m.t)), x, l)
	near := m.Add(q, m.Select(low, m.Neg(l), l))
	// (x − ½)·(log x − 1) + (½·log 2π − ½) + W(1/x²)/x.
	w := m.Div(one, m.Select(large, x, one))
	s := m.Mul(w, m.poly(m.Mul(w, w), m.choose(nil, polyStirling64, polyStirlingS)))
	c := m.Add(m.c(halfLog2Pi[0]-0.5), s)
	far := m.FMA(m.Sub(x, m.c(0.5)), m.Sub(l, one), c)
	r := m.Select(large, far, near)
	return m.Select(m.Eq(x, zero), m.inf(m.t), r)
}

// sinPi is |sin πx| and cos πx, from the distance of x to the nearest integer.
func (m fn) sinPi(x Ref) (s, c Ref) {
	d := m.Sub(x, m.Rint(x)) // exact, |d| ≤ ½
	// π·d as r beyond π/4: then sine and cosine change places.
	a := m.Abs(d)
	over := m.Lt(m.c(0.25), a)
	b := m.Select(over, m.Sub(m.c(0.5), a), a)
	p, e := m.twoProd(b, m.c(2*piHalf[0]))
	r := m.norm(dd{p, m.FMA(b, m.c(2*piHalf[1]), e)})
	sp, cp := m.sinPoly(r), m.cosPoly(r)
	ss, cc := m.Add(sp.hi, sp.lo), m.Add(cp.hi, cp.lo)
	ss = m.Select(m.Eq(b, m.c(0)), m.c(0), ss)
	return m.Select(over, cc, ss), m.Select(over, ss, cc)
}

// lgamma is log|Γ(x)|. Below zero Γ(x)·Γ(−x) = −π/(x·sin πx).
func (m fn) lgamma(x Ref) Ref {
	zero, inf := m.c(0), m.inf(m.t)
	a := m.Abs(x)
	neg := m.Lt(x, zero)
	g := m.lgammaPositive(a)
	s, _ := m.sinPi(a)
	t := m.Mul(a, s)
	refl := m.Sub(m.logPositive(m.Div(m.c(2*piHalf[0]), t)), g)
	// So close to zero that only −log|x| is left: no overflow of π/x² there.
	refl = m.Select(m.Eq(s, zero), inf, refl)
	refl = m.Select(m.Lt(a, m.c(0x1p-60)), g, refl)
	y := m.Rare(neg, refl, g)
	y = m.Select(m.Eq(a, zero), inf, y)
	y = m.Select(m.Eq(a, inf), inf, y)
	return m.Select(m.IsNaN(x), m.nan(m.t), y)
}

var psiZero = triple{0x1.762d86356be3fp+0, 0x1.b86a722197829p-54, 0x1.e0d62a6be90c7p-109}

// digammaPositive is Γ'(x)/Γ(x) for x > 0.
//
// From 8 on it is the asymptotic series. Below, it is (y − x₀)·D(y − x₀) at the y
// within [1, 2] that integer steps lead to, with x₀ the zero, plus the sum of 1/y,
// 1/(y + 1), …, kept as one fraction.
func (m fn) digammaPositive(x Ref) Ref {
	one, zero := m.c(1), m.c(0)
	large := m.Le(m.c(8), x)
	low := m.Lt(x, one)
	y := m.Select(low, m.Add(x, one), x)
	num, den := m.Select(low, m.c(-1), zero), m.Select(low, x, one)
	for k := 1; k <= 6; k++ {
		t := m.Sub(x, m.c(float64(k)))
		more := m.Le(one, t)
		num = m.Select(more, m.FMA(num, t, den), num)
		den = m.Select(more, m.Mul(den, t), den)
		y = m.Select(more, t, y)
	}
	// x + 1 − x₀ below one, without rounding x + 1.
	u := m.Sub(m.Sub(y, m.c(psiZero[0])), m.c(psiZero[1]))
	u1 := m.Sub(m.Sub(x, m.c(psiZero[0]-1)), m.c(psiZero[1]))
	u = m.Select(low, u1, u)
	near := m.FMA(u, m.poly(u, m.choose(nil, polyDigamma64, polyDigammaS)), m.Div(num, den))
	v := m.Select(large, x, one)
	w := m.Div(one, v)
	z := m.Mul(w, w)
	l := m.logPositive(v)
	far := m.Sub(l, m.FMA(w, m.c(0.5), m.Mul(z, m.poly(z, m.choose(nil, polyPsi64, polyPsiS)))))
	return m.Select(large, far, near)
}

// digamma is Γ'(x)/Γ(x). Below zero it is digamma(−x) − 1/x − π/tan πx.
func (m fn) digamma(x Ref) Ref {
	zero, inf := m.c(0), m.inf(m.t)
	a := m.Abs(x)
	neg := m.Lt(x, zero)
	g := m.digammaPositive(a)
	s, c := m.sinPi(a)
	// π·cot πa, its sign that of the distance to the nearest integer.
	d := m.Sub(a, m.Rint(a))
	cot := m.flipSign(m.Div(m.Mul(m.c(2*piHalf[0]), c), s), m.signOf(d))
	refl := m.Add(m.Add(g, m.Div(m.c(1), a)), cot)
	refl = m.Select(m.Eq(s, zero), m.nan(m.t), refl)
	y := m.Rare(neg, refl, g)
	// So close to zero that only −1/x is left.
	y = m.Select(m.Lt(a, m.c(0x1p-60)), m.Div(m.c(-1), x), y)
	return m.Select(m.Eq(a, inf), m.Select(neg, m.nan(m.t), inf), y)
}
