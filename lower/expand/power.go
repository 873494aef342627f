package expand

import "github.com/weft-go/weft/lower/scalar"

// rsqrt returns 1/√x: the quotient, corrected by the rounding errors of the root and of the division.
func (m fn) rsqrt(x scalar.Ref) scalar.Ref {
	// Where x is so small that the remainders below would be rounded, scale by a power of 4.
	up, back, low := 0x1p600, 0x1p300, 0x1p-500
	if m.t == scalar.F32 {
		up, back, low = 0x1p60, 0x1p30, 0x1p-60
	}
	one := m.c(1)
	small := m.Lt(x, m.c(low))
	v := m.Select(small, m.Mul(x, m.c(up)), x)
	s := m.Sqrt(v)
	y := m.Div(one, s)
	// s² = v − d and y·s = 1 − e: 1/√v = y·(1 + e − ½d/v).
	d := m.FMA(m.Neg(s), s, v)
	e := m.FMA(m.Neg(y), s, one)
	e = m.FMA(m.Mul(m.Mul(d, m.c(-0.5)), y), y, e)
	z := m.FMA(y, e, y)
	// Zeros, infinity and NaN have no remainder.
	z = m.Select(m.And(m.Lt(m.c(0), v), m.Lt(v, m.inf(m.t))), z, y)
	return m.Mul(z, m.Select(small, m.c(back), one))
}

// cbrt returns the cube root. With x = 2^(3q)·v it starts from a polynomial in v. A step of Halley's method
// follows, in f64 one of Newton's, too; the last step has the exact remainder.
func (m fn) cbrt(x scalar.Ref) scalar.Ref {
	a := m.Abs(x)
	n, f := m.logReduce(a)
	k, q := m.toInt(n, m.c(1.0/3))
	rest := m.FMA(k, m.c(-3), n) // −1, 0 or 1
	one := m.c(1)
	v := m.Add(one, f)
	v = m.Mul(v, m.Select(m.Lt(rest, m.c(0)), m.c(0.5), m.Select(m.Lt(m.c(0), rest), m.c(2), one)))
	y := m.poly(v, m.choose(polyCbrt32, polyCbrt64, polyCbrt64))
	if m.t == scalar.F32 {
		// Halley with the exact remainder: y − y(y³ − v)/(2y³ + v).
		s, e := m.twoProd(y, y)
		r := m.FMA(e, y, m.FMA(s, y, m.Neg(v)))
		y = m.Sub(y, m.Div(m.Mul(y, r), m.FMA(m.Mul(y, m.c(2)), s, v)))
		return m.cbrtCorners(x, a, m.Mul(y, m.power2(q)))
	}
	// Halley: y·(y³ + 2v)/(2y³ + v).
	c := m.Mul(m.Mul(y, y), y)
	y = m.Mul(y, m.Div(m.Add(c, m.Add(v, v)), m.Add(m.Add(c, c), v)))
	// Newton: y − (y³ − v)/(3y²).
	s, e := m.twoProd(y, y)
	r := m.FMA(e, y, m.FMA(s, y, m.Neg(v)))
	y = m.Sub(y, m.Div(r, m.Mul(m.c(3), s)))
	return m.cbrtCorners(x, a, m.Mul(y, m.power2(q)))
}

// cbrtCorners returns y, the cube root of a = |x| if that is positive and finite, with the sign
// of x.
func (m fn) cbrtCorners(x, a, y scalar.Ref) scalar.Ref {
	y = m.Select(m.Eq(a, m.c(0)), a, y)
	y = m.Select(m.Lt(a, m.inf(m.t)), y, a)
	return m.copySign(y, x)
}

func (m fn) ddMul(a, b dd) dd {
	p, e := m.twoProd(a.hi, b.hi)
	e = m.FMA(a.hi, b.lo, m.FMA(a.lo, b.hi, e))
	return m.norm(dd{p, e})
}

func (m fn) ddAdd(a, b dd) dd {
	s, e := m.twoSum(a.hi, b.hi)
	return m.norm(dd{s, m.Add(e, m.Add(a.lo, b.lo))})
}

