package expand

import "github.com/weft-go/weft/lower/scalar"

// erf returns x + x·E(x²) for |x| ≤ 1, else 1 − erfc|x|.
func (m fn) erf(x scalar.Ref) scalar.Ref {
	a := m.Abs(x)
	z := m.Mul(a, a)
	near := m.FMA(a, m.poly(z, m.choose(nil, polyErf64, polyErfS)), a)
	far := m.Sub(m.c(1), m.erfcTail(a))
	y := m.Select(m.Lt(a, m.c(1)), near, far)
	return m.copySign(y, x)
}

// erf32 returns erf in f32 itself: x + x·E(x²) for |x| ≤ 1, else 1 − e^(−P(|x|)), which is
// one from 4 on.
func (m fn) erf32(x scalar.Ref) scalar.Ref {
	a := m.Abs(x)
	z := m.Mul(a, a)
	near := m.FMA(a, m.poly(z, polyErf32), a)
	b := m.Sub(m.lesser(a, m.c(4)), m.c(2.5))
	tail := m.exp(m.Neg(m.poly(b, polyLogErfc32)))
	far := m.Sub(m.c(1), tail)
	y := m.Select(m.Lt(a, m.c(1)), near, far)
	return m.copySign(y, x)
}

// erfReal returns erf in the type of its operand.
func erfReal(b builder, x scalar.Ref) scalar.Ref {
	if b.TypeOf(x) == scalar.F32 {
		return fn{b, scalar.F32, false}.erf32(x)
	}
	return fn{b, scalar.F64, false}.erf(x)
}

// erfcTail returns erfc a for a ≥ ½: e^(−a²)·P((a−4)/(a+4))/(1 + 2a).
func (m fn) erfcTail(a scalar.Ref) scalar.Ref {
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

// erfc returns 1 − erf x: the tail for x ≥ ½, and 2 − erfc(−x) far below.
func (m fn) erfc(x scalar.Ref) scalar.Ref {
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

// erfInv returns x·P(w) in pieces of w = −log(1 − x²): of w itself, then of its root.
func (m fn) erfInv(x scalar.Ref) scalar.Ref {
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
