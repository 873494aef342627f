package ode

import (
	"math"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/custom"
)

// initial is the arrays of a problem: the first state, the times, and everything else that the
// derivative depends on.
type initial struct {
	Y, T weft.Array
	Rest []weft.Array
}

// stepping is the state of the integration: the state and its derivative at T, the size of the
// next step, and the values from which the states within the last good step, which began at From,
// are interpolated.
type stepping struct {
	Steps   weft.Array // tried since the last output
	T, H    weft.Array
	Y, DY   weft.Array
	From    weft.Array
	Y0, DY0 weft.Array // at From
	YHalf   weft.Array // in the middle
}

// integrator returns the solution as a function with a reverse rule. The rule calls the
// function itself, so that it can be differentiated again.
func integrator(d dynamics, c Config) func(initial) weft.Array {
	var integrate func(initial) weft.Array
	integrate = custom.VJP(
		func(p initial) weft.Array { return solve(d, c, p) },
		func(p initial) (weft.Array, solved) {
			ys := integrate(p)
			return ys, solved{ys, p.T, p.Rest}
		},
		func(s solved, ct weft.Array) initial { return adjoint(d, c, s, ct) },
		"odeint", "odeint_fwd", "odeint_bwd")
	return integrate
}

// solve returns the states at all times; the first axis is that of the times.
func solve(d dynamics, c Config, p initial) weft.Array {
	f := func(y, t weft.Array) weft.Array { return d.at(y, t, p.Rest) }
	s := start(f, c, p)
	_, ys := weft.Scan(func(s stepping, target weft.Array) (stepping, weft.Array) {
		s = s.reach(f, c, target)
		return s, s.look(target)
	}, s, p.T.Index(weft.R(1, weft.End)))
	return weft.Concat(0, p.Y.ExpandDims(0), ys)
}

func start(f func(y, t weft.Array) weft.Array, c Config, p initial) stepping {
	t := p.T.Index(0)
	dy := f(p.Y, t)
	return stepping{
		Steps: weft.Scalar(int32(0)), T: t, H: firstStep(f, p.Y, dy, t, c), Y: p.Y, DY: dy,
		From: t, Y0: p.Y, DY0: dy, YHalf: p.Y,
	}
}

// reach steps until a time is within the last step.
func (s stepping) reach(f func(y, t weft.Array) weft.Array, c Config, target weft.Array) stepping {
	s.Steps = weft.ZerosLike(s.Steps)
	return weft.While(func(s stepping) weft.Array {
		// A step that is NaN, or too small to move, ends the loop.
		more := weft.LogicalAnd(s.T.Lt(target), s.T.Add(s.H).Gt(s.T))
		if c.MxStep > 0 {
			more = weft.LogicalAnd(more, s.Steps.Lt(c.MxStep))
		}
		return more
	}, func(s stepping) stepping { return s.step(f, c) }, s)
}

// step tries one step. It is taken if its error is small enough; the next one is of
// the size that this error suggests.
func (s stepping) step(f func(y, t weft.Array) weft.Array, c Config) stepping {
	next, dnext, mid, err := rungeKutta(f, s.Y, s.DY, s.T, s.H)
	ratio := errorRatio(err, s.Y, next, c)
	good := ratio.Le(1)
	pick := func(yes, no weft.Array) weft.Array { return weft.Where(good, yes, no) }
	return stepping{
		Steps: s.Steps.Add(1),
		T:     pick(s.T.Add(s.H), s.T), H: resize(s.H, ratio, c),
		Y: pick(next, s.Y), DY: pick(dnext, s.DY),
		From: pick(s.T, s.From),
		Y0:   pick(s.Y, s.Y0), DY0: pick(s.DY, s.DY0), YHalf: pick(mid, s.YHalf),
	}
}

// look returns the state at a time within the last step, by the polynomial of degree 4 that has the
// step's states at both ends and in the middle, and its derivatives at the ends. It is NaN if the
// integration did not get there.
func (s stepping) look(t weft.Array) weft.Array {
	h := s.T.Sub(s.From)
	none := h.Eq(0)
	x := like(weft.Where(none, 0., t.Sub(s.From).Div(weft.Where(none, 1., h))), s.Y)
	d0, d1 := s.DY0.Mul(like(h, s.Y)), s.DY.Mul(like(h, s.Y))
	// The polynomial is made from y1 − y0 and yhalf − y0: large states
	// themselves would leave their rounding errors in the coefficients.
	end, half := s.Y.Sub(s.Y0), s.YHalf.Sub(s.Y0)
	c4 := d1.Sub(d0).Mul(2).Sub(end.Mul(8)).Add(half.Mul(16))
	c3 := d0.Mul(5).Sub(d1.Mul(3)).Add(end.Mul(14)).Sub(half.Mul(32))
	c2 := d1.Sub(d0.Mul(4)).Sub(end.Mul(5)).Add(half.Mul(16))
	y := c4.Mul(x).Add(c3).Mul(x).Add(c2).Mul(x).Add(d0).Mul(x).Add(s.Y0)
	return weft.Where(s.T.Lt(t), math.NaN(), y)
}
