package transforms

import (
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/trace"
)

// taped reports whether some tangent, under the boxes of interpreters, is a tracer of a tape. Then
// programs within programs are split into a part that runs now and a linear part for the
// tape, instead of being doubled.
//
// A tangent that itself has a tangent on a tape does not count: forward mode within reverse mode
// doubles the program, which the reverse mode then splits. The same happens when the forward
// derivative is staged first, so the cotangents are added in the same order.
func taped(ts []Value) bool { return anyTaped(ts, false) }

// underTape reports whether some tangent depends, in any way, on a tracer of a tape.
func underTape(ts []Value) bool { return anyTaped(ts, true) }

func anyTaped(ts []Value, tangents bool) bool {
	for _, t := range ts {
		for t != nil {
			switch x := t.(type) {
			case *trace.Tracer:
				if x.Recorder().IsTape() {
					return true
				}
				t = nil
			case *dual:
				if tangents && anyTaped([]Value{x.tangent}, true) {
					return true
				}
				t = x.primal
			case *batched:
				t = x.v
			default:
				t = nil
			}
		}
	}
	return false
}

// splits reports whether a primitive that holds programs is split for the tangents. It is if they
// are taped. It also is if they are under a tape and p applies a reverse rule to operands with tangents:
// forward mode can pass the rule only if a tape around it will transpose the rule's derivative.
func splits(p core.Primitive, t []Value) bool {
	return taped(t) || underTape(t) && ruledWithin(p, present(t))
}

type ruledKey struct{ active string }

// ruled reports whether some function with a reverse rule in j has an operand that depends on the
// active inputs.
func ruled(j *jaxpr.Jaxpr, active []bool) bool {
	if !j.Closureful() {
		return false
	}
	return j.Memo(ruledKey{bits(active)}, func() any {
		marked := jaxpr.NumbersFor(j)
		for k, v := range j.Ins {
			if active[k] {
				marked.Bind(v)
			}
		}
		for _, e := range j.Eqns {
			m := boundIn(marked, e.Ins)
			if !anyTrue(m) {
				continue
			}
			if _, ok := e.Prim.(*jaxpr.CustomVJP); ok || ruledWithin(e.Prim, m) {
				return true
			}
			for k, u := range unknownOf(e, m) {
				if u && e.Outs[k].Type.DType.Tangent() != core.Float0 {
					marked.Bind(e.Outs[k])
				}
			}
		}
		return false
	}).(bool)
}

// ruledWithin is ruled for the programs of p; active marks the operands of p.
func ruledWithin(p core.Primitive, active []bool) bool {
	switch p := p.(type) {
	case *jaxpr.Cond:
		return slices.ContainsFunc(p.Branches, func(b *jaxpr.Jaxpr) bool { return ruled(b, active[1:]) })
	case *jaxpr.While:
		_, mb, mk := whileParts(p, active)
		return ruled(p.Body, carryFixpoint(p.Body, concat(mb, mk), len(mb), len(mk), unknownResults))
	case *jaxpr.Scan:
		return ruled(p.Jaxpr, carryFixpoint(p.Jaxpr, active, p.NumConsts, p.NumCarry, unknownResults))
	case *jaxpr.CustomJVP, *jaxpr.CustomVJP: // their rules are differentiated, not their functions
		return false
	}
	for _, j := range jaxpr.Programs(p) {
		if len(j.Ins) == len(active) && ruled(j, active) {
			return true
		}
	}
	return false
}
