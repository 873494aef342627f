package expand

import "github.com/weft-go/weft/lower/scalar"

// powPair returns exp(w·log z); 0⁰ = 1.
func powPair(b builder, z, w pair) pair {
	if b.TypeOf(z.re) == scalar.F64 {
		return fn{b, scalar.F64, false}.powC(z, w)
	}
	return b.narrowPair(scalar.F32, fn{b, scalar.F64, true}.powC(b.wide(z), b.wide(w)))
}

// powC returns exp(w·log z), one for w = 0.
func (m fn) powC(z, w pair) pair {
	zero, one := m.c(0), m.c(1)
	l := m.logC(z)
	p := mulPair(m.builder, w, l)
	r := m.expC(p)
	if !m.brief {
		// The error of the product is the relative error of its exponential, and the product may
		// exceed 700. So where all is finite, the logarithm and the product are sums of two.
		q, a, s, c := m.powLong(z, w)
		// A zero angle has the sign that the plain product has.
		q.im = m.Select(m.And(m.isZero(q.im), m.isZero(p.im)), p.im, q.im)
		long := m.turned(q, a, s, c)
		ok := m.And(m.And(m.finite(l.re), m.finite(l.im)), m.And(m.within(p.re, 2000), m.within(p.im, 0x1p50)))
		r = m.selectPair(ok, long, r)
	}
	none := m.And(m.isZero(w.re), m.isZero(w.im))
	// 0 to a power with positive real part is 0.
	origin := m.And(m.isZero(z.re), m.isZero(z.im))
	r = m.selectPair(m.And(origin, m.Lt(zero, w.re)), pair{zero, zero}, r)
	return m.selectPair(none, pair{one, zero}, r)
}

// powLong returns w·log z: rounded, its real part as a sum of two, and the sine and cosine
// of its imaginary part.
func (m fn) powLong(z, w pair) (p pair, re dd, sin, cos scalar.Ref) {
	theta := m.angle(z.im, z.re, true)
	sign := m.signOf(z.im)
	theta = dd{m.flipSign(theta.hi, sign), m.flipSign(theta.lo, sign)}
	// log|z| = ½·log(x² + y²), scaled so that nothing is lost.
	hi := m.Max(m.Abs(z.re), m.Abs(z.im))
	s1, up1 := m.powerScale(hi)
	v := m.scalePair(z, s1)
	s2, up2 := m.powerScale(m.Max(m.Abs(v.re), m.Abs(v.im)))
	v = m.scalePair(v, s2)
	n := m.fromInt(m.Sub(m.Add(m.ShrN(m.Bitcast(scalar.I64, up1), 52), m.ShrN(m.Bitcast(scalar.I64, up2), 52)), m.Int(scalar.I64, 2046)))
	x2, xe := m.twoProd(v.re, v.re)
	y2, ye := m.twoProd(v.im, v.im)
	s, e := m.twoSum(x2, y2)
	sum := m.norm(dd{s, m.Add(e, m.Add(xe, ye))})
	// sum = 2ᵏ·(1 + f): half the logarithm, and n more powers of two.
	k, f := m.logReduce(sum.hi)
	_, ki := m.toInt(k, m.c(-1))
	l := m.logWhole(m.FMA(n, m.c(2), k), dd{f, m.Mul(sum.lo, m.power2(ki))})
	l = dd{m.Mul(l.hi, m.c(0.5)), m.Mul(l.lo, m.c(0.5))}
	times := func(a scalar.Ref, b dd) dd {
		h, e := m.twoProd(a, b.hi)
		return m.norm(dd{h, m.FMA(a, b.lo, e)})
	}
	minus := func(a dd) dd { return dd{m.Neg(a.hi), m.Neg(a.lo)} }
	re = m.ddAdd(times(w.re, l), minus(times(w.im, theta)))
	im := m.ddAdd(times(w.re, theta), times(w.im, l))
	sin, cos = m.sinCosSum(im)
	return pair{re.hi, im.hi}, re, sin, cos
}

// atan2Pair returns −i·log((x + iy)/√(x² + y²)), which for real operands is the angle.
func atan2Pair(b builder, y, x pair) pair {
	if b.TypeOf(y.re) == scalar.F64 {
		return fn{b, scalar.F64, false}.atan2C(y, x)
	}
	return b.narrowPair(scalar.F32, fn{b, scalar.F64, true}.atan2C(b.wide(y), b.wide(x)))
}

func (m fn) atan2C(y, x pair) pair {
	// Both scaled alike: the angle stays.
	hi := m.Max(m.Max(m.Abs(y.re), m.Abs(y.im)), m.Max(m.Abs(x.re), m.Abs(x.im)))
	s, _ := m.powerScale(hi)
	y, x = m.scalePair(y, s), m.scalePair(x, s)
	b := m.builder
	root := m.sqrtC(addPair(b, squarePair(b, x), squarePair(b, y)))
	w := divPair(b, addPair(b, x, m.timesI(y)), root)
	return m.overI(m.logC(w))
}
