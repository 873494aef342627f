package transforms

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
)

// dce returns j without the equations that no result needs and that have no effects. Programs
// that are called lose the results that nothing uses, and then operands. The inputs of j stay.
//
// Without it, what a derivative needs of a call would be all that any derivative needs: the
// residuals of calls within calls would grow with the square of their number.
func dce(j *jaxpr.Jaxpr) *jaxpr.Jaxpr {
	out, _ := prune(j, nil)
	return out
}

type pruneKey struct{ outs string }

// pruned is a program without what the chosen results do not need, and which inputs it takes.
type pruned struct {
	j   *jaxpr.Jaxpr
	ins []bool
}

// prune returns j reduced to the results that outs marks, nil for all, and marks the inputs that
// they use. All inputs stay.
func prune(j *jaxpr.Jaxpr, outs []bool) (*jaxpr.Jaxpr, []bool) {
	return jaxpr.Prune(j, outs, func(e *jaxpr.Eqn, used []bool) *jaxpr.Eqn {
		if !anyTrue(used) && core.EffectsOf(e.Prim) == 0 {
			return nil
		}
		return pruneCall(e, used)
	})
}

// pruneCall returns e with a program that computes the marked results only, or e itself if e is no
// call that can be pruned. Calls with user-defined rules cannot: what the rules close over is not
// among the operands of their equations.
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
	case *jaxpr.ShardMap:
	default:
		return e
	}
	j := calledProgram(e.Prim)
	if j.Closureful() {
		return e
	}
	x := j.Memo(pruneKey{bits(outs)}, func() any {
		p, ins := prune(j, outs)
		if anyTrue(not(ins)) {
			p = rearranged(p, pick(p.Ins, ins), p.Outs)
		}
		return &pruned{p, ins}
	}).(*pruned)
	if x.j == j {
		return e
	}
	var call core.Primitive
	if p, ok := e.Prim.(*jaxpr.ShardMap); ok {
		call = reshard(p, x.j, pick(p.In, x.ins), pick(p.Out, outs))
	} else {
		call = recall(e.Prim, x.j)
	}
	return &jaxpr.Eqn{Prim: call, Ins: pick(e.Ins, x.ins), Outs: pick(e.Outs, outs), Site: e.Site}
}
