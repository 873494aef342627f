package express

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower"
)

type lanesKey struct{ body *jaxpr.Jaxpr }

// whileOfLanes returns a loop whose lanes end at different times as one that goes on while any
// lane does, and keeps what lanes that have ended carry. nil for loops of one lane.
func whileOfLanes(p *jaxpr.While) lower.Expansion {
	if p.Cond.Outs[0].Aval().Rank() == 0 {
		return nil
	}
	one := p.Cond.Memo(lanesKey{p.Body}, func() any { return ofOneLane(p) }).(*jaxpr.While)
	cc := p.CondConsts
	return func(in []core.Value) []core.Value {
		args := append(append([]core.Value(nil), in[:cc]...), in...)
		return core.Bind(one, args...)
	}
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
		which := running
		if shape := x.Aval().Shape; shape != running.Aval().Shape {
			which = b.Eqn(prim.BroadcastInDimP{Shape: shape, Dims: core.Range(0, lanes)}, running)[0]
		}
		outs[i] = b.Eqn(prim.SelectNP{}, which, carry[i], x)[0]
	}
	return &jaxpr.While{Enclosed: p.Enclosed, Cond: cond, CondConsts: cc, Body: b.Build(outs...), BodyConsts: cc + bc}
}
