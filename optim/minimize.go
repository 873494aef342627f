package optim

import (
	"fmt"
	"math"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/leaves"
	"github.com/weft-go/weft/internal/nd"
)

// MinimizeConfig configures [Minimize]. Its zero value is the default.
type MinimizeConfig struct {
	Tolerance float64 // on the largest derivative; 0: 1e-5
	Steps     int     // largest number of steps; 0: 200 for each parameter
	Search    int     // largest number of evaluations in a line search; 0: 20
}

// Minimum is the result of [Minimize].
type Minimum[P any] struct {
	X              P
	Value          weft.Array
	Grad           P
	Converged      weft.Array // whether the largest derivative is within the tolerance
	Reason         weft.Array // why the search ended, an i32: see [Minimum.Why]
	Steps          weft.Array
	Evaluations    weft.Array // of the function and its gradient
	InverseHessian weft.Array // the estimate, over the numbers that have a derivative, in Ravel's order
}

// Reason is why [Minimize] ended.
type Reason int32

// The reasons why [Minimize] ends.
const (
	WithinTolerance Reason = iota + 1 // the largest derivative is within the tolerance
	NoDecrease                        // no smaller value was found along the line, mostly because rounding hides it
	OutOfSteps                        // the steps are used up
	NotFinite                         // the value or a derivative is infinite or NaN
)

// String returns the reason as words.
func (r Reason) String() string {
	switch r {
	case WithinTolerance:
		return "the largest derivative is within the tolerance"
	case NoDecrease:
		return "no smaller value was found along the line; in this type the function no longer decreases"
	case OutOfSteps:
		return "the steps are used up; raise MinimizeConfig.Steps"
	case NotFinite:
		return "the value or a derivative is infinite or NaN; start elsewhere"
	}
	return fmt.Sprintf("Reason(%d)", int32(r))
}

// Why returns why the search ended. The field Reason must be known and of one search: under Vmap,
// read its elements.
func (m Minimum[P]) Why() Reason { return Reason(m.Reason.Int()) }

// Minimize returns a local minimum of f, found from start by the method of Broyden, Fletcher,
// Goldfarb and Shanno with a line search for the strong Wolfe conditions (Nocedal and Wright,
// algorithms 6.1 and 3.5). It keeps a matrix of n×n numbers for n parameters, so it suits up to
// some thousands of them. It works under Jit and Vmap.
//
// The search also ends where f no longer decreases in its type, as happens in f32 before the
// derivatives are within the tolerance; Converged is then false, and Reason is NoDecrease.
//
// Leaves that have no derivative (integers, truth values, keys, fields tagged frozen) are not
// changed, and Grad has float0 there.
func Minimize[P any](f func(P) weft.Array, start P, c MinimizeConfig) Minimum[P] {
	const op = "Minimize"
	if f == nil {
		core.FailOp(core.ErrStatic, op, nil, "there is no function to minimize; pass one")
	}
	moved, back, backGrad := movable(op, start)
	x, apart := weft.Ravel(moved)
	if x.Size() == 0 {
		core.FailOp(core.ErrShape, op, nil, "there are no parameters; pass a tree with floating-point arrays")
	}
	wide := nd.AverageType(x.DType())
	m := minimizer{config: c, dt: wide}
	m.f = weft.ValueAndGrad(func(x weft.Array) weft.Array { return f(back(apart(x))).AsType(wide) })
	var out bfgs
	settled(func() { out = m.run(x.AsType(wide)) })
	return Minimum[P]{
		X: back(apart(out.X.AsType(x.DType()))), Value: out.Value, Grad: backGrad(apart(out.Grad.AsType(x.DType()))),
		Converged: out.Converged, Reason: out.reason(), Steps: out.Steps, Evaluations: out.Evaluations, InverseHessian: out.H,
	}
}

// reason returns why the search ended in this state.
func (s bfgs) reason() (r weft.Array) {
	settled(func() {
		finite := weft.IsFinite(s.Value).And(weft.IsFinite(s.Grad).All())
		r = weft.Where(s.Stuck, int32(NoDecrease), int32(OutOfSteps))
		r = weft.Where(finite, r, int32(NotFinite))
		r = weft.Where(s.Converged, int32(WithinTolerance), r)
	})
	return r
}