func (m fn) ddConst(p triple) dd {
	a, b, _ := m.parts(p)
	return dd{a, b}
}

var (
	twoThirds = triple{0x1.5555555555555p-1, 0x1.5555555555555p-55, 0x1.5555555555555p-109}
	twoFifths = triple{0x1.999999999999ap-2, -0x1.999999999999ap-56, 0x1.999999999999ap-110}
)

// logSum returns log x for finite x > 0, good to about 68 bits; where m is brief to 44.
func (m fn) logSum(x scalar.Ref) dd {
	n, f := m.logReduce(x)
	if m.brief {
		// The errors of ln2[0] and of the two roundings do not count.
		return dd{m.FMA(n, m.c(ln2[0]), m.Add(f, m.logSeries(f))), m.c(0)}
	}
	return m.logWhole(n, dd{f, m.c(0)})
}

// logWhole returns n·log 2 + log(1 + f) for 1 + f within [√½, √2], f as a sum of two.
func (m fn) logWhole(n scalar.Ref, f dd) dd {
	d, de := m.fastTwoSum(m.c(2), f.hi)
	de = m.Add(de, f.lo)
	s := dd{hi: m.Div(f.hi, d)}
	s.lo = m.Div(m.Add(m.FMA(m.Neg(s.hi), de, m.FMA(m.Neg(s.hi), d, f.hi)), f.lo), d)
	z := m.ddMul(s, s)
	a := m.Mul(z.hi, m.poly(z.hi, polyLogM64))
	h, l := m.fastTwoSum(m.c(twoFifths[0]), a)
	b := dd{h, m.Add(l, m.c(twoFifths[1]))}
	c := m.ddAdd(m.ddConst(twoThirds), m.ddMul(b, z))
	t := m.ddMul(m.ddMul(c, z), s)
	t = m.ddAdd(dd{m.Add(s.hi, s.hi), m.Add(s.lo, s.lo)}, t)
	p, e := m.twoProd(n, m.c(ln2[0]))
	return m.ddAdd(dd{p, m.FMA(n, m.c(ln2[1]), e)}, t)
}

// expSum returns e^(a.hi + a.lo): ∞ where a.hi is ∞, and 0 where it is −∞.
func (m fn) expSum(a dd) scalar.Ref {
	n, r := m.expReduce(m.expRange(a.hi))
	r.lo = m.Add(r.lo, m.Select(m.within(a.hi, 800), a.lo, m.c(0)))
	t := m.Mul(m.Mul(r.hi, r.hi), m.poly(r.hi, m.choose(nil, polyExp64, polyExpS)))
	h, l := m.fastTwoSum(r.hi, t)
	l = m.Add(l, m.FMA(r.lo, h, r.lo))
	s, e := m.fastTwoSum(m.c(1), h)
	return m.scale(m.Add(s, m.Add(e, l)), n)
}

// log₂(1 + r) = r·log₂e + r²q(r) of f32; log(1 + r) = r − r²/2 + r³q(r) of f64.
var (
	powLog32 = []float64{-0x1.715476p-1, 0x1.ec709ep-2, -0x1.716e56p-2, 0x1.277e6cp-2}
	powLog64 = []float64{0x1.5555555555556p-2, -0x1.ffffffffffed7p-3, 0x1.9999999996cfp-3, -0x1.55555557af5aep-3, 0x1.2492494434721p-3, -0x1.ffffcd7326a59p-4, 0x1.c71b3f927584ap-4, -0x1.9a77215f9760ep-4, 0x1.76bb868350c88p-4}
)

