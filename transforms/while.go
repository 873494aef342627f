package transforms

import (
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
)

func whileParts[T any](w *jaxpr.While, vs []T) (cc, bc, carry []T) {
	g := groups(vs, w.CondConsts, w.BodyConsts)
	return g[0], g[1], g[2]
}

const noForwardRule = "forward-mode differentiation (JVP) does not go through a custom.VJP function, which has a reverse rule only; use Grad or VJP, or give it a custom.JVP rule"

// refuseReverseRules, deferred, explains why a function with only a reverse rule cannot stand in
// a loop on a tape: neither mode goes through both.
func refuseReverseRules() {
	r := recover()
	if r == nil {
		return
	}
	if e, ok := r.(*core.Error); ok && e.Msg == noForwardRule {
		e.Msg = "a custom.VJP function within a While loop has no derivative: it has a reverse rule only, and reverse mode does not go through the loop, whose number of steps is not known beforehand; use Scan, or ForI with a Go int, or give the function a custom.JVP rule and use forward mode (JVP)"
	}
	panic(r)
}

// jvpWhile carries the tangents along. The condition has none. On a tape the loop
// is run once without tangents, and the loop with tangents is written there: its
// transpose is an error, since the number of steps is not known beforehand.
func jvpWhile(i *jvp, p core.Primitive, in, t []Value) (outs, touts []Value) {
	w := p.(*jaxpr.While)
	if underTape(t) {
		defer refuseReverseRules()
	}
	_, nzb, nzk := whileParts(w, present(t))
	nzk = carryFixpoint(w.Body, concat(nzb, nzk), len(nzb), len(nzk), func(j *jaxpr.Jaxpr, m []bool) []bool {
		return jvpJaxpr(j, m, nil, everything).nz
	})[len(nzb):]
	if !anyTrue(nzk) {
		return core.Bind(p, in...), nil
	}
	cc, bc, carry := whileParts(w, in)
	_, tb, tk := whileParts(w, slices.Clone(t))
	instantiate(carry, tk, nzk)
	tb, tk = pick(tb, nzb), pick(tk, nzk)

	d := jvpJaxpr(w.Body, concat(nzb, nzk), nzk, everything)
	body := jaxpr.Cached(d.j, scanKey{w.BodyConsts, len(carry)}, func() *jaxpr.Jaxpr {
		g := groups(d.j.Ins, len(d.extra), len(bc), len(carry), len(tb))
		return rearranged(d.j, concat(g[0], g[1], g[3], g[2], g[4]), d.j.Outs)
	}, func(*jaxpr.Jaxpr) bool { return true })
	cond := jaxpr.Cached(w.Cond, jvpKey{"condition", bits(nzk), everything}, func() *jaxpr.Jaxpr {
		ins := slices.Clone(w.Cond.Ins)
		for k, v := range w.Cond.Ins[len(cc):] {
			if nzk[k] {
				ins = append(ins, jaxpr.NewVar(v.Type.Tangent()))
			}
		}
		return rearranged(w.Cond, ins, w.Cond.Outs)
	}, func(*jaxpr.Jaxpr) bool { return true })
	loop := &jaxpr.While{Cond: cond, CondConsts: len(cc), Body: body, BodyConsts: len(d.extra) + len(bc) + len(tb)}
	out := core.Bind(loop, concat(cc, d.extra, bc, tb, carry, tk)...)
	outs = out[:len(carry):len(carry)]
	if taped(t) {
		primal := &jaxpr.While{Cond: w.Cond, CondConsts: len(cc), Body: primalBody(d, len(bc), len(carry)), BodyConsts: len(d.extra) + len(bc)}
		if primal.Body == nil {
			outs = core.Bind(p, in...)
		} else {
			outs = core.Bind(primal, concat(cc, d.extra, bc, carry)...)
		}
	}
	return outs, spread(out[len(carry):], nzk)
}

type primalKey scanKey

// primalBody returns the part of a differentiated body that returns the carry and needs no
// tangent: rules may give other values than their functions. It is nil if there is none.
func primalBody(d *jvpd, consts, carry int) *jaxpr.Jaxpr {
	return jaxpr.Cached(d.j, primalKey{consts, carry}, func() *jaxpr.Jaxpr {
		n := len(d.extra) + consts + carry
		tangents := make([]bool, len(d.j.Ins))
		for k := n; k < len(tangents); k++ {
			tangents[k] = true
		}
		s := splitJaxpr(d.j, tangents, nil)
		if anyTrue(s.out[:carry]) {
			return nil
		}
		return jaxpr.DCE(rearranged(s.known, s.known.Ins, s.known.Outs[:carry]))
	}, func(*jaxpr.Jaxpr) bool { return true })
}

func transposeWhile(p core.Primitive, _, _ []Value, _ []bool, avals []core.ShapedArray, _ []*jaxpr.Var) []Value {
	core.FailOp(core.ErrNoRule, "while", avals, "reverse-mode differentiation does not go through a While loop, or a ForRange whose bounds are traced: the number of steps, and so the memory for them, is not known beforehand; use Scan, or ForI with a Go int, or forward mode (JVP)")
	return nil
}

func (b *vmap) batchWhile(w *jaxpr.While, in []Value, mapped []bool) ([]Value, []bool) {
	mc, mb, mk := whileParts(w, mapped)
	mbk, body := b.batchBody(w.Body, concat(mb, mk), len(mb), len(mk))
	mk = mbk[len(mb):]
	lanes := w.Cond.Outs[0].Aval().Rank() > 0 // it has lanes already: the batch's lead them
	predMapped := b.batchJaxpr(w.Cond, concat(mc, mk), nil, everything).out[0]
	if predMapped && b.part != nil && (communicates(w.Cond, b.axis) || communicates(w.Body, b.axis)) {
		core.Failf(core.ErrAxis, "a loop communicates along %q, and its condition differs along that axis, so that processes would take different numbers of steps; make the condition the same with lax.Pmax(…, %q)", b.axis, b.axis)
	}
	if predMapped || lanes && anyTrue(mk) { // finished lanes keep their carry: all of it is mapped
		if predMapped = true; anyTrue(not(mk)) {
			mk = all(len(mk), true)
			body = b.batchJaxpr(w.Body, concat(mb, mk), mk, everything)
		}
	}
	if predMapped && (w.Cond.Effects() != 0 || w.Body.Effects() != 0) {
		core.FailOp(core.ErrNoRule, "while", nil, "has effects and a condition that differs within a batch of Vmap: finished elements would run on; take the effect out of the loop")
	}
	cc, bc, carry := whileParts(w, slices.Clone(in))
	for k := range carry {
		if mk[k] {
			carry[k] = front(carry[k], mapped[len(mc)+len(mb)+k], b.n)
		}
	}
	cond := b.batchJaxpr(w.Cond, concat(mc, mk), []bool{predMapped}, everything)
	return core.Bind(&jaxpr.While{Cond: cond.j, CondConsts: len(cond.extra) + len(cc), Body: body.j, BodyConsts: len(body.extra) + len(bc)},
		concat(cond.extra, cc, body.extra, bc, carry)...), mk
}
