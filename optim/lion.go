package optim

import "github.com/weft-go/weft"

// LionConfig configures [Lion]. Rate must be set.
type LionConfig struct {
	Rate    Schedule
	Beta1   float64 // share of the mean in a step's direction; 0: 0.9, negative: 0
	Beta2   float64 // how much of the mean stays each step; 0: 0.99, negative: 0
	Decay   float64 // weight decay, not added to the gradient; 0: 0.001, negative: none
	DecayOn Mask    // the leaves that decay; nil: all
}

// Lion steps by the sign of a mean gradient (Chen et al., 2023). It keeps one number for each
// parameter, and takes a rate that is 3 to 10 times smaller than Adam's:
//
//	p − rate·( sign(β₁m + (1−β₁)g) + decay·p )     m ← β₂m + (1−β₂)g
type Lion[P any] struct {
	Config LionConfig
	Mean   P
	Step   weft.Array // steps done
}

// NewLion returns the state before the first step.
func NewLion[P any](p P, c LionConfig) Lion[P] {
	requireRate("NewLion", c.Rate)
	return Lion[P]{Config: c, Mean: zeros(p, false), Step: start()}
}

// Update returns the parameters after a step.
func (o *Lion[P]) Update(p, g P) P {
	requireNonNil("Lion.Update", o)
	c := o.Config
	rate := rateAt("Lion", c.Rate, o.Step)
	b1, b2, decay := orNone(c.Beta1, 0.9), orNone(c.Beta2, 0.99), orNone(c.Decay, 0.001)
	next(&o.Step)
	decays := on(c.DecayOn, p)
	return each("Lion", p, g, func(i int, w, g weft.Array, s []weft.Array) weft.Array {
		u := weft.Sign(s[0].Mul(b1).Add(g.Mul(1 - b1)))
		s[0] = s[0].Mul(b2).Add(g.Mul(1 - b2))
		if decay > 0 && decays[i] {
			u = u.Add(w.Mul(decay))
		}
		return descend(w, u, rate)
	}, &o.Mean)
}
