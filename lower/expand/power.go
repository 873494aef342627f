package expand

import "github.com/weft-go/weft/lower/scalar"

// rsqrt returns 1/√x: the quotient, put right by what the root and the division rounded.
func (m fn) rsqrt(x scalar.Ref) scalar.Ref {
	// So small that the remainders below would be rounded: scale by a power of 4.
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

// cbrt returns the cube root: x = 2^(3q)·v, a polynomial in v, two steps of Newton's
// kind, the last with the exact remainder.
func (m fn) cbrt(x scalar.Ref) scalar.Ref {
	a := m.Abs(x)
	n, f := m.logReduce(a)
	k, q := m.toInt(n, m.c(1.0/3))
	rest := m.FMA(k, m.c(-3), n) // −1, 0 or 1
	one := m.c(1)
	v := m.Add(one, f)
	v = m.Mul(v, m.Select(m.Lt(rest, m.c(0)), m.c(0.5), m.Select(m.Lt(m.c(0), rest), m.c(2), one)))
	y := m.poly(v, polyCbrt64)
	// Halley: y·(y³ + 2v)/(2y³ + v).
	c := m.Mul(m.Mul(y, y), y)
	y = m.Mul(y, m.Div(m.Add(c, m.Add(v, v)), m.Add(m.Add(c, c), v)))
	// Newton: y − (y³ − v)/(3y²).
	s, e := m.twoProd(y, y)
	r := m.FMA(e, y, m.FMA(s, y, m.Neg(v)))
	y = m.Sub(y, m.Div(r, m.Mul(m.c(3), s)))
	y = m.Mul(y, m.power2(q))
	y = m.Select(m.Eq(a, m.c(0)), a, y)
	y = m.Select(m.Lt(a, m.inf(m.t)), y, a)
	return m.copySign(y, x)
}

// ddMul returns a·b.
func (m fn) ddMul(a, b dd) dd {
	p, e := m.twoProd(a.hi, b.hi)
	e = m.FMA(a.hi, b.lo, m.FMA(a.lo, b.hi, e))
	return m.norm(dd{p, e})
}

// ddAdd returns a + b.
func (m fn) ddAdd(a, b dd) dd {
	s, e := m.twoSum(a.hi, b.hi)
	return m.norm(dd{s, m.Add(e, m.Add(a.lo, b.lo))})
}

// ddConst returns the first two parts of a constant.
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
		// f − n·hi loses nothing that counts.
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

// expSum returns e^(a.hi + a.lo), infinite and zero where a.hi is.
func (m fn) expSum(a dd) scalar.Ref {
	n, r := m.expReduce(m.expRange(a.hi))
	r.lo = m.Add(r.lo, m.Select(m.within(a.hi, 800), a.lo, m.c(0)))
	t := m.Mul(m.Mul(r.hi, r.hi), m.poly(r.hi, m.choose(nil, polyExp64, polyExpS)))
	h, l := m.fastTwoSum(r.hi, t)
	l = m.Add(l, m.FMA(r.lo, h, r.lo))
	s, e := m.fastTwoSum(m.c(1), h)
	return m.scale(m.Add(s, m.Add(e, l)), n)
}

// pow returns xʸ with C99's corners. odd says whether y is an odd integer and whole
// whether it is an integer at all.
func (m fn) pow(x, y, odd, whole scalar.Ref) scalar.Ref {
	zero, one, inf := m.c(0), m.c(1), m.inf(m.t)
	a := m.Abs(x)
	l := m.logSum(a)
	regular := m.And(m.Lt(zero, a), m.Lt(a, inf))
	l.hi = m.Select(regular, l.hi, m.Select(m.Eq(a, zero), m.Neg(inf), inf))
	l.lo = m.Select(regular, l.lo, zero)
	p := m.Mul(y, l.hi)
	e := m.FMA(y, l.lo, m.FMA(y, l.hi, m.Neg(p)))
	r := m.expSum(dd{p, e})
	neg := m.Lt(m.Bitcast(scalar.I64, x), m.Int(scalar.I64, 0))
	r = m.Select(m.And(neg, odd), m.Neg(r), r)
	nan := m.And(m.And(m.Lt(x, zero), m.Lt(a, inf)), m.Not(whole))
	nan = m.Or(nan, m.Or(m.IsNaN(x), m.IsNaN(y)))
	r = m.Select(nan, m.nan(m.t), r)
	sure := m.Or(m.Eq(y, zero), m.Eq(x, one))
	sure = m.Or(sure, m.And(m.Eq(a, one), m.Eq(m.Abs(y), inf)))
	return m.Select(sure, one, r)
}

// powFloat tells of a float y whether it is an integer, and an odd one.
func (m fn) powFloat(x, y scalar.Ref) scalar.Ref {
	half := m.Mul(y, m.c(0.5))
	whole := m.Eq(m.Trunc(y), y)
	odd := m.And(whole, m.Ne(m.Trunc(half), half))
	return m.pow(x, y, odd, whole)
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
		m := fn{b, scalar.F64, computed(dt) == scalar.F32}
		v := in[1].Re
		t := b.TypeOf(v)
		odd := b.Ne(b.And(v, b.Int(t, 1)), b.Int(t, 0))
		r := m.pow(b.Convert(scalar.F64, x.load(in[0])), b.Convert(scalar.F64, v), odd, b.Const(scalar.Bool, 1))
		return x.elem(dt, b.Convert(computed(dt), r))
	}
	return arith(rule{floats: fn2(throughF64x2(fn.powFloat))})(x, in)
}
