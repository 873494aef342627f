package expand

import "github.com/weft-go/weft/lower/scalar"

// rootsOf returns √(1 + z) and √(1 − z).
func (m fn) rootsOf(z pair) (plus, minus pair) {
	one := m.c(1)
	plus = m.sqrtC(pair{m.Add(one, z.re), z.im})
	minus = m.sqrtC(pair{m.Sub(one, z.re), m.Neg(z.im)})
	return plus, minus
}

// asinC, by Kahan: atan(x/Re(√(1−z)·√(1+z))) + i·asinh(Im(conj √(1−z)·√(1+z))).
func (m fn) asinC(z pair) pair {
	p, q := m.rootsOf(z)
	re := m.atan2(z.re, m.FMA(q.re, p.re, m.Neg(m.Mul(q.im, p.im))))
	im := m.asinh(m.FMA(q.re, p.im, m.Neg(m.Mul(q.im, p.re))))
	far := m.farOut(z)
	re = m.Rare(far, m.atan2(z.re, m.Abs(z.im)), re)
	im = m.Rare(far, m.copySign(m.logTwiceModulus(z), z.im), im)
	return m.arcCorners(z, pair{re, im})
}

// farOut reports whether a part of z is above 2⁵⁰⁰ in magnitude: there the imaginary parts of asin z and acos z are
// ±log|2z|.
func (m fn) farOut(z pair) scalar.Ref { return m.Lt(m.c(0x1p500), m.Max(m.Abs(z.re), m.Abs(z.im))) }

func (m fn) logTwiceModulus(z pair) scalar.Ref {
	return m.Add(m.logModulus(z, m.Sub(m.Abs(z.re), m.c(1))), m.c(ln2[0]))
}

// arcCorners returns asin z where z is infinite or NaN, else w.
func (m fn) arcCorners(z, w pair) pair {
	inf, nan := m.inf(m.t), m.nan(m.t)
	infX, infY := m.isInf(z.re), m.isInf(z.im)
	nanX, nanY := m.IsNaN(z.re), m.IsNaN(z.im)
	quarter := m.Select(infX, m.Select(infY, m.c(piHalf[0]/2), m.c(piHalf[0])), m.c(0))
	any := m.Or(infX, infY)
	re := m.Select(any, m.copySign(quarter, z.re), w.re)
	im := m.Select(any, m.copySign(inf, z.im), w.im)
	// With one part NaN: ∞ or zero on the other side survives.
	bad := m.Or(nanX, nanY)
	re = m.Select(bad, m.Select(m.isZero(z.re), z.re, nan), re)
	im = m.Select(bad, m.Select(any, m.copySign(inf, z.im), nan), im)
	return pair{re, im}
}

// acosC returns 2·atan(Re √(1−z)/Re √(1+z)) + i·asinh(Im(conj √(1+z)·√(1−z))).
func (m fn) acosC(z pair) pair {
	p, q := m.rootsOf(z)
	re := m.Mul(m.c(2), m.atan2(q.re, p.re))
	im := m.asinh(m.FMA(p.re, q.im, m.Neg(m.Mul(p.im, q.re))))
	far := m.farOut(z)
	re = m.Rare(far, m.atan2(m.Abs(z.im), z.re), re)
	im = m.Rare(far, m.Neg(m.copySign(m.logTwiceModulus(z), z.im)), im)
	inf, nan := m.inf(m.t), m.nan(m.t)
	infX, infY := m.isInf(z.re), m.isInf(z.im)
	any := m.Or(infX, infY)
	angle := m.Select(infX, m.Select(m.Lt(z.re, m.c(0)), m.c(2*piHalf[0]), m.c(0)), m.c(piHalf[0]))
	both := m.Select(m.Lt(z.re, m.c(0)), m.c(1.5*piHalf[0]), m.c(piHalf[0]/2))
	angle = m.Select(m.And(infX, infY), both, angle)
	re = m.Select(any, angle, re)
	im = m.Select(any, m.Neg(m.copySign(inf, z.im)), im)
	bad := m.Or(m.IsNaN(z.re), m.IsNaN(z.im))
	re = m.Select(bad, m.Select(m.isZero(z.re), m.c(piHalf[0]), nan), re)
	im = m.Select(bad, m.Select(any, m.Neg(m.copySign(inf, z.im)), nan), im)
	return pair{re, im}
}

// asinhC returns i·asin(−iz), acoshC is ±i·acos z with the real part ≥ 0.
func (m fn) asinhC(z pair) pair { return m.timesI(m.asinC(m.overI(z))) }

func (m fn) acoshC(z pair) pair {
	w := m.acosC(z)
	return pair{m.Abs(w.im), m.copySign(w.re, z.im)}
}

// atanhC returns ¼·log1p(4x/((1−x)² + y²)) + ½i·atan2(2y, (1−x)(1+x) − y²).
func (m fn) atanhC(z pair) pair {
	one, zero, inf := m.c(1), m.c(0), m.inf(m.t)
	x, y := m.Abs(z.re), m.Abs(z.im)
	// Far from zero it is 1/z ± ½πi, rounded to x/|z|² and ±π/2.
	hi := m.Max(x, y)
	far := m.Lt(m.c(0x1p60), hi)
	a, b := m.Select(far, m.c(2), x), m.Select(far, one, y)
	d := m.Sub(one, a)
	den := m.FMA(d, d, m.Mul(b, b))
	re := m.Mul(m.c(0.25), m.log1p(m.Div(m.Mul(m.c(4), a), den)))
	im := m.Mul(m.c(0.5), m.atan2(m.Add(b, b), m.FMA(d, m.Add(one, a), m.Neg(m.Mul(b, b)))))
	s, _ := m.powerScale(hi)
	u, v := m.Mul(x, s), m.Mul(y, s)
	out := m.Mul(m.Div(u, m.FMA(u, u, m.Mul(v, v))), s)
	re = m.Select(far, m.Select(m.Or(m.Eq(x, inf), m.Eq(y, inf)), zero, out), re)
	im = m.Select(far, m.c(piHalf[0]), im)
	// With a NaN, an infinite part or a real part of zero still determines a part of the result.
	nan := m.nan(m.t)
	bad := m.Or(m.IsNaN(x), m.IsNaN(y))
	re = m.Select(bad, m.Select(m.Or(m.Eq(x, inf), m.Eq(y, inf)), zero, m.Select(m.isZero(x), x, nan)), re)
	im = m.Select(bad, m.Select(m.Eq(y, inf), m.c(piHalf[0]), nan), im)
	return pair{m.copySign(re, z.re), m.copySign(im, z.im)}
}

// atanC returns −i·atanh(iz).
func (m fn) atanC(z pair) pair { return m.overI(m.atanhC(m.timesI(z))) }
