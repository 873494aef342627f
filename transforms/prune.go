package transforms

import (
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
)

// dce returns j without the equations that no result needs and that have no effects. Programs
// that are called lose the results that nothing uses, and then operands. The inputs of j stay.
//
// Without it, what a derivative needs of a call would be all that any derivative needs: the
// residuals of calls within calls would grow with the square of their number.
func dce(j *jaxpr.Jaxpr) *jaxpr.Jaxpr {
	return computing(j, all(len(j.Outs), true))
}

// computing returns the program of the results that outs marks, of all inputs of j.
func computing(j *jaxpr.Jaxpr, outs []bool) *jaxpr.Jaxpr {
	out, _ := prune(j, outs)
	if len(out.Ins) < len(j.Ins) {
		out = rearranged(out, j.Ins, out.Outs)
	}
	return out
}

type pruneKey struct{ outs string }

// pruned is a program without what the chosen results do not need, and which inputs it takes.
type pruned struct {
	j   *jaxpr.Jaxpr
	ins []bool
}

// prune returns j with the results that outs marks and without what they do not need, and which
// inputs it still takes. It is j itself if everything is needed.
func prune(j *jaxpr.Jaxpr, outs []bool) (*jaxpr.Jaxpr, []bool) {
	needed := jaxpr.NumbersFor(j)
	need := func(as []jaxpr.Atom) {
		for _, a := range as {
			if v, ok := a.(*jaxpr.Var); ok {
				needed.Bind(v)
			}
		}
	}
	marks := func(vs []*jaxpr.Var) []bool {
		m := make([]bool, len(vs))
		for k, v := range vs {
			if v != nil {
				_, m[k] = needed.Of(v)
			}
		}
		return m
	}
	results := pick(j.Outs, outs)
	need(results)
	kept := make([]*jaxpr.Eqn, 0, len(j.Eqns))
	same := len(results) == len(j.Outs)
	for _, e := range slices.Backward(j.Eqns) {
		m := marks(e.Outs)
		if !anyTrue(m) && core.EffectsOf(e.Prim) == 0 {
			same = false
			continue
		}
		p := pruneCall(e, m)
		same = same && p == e
		kept = append(kept, p)
		need(p.Ins)
	}
	ins := marks(j.Ins)
	if same && !anyTrue(not(ins)) && !anyTrue(not(marks(j.Consts))) {
		return j, ins
	}
	slices.Reverse(kept)
	out := &jaxpr.Jaxpr{Ins: pick(j.Ins, ins), Eqns: kept, Outs: results, Consts: j.Consts}
	if j.ConstVals != nil {
		m := marks(j.Consts)
		out.Consts, out.ConstVals = pick(j.Consts, m), append([]Value{}, pick(j.ConstVals, m)...)
	}
	return out, ins
}

// pruneCall returns a call of a program that computes the marked results only. Other equations
// stay as they are, as do calls with user-defined rules: what these close over is not among the
// operands of the rule's equation.
func pruneCall(e *jaxpr.Eqn, outs []bool) *jaxpr.Eqn {
	switch p := e.Prim.(type) {
	case *jaxpr.Jit:
		if p.Donated != nil || p.Extra != nil {
			return e
		}
	case *jaxpr.CoreCall:
		if p.Word != "" {
			return e
		}
	default:
		return e
	}
	j := calledProgram(e.Prim)
	if j.Closureful() {
		return e
	}
	x := j.Memo(pruneKey{bits(outs)}, func() any {
		p, ins := prune(j, outs)
		return &pruned{p, ins}
	}).(*pruned)
	if x.j == j {
		return e
	}
	return &jaxpr.Eqn{Prim: recall(e.Prim, x.j), Ins: pick(e.Ins, x.ins), Outs: pick(e.Outs, outs), Site: e.Site}
}
