package expand

import "github.com/weft-go/weft/lower/scalar"

// besselI0e returns e^(−|x|)·I₀(x).
func (m fn) besselI0e(x scalar.Ref) scalar.Ref {
	a := m.Abs(x)
	near, far, isNear := m.besselParts(a,
		m.choose(polyBessel0Near32, polyBessel0Near64, nil), m.choose(polyBessel0Far32, polyBessel0Far64, nil))
	return m.Select(isNear, near, far)
}

// besselI1e returns e^(−|x|)·I₁(x), with the sign of x.
func (m fn) besselI1e(x scalar.Ref) scalar.Ref {
	a := m.Abs(x)
	near, far, isNear := m.besselParts(a,
		m.choose(polyBessel1Near32, polyBessel1Near64, nil), m.choose(polyBessel1Far32, polyBessel1Far64, nil))
	return m.copySign(m.Select(isNear, m.Mul(a, near), far), x)
}

// besselParts returns a polynomial in a − c, for a ≤ 2c, which isNear reports, and a polynomial in 4c/a − 1
// divided by √a, for larger a; c is 2 in f32 and 4 in f64. I₀, and I₁ over its argument, are completely monotone
// when they are scaled: in Horner's rule about c nothing cancels.
func (m fn) besselParts(a scalar.Ref, nearPoly, farPoly []float64) (near, far, isNear scalar.Ref) {
	c := 4.0
	if m.t == scalar.F32 {
		c = 2
	}
	d := m.Sub(a, m.c(c))
	near = m.poly(d, nearPoly)
	// The rounding of d counts where a is small: there the slope is −1 times the value.
	near = m.FMA(near, m.Sub(m.Add(d, m.c(c)), a), near)
	r := m.Div(m.c(1), m.Sqrt(a))
	far = m.Mul(m.poly(m.FMA(m.Mul(r, r), m.c(4*c), m.c(-1)), farPoly), r)
	return near, far, m.Le(a, m.c(2*c))
}
