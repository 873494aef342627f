package expand

import "github.com/weft-go/weft/lower/scalar"

// expReduce writes x = n·ln 2 + r, |r| ≤ ½ln 2, r as a sum of two. Only the last bits of r.lo are rounded, since
// x − n·hi fits a float, where hi is the first part of ln 2.
func (m fn) expReduce(x scalar.Ref) (n scalar.Ref, r dd) {
	scale, _, _ := m.parts(log2e)
	hi, lo, _ := m.parts(ln2)
	k, n := m.toInt(x, scale)
	k = m.Neg(k)
	a := m.FMA(k, hi, x)
	r.hi = m.FMA(k, lo, a)
	r.lo = m.FMA(k, lo, m.Sub(a, r.hi))
	return n, r
}

// expRange limits x to little more than the range in which exp is neither 0 nor ∞: the result is the same, and its
// exponent stays in range.
func (m fn) expRange(x scalar.Ref) scalar.Ref {
	if m.t == scalar.F32 {
		return m.lesser(m.greater(x, m.c(-104)), m.c(89))
	}
	return m.lesser(m.greater(x, m.c(-746)), m.c(710))
}

// Polynomials of the exponential functions, lowest coefficient first, fitted to the
// reduced argument with their coefficients rounded.
var (
	exp32  = []float64{1, 1, 0x1.fffffcp-2, 0x1.55549p-3, 0x1.5558a6p-5, 0x1.123aecp-7, 0x1.6a5a54p-10}
	exp64  = []float64{1, 1, 0x1.000000000000ap-1, 0x1.55555555554fcp-3, 0x1.5555555550688p-5, 0x1.111111112725fp-7, 0x1.6c16c1848904bp-10, 0x1.a01a012dcb0c3p-13, 0x1.a0199921d1704p-16, 0x1.71df1d1450403p-19, 0x1.28ae3e030198dp-22, 0x1.ad8d590fc30fcp-26}
	expS64 = append([]float64{1, 1}, polyExpS...)

	exp2of32 = []float64{1, 0x1.62e43p-1, 0x1.ebfbd8p-3, 0x1.c6af7p-5, 0x1.3b308cp-7, 0x1.5f0f82p-10, 0x1.3fbc78p-13}
	exp2of64 = []float64{1, 0x1.62e42fefa39efp-1, 0x1.ebfbdff82c5a6p-3, 0x1.c6b08d704a123p-5, 0x1.3b2ab6fb9fcedp-7, 0x1.5d87fe78a0b72p-10, 0x1.4309130faa988p-13, 0x1.ffcbfc5be5f5ep-17, 0x1.62bfc58ea7535p-20, 0x1.b525384e68c05p-24, 0x1.e61ee36200b31p-28, 0x1.e9546db5e8d7p-32}

	expm1of32 = []float64{0x1p-1, 0x1.5554aep-3, 0x1.555566p-5, 0x1.122912p-7, 0x1.6cb78ep-10}
	logisticQ = []float64{-0x1p-1, 0x1.5554aep-3, -0x1.555566p-5, 0x1.122912p-7, -0x1.6cb78ep-10} // expm1of32 at −r, negated
	expm1of64 = []float64{0x1.0000000000005p-1, 0x1.555555555553ap-3, 0x1.55555555520e5p-5, 0x1.1111111118c58p-7, 0x1.6c16c17f3e4e3p-10, 0x1.a01a01768e126p-13, 0x1.a019a66922029p-16, 0x1.71de84037392cp-19, 0x1.28a2cf34e6293p-22, 0x1.ae7313d6bf67p-26}
)

// logisticE is the polynomial in g² for g/2·coth(g/4·log 2), in units of 2⁵³.
var logisticE = []float64{0x1.71547652b82fep-52, 0x1.d9303fea2fa0cp-59, -0x1.e50096e02e372p-68, 0x1.631454dc11c27p-76, -0x1.10fa3f6d46519p-84, 0x1.a9abba52310b5p-93}

// clamp returns x within [lo, hi], or NaN.
func (m fn) clamp(x scalar.Ref, lo, hi float64) scalar.Ref {
	return m.lesser(m.greater(x, m.c(lo)), m.c(hi))
}

// nearest returns the integer n, as a float, to which y was rounded in the sum t = y + M with M =
// 1.5·2^mantissa. n is in the low bits of t, too.
func (m fn) nearest(t scalar.Ref) (n scalar.Ref) { return m.Sub(t, m.c(m.magic())) }

// reduce writes x = n·log 2 + r, |r| ≤ ½log 2 and a little more. n is in the low bits of t, too.
func (m fn) reduce(x scalar.Ref) (t, n, r scalar.Ref) {
	h, l := 0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56
	if m.t == scalar.F32 {
		h, l = 0x1.62e43p-1, -0x1.05c61p-29
	}
	t = m.FMA(x, m.c(log2e[0]), m.c(m.magic()))
	n = m.nearest(t)
	return t, n, m.FMA(n, m.c(-l), m.FMA(n, m.c(-h), x))
}

// powers returns magic + bias + shift. A number added to it is rounded to an integer n, and the low bits of the sum are
// n + bias + shift, of which powerOf makes 2ⁿ·2^shift.
func (m fn) powers(shift int) float64 { return m.magic() + float64(m.bias()+shift) }

// powerOf returns the number whose exponent, with its bias, stands in the low bits of t: see powers.
func (m fn) powerOf(t scalar.Ref) scalar.Ref {
	return m.Bitcast(m.t, m.ShlN(m.Bitcast(m.t.Unsigned(), t), m.mantissa()))
}

