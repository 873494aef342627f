package ode

import (
	"slices"

	"github.com/weft-go/weft"
)

// solved is what the reverse pass needs: the states Ys at the times T, and everything else that f
// depends on.
type solved struct {
	Ys, T weft.Array
	Rest  []weft.Array
}

// augmented is a state together with the sensitivities of the objective: to the state
// at this moment, to the time at which the integration began, and to what f depends on.
type augmented struct {
	Y, DY weft.Array
	DT    weft.Array
	DRest []weft.Array
}

// adjoint returns the cotangent of the problem, given that of its states.
//
// Between two outputs the sensitivity a of the objective to the state obeys
// a' = −aᵀ ∂f/∂y, and those to the time and to the arguments grow by −aᵀ ∂f/∂t and
// −aᵀ ∂f/∂args. They are integrated backwards from output to output, together with
// the state, which need not be kept; each output adds its cotangent ct to a, and the sensitivity to
// its time is f·ct.
func adjoint(d dynamics, c Config, s solved, ct weft.Array) initial {
	n := s.T.Len()
	active := make([]bool, len(s.Rest))
	end := augmented{Y: s.Ys.Index(n - 1), DY: ct.Index(n - 1), DT: weft.ZerosLike(s.T.Index(0))}
	for i, x := range s.Rest {
		if active[i] = x.DType().IsInexact(); active[i] {
			end.DRest = append(end.DRest, weft.ZerosLike(strong(x)))
		}
	}
	// The time runs backwards: negated, so that it increases.
	back := func(a augmented, minus weft.Array, rest []weft.Array) augmented {
		dy, vjp := weft.VJP(func(p initial) weft.Array { return d.at(p.Y, p.T, p.Rest) }, initial{a.Y, minus.Neg(), rest})
		g := vjp(a.DY)
		out := augmented{Y: dy.Neg(), DY: g.Y, DT: g.T}
		for i, x := range g.Rest {
			if active[i] {
				out.DRest = append(out.DRest, strong(x))
			}
		}
		return out
	}
	type output struct{ Y, CT, Before, T, TBefore weft.Array } // Before is the cotangent of the output before
	last, rest := weft.R(1, weft.End), weft.R(0, -1)
	outputs := output{s.Ys.Index(last), ct.Index(last), ct.Index(rest), s.T.Index(last), s.T.Index(rest)}
	begin, tbars := weft.Scan(func(a augmented, o output) (augmented, weft.Array) {
		tbar := realPart(d.at(o.Y, o.T, s.Rest).Mul(o.CT).Sum()).AsType(s.T.DType())
		a.Y, a.DT = o.Y, a.DT.Sub(tbar)
		span := weft.Stack(0, o.T.Neg(), o.TBefore.Neg())
		path := Odeint(back, a, span, s.Rest, c)
		a = weft.TreeIndex(path, 1)
		a.DY = a.DY.Add(o.Before)
		return a, tbar
	}, end, outputs, weft.Reverse())
	g := initial{Y: begin.DY, T: weft.Concat(0, begin.DT.ExpandDims(0), tbars), Rest: slices.Clone(s.Rest)} // as long as s.Rest, nil if that is nil
	for i := range g.Rest {
		g.Rest[i] = weft.Array{}
		if active[i] {
			g.Rest[i], begin.DRest = begin.DRest[0], begin.DRest[1:]
		}
	}
	return g
}

func realPart(x weft.Array) weft.Array {
	if x.DType().IsComplex() {
		return x.Real()
	}
	return x
}