// log2Sum returns log₂ x as a sum of two, for positive normal x = 2ⁿ·m. It is
// n + H + L + log₂(1 + r), where 1 + r + δ = m·c exactly. The table holds, for each
// interval of m, a c near 1/m, and H + L = −log₂ c.
func (m fn) log2Sum(x scalar.Ref) dd {
	origin, bits, table := uint64(0x3fe6800000000000), 48, powTable64
	k, kl := 0x1.71547652b82fep0, 0x1.777d0ffda0d24p-56
	if m.t == scalar.F32 {
		origin, bits, table = 0x3f360000, 18, powTable32
		k, kl = 0x1.715476p0, 0x1.4ae0cp-26
	}
	w, e, n := m.exponentOf(x, origin)
	v := m.Bitcast(m.t, m.Sub(m.Bitcast(m.t.Unsigned(), x), e))
	i := m.ShrN(w, bits)
	entry := func(k int) scalar.Ref { return m.Lookup(scalar.FloatTable(m.t, table[k]...), i) }
	c, H, L := entry(0), entry(1), entry(2)
	p := m.Mul(v, c)
	δ := m.FMA(v, c, m.Neg(p))
	r := m.Sub(p, m.c(1))
	K := m.c(k)
	var A, α, rest scalar.Ref
	if m.t == scalar.F32 {
		A = m.Mul(r, K)
		α = m.FMA(r, K, m.Neg(A))
		α = m.FMA(r, m.c(kl), α)
		α = m.FMA(m.FMA(m.Neg(r), δ, δ), K, α)
		rest = m.Mul(r, r)
	} else {
		half := m.c(-0.5)
		z := m.Mul(r, r)
		ζ := m.FMA(r, r, m.Neg(z))
		hi := m.FMA(z, half, r)
		l := m.FMA(z, half, m.Sub(r, hi))
		l = m.FMA(ζ, half, l)
		rz := m.Mul(r, z)
		g := m.Sub(m.Sub(m.FMA(r, r, m.c(1)), r), rz)
		l = m.FMA(δ, g, l)
		l = m.FMA(rz, m.poly(r, powLog64), l)
		A = m.Mul(hi, K)
		α = m.FMA(hi, K, m.Neg(A))
		α = m.FMA(hi, m.c(kl), α)
		α = m.FMA(l, K, α)
	}
	b := m.Add(n, H)
	S := m.Add(b, A)
	e1 := m.Add(m.Sub(b, S), A)
	lo := m.Add(e1, m.Add(L, α))
	if m.t == scalar.F64 {
		return dd{S, lo}
	}
	λ := m.FMA(rest, m.poly(r, powLog32), lo)
	hi := m.Add(S, λ)
	return dd{hi, m.Add(m.Sub(S, hi), λ)}
}

// An exponent is the y of xʸ: hi as a float; lo, what hi lost of an integer, or NoRef, if that does not count; and
// whether y is an odd integer, and an integer at all.
type exponent struct{ hi, lo, odd, whole scalar.Ref }

// times returns y·l as a sum of two.
func (m fn) times(y exponent, l dd) dd {
	p := m.Mul(y.hi, l.hi)
	q := m.FMA(y.hi, l.lo, m.FMA(y.hi, l.hi, m.Neg(p)))
	if y.lo != scalar.NoRef {
		q = m.FMA(y.lo, l.hi, q)
	}
	return dd{p, q}
}

// exp2Sum returns 2^(p.hi + p.lo). |p.hi| is at most the far of pow.
func (m fn) exp2Sum(p dd) scalar.Ref {
	s := p.hi
	if m.t == scalar.F64 {
		s = m.Add(p.hi, p.lo)
	}
	n := m.nearest(m.Add(s, m.c(m.magic())))
	return m.Scale(m.exp2Poly(m.Add(m.Sub(p.hi, n), p.lo)), n)
}

// pow returns xʸ with C99's corners: 2^(y·log₂ x). It is rare that x is not positive and normal,
// or that the result is at the ends of the range.
func (m fn) pow(x scalar.Ref, y exponent) scalar.Ref {
	near, far := 1070.0, 1100.0
	if m.t == scalar.F32 {
		near, far = 150, 160
	}
	p := m.times(y, m.log2Sum(x))
	usual := m.And(m.isNormal(x), m.Lt(m.Abs(p.hi), m.c(near)))
	return m.Rare(m.Not(usual), m.powCorners(x, y, far), m.exp2Sum(p))
}

