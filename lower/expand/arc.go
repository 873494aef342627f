package expand

import (
	"math"

	"github.com/weft-go/weft/lower/scalar"
)

// arcTail returns what a series in z = y² adds to y: y·z·A(z).
func (m fn) arcTail(y, z scalar.Ref, c []float64) scalar.Ref {
	return m.Mul(m.Mul(y, z), m.poly(z, c))
}

// quarters returns k·π/2 as the sum of two constants.
func (m fn) quarters(k float64) (hi, lo scalar.Ref) {
	hi, lo, _ = m.parts(piHalf.times(k))
	return hi, lo
}

// arcRoot prepares asin and acos. If a = |x| > ½, which big reports, y is the root of z = (1−a)/2, and asin a =
// π/2 − 2·asin y; else y is a. tail is what asin adds to y.
func (m fn) arcRoot(a scalar.Ref) (big, y, tail scalar.Ref) {
	half := m.c(0.5)
	big = m.Lt(half, a)
	z := m.Mul(m.Sub(m.c(1), a), half)
	s := m.Sqrt(z)
	// s + e is the root, with an error too small to matter.
	e := m.Div(m.FMA(m.Neg(s), s, z), m.Add(s, s))
	e = m.Select(m.Eq(z, m.c(0)), m.c(0), e)
	z = m.Select(big, z, m.Mul(a, a))
	y = m.Select(big, s, a)
	tail = m.arcTail(y, z, m.choose(polyAsin32, polyAsin64, polyAsin64))
	return big, y, m.Select(big, m.Add(tail, e), tail)
}

// asin returns the arc sine, NaN outside of [−1, 1].
func (m fn) asin(x scalar.Ref) scalar.Ref {
	big, y, tail := m.arcRoot(m.Abs(x))
	two := m.c(-2)
	ph, pl := m.quarters(1)
	h, l := m.fastTwoSum(ph, m.Mul(two, y))
	l = m.Add(l, m.FMA(two, tail, pl))
	r := m.Add(m.Select(big, h, y), m.Select(big, l, tail))
	return m.copySign(r, x)
}

// acos returns the arc cosine, NaN outside of [−1, 1]. For |x| ≤ ½ it is π/2 − asin x; for x > ½ it is twice
// the asin of arcRoot's y, and for x < −½ it is π minus that.
func (m fn) acos(x scalar.Ref) scalar.Ref {
	big, y, tail := m.arcRoot(m.Abs(x))
	neg := m.Lt(x, m.c(0))
	sign := m.signOf(x)
	// In the middle π/2 ∓ (y + tail), outside 2(y + tail) or π − 2(y + tail).
	flip := m.Const(m.t.Unsigned(), signMask(m.t))
	ph, pl := m.quarters(1)
	wh, wl := m.quarters(2)
	y2, t2 := m.Add(y, y), m.Add(tail, tail)
	c := m.Select(big, m.Select(neg, wh, m.c(0)), ph)
	d := m.Select(big, m.Select(neg, wl, m.c(0)), pl)
	s := m.Select(big, sign, m.Xor(sign, flip))
	yy := m.flipSign(m.Select(big, y2, y), s)
	tt := m.flipSign(m.Select(big, t2, tail), s)
	h, l := m.fastTwoSum(c, yy)
	return m.Add(h, m.Add(l, m.Add(d, tt)))
}

const (
	tanPi8  = 0x1.a827999fcef32p-2
	tan3Pi8 = 0x1.3504f333f9de6p+1
)

// atan returns the arc tangent. With a = |x| it is atan a, or π/4 + atan((a−1)/(a+1)), or π/2 + atan(−1/a).
func (m fn) atan(x scalar.Ref) scalar.Ref {
	a := m.Abs(x)
	one, zero := m.c(1), m.c(0)
	mid, far := m.Lt(m.c(tanPi8), a), m.Lt(m.c(tan3Pi8), a)
	num := m.Select(far, m.c(-1), m.Select(mid, m.Sub(a, one), a))
	den := m.Select(far, a, m.Select(mid, m.Add(a, one), one))
	ph, pl := m.quarters(1)
	eh, el := m.quarters(0.5)
	h := m.Select(far, ph, m.Select(mid, eh, zero))
	l := m.Select(far, pl, m.Select(mid, el, zero))
	t := m.Div(num, den)
	tail := m.arcTail(t, m.Mul(t, t), m.choose(polyAtan32, polyAtan64, polyAtanS))
	s, e := m.fastTwoSum(h, t)
	return m.copySign(m.Add(s, m.Add(m.Add(e, l), tail)), x)
}

// atan2 returns the angle of the point (x, y), in [−π, π], with C99's corners.
func (m fn) atan2(y, x scalar.Ref) scalar.Ref {
	a := m.angle(y, x, false)
	return m.copySign(m.Add(a.hi, a.lo), y)
}

