package optim

import "github.com/weft-go/weft"

// AdamConfig configures [Adam]. Rate must be set.
type AdamConfig struct {
	Rate  Schedule
	Beta1 float64 // how much of the mean gradient stays each step; 0: 0.9, negative: 0
	Beta2 float64 // how much of the mean square stays each step; 0: 0.999, negative: 0
	Eps   float64 // added to the root of the mean square; 0: 1e-8, negative: 0
	// EpsRoot is added to the mean square, within the root; 0: none. It keeps derivatives of a step
	// small where a gradient is close to 0.
	EpsRoot float64
	Decay   float64 // weight decay, not added to the gradient; 0: none, in NewAdamW 0.01; negative: none
	// DecayOn selects the leaves that decay, such as [Matrices]; nil: all.
	DecayOn Mask
	// Nesterov looks ahead (Dozat, 2016), as [NewNadam] does: the mean in the step is the next
	// one, β₁m + (1−β₁)g, corrected for its start at 0.
	Nesterov bool
}

// Adam divides the mean gradient by the root of the mean square, each corrected for its start at 0
// (Kingma and Ba, 2014):
//
//	m ← β₁m + (1−β₁)g     v ← β₂v + (1−β₂)g²
//	p − rate·( m/(1−β₁ᵗ) / (√(v/(1−β₂ᵗ) + ε_root) + ε) + decay·p )
//
// The derivative of a step is finite also where all gradients so far were 0.
type Adam[P any] struct {
	Config       AdamConfig
	Mean, Square P
	Step         weft.Array // steps done
}

// NewAdam returns the state before the first step.
func NewAdam[P any](p P, c AdamConfig) Adam[P] { return newAdam("NewAdam", p, c) }

func newAdam[P any](op string, p P, c AdamConfig) Adam[P] {
	requireRate(op, c.Rate)
	return Adam[P]{Config: c, Mean: zeros(p, false), Square: zeros(p, true), Step: start()}
}

// NewAdamW returns Adam with weight decay (Loshchilov and Hutter, 2017).
func NewAdamW[P any](p P, c AdamConfig) Adam[P] {
	c.Decay = orNone(c.Decay, 0.01)
	return newAdam("NewAdamW", p, c)
}

// NewNadam returns Adam with Nesterov's look ahead (Dozat, 2016).
func NewNadam[P any](p P, c AdamConfig) Adam[P] {
	c.Nesterov = true
	return newAdam("NewNadam", p, c)
}

// Update returns the parameters after a step.
func (o *Adam[P]) Update(p, g P) P {
	requireNonNil("Adam.Update", o)
	c := o.Config
	rate := rateAt("Adam", c.Rate, o.Step)
	b1, b2, eps := orNone(c.Beta1, 0.9), orNone(c.Beta2, 0.999), orNone(c.Eps, 1e-8)
	next(&o.Step)
	decays := on(c.DecayOn, p)
	return each("Adam", p, g, func(i int, w, g weft.Array, s []weft.Array) weft.Array {
		real := w.DType().Real()
		s[0] = s[0].Mul(b1).Add(g.Mul(1 - b1))
		s[1] = s[1].Mul(b2).Add(square(g).Mul(1 - b2))
		m := s[0].Div(unbiased(b1, o.Step, real))
		if c.Nesterov {
			ahead := s[0].Div(unbiased(b1, o.Step.Add(1), real))
			m = ahead.Mul(b1).Add(g.Div(unbiased(b1, o.Step, real)).Mul(1 - b1))
		}
		v := s[1].Div(unbiased(b2, o.Step, real))
		if c.EpsRoot > 0 {
			v = v.Add(c.EpsRoot)
		}
		u := m.Div(divisor(v, eps))
		if c.Decay > 0 && decays[i] {
			u = u.Add(w.Mul(c.Decay))
		}
		return descend(w, u, rate)
	}, &o.Mean, &o.Square)
}

// unbiased returns 1 − bᵗ, the weight of the steps in a mean over t steps that began at 0. It is
// computed in at least f32.
func unbiased(b float64, t weft.Array, dt weft.DType) weft.Array {
	return weft.Sub(1., weft.Pow(b, t.AsType(atLeastFloat32(dt)))).AsType(dt)
}

func atLeastFloat32(dt weft.DType) weft.DType {
	if dt.Bits() < 32 {
		return weft.Float32
	}
	return dt
}
