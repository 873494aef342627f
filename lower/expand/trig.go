package expand

import "github.com/weft-go/weft/lower/scalar"

// trigReduce writes x = n·π/2 + r, |r| ≤ π/4, r as a sum of two; n counts modulo 4,
// in the unsigned integer of m.t's size.
//
// Up to the limit, n·π/2 is taken off in three parts; the first difference is exact,
// as in expReduce. For larger x, x's mantissa is multiplied in integers by some of
// the bits of 2/π. The bits before these contribute whole turns, the bits after them
// contribute too little to matter (Payne and Hanek).
func (m fn) trigReduce(x scalar.Ref) (n scalar.Ref, r dd) {
	u := m.t.Unsigned()
	limit := 0x1p30
	if m.t == scalar.F32 {
		limit = 0x1p15
	}
	scale, _, _ := m.parts(twoOverPi)
	c1, c2, c3 := m.parts(piHalf)
	big := m.Le(m.c(limit), m.Abs(x))
	k, i := m.toInt(x, scale)
	a := m.FMA(m.Neg(k), c1, x)
	p, pe := m.twoProd(k, c2)
	s, e := m.twoSum(a, m.Neg(p))
	e = m.Sub(e, m.FMA(k, c3, pe))
	n = m.Bitcast(u, i)
	bn, b := m.payneHanek(x)
	return m.Rare(big, bn, n), dd{m.Rare(big, b.hi, s), m.Rare(big, b.lo, e)}
}

// payneHanek is trigReduce for finite |x| ≥ 2¹⁵; for other x the result has no meaning.
func (m fn) payneHanek(x scalar.Ref) (n scalar.Ref, r dd) {
	if m.t == scalar.F32 {
		w := fn{m.builder, scalar.F64, true}
		n64, q := w.payneHanek(m.Convert(scalar.F64, x))
		r.hi = m.Convert(scalar.F32, q.hi)
		r.lo = m.Convert(scalar.F32, m.Add(m.Sub(q.hi, m.Convert(scalar.F64, r.hi)), q.lo))
		return m.Convert(scalar.U32, n64), r
	}
	// x = ±mant·2^e. The words that begin at bit e − 2 of 2/π.
	xb := m.And(m.Bitcast(scalar.U64, x), m.Const(scalar.U64, 1<<63-1))
	mant := m.Or(m.And(xb, m.Const(scalar.U64, 1<<52-1)), m.Const(scalar.U64, 1<<52))
	at := m.Sub(m.ShrN(xb, 52), m.Int(scalar.U64, 1075+2-64))
	at = m.Min(at, m.Int(scalar.U64, 1087)) // if |x| < 2⁻¹⁰, whose result is not selected: the last words
	var table [len(twoOverPiBits)]scalar.Ref
	for i, w := range twoOverPiBits {
		table[i] = m.Const(scalar.U64, w)
	}
	// Halve the table until four words are left.
	idx := m.ShrN(at, 6)
	size := len(table)
	for bit := 16; bit > 0; bit >>= 1 {
		c := m.Ne(m.And(idx, m.Int(scalar.U64, int64(bit))), m.Int(scalar.U64, 0))
		size = min(size, 4+bit-1)
		for i := 0; i < size; i++ {
			if i+bit < len(table) && table[i+bit] != scalar.NoRef {
				table[i] = m.Select(c, table[i+bit], table[i])
			}
		}
		for i := size; i < len(table); i++ {
			table[i] = scalar.NoRef
		}
	}
	sh := m.And(at, m.Int(scalar.U64, 63))
	back := m.Sub(m.Int(scalar.U64, 64), sh)
	var w [3]scalar.Ref
	for i := range w {
		w[i] = m.Or(m.Shl(table[i], sh), m.Shr(table[i+1], back))
	}
	// The turns in x, modulo one: mant·w modulo 2¹⁹².
	f2 := m.Mul(mant, w[2])
	lo1 := m.Mul(mant, w[1])
	f1 := m.Add(lo1, m.MulHi(mant, w[2]))
	carry := m.Select(m.Lt(f1, lo1), m.Int(scalar.U64, 1), m.Int(scalar.U64, 0))
	f0 := m.Add(m.Add(m.Mul(mant, w[0]), m.MulHi(mant, w[1])), carry)
	// The nearest quarter turn, and the rest, with its sign apart.
	n = m.ShrN(m.Add(f0, m.Const(scalar.U64, 1<<61)), 62)
	f0 = m.Sub(f0, m.ShlN(n, 62))
	neg := m.Bitcast(scalar.U64, m.ShrN(m.Bitcast(scalar.I64, f0), 63))
	piece := func(f scalar.Ref, high bool, scale int) scalar.Ref {
		f = m.Xor(f, neg)
		if high {
			f = m.ShrN(f, 32)
		} else {
			f = m.And(f, m.Const(scalar.U64, 1<<32-1))
		}
		v := m.Sub(m.Bitcast(scalar.F64, m.Or(f, m.Const(scalar.U64, 0x433<<52))), m.c(0x1p52))
		return m.Mul(v, m.c(pow2(-scale)))
	}
	s, e := m.fastTwoSum(piece(f0, true, 32), piece(f0, false, 64))
	tail := m.Add(piece(f1, true, 96), m.Add(piece(f1, false, 128), piece(f2, true, 160)))
	s, e = m.fastTwoSum(s, m.Add(e, tail))
	turn := piHalf.times(4)
	p, pe := m.twoProd(s, m.c(turn[0]))
	q := m.Add(m.FMA(s, m.c(turn[1]), pe), m.Mul(e, m.c(turn[0])))
	r.hi, r.lo = m.fastTwoSum(p, q)
	// The sign of the rest, and the sign of x.
	xneg := m.And(m.Bitcast(scalar.U64, x), m.Const(scalar.U64, 1<<63))
	sign := m.Xor(m.And(neg, m.Const(scalar.U64, 1<<63)), xneg)
	r = dd{m.flipSign(r.hi, sign), m.flipSign(r.lo, sign)}
	n = m.Select(m.Eq(xneg, m.Int(scalar.U64, 0)), n, m.Neg(n))
	return n, r
}