// angle returns |atan2(y, x)| as a sum of two, good to a few bits more than a float, or to
// about 65 bits if long.
func (m fn) angle(y, x scalar.Ref, long bool) dd {
	zero, one := m.c(0), m.c(1)
	ax, ay := m.Abs(x), m.Abs(y)
	steep := m.Lt(ax, ay)
	a, b := m.Min(ax, ay), m.Max(ax, ay)
	// Scale both so that b is near one. Two infinities and two zeros are handled separately.
	if !m.brief {
		s := m.scaleToOne(b)
		a, b = m.Mul(a, s), m.Mul(b, s)
	}
	both := m.Eq(m.Min(ax, ay), m.inf(m.t))
	a = m.Select(both, one, a)
	b = m.Select(both, one, m.Select(m.Eq(b, zero), one, b))
	// Where a/b > tan π/8, atan(a/b) = π/4 − atan((b − a)/(b + a)).
	mid := m.Lt(m.Mul(m.c(tanPi8), b), a)
	ns, ne := m.fastTwoSum(m.Neg(b), a)
	ds, de := m.fastTwoSum(b, a)
	num := dd{m.Select(mid, ns, a), m.Select(mid, ne, zero)}
	den := dd{m.Select(mid, ds, b), m.Select(mid, de, zero)}
	t := m.Div(num.hi, den.hi)
	rest := m.FMA(m.Neg(t), den.hi, num.hi)
	rest = m.Add(rest, m.FMA(m.Neg(t), den.lo, num.lo))
	lo := m.Div(rest, den.hi)
	// If b is infinite, t is exact and lo is NaN.
	lo = m.Select(m.Lt(b, m.inf(m.t)), lo, zero)
	eh, el := m.quarters(0.5)
	h := m.Select(mid, eh, zero)
	l := m.Select(mid, el, zero)
	var angle dd
	if long {
		angle = m.ddAdd(dd{h, l}, m.atanLong(dd{t, lo}))
	} else {
		lo = m.Add(lo, m.arcTail(t, m.Mul(t, t), m.choose(polyAtan32, polyAtan64, polyAtanS)))
		s, e := m.fastTwoSum(h, t)
		angle = m.norm(dd{s, m.Add(m.Add(e, l), lo)})
	}
	turn := func(c scalar.Ref, quarter float64, v dd) dd { // c ? quarter·π/2 − v : v
		ph, pl := m.quarters(quarter)
		h, l := m.fastTwoSum(ph, m.Neg(v.hi))
		l = m.Add(l, m.Sub(pl, v.lo))
		w := m.norm(dd{h, l})
		return dd{m.Select(c, w.hi, v.hi), m.Select(c, w.lo, v.lo)}
	}
	angle = turn(steep, 1, angle)
	i := m.t.Signed()
	angle = turn(m.Lt(m.Bitcast(i, x), m.Int(i, 0)), 2, angle)
	bad := m.Or(m.IsNaN(x), m.IsNaN(y))
	return dd{m.Select(bad, m.nan(m.t), angle.hi), m.Select(bad, zero, angle.lo)}
}

// scaleToOne returns a power of two whose product with a normal x > 0 is near one. For 0 and subnormal numbers it
// is the greatest of these powers, for ∞ and NaN the least.
func (m fn) scaleToOne(x scalar.Ref) scalar.Ref {
	u, mant := m.t.Unsigned(), m.mantissa()
	e := m.ShrN(m.Bitcast(u, x), mant)
	most := int64(2 * m.bias())
	e = m.Min(m.Max(e, m.Int(u, 1)), m.Int(u, most-1))
	return m.Bitcast(m.t, m.ShlN(m.Sub(m.Int(u, most), e), mant))
}

// atanLong returns atan t for |t| ≤ tan π/8, by its series: the terms up to t¹⁵ as sums of two, the later ones,
// which add up to 2⁻²⁵, as single numbers. It is good to 2⁻⁷⁷: a power with an exponent of a million multiplies
// the angle, and its error, by that number.
func (m fn) atanLong(t dd) dd {
	const whole, last = 15, 57
	term := func(n int) (hi, lo float64) { // of tⁿ
		c := float64(1 - n&2)
		hi = c / float64(n)
		return hi, math.FMA(-hi, float64(n), c) / float64(n)
	}
	z := m.ddMul(t, t)
	var rest []float64
	for n := whole + 2; n <= last; n += 2 {
		c, _ := term(n)
		rest = append(rest, c)
	}
	hi, lo := term(whole)
	h, l := m.fastTwoSum(m.c(hi), m.Mul(z.hi, m.poly(z.hi, rest)))
	s := dd{h, m.Add(l, m.c(lo))}
	for n := whole - 2; n >= 3; n -= 2 {
		hi, lo := term(n)
		s = m.ddAdd(dd{m.c(hi), m.c(lo)}, m.ddMul(s, z))
	}
	return m.ddAdd(t, m.ddMul(m.ddMul(s, z), t))
}