// inverseOf returns 2⁻ⁿ for the integer n in the low bits of t.
func (m fn) inverseOf(t scalar.Ref) scalar.Ref {
	u := m.t.Unsigned()
	b := m.ShlN(m.Bitcast(u, t), m.mantissa())
	return m.Bitcast(m.t, m.Sub(m.Int(u, int64(m.bias())<<m.mantissa()), b))
}

// exp returns eˣ = 2ⁿ·p(r).
func (m fn) exp(x scalar.Ref) scalar.Ref {
	_, n, r := m.reduce(m.expRange(x))
	return m.Scale(m.poly(r, m.choose(exp32, exp64, expS64)), n)
}

// exp2 returns 2ˣ = 2ⁿ·p(x − n).
func (m fn) exp2(x scalar.Ref) scalar.Ref {
	if m.t == scalar.F32 {
		x = m.clamp(x, -151, 129)
	} else {
		x = m.clamp(x, -1077, 1025)
	}
	n := m.nearest(m.Add(x, m.c(m.magic())))
	return m.Scale(m.exp2Poly(m.Sub(x, n)), n)
}

// exp2Poly returns 2^r for |r| ≤ ½.
func (m fn) exp2Poly(r scalar.Ref) scalar.Ref {
	return m.poly(r, m.choose(exp2of32, exp2of64, exp2of64))
}

// expm1 returns eˣ − 1 = 2ⁿ·(r²q(r) + (r + (1 − 2⁻ⁿ))), with the sign of x.
func (m fn) expm1(x scalar.Ref) scalar.Ref {
	y := x
	if m.t == scalar.F32 {
		y = m.clamp(y, -18, 89)
	} else {
		y = m.clamp(y, -38, 710)
	}
	t, n, r := m.reduce(y)
	q := m.poly(r, m.choose(expm1of32, expm1of64, polyExpS))
	g := m.inverseOf(m.lesser(t, m.c(m.magic()+64)))
	y = m.Scale(m.FMA(m.Mul(r, r), q, m.Add(r, m.Sub(m.c(1), g))), n)
	return m.copySign(y, x)
}

// logistic64 returns 1/(1 + e⁻ˣ) where e⁻ˣ = 2ⁿ·2^(g/2), |g| ≤ 1. With E = g/2·coth(g/4·log 2), which is even, 2^(g/2) is
// (E + g/2)/(E − g/2), so the quotient is a/(a + 2ⁿb) for a = E − g/2, b = a + g. a is in units of 2⁵³, so that the
// quotient rounds only once where it is subnormal.
func (m fn) logistic64(x scalar.Ref) scalar.Ref {
	const unit = -53
	x = m.clamp(x, -746, 60)
	magic := m.c(2 * m.powers(unit))
	t := m.FMA(x, m.c(-2*log2e[0]), magic)
	g := m.FMA(x, m.c(-2*log2e[1]), m.FMA(x, m.c(-2*log2e[0]), m.Sub(magic, t)))
	a := m.FMA(g, m.c(-pow2(unit-1)), m.poly(m.Mul(g, g), logisticE))
	b := m.FMA(a, m.c(pow2(-unit)), g)
	return m.Div(a, m.FMA(m.powerOf(t), b, a))
}

// logistic32 returns 1/(1 + e⁻ˣ) as k/(2ⁿk + (2ⁿk·p + k)), where e⁻ˣ = 2ⁿ(1 + p). k is so small that 2ⁿk is finite, and the
// quotient rounds only once where it is subnormal. The dividend is a constant so that package irpass's Reciprocals applies.
// The variables s and p contain −2ⁿk and −p.
func (m fn) logistic32(x scalar.Ref) scalar.Ref {
	const unit, sign = -24, 256 // sign is the bit above the exponent: s is negative
	x = m.clamp(x, -104, 60)
	magic := m.c(m.powers(unit + sign))
	t := m.FMA(x, m.c(-log2e[0]), magic)
	s, k := m.powerOf(t), m.c(pow2(unit))
	n := m.Sub(t, magic)
	r := m.FMA(n, m.c(-0x1.05c61p-29), m.FMA(n, m.c(0x1.62e43p-1), x))
	p := m.FMA(m.Mul(r, r), m.poly(r, logisticQ), r)
	return m.Div(k, m.Sub(m.FMA(p, s, k), s))
}

// expm1Parts returns n and p = e^r − 1 as a sum of two, with eˣ = 2ⁿ(1 + p).
func (m fn) expm1Parts(x scalar.Ref) (n scalar.Ref, p dd) {
	n, r := m.expReduce(x)
	coef := m.choose(polyExp32x, polyExp64, polyExpS)
	t := m.Mul(m.Mul(r.hi, r.hi), m.poly(r.hi, coef))
	p.hi, p.lo = m.fastTwoSum(r.hi, t)
	// e^(r+l) ≈ e^r + l·(1 + r).
	p.lo = m.Add(p.lo, m.FMA(r.lo, r.hi, r.lo))
	return n, p
}

// expParts returns n and eˣ/2ⁿ, within [√½, √2], as a sum of two.
func (m fn) expParts(x scalar.Ref) (n scalar.Ref, e dd) {
	n, p := m.expm1Parts(x)
	s, l := m.fastTwoSum(m.c(1), p.hi)
	return n, dd{s, m.Add(l, p.lo)}
}