// movable returns the leaves of p that have a derivative, and two functions that rebuild trees of
// p's structure from such leaves. back takes the other leaves from p; in backGrad's trees they are
// float0.
func movable[P any](op string, p P) (moved []weft.Array, back, backGrad func([]weft.Array) P) {
	form := leaves.Of[P](op, weft.FromValue)
	vals, def := form.Values(op, &p)
	active := form.Differentiable(op, &p, vals)
	for i, v := range vals {
		if !active[i] {
			continue
		}
		if a := v.Aval(); !a.DType.IsFloat() {
			core.FailOp(core.ErrDType, op, []core.ShapedArray{a}, "the parameter%s must be a real floating-point array (got %v); make it two, its real and its imaginary part", leaves.AtPath(form.Path(&p, i)), a.Full())
		}
		moved = append(moved, weft.FromValue(v))
	}
	with := func(other func(v core.Value) core.Value) func([]weft.Array) P {
		return func(xs []weft.Array) P {
			out := make([]core.Value, len(vals))
			for i, v := range vals {
				if !active[i] {
					out[i] = other(v)
					continue
				}
				out[i], xs = xs[0].Value(), xs[1:]
			}
			return leaves.Together[P](def, out, weft.FromValue)
		}
	}
	return moved, with(func(v core.Value) core.Value { return v }), with(func(v core.Value) core.Value { return nd.NoTangent(v.Aval()) })
}

// minimizer is a function of a vector with the settings of its minimization.
type minimizer struct {
	f      func(weft.Array) (weft.Array, weft.Array)
	config MinimizeConfig
	dt     weft.DType
}

type bfgs struct {
	X, Value, Grad, H  weft.Array
	Converged, Stuck   weft.Array
	Steps, Evaluations weft.Array
}

func (m minimizer) run(x weft.Array) bfgs {
	n := x.Size()
	most := m.config.Steps
	if most == 0 {
		most = 200 * n
	}
	most = min(most, math.MaxInt32) // steps are counted in an i32
	value, grad := m.f(x)
	no := weft.Scalar(false)
	s := bfgs{
		X: x, Value: value, Grad: grad, H: weft.Eye(n).AsType(m.dt),
		Converged: m.flat(grad), Stuck: no, Steps: start(), Evaluations: start().Add(1),
	}
	return weft.While(func(s bfgs) weft.Array {
		return s.Converged.Or(s.Stuck).Not().And(s.Steps.Lt(most))
	}, m.step, s)
}

// flat reports whether the largest derivative is within the tolerance.
func (m minimizer) flat(grad weft.Array) weft.Array {
	return weft.Abs(grad).Max().Le(orElse(m.config.Tolerance, 1e-5))
}

// step searches along the direction of descent and corrects the estimate of the inverse Hessian.
func (m minimizer) step(s bfgs) bfgs {
	direction := s.H.MatMul(s.Grad).Neg()
	slope := direction.Dot(s.Grad)
	// Rounding may turn the direction uphill: then the gradient itself is followed.
	uphill := slope.Lt(0).Not()
	direction = weft.Where(uphill, s.Grad.Neg(), direction)
	slope = weft.Where(uphill, s.Grad.Dot(s.Grad).Neg(), slope)
	first := weft.Where(s.Steps.Eq(0).Or(uphill), atMostOne(slope.Neg()), 1)
	l := m.search(s, direction, slope, first)

	dx := direction.Mul(l.Length)
	dg := l.Grad.Sub(s.Grad)
	curve := dx.Dot(dg)
	bent := curve.Gt(0)
	rho := weft.Div(1, weft.Where(bent, curve, 1))
	// Before the first correction the estimate is scaled to the function's curvature.
	scale := weft.Where(s.Steps.Eq(0).And(bent), curve.Div(weft.Where(bent, dg.Dot(dg), 1)), 1)
	h := s.H.Mul(scale)
	hdg := h.MatMul(dg)
	next := h.Sub(weft.Outer(dx, hdg).Add(weft.Outer(hdg, dx)).Mul(rho)).
		Add(weft.Outer(dx, dx).Mul(rho.Mul(dg.Dot(hdg)).Add(1).Mul(rho)))
	return bfgs{
		X: s.X.Add(dx), Value: l.Value, Grad: l.Grad, H: weft.Where(bent, next, s.H),
		Converged: m.flat(l.Grad), Stuck: l.Length.Eq(0),
		Steps: s.Steps.Add(1), Evaluations: s.Evaluations.Add(l.Count),
	}
}
