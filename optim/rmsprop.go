package optim

import "github.com/weft-go/weft"

// RMSPropConfig configures [RMSProp]. Rate must be set.
type RMSPropConfig struct {
	Rate     Schedule
	Decay    float64 // how much of the mean square stays each step; 0: 0.9, negative: 0
	Eps      float64 // added to the mean square, within the root; 0: 1e-8, negative: 0
	Momentum float64 // steps follow a velocity, Momentum·velocity + scaled gradient; 0: they do not
}

// RMSProp divides the gradient by the root of its mean square: v ← decay·v +
// (1−decay)·g², p − rate·g/√(v+ε).
type RMSProp[P any] struct {
	Config           RMSPropConfig
	Square, Velocity P
	Step             weft.Array // steps done
}

// NewRMSProp returns the state before the first step.
func NewRMSProp[P any](p P, c RMSPropConfig) RMSProp[P] {
	requireRate("NewRMSProp", c.Rate)
	return RMSProp[P]{Config: c, Square: zeros(p, true), Velocity: zeros(p, false), Step: start()}
}

// Update returns the parameters after a step.
func (o *RMSProp[P]) Update(p, g P) P {
	requireNonNil("RMSProp.Update", o)
	c := o.Config
	rate := rateAt("RMSProp", c.Rate, o.Step)
	decay, eps := orNone(c.Decay, 0.9), orNone(c.Eps, 1e-8)
	next(&o.Step)
	return each("RMSProp", p, g, func(_ int, w, g weft.Array, s []weft.Array) weft.Array {
		s[0] = s[0].Mul(decay).Add(square(g).Mul(1 - decay))
		mean := s[0].Add(eps)
		if vanishes(eps, mean.DType()) {
			mean = positive(mean) // where it is 0, so is the gradient
		}
		u := g.Mul(weft.Rsqrt(mean))
		if c.Momentum != 0 {
			s[1] = s[1].Mul(c.Momentum).Add(u)
			u = s[1]
		}
		return descend(w, u, rate)
	}, &o.Square, &o.Velocity)
}