// powCorners returns xʸ for every x and y.
func (m fn) powCorners(x scalar.Ref, y exponent, far float64) scalar.Ref {
	zero, one, inf := m.c(0), m.c(1), m.inf(m.t)
	a := m.Abs(x)
	mant := m.mantissa()
	small := m.Lt(a, m.c(pow2(1-m.bias())))
	l := m.log2Sum(m.Select(small, m.Mul(a, m.c(pow2(mant))), a))
	up := m.Select(small, m.c(float64(-mant)), zero)
	s, e := m.twoSum(l.hi, up)
	l = m.norm(dd{s, m.Add(e, l.lo)})
	regular := m.And(m.Lt(zero, a), m.Lt(a, inf))
	l.hi = m.Select(regular, l.hi, m.Select(m.Eq(a, zero), m.Neg(inf), inf))
	l.lo = m.Select(regular, l.lo, zero)
	p := m.times(y, l)
	p.lo = m.Select(m.within(p.hi, far), p.lo, zero)
	p.hi = m.clamp(p.hi, -far, far)
	r := m.exp2Sum(p)
	i := m.t.Signed()
	neg := m.Lt(m.Bitcast(i, x), m.Int(i, 0))
	r = m.Select(m.And(neg, y.odd), m.Neg(r), r)
	nan := m.And(m.And(m.Lt(x, zero), m.Lt(a, inf)), m.Not(y.whole))
	nan = m.Or(nan, m.Or(m.IsNaN(x), m.IsNaN(y.hi)))
	r = m.Select(nan, m.nan(m.t), r)
	sure := m.Or(m.Eq(y.hi, zero), m.Eq(x, one))
	sure = m.Or(sure, m.And(m.Eq(a, one), m.Eq(m.Abs(y.hi), inf)))
	return m.Select(sure, one, r)
}

// powFloat returns xʸ of floats x and y. If y is 2, it is x·x, which is rounded once.
func (m fn) powFloat(x, y scalar.Ref) scalar.Ref {
	half := m.Mul(y, m.c(0.5))
	whole := m.Eq(m.Trunc(y), y)
	odd := m.And(whole, m.Ne(m.Trunc(half), half))
	r := m.pow(x, exponent{y, scalar.NoRef, odd, whole})
	return m.Select(m.Eq(y, m.c(2)), m.Mul(x, x), r)
}

// powInt returns xʸ of a float x and an integer y. If y is 2, it is x·x.
func (m fn) powInt(x, y scalar.Ref) scalar.Ref {
	t := m.TypeOf(y)
	e := exponent{hi: m.Convert(m.t, y), lo: scalar.NoRef, odd: m.odd(y), whole: m.Const(scalar.Bool, 1)}
	if t.Size() >= 4 && m.t == scalar.F32 {
		// If e.hi is a power of two that t does not contain, it is converted to one less. That does not count.
		e.lo = m.Convert(m.t, m.Bitcast(t.Signed(), m.Sub(y, m.Convert(t, e.hi))))
	}
	r := m.pow(x, e)
	return m.Select(m.Eq(y, m.Int(t, 2)), m.Mul(x, x), r)
}

// powElem returns xʸ for a float or complex x and a y of x's type or an integer.
func powElem(x *expander, in []Elem) Elem {
	dt, yt := in[0].DType, in[1].DType
	b := x.builder
	switch {
	case dt.IsComplex():
		w := x.loadPair(in[1])
		if !yt.IsComplex() {
			t := b.TypeOf(in[0].Re)
			w = pair{b.Convert(t, x.load(in[1])), b.Float(t, 0)}
		}
		return x.elemPair(dt, powPair(b, x.loadPair(in[0]), w))
	case !dt.IsFloat():
		return x.fail(dt)
	case yt.IsInteger():
		m := fn{b, computed(dt), false}
		return x.elem(dt, m.powInt(x.load(in[0]), in[1].Re))
	}
	return arith(rule{floats: fn2(native2(fn.powFloat))})(x, in)
}
