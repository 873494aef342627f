package optim

import (
	"fmt"
	"reflect"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
)

// A Schedule is the learning rate at each step. Its numbers are constants of a jitted program,
// except those of [Variable].
type Schedule interface {
	// At returns the rate at a step, an integer array without axes that counts from 0.
	At(step weft.Array) weft.Array
}

// Rate is the same rate at every step.
type Rate float64

// At returns the rate.
func (r Rate) At(weft.Array) weft.Array { return weft.Scalar(float64(r)) }

// Variable is a rate that is part of the optimizer's state: it may be changed between
// the calls of a jitted step, or traced.
type Variable struct{ Rate weft.Array }

// At returns the rate.
func (v Variable) At(weft.Array) weft.Array { return v.Rate }

// Linear goes evenly from one rate to another in a number of steps, and stays there.
type Linear struct {
	From, To float64
	Steps    int
}

// At returns From + (To−From)·min(step/Steps, 1).
func (l Linear) At(step weft.Array) weft.Array {
	return weft.Sub(l.From, weft.Mul(l.From-l.To, share("Linear", step, l.Steps)))
}

// share returns min(step/steps, 1).
func share(op string, step weft.Array, steps int) weft.Array {
	if steps <= 0 {
		core.FailOp(core.ErrDType, op, nil, "takes a positive number of steps, got %d; set Steps", steps)
	}
	return weft.Minimum(step, steps).Div(float64(steps))
}

// Exponential multiplies the rate by Decay every Steps steps.
type Exponential struct {
	From, Decay float64
	Steps       int
	Stairs      bool    // in one jump every Steps steps, instead of evenly
	Least       float64 // the smallest rate
}

// At returns From·Decay^(step/Steps), but at least Least. With Stairs the exponent is rounded down.
func (e Exponential) At(step weft.Array) weft.Array {
	if e.Steps <= 0 {
		core.FailOp(core.ErrDType, "Exponential", nil, "takes a positive number of steps, got %d; set Steps", e.Steps)
	}
	if e.Decay <= 0 {
		core.FailOp(core.ErrDType, "Exponential", nil, "multiplies by a positive number, got %v; set Decay", e.Decay)
	}
	n := step.Div(float64(e.Steps))
	if e.Stairs {
		n = weft.Floor(n)
	}
	return weft.Maximum(weft.Mul(e.From, weft.Pow(e.Decay, n)), e.Least)
}

// Cosine falls along half a wave from one rate to another in a number of steps, and
// stays there.
type Cosine struct {
	From, To float64
	Steps    int
	Power    float64 // of the half wave; 0: 1
}

// At returns To + (From−To)·((1 + cos(π·min(step/Steps, 1)))/2)^Power.
func (c Cosine) At(step weft.Array) weft.Array {
	wave := weft.Cos(weft.Mul(pi, share("Cosine", step, c.Steps))).Add(1.).Mul(0.5)
	if c.Power != 0 && c.Power != 1 {
		wave = weft.Pow(wave, c.Power)
	}
	return weft.Mul(c.From-c.To, wave).Add(c.To)
}

const pi = 3.141592653589793

// Warmup rises evenly from From to the first rate of Then in a number of steps, and follows Then
// afterwards.
type Warmup struct {
	From  float64
	Steps int
	Then  Schedule
}

// At returns the rate at step/Steps of the way from From to Then's first rate, and from Steps on
// the rate of Then at step−Steps.
func (w Warmup) At(step weft.Array) weft.Array {
	if w.Then == nil {
		core.FailOp(core.ErrTree, "Warmup", nil, "needs a schedule to follow; set Then, as optim.Rate(0.1)")
	}
	first := w.Then.At(weft.Scalar(int32(0)))
	later := w.Then.At(weft.Maximum(step.Sub(w.Steps), 0))
	rising := first.Sub(w.From).Mul(share("Warmup", step, w.Steps)).Add(w.From)
	return weft.Where(step.Lt(w.Steps), rising, later)
}

// Piecewise is a rate that changes at certain steps.
type Piecewise struct {
	From    float64
	Changes []Change
}

// Change multiplies the rate by a number from a step on.
type Change struct {
	Step int
	By   float64
}

// At returns From times the changes that the step has reached.
func (p Piecewise) At(step weft.Array) weft.Array {
	rate := weft.Scalar(p.From)
	for _, c := range p.Changes {
		rate = rate.Mul(weft.Where(step.Ge(c.Step), c.By, 1.))
	}
	return rate
}

// String returns the rate as Go code, such as Rate(0.1).
func (r Rate) String() string { return fmt.Sprintf("Rate(%v)", float64(r)) }

// requireRate refuses a missing schedule and one that fails. The constructors of optimizers call it.
func requireRate(op string, s Schedule) {
	if v, ok := s.(Variable); isNil(s) || ok && v.Rate.IsZero() {
		core.FailOp(core.ErrTree, op, nil, "the optimizer has no learning rate; set Rate, as optim.Rate(0.1)")
	}
	if _, err := weft.Jaxpr(func(step weft.Array) weft.Array { return rateAt(op, s, step) }, start()); err != nil {
		panic(err)
	}
}

// isNil reports whether the schedule is missing: nil, or a nil pointer.
func isNil(s Schedule) bool {
	v := reflect.ValueOf(s)
	return s == nil || v.Kind() == reflect.Pointer && v.IsNil()
}

// rateAt returns the rate of a step, by the schedule of the optimizer op. Untyped constants of the schedule count
// as f64, since parameters may be of that type.
func rateAt(op string, s Schedule, step weft.Array) (r weft.Array) {
	if isNil(s) {
		core.FailOp(core.ErrTree, op, nil, "has no learning rate; set Rate, as optim.Rate(0.1)")
	}
	if step.IsZero() {
		core.FailOp(core.ErrTree, op, nil, "was not started; make it with optim.New%s", op)
	}
	settled(func() { weft.With(weft.DefaultBits(64), func() { r = s.At(step) }) })
	if r.IsZero() || r.Rank() > 0 || !r.DType().IsFloat() {
		core.FailOp(core.ErrShape, op, nil, "a schedule returns a floating number without axes; this one, %v, does not", s)
	}
	return r
}