// sinPoly returns sin r for |r| ≤ π/4 as a sum of two.
func (m fn) sinPoly(r dd) dd {
	z := m.Mul(r.hi, r.hi)
	t := m.FMA(m.Mul(z, m.c(-0.5)), r.lo, r.lo)
	t = m.FMA(m.Mul(z, r.hi), m.poly(z, m.choose(polySin32, polySin64, polySinS)), t)
	return dd{r.hi, t}
}

// cosPoly returns cos r for |r| ≤ π/4 as a sum of two.
func (m fn) cosPoly(r dd) dd {
	z := m.Mul(r.hi, r.hi)
	h := m.Mul(z, m.c(0.5))
	w := m.Sub(m.c(1), h)
	t := m.Sub(m.Sub(m.c(1), w), h)
	t = m.Sub(t, m.Mul(r.hi, r.lo))
	t = m.FMA(m.Mul(z, z), m.poly(z, m.choose(polyCos32, polyCos64, polyCosS)), t)
	return dd{w, t}
}

// odd returns whether n is odd; halfTurn returns the sign bit that n quarter turns flip.
func (m fn) odd(n scalar.Ref) scalar.Ref {
	t := m.TypeOf(n)
	return m.Ne(m.And(n, m.Int(t, 1)), m.Int(t, 0))
}

func (m fn) halfTurn(n scalar.Ref) scalar.Ref {
	t := m.TypeOf(n)
	return m.ShlN(m.And(n, m.Int(t, 2)), t.Bits()-2)
}

func (m fn) finiteOrNaN(x, r scalar.Ref) scalar.Ref {
	return m.Select(m.Lt(m.Abs(x), m.inf(m.t)), r, m.nan(m.t))
}

// tiny returns a bound below which x³ does not show in x.
func (m fn) tiny() float64 { return pow2(-m.mantissa()/2 - 2) }

