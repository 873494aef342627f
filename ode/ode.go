package ode

import (
	"math"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
)

// Config sets the accuracy and the limits of an integration. The zero Config is the usual choice.
type Config struct {
	// RTol and ATol bound the error of a step: the ratios of the elements' errors to
	// ATol + RTol·|y| have a root mean square of at most 1. 0 is 1.4e-8; where an array of
	// the state or the times are f16 or bf16, 0 is what their type resolves at 1:
	// 0.00098 or 0.0078.
	RTol, ATol float64

	// MxStep is the largest number of steps tried from one output time to the next; 0 is no
	// limit. If the solution has not arrived by then, it is NaN from there on.
	MxStep int

	// HMax bounds the size of a step; 0 is no bound.
	HMax float64
}

// tolerance returns the default tolerance for a state and times of the given types: the
// derivative is not known better than its argument.
func tolerance(types []weft.DType) float64 {
	tol := 1.4e-8
	for _, dt := range types {
		switch dt {
		case weft.Float16:
			tol = max(tol, 1./(1<<10))
		case weft.BFloat16:
			tol = max(tol, 1./(1<<7))
		}
	}
	return tol
}

// wide returns x, converted to f32 if it has fewer than 32 bits, so that small steps are not lost
// in sums.
func wide(x weft.Array) weft.Array {
	if x.DType().Bits() < 32 {
		return x.AsType(weft.Float32)
	}
	return x
}

func (c Config) complete(types []weft.DType) Config {
	if c.RTol == 0 {
		c.RTol = tolerance(types)
	}
	if c.ATol == 0 {
		c.ATol = tolerance(types)
	}
	if c.HMax == 0 {
		c.HMax = math.Inf(1)
	}
	if !(c.RTol > 0) || !(c.ATol > 0) || c.MxStep < 0 || !(c.HMax > 0) {
		core.FailOp(core.ErrStatic, "Odeint", nil, "the tolerances and limits must not be negative (got %+v); set them, or leave them 0 for the defaults", c)
	}
	return c
}

// Odeint returns the solution of y' = f(y, t, args) that begins with y0 at ts[0], at all of the
// times ts: a tree like y0 whose arrays have one more axis, in front, for the time. Times
// must not decrease.
//
// y0 may be a tree of any structure; f returns a tree like y0. args is passed on to f as it is: use
// struct{}{} for nothing. f may also close over arrays. args and these arrays have gradients.
// Under Vmap every element of the batch takes steps of its own size. States and times of f16 and
// bf16 are integrated in f32, and f receives them in their own type. The derivative is a reverse
// one, and may be taken again; forward differentiation (JVP, Jacfwd, Hessian) is refused.
//
// A solution that becomes infinite, or that cannot be followed in the precision of the state, is
// NaN from there on.
//
// The reverse pass integrates the state backwards from each output to the one before. Where
// solutions run together quickly, as in stiff systems, they run apart as quickly backwards: ask
// for outputs that lie closer.
func Odeint[Y, A any](f func(y Y, t weft.Array, args A) Y, y0 Y, ts weft.Array, args A, c Config) Y {
	if f == nil {
		core.FailOp(core.ErrStatic, "Odeint", nil, "the function is nil; pass the derivative as a function of state, time and arguments")
	}
	if ts.Rank() != 1 || ts.Len() == 0 {
		core.FailOp(core.ErrShape, "Odeint", []core.ShapedArray{ts.Value().Aval()}, "the times must be one axis of one time or more, got %v; pass them as one vector", ts.Value().Aval().Full())
	}
	if !ts.DType().IsFloat() {
		core.FailOp(core.ErrDType, "Odeint", []core.ShapedArray{ts.Value().Aval()}, "the times must be floating point numbers, got %v; convert with AsType", ts.Value().Aval().Full())
	}
	refuseDecreasing(ts)
	types := []weft.DType{ts.DType()}
	for _, x := range weft.TreeLeaves(y0) {
		types = append(types, x.DType())
	}
	c = c.complete(types)
	d, y, rest, unravel := flatten(f, y0, ts, args)
	ys := integrator(d, c)(initial{y, strong(wide(ts)), rest})
	return weft.Vmap(unravel)(ys)
}

// refuseDecreasing refuses known times that decrease. Traced times cannot be checked.
func refuseDecreasing(ts weft.Array) {
	known, err := weft.Try(func() []float64 { return weft.ToSlice[float64](ts.AsType(weft.Float64)) })
	if err != nil {
		return
	}
	for i := 1; i < len(known); i++ {
		if !(known[i-1] <= known[i]) {
			core.FailOp(core.ErrIndex, "Odeint", nil, "the times must increase, but time %d is %v and time %d is %v; "+
				"to go back in time integrate −f(y, −t) over −t", i-1, known[i-1], i, known[i])
		}
	}
}

// strong returns x without a weak mark: a loop's carry keeps its type.
func strong(x weft.Array) weft.Array { return x.AsType(x.DType()) }
