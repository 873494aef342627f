package transforms

import (
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/trace"
)

// jvpRemat: in forward mode, the program and its derivative are one program. On a tape, the
// linear program computes the residuals again, from the operands and from what the policy saves,
// and then the tangents.
func jvpRemat(i *jvp, p core.Primitive, in, t []Value) (outs, touts []Value) {
	r := p.(*jaxpr.Remat)
	nz := present(t)
	if !anyTrue(nz) {
		return core.Bind(p, in...), nil
	}
	nout := len(r.Jaxpr.Outs)
	if !splits(p, t) {
		d := jvpJaxpr(r.Jaxpr, nz, nil, tracersOnly)
		q := *r
		q.Jaxpr = d.j
		out := core.Bind(&q, concat(d.extra, in, pick(t, nz))...)
		return out[:nout:nout], spread(out[nout:], d.nz)
	}
	x := jaxpr.Cached(r.Jaxpr, rematKey{bits(nz), r.Policy}, func() *rematted { return rematerialize(r, nz) },
		func(x *rematted) bool { return !core.HasTracer(x.extra) && !core.HasTracer(x.linExtra) })
	args := concat(x.extra, in)
	outs = core.Bind(&jaxpr.Remat{Jaxpr: x.fwd, Policy: r.Policy, PreventCSE: r.PreventCSE, Differentiated: r.Differentiated}, args...)
	saved := outs[nout:]
	outs = outs[:nout:nout]
	if !anyTrue(x.nz) {
		return outs, nil
	}
	touts = core.Bind(&jaxpr.Remat{Jaxpr: x.lin, Policy: r.Policy, PreventCSE: r.PreventCSE, Differentiated: true},
		concat(x.linExtra, args, saved, pick(t, nz))...)
	return outs, spread(touts, x.nz)
}

type rematKey struct {
	nz     string
	policy jaxpr.Policy
}

// rematted is a remat split for a tape.
type rematted struct {
	fwd      *jaxpr.Jaxpr // extra, ins → outs, saved
	extra    []Value
	lin      *jaxpr.Jaxpr // linExtra, extra, ins, saved, tangents → tangents
	linExtra []Value
	nz       []bool
}

func rematerialize(r *jaxpr.Remat, nz []bool) *rematted {
	l := linearizeJaxpr(r.Jaxpr, nz, nil, tracersOnly)
	x := &rematted{extra: l.extra, nz: l.nz}
	nout := len(r.Jaxpr.Outs)

	// saved are the variables that the policy keeps and the residuals need; again
	// are the equations between them and the residuals.
	saved, again := cutAt(l, r.Policy)
	x.fwd = jaxpr.DCE(rearranged(l.fwd, l.fwd.Ins, concat(l.fwd.Outs[:nout], atoms(saved))))

	nIn := len(l.fwd.Ins)
	avals := l.fwd.InAvals()
	for _, v := range saved {
		avals = append(avals, v.Type)
	}
	nres := len(l.linExtra) + len(l.res)
	avals = append(avals, l.lin.InAvals()[nres:]...)
	x.lin = trace.Stage("remat", avals, func(in []Value) []Value {
		env := map[jaxpr.Atom]Value{}
		for k, v := range l.fwd.Consts {
			env[v] = l.fwd.ConstVals[k]
		}
		for k, v := range l.fwd.Ins {
			env[v] = in[k]
		}
		for k, v := range saved {
			env[v] = in[nIn+k]
		}
		replay(again, env)
		args := slices.Clone(l.linExtra)
		for _, s := range l.res {
			if s.in {
				args = append(args, in[s.index])
			} else {
				args = append(args, lookup(env, l.fwd.Outs[s.index]))
			}
		}
		args = append(args, in[nIn+len(saved):]...)
		if !l.lin.Closureful() {
			return eval(l.lin, args)
		}
		var outs []Value
		jaxpr.Within([]*jaxpr.Frame{jaxpr.NewFrame(l.fwd, in[:nIn])}, func() { outs = eval(l.lin, args) })
		return outs
	})
	x.linExtra = trace.HoistTracers(x.lin)
	return x
}

func replay(eqns []*jaxpr.Eqn, env map[jaxpr.Atom]Value) {
	at := core.StartReplay()
	defer at.End()
	for _, e := range eqns {
		at.At(e.Site)
		args := make([]Value, len(e.Ins))
		for k, a := range e.Ins {
			args[k] = lookup(env, a)
		}
		for k, v := range core.Bind(e.Prim, args...) {
			env[e.Outs[k]] = v
		}
	}
}

func lookup(env map[jaxpr.Atom]Value, a jaxpr.Atom) Value {
	if v, ok := a.(*jaxpr.Var); ok {
		x, ok := env[v]
		if !ok {
			panic("BUG: a variable that is not in scope")
		}
		return x
	}
	return a
}

func atoms(vs []*jaxpr.Var) []jaxpr.Atom {
	out := make([]jaxpr.Atom, len(vs))
	for k, v := range vs {
		out[k] = v
	}
	return out
}

// cutAt walks back from the residuals of l to what the policy saves and to the
// inputs.
func cutAt(l *linearized, policy jaxpr.Policy) (saved []*jaxpr.Var, again []*jaxpr.Eqn) {
	need := map[*jaxpr.Var]bool{}
	for _, s := range l.res {
		if !s.in {
			if v, ok := l.fwd.Outs[s.index].(*jaxpr.Var); ok {
				need[v] = true
			}
		}
	}
	for _, e := range slices.Backward(l.fwd.Eqns) {
		if !slices.ContainsFunc(e.Outs, func(v *jaxpr.Var) bool { return need[v] }) {
			continue
		}
		if policy != nil && policy.Saves(e.Prim, core.AvalsOf(e.Ins)) {
			for _, v := range e.Outs {
				if need[v] {
					saved = append(saved, v)
				}
			}
			continue
		}
		again = append(again, e)
		for _, a := range e.Ins {
			if v, ok := a.(*jaxpr.Var); ok {
				need[v] = true
			}
		}
	}
	slices.Reverse(saved)
	slices.Reverse(again)
	return saved, again
}

func transposeRemat(p core.Primitive, cts, in []Value, lin []bool, _ []core.ShapedArray, _ []*jaxpr.Var) []Value {
	r := *p.(*jaxpr.Remat)
	t := transposeJaxpr(r.Jaxpr, lin, present(cts), nil, tracersOnly, nil)
	r.Jaxpr = t.j
	if !t.j.Closureful() { // drop what is recomputed for unused results
		r.Jaxpr = dce(t.j)
	}
	out := core.Bind(&r, concat(t.extra, pick(in, not(lin)), pick(cts, present(cts)))...)
	return spread(out, t.nz)
}

func (b *vmap) batchRemat(r *jaxpr.Remat, in []Value, mapped []bool) ([]Value, []bool) {
	x := b.batchJaxpr(r.Jaxpr, mapped, nil, tracersOnly)
	q := *r
	q.Jaxpr = x.j
	return core.Bind(&q, concat(x.extra, in)...), x.out
}
