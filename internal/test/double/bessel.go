package double

import "math"

// BesselI0e returns e^(−|x|)·I₀(x).
func BesselI0e(x D) D { return besselScaled(x.Abs(), 0) }

// BesselI1e returns e^(−|x|)·I₁(x).
func BesselI1e(x D) D { return signed(besselScaled(x.Abs(), 1), x) }

// besselScaled returns e^(−x)·I_order(x) for x ≥ 0: by the power series up to 40, beyond by the
// asymptotic one.
func besselScaled(x D, order int) D {
	s, t := Of(1), Of(1)
	if x.Hi > 40 {
		for k := 1; math.Abs(t.Hi) > 0x1p-110; k++ {
			odd := 2*k - 1
			t = t.Times(float64(odd*odd - 4*order)).Div(x.Times(float64(8 * k)))
			s = s.Add(t)
		}
		return s.Div(pi.scale(2).Sqrt().Mul(x.Sqrt()))
	}
	z := x.Mul(x).scale(0.25)
	for k := 1; t.Hi > 0x1p-110*s.Hi; k++ {
		t = t.Mul(z).Div(Of(float64(k * (k + order))))
		s = s.Add(t)
	}
	if order == 1 {
		s = s.Mul(x.scale(0.5))
	}
	return s.Mul(Exp(x.Neg()))
}
