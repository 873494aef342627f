package expand

import "github.com/weft-go/weft/lower/scalar"

// erf returns erf|x| as a polynomial about the nearest of the centres of erfTable32 or 64,
// with the sign of x. About zero the polynomial is of erf a/a − 1, so that small numbers
// lose nothing.
func (m fn) erf(x scalar.Ref) scalar.Ref {
	top, per, step, table := 6.0, 2.56, 0.390625, erfTable64
	if m.t == scalar.F32 {
		top, per, step, table = 3.92, 8, 0.125, erfTable32 // from top on it is 1
	}
	a := m.lesser(m.Abs(x), m.c(top))
	t := m.FMA(a, m.c(per), m.c(m.magic()))
	d := m.FMA(m.nearest(t), m.c(-step), a)
	i := m.Bitcast(m.t.Unsigned(), t)
	c := func(k int) scalar.Ref { return m.Lookup(scalar.FloatTable(m.t, table[k]...), i) }
	k := len(table) - 1
	h := c(k)
	for k--; k > 0; k-- {
		h = m.FMA(h, d, c(k))
	}
	base := m.Select(m.Eq(t, m.c(m.magic())), a, c(0))
	return m.copySign(m.FMA(d, h, base), x)
}

// erfcTail returns erfc a in f64 for a ≥ ½: e^(−a²)·P((a−4)/(a+4))/(1 + 2a).
func (m fn) erfcTail(a scalar.Ref) scalar.Ref {
	b := m.lesser(a, m.c(28))
	four := m.c(4)
	t := m.Div(m.Sub(b, four), m.Add(b, four))
	p := m.poly(t, polyErfc64)
	p = m.Div(p, m.FMA(b, m.c(2), m.c(1)))
	z, e := m.twoProd(b, b)
	n, r := m.expReduce(m.Neg(z))
	r.lo = m.Sub(r.lo, e)
	q := m.Mul(m.Mul(r.hi, r.hi), m.poly(r.hi, polyExp64))
	v := m.Add(r.hi, q)
	v = m.Add(v, m.FMA(r.lo, v, r.lo))
	return m.scale(m.FMA(p, v, p), n)
}

// erfc returns 1 − erf x in f64: for |x| < ½ by a polynomial, else from t = erfcTail(|x|), as t or, for x < 0, 2 − t.
func (m fn) erfc(x scalar.Ref) scalar.Ref {
	a := m.Abs(x)
	one := m.c(1)
	z := m.Mul(a, a)
	// Near zero 1 − x − x·E.
	xe := m.Mul(x, m.poly(z, polyErf64))
	h, l := m.fastTwoSum(one, m.Neg(x))
	near := m.Add(h, m.Sub(l, xe))
	tail := m.erfcTail(a)
	neg := m.Lt(x, m.c(0))
	y := m.Select(neg, m.Sub(m.c(2), tail), tail)
	y = m.Select(m.Lt(a, m.c(0.5)), near, y)
	return m.Select(m.IsNaN(x), m.nan(m.t), y)
}

// erfInv returns x·P(w) in f64 with w = −log(1 − x²). P is a polynomial in w, and for larger w in its root.
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
	y := m.poly(m.Sub(w, m.c(3.125)), polyErfinvA64)
	s := m.Sqrt(w)
	b := m.poly(m.Sub(s, m.c(3.25)), polyErfinvB64)
	y = m.Select(m.Lt(w, m.c(6.25)), y, b)
	y = m.Rare(m.Le(m.c(16), w), m.poly(m.Sub(s, m.c(5)), polyErfinvC64), y)
	y = m.Mul(x, y)
	y = m.Select(m.Eq(a, one), m.copySign(m.inf(m.t), x), y)
	return m.Select(m.Le(a, one), y, m.nan(m.t))
}
