package optim

import (
	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
)

// Average is the exponential moving average of parameters. A model often predicts better with it
// than with the last parameters.
type Average[P any] struct {
	Decay float64 // how much of the average stays each step
	Mean  P
	Step  weft.Array // steps done
}

// NewAverage returns the state before the first step.
func NewAverage[P any](p P, decay float64) Average[P] {
	if !(decay >= 0 && decay < 1) {
		core.FailOp(core.ErrDType, "NewAverage", nil, "the decay must be at least 0 and less than 1 (got %v); change it", decay)
	}
	return Average[P]{Decay: decay, Mean: zeros(p, false), Step: start()}
}

// Update adds the parameters to the average, and returns the average corrected for its start at
// 0: a ← decay·a + (1−decay)·p, and a / (1−decayᵗ). Integers and truth values are returned
// unchanged.
func (o *Average[P]) Update(p P) P {
	requireNonNil("Average.Update", o)
	next(&o.Step)
	means, out := leavesOf(o.Mean), leavesOf(p)
	settled(func() {
		for i, x := range out {
			if !x.DType().IsInexact() {
				continue
			}
			requireState("Average", p, i, x, means)
			means[i] = means[i].Mul(o.Decay).Add(x.Mul(1 - o.Decay)).AsType(x.DType())
			out[i] = means[i].Div(unbiased(o.Decay, o.Step, x.DType().Real())).AsType(x.DType())
		}
	})
	o.Mean = rebuild(o.Mean, means)
	return rebuild(p, out)
}