// sin r = r + r³s(r²) and cos r = c(r²) for |r| ≤ π/4 and a little more, and π/2 as the sum
// of three.
var (
	sin32 = []float64{-0x1.555544p-3, 0x1.1106e2p-7, -0x1.992aaep-13}
	cos32 = []float64{1, -0.5, 0x1.55554ap-5, -0x1.6c0c2cp-10, 0x1.99e9b6p-16}
	sin64 = []float64{-0x1.5555555555548p-3, 0x1.111111110f739p-7, -0x1.a01a019beaec6p-13, 0x1.71de35571f757p-19, -0x1.ae5e4d47bbd49p-26, 0x1.5d8be6842fa43p-33}
	cos64 = []float64{1, -0.5, 0x1.555555555554bp-5, -0x1.6c16c16c15034p-10, 0x1.a01a019c937b9p-16, -0x1.27e4f7f503bdfp-22, 0x1.1ee9de212fc78p-29, -0x1.8fa7a38385b6cp-37}

	quarter32 = [3]float64{0x1.921fb6p0, -0x1.777a5cp-25, -0x1.ee59dap-50}
	quarter64 = [3]float64{0x1.921fb54442d18p0, 0x1.1a62633145c07p-54, -0x1.f1976b7ed8fbcp-110}
)

// turn returns sin(|x| + quarters·π/2) for quarters of 0 or 1, negated where sign, a result of signOf, has the sign
// bit; sign may be NoRef. |x| is k·π/2 + r, and where k + quarters is odd the result is ±cos r.
func (m fn) turn(x scalar.Ref, quarters int64, sign scalar.Ref) scalar.Ref {
	limit, p, perQuarter := 0x1p30, quarter64, 0x1.45f306dc9c883p-1
	if m.t == scalar.F32 {
		limit, p, perQuarter = 0x1p17, quarter32, 0x1.45f306p-1
	}
	u := m.t.Unsigned()
	a := m.Abs(x)
	t := m.FMA(a, m.c(perQuarter), m.c(m.magic()))
	k := m.nearest(t)
	r := m.FMA(k, m.c(-p[2]), m.FMA(k, m.c(-p[1]), m.FMA(k, m.c(-p[0]), a)))
	far := m.Not(m.Lt(a, m.c(limit)))
	n, q := m.payneHanek(a)
	j := m.Rare(far, n, m.Bitcast(u, t))
	r = m.Rare(far, m.finiteOrNaN(a, q.hi), r)
	j = m.Add(j, m.Int(u, quarters))
	z := m.Mul(r, r)
	s := m.FMA(m.Mul(r, z), m.poly(z, m.choose(sin32, sin64, sin64)), r)
	c := m.poly(z, m.choose(cos32, cos64, cos64))
	y := m.flipSign(m.Select(m.odd(j), c, s), m.halfTurn(j))
	if sign != scalar.NoRef {
		y = m.flipSign(y, sign)
	}
	return y
}

func (m fn) sin(x scalar.Ref) scalar.Ref { return m.turn(x, 0, m.signOf(x)) }

func (m fn) cos(x scalar.Ref) scalar.Ref { return m.turn(x, 1, scalar.NoRef) }

// tan returns sine by cosine, or in odd quarters −cosine by sine.
func (m fn) tan(x scalar.Ref) scalar.Ref {
	n, r := m.trigReduce(x)
	s, c := m.sinPoly(r), m.cosPoly(r)
	odd := m.odd(n)
	num := dd{m.Select(odd, c.hi, s.hi), m.Select(odd, c.lo, s.lo)}
	den := dd{m.Select(odd, m.Neg(s.hi), c.hi), m.Select(odd, m.Neg(s.lo), c.lo)}
	y := m.quot(m.norm(num), m.norm(den))
	y = m.finiteOrNaN(x, y)
	return m.Select(m.within(x, m.tiny()), x, y)
}

// norm returns the same sum with a low part of less than an ulp of the high part.
func (m fn) norm(a dd) dd {
	s, e := m.fastTwoSum(a.hi, a.lo)
	return dd{s, e}
}

// quot returns a/b for sums of two, rounded about once.
func (m fn) quot(a, b dd) scalar.Ref {
	q := m.Div(a.hi, b.hi)
	r := m.FMA(m.Neg(q), b.hi, a.hi)
	r = m.Add(r, m.FMA(m.Neg(q), b.lo, a.lo))
	return m.Add(q, m.Div(r, b.hi))
}
