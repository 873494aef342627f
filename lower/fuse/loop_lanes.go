package fuse

import (
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
)

type togetherKey struct{ cond *jaxpr.Jaxpr }

// together returns e, a while loop whose lanes end at different times, as a loop with one
// condition: it goes on while any lane does, and keeps the values of lanes that have ended. It
// returns e itself if its condition is a scalar already, or has effects, which would happen twice.
func together(e *jaxpr.Eqn, q *jaxpr.While) *jaxpr.Eqn {
	if q.Cond.Outs[0].Aval().Rank() == 0 || q.Cond.Effects() != 0 {
		return e
	}
	w := q.Body.Memo(togetherKey{q.Cond}, func() any { return ofOneLane(q) }).(*jaxpr.While)
	return &jaxpr.Eqn{Prim: w, Ins: slices.Concat(e.Ins[:q.CondConsts], e.Ins), Outs: e.Outs, Site: e.Site}
}

func ofOneLane(p *jaxpr.While) *jaxpr.While {
	cc, bc := p.CondConsts, p.BodyConsts
	inputs := func(b *jaxpr.Builder, vars []*jaxpr.Var) []jaxpr.Atom {
		atoms := make([]jaxpr.Atom, len(vars))
		for i, v := range vars {
			atoms[i] = b.Input(v.Type)
		}
		return atoms
	}
	b := jaxpr.NewBuilder()
	running := b.Splice(p.Cond, inputs(b, p.Cond.Ins)...)[0]
	lanes := running.Aval().Rank()
	cond := b.Build(b.Eqn(prim.ReduceOrP{Axes: core.Range(0, lanes)}, running)[0])

	b = jaxpr.NewBuilder()
	consts := inputs(b, p.Cond.Ins[:cc])
	in := inputs(b, p.Body.Ins)
	carry := in[bc:]
	running = b.Splice(p.Cond, append(consts, carry...)...)[0]
	next := b.Splice(p.Body, in...)
	outs := make([]jaxpr.Atom, len(next))
	for i, x := range next {
		if outs[i] = x; x == carry[i] {
			continue
		}
		which := running
		if shape := x.Aval().Shape; shape != running.Aval().Shape {
			which = b.Eqn(prim.BroadcastInDimP{Shape: shape, Dims: core.Range(0, lanes)}, running)[0]
		}
		outs[i] = b.Eqn(prim.SelectNP{}, which, carry[i], x)[0]
	}
	return &jaxpr.While{Enclosed: p.Enclosed, Cond: cond, CondConsts: cc, Body: b.Build(outs...), BodyConsts: cc + bc}
}
