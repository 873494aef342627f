package accuracy

import "math"

// besselI0e returns e^(−|x|)·I₀(x).
func besselI0e(x float64) float64 { return besselScaled(math.Abs(x), 0) }

// besselI1e returns e^(−|x|)·I₁(x).
func besselI1e(x float64) float64 { return math.Copysign(besselScaled(math.Abs(x), 1), x) }

// besselScaled returns e^(−x)·I_order(x) for x ≥ 0: by the power series up to 20, beyond by the
// asymptotic one.
func besselScaled(x float64, order int) float64 {
	s, t := 1.0, 1.0
	if x > 20 {
		for k := 1; math.Abs(t) > 0x1p-54; k++ {
			odd := 2*k - 1
			t *= float64(odd*odd-4*order) / (float64(8*k) * x)
			s += t
		}
		return s / (math.Sqrt(2*math.Pi) * math.Sqrt(x))
	}
	for k := 1; t > 0x1p-54*s; k++ {
		t *= x * x / float64(4*k*(k+order))
		s += t
	}
	if order == 1 {
		s *= x / 2
	}
	return s * math.Exp(-x)
}
