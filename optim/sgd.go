package optim

import (
	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
)

// SGD steps against the gradient: p − rate·g.
type SGD[P any] struct {
	Rate Schedule
	Step weft.Array // steps done
}

// NewSGD returns the state before the first step. The parameters only determine its type.
func NewSGD[P any](_ P, rate Schedule) SGD[P] {
	requireRate("NewSGD", rate)
	return SGD[P]{Rate: rate, Step: start()}
}

func start() weft.Array { return weft.ZerosOf(weft.Int32) }

func requireNonNil[S any](op string, o *S) {
	if o == nil {
		core.FailOp(core.ErrTree, op, nil, "the optimizer is a nil pointer; pass the address of the state that its constructor returns")
	}
}

func next(step *weft.Array) { settled(func() { *step = step.Add(1) }) }

// Update returns the parameters after a step.
func (o *SGD[P]) Update(p, g P) P {
	requireNonNil("SGD.Update", o)
	rate := rateAt("SGD", o.Rate, o.Step)
	next(&o.Step)
	return each("SGD", p, g, func(_ int, w, g weft.Array, _ []weft.Array) weft.Array { return descend(w, g, rate) })
}

// MomentumConfig configures [Momentum]. Rate must be set.
type MomentumConfig struct {
	Rate     Schedule
	Decay    float64 // share of the velocity that stays each step; 0: 0.9, negative: none
	Nesterov bool    // look ahead: follow the velocity that the same gradient would give in the next step
}

// Momentum follows a velocity that the gradient pushes: v ← decay·v + g, p − rate·v.
type Momentum[P any] struct {
	Config   MomentumConfig
	Velocity P
	Step     weft.Array // steps done
}

// NewMomentum returns the state before the first step.
func NewMomentum[P any](p P, c MomentumConfig) Momentum[P] {
	requireRate("NewMomentum", c.Rate)
	return Momentum[P]{Config: c, Velocity: zeros(p, false), Step: start()}
}

// Update returns the parameters after a step.
func (o *Momentum[P]) Update(p, g P) P {
	requireNonNil("Momentum.Update", o)
	rate := rateAt("Momentum", o.Config.Rate, o.Step)
	decay := orNone(o.Config.Decay, 0.9)
	next(&o.Step)
	return each("Momentum", p, g, func(_ int, w, g weft.Array, s []weft.Array) weft.Array {
		s[0] = s[0].Mul(decay).Add(g)
		u := s[0]
		if o.Config.Nesterov {
			u = s[0].Mul(decay).Add(g)
		}
		return descend(w, u, rate)
	}, &o.Velocity)
}

// orNone returns x, but the number `otherwise` for 0, and 0 for a negative x.
func orNone(x, otherwise float64) float64 { return max(orElse(x, otherwise), 0) }

func orElse(x, otherwise float64) float64 {
	if x == 0 {
		return otherwise
	}
	return x
}
