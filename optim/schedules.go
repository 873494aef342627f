package optim

import (
	"math"
	"slices"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
)

// Polynomial goes from one rate to another in a number of steps, and stays there. The larger Power
// is, the faster the rate changes at first.
type Polynomial struct {
	From, To float64
	Power    float64 // 0: 1
	Begin    int     // steps at From before the rate changes
	Steps    int
}

// At returns To + (From−To)·(1 − t)^Power, where t is (step−Begin)/Steps, limited to [0, 1].
func (p Polynomial) At(step weft.Array) weft.Array {
	left := weft.Sub(1., share("Polynomial", weft.Maximum(step.Sub(p.Begin), 0), p.Steps))
	return weft.Pow(left, orElse(p.Power, 1)).Mul(p.From - p.To).Add(p.To)
}

// Interpolate goes from rate to rate between certain steps, evenly or along half waves, and stays
// at the last.
type Interpolate struct {
	From    float64
	Changes []Change // each multiplies the rate before it and reaches the product at its step; in order of the steps
	Cosine  bool     // along half waves instead of evenly
}

// At interpolates between the rates that the changes before and after the step reach.
func (p Interpolate) At(step weft.Array) weft.Array {
	rate := weft.Scalar(p.From)
	last, from := 0, p.From
	for _, c := range p.Changes {
		if c.Step < last {
			core.FailOp(core.ErrDType, "Interpolate", nil, "the changes must be in order of their steps (got %d after %d); sort them", c.Step, last)
		}
		to := from * c.By
		part := weft.Clip(step.Sub(last).Div(float64(max(c.Step-last, 1))), 0, 1)
		between := part.Mul(to - from).Add(from)
		if p.Cosine {
			between = weft.Cos(part.Mul(pi)).Add(1).Mul((from - to) / 2).Add(to)
		}
		rate = weft.Where(step.Ge(last), between, rate)
		last, from = c.Step, to
	}
	return weft.Where(step.Ge(last), from, rate)
}

// OneCycle rises to Peak and then falls to a very small rate, along half waves (Smith, 2017). By
// default it rises from Peak/25 in the first 30 % of the steps.
type OneCycle struct {
	Peak  float64
	Steps int
	Start float64 // share of the steps in which the rate rises; 0: 0.3
	Div   float64 // Peak divided by the first rate; 0: 25
	Final float64 // the first rate divided by the last; 0: 10⁴
	// Linear goes evenly instead: up to Peak, back to the first rate when the share Back of the steps
	// is done, and on to the last.
	Linear bool
	Back   float64 // 0: 0.85
}

// At returns the rate of a step.
func (o OneCycle) At(step weft.Array) weft.Array {
	if o.Steps <= 0 {
		core.FailOp(core.ErrDType, "OneCycle", nil, "the number of steps must be positive (got %d); set Steps", o.Steps)
	}
	n := float64(o.Steps)
	div, final := orElse(o.Div, 25), orElse(o.Final, 1e4)
	at := func(part float64) int { return int(part * n) }
	changes := []Change{{at(orElse(o.Start, 0.3)), div}, {o.Steps, 1 / (div * final)}}
	if o.Linear {
		changes = []Change{changes[0], {at(orElse(o.Back, 0.85)), 1 / div}, {o.Steps, 1 / final}}
	}
	return Interpolate{From: o.Peak / div, Changes: changes, Cosine: !o.Linear}.At(step)
}

// Join follows one schedule after the other. Each counts its steps from its own beginning.
type Join struct {
	Schedules []Schedule
	Steps     []int // the step at which each schedule after the first begins
}

// At returns the rate of the schedule that the step is in.
func (j Join) At(step weft.Array) weft.Array {
	if len(j.Schedules) == 0 || len(j.Steps) != len(j.Schedules)-1 {
		core.FailOp(core.ErrTree, "Join", nil, "there must be a step for each schedule after the first (got %d and %s); set both", len(j.Steps), core.Count(len(j.Schedules), "schedule"))
	}
	if k := slices.IndexFunc(j.Schedules, isNil); k >= 0 {
		core.FailOp(core.ErrTree, "Join", nil, "schedule %d is nil; set it, as optim.Rate(0.1)", k)
	}
	rate := j.Schedules[0].At(step)
	for i, s := range j.Schedules[1:] {
		rate = weft.Where(step.Lt(j.Steps[i]), rate, s.At(step.Sub(j.Steps[i])))
	}
	return rate
}

// Restarts joins cycles of a warmup and a cosine each (Loshchilov and Hutter, 2016).
type Restarts []Cycle

// Cycle is one of the [Restarts]: Warmup steps from From to Peak, then along half a wave to To,
// which is reached Steps steps after the cycle began.
type Cycle struct {
	From, Peak, To float64
	Warmup, Steps  int
}

// At returns the rate of the cycle that the step is in.
func (r Restarts) At(step weft.Array) weft.Array {
	j := Join{}
	at := 0
	for i, c := range r {
		if i > 0 {
			j.Steps = append(j.Steps, at)
		}
		at += c.Steps
		j.Schedules = append(j.Schedules, c.schedule())
	}
	return j.At(step)
}

func (c Cycle) schedule() Schedule {
	wave := Cosine{From: c.Peak, To: c.To, Steps: c.Steps - c.Warmup}
	if c.Warmup == 0 {
		return wave
	}
	return Warmup{From: c.From, Steps: c.Warmup, Then: wave}
}

// InverseSqrt falls with the root of the step: From·√(Steps / max(step, Steps)).
type InverseSqrt struct {
	From  float64
	Steps int // before the rate falls
}

// At returns the rate of a step.
func (s InverseSqrt) At(step weft.Array) weft.Array {
	if s.Steps <= 0 {
		core.FailOp(core.ErrDType, "InverseSqrt", nil, "the number of steps must be positive (got %d); set Steps", s.Steps)
	}
	return weft.Rsqrt(weft.Maximum(step, s.Steps).Mul(1.)).Mul(s.From * math.Sqrt(float64(s.Steps)))
}
