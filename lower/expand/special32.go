package expand

import "github.com/weft-go/weft/lower/scalar"

// The functions of this file are computed in f32. Where lgamma and digamma are reflected,
// or their arguments are not usual, they take the f64 definition in a rare branch.

// erfc32 returns 1 − erf x. For |x| < ½ it is 1 − x − xE(x²); for a = |x| ≥ ½ it is e^(−a²)
// times a polynomial of erfcPieces, and for x < 0 two minus that.
func (m fn) erfc32(x scalar.Ref) scalar.Ref {
	one := m.c(1)
	a := m.Abs(x)
	xe := m.Mul(x, m.poly(m.Mul(a, a), polyErf32))
	h, l := m.fastTwoSum(one, m.Neg(x))
	near := m.Add(h, m.Sub(l, xe))
	tail := m.erfcTail32(m.lesser(a, m.c(10.1)))
	y := m.Select(m.Lt(x, m.c(0)), m.Sub(m.c(2), tail), tail)
	return m.Select(m.Lt(a, m.c(0.5)), near, y)
}

// erfcTail32 returns erfc a for an a in [½, 10.1] or NaN. For a lesser a the result has no meaning.
func (m fn) erfcTail32(a scalar.Ref) scalar.Ref {
	// The interval of a is the exponent and three more bits of a + 1.
	i := m.ShrN(m.Bitcast(scalar.U32, m.Add(a, m.c(1))), 20)
	d := m.Sub(a, m.Lookup(scalar.FloatTable(m.t, erfcCentres...), i)) // exact
	p := m.pieces(erfcPieces, i, d)
	// e^(−z−e) with a² = z + e.
	z, e := m.twoProd(a, a)
	_, n, r := m.reduce(m.Neg(z))
	r = m.Sub(r, e)
	v := m.FMA(m.Mul(r, r), m.poly(r, expm1of32), r)
	return m.Scale(m.FMA(p, v, p), n)
}

// pieces returns the polynomial in d whose coefficients are the entries i of the tables.
func (m fn) pieces(table [][]float64, i, d scalar.Ref) scalar.Ref {
	c := func(k int) scalar.Ref { return m.Lookup(scalar.FloatTable(m.t, table[k]...), i) }
	k := len(table) - 1
	r := c(k)
	for k--; k >= 0; k-- {
		r = m.FMA(r, d, c(k))
	}
	return r
}

// erfInv32 returns |x|·P(w), w = −log(1 − x²), with the sign of x. P is a polynomial in w, or, in
// the rare case of w ≥ 5, in √w.
func (m fn) erfInv32(x scalar.Ref) scalar.Ref {
	a := m.Abs(x)
	v := m.FMA(m.Neg(a), a, m.c(1))
	w := m.Neg(m.logNormal(v, 0))
	// a·c₀ + a·(u·P₁(u)), where a·c₀ is not rounded.
	u := m.Sub(w, m.c(0.375))
	near := m.FMA(a, m.c(erfinvA32[0]), m.Mul(a, m.Mul(u, m.poly(u, erfinvA32[1:]))))
	q := m.poly(m.Sub(m.Sqrt(w), m.c(2.65625)), erfinvB32)
	far := m.Select(m.Eq(a, m.c(1)), m.inf(m.t), m.nan(m.t))
	far = m.Select(m.Lt(a, m.c(1)), m.Mul(a, q), far)
	// 1 − x² is below e^−5, or x is NaN.
	return m.copySign(m.Rare(m.Not(m.Le(m.c(0x1.b993fep-8), v)), far, near), x)
}

// logParts returns log x for positive normal x as s + t, where t is at most a tenth.
func (m fn) logParts(x scalar.Ref) (s, t scalar.Ref) {
	_, e, n := m.exponentOf(x, m.rootHalf())
	f := m.Sub(m.Bitcast(m.t, m.Sub(m.Bitcast(m.t.Unsigned(), x), e)), m.c(1))
	q := m.poly(f, log32)
	s = m.FMA(n, m.c(ln2Short32), f)
	l := m.Sub(f, m.FMA(n, m.c(-ln2Short32), s)) // exact
	return s, m.FMA(m.Mul(f, f), q, m.FMA(n, m.c(ln2Rest32), l))
}

// gammaPiece evaluates a table's polynomial for the nearest of the points 1, 1¼, …, 8¾: at x + 1
// for x < ⅞, which low reports, and at x for ⅞ ≤ x < 8⅞.
func (m fn) gammaPiece(table [][]float64, x scalar.Ref) (y, low scalar.Ref) {
	low = m.Lt(x, m.c(0.875))
	t := m.FMA(x, m.c(4), m.c(m.magic()))
	d := m.FMA(m.nearest(t), m.c(-0.25), x) // exact
	i := m.Bitcast(scalar.U32, t)
	i = m.Select(low, m.Add(i, m.Int(scalar.U32, 4)), i)
	return m.pieces(table, i, d), low
}

// gammaUsual reports whether lgamma32 and digamma32 need no f64: x is positive, normal and at
// most 2¹²⁰.
func (m fn) gammaUsual(x scalar.Ref) scalar.Ref {
	return m.And(m.Le(m.c(0x1p-126), x), m.Le(x, m.c(0x1p120)))
}

// gammaFar is from where on lgamma32 and digamma32 are asymptotic series.
const gammaFar = 8.875

// lgamma32 returns log|Γ(x)|. From ⅞ to 8⅞ it is a table's polynomial; for smaller x it is
// log Γ(x + 1) − log x, and for larger x it is
// x·(log x − 1) − ½·log x + ½·log 2π + 1/12x − 1/360x³ with log x a sum of two.
func (m fn) lgamma32(x scalar.Ref) scalar.Ref {
	mid, low := m.gammaPiece(lgammaPieces, x)
	s, t := m.logParts(x)
	near := m.Sub(m.Sub(mid, t), s)
	w := m.Div(m.c(1), x)
	c := m.FMA(w, m.FMA(m.Mul(w, w), m.c(-1.0/360), m.c(1.0/12)), m.c(halfLog2Pi[0]))
	l := m.Sub(s, m.c(1)) // exact
	p, e := m.twoProd(x, l)
	e = m.FMA(m.Sub(x, m.c(0.5)), t, e)
	far := m.Add(p, m.Add(e, m.FMA(s, m.c(-0.5), c)))
	y := m.Select(low, near, m.Select(m.Lt(x, m.c(gammaFar)), mid, far))
	return m.Rare(m.Not(m.gammaUsual(x)), throughF64(fn.lgamma)(m.builder, x), y)
}

// digamma32 returns ψ(x) = Γ'(x)/Γ(x). From ⅞ to 8⅞ it is a table's polynomial; for smaller x it is
// ψ(x + 1) − 1/x, and for larger x it is log x − 1/2x − 1/12x² + 1/120x⁴.
func (m fn) digamma32(x scalar.Ref) scalar.Ref {
	mid, low := m.gammaPiece(digammaPieces, x)
	s, t := m.logParts(x)
	w := m.Div(m.c(1), x)
	b := m.FMA(m.Mul(w, w), m.c(-1.0/120), m.c(1.0/12))
	far := m.Add(s, m.FMA(m.Neg(w), m.FMA(w, b, m.c(0.5)), t))
	y := m.Select(low, m.Sub(mid, w), m.Select(m.Lt(x, m.c(gammaFar)), mid, far))
	return m.Rare(m.Not(m.gammaUsual(x)), throughF64(fn.digamma)(m.builder, x), y)
}
