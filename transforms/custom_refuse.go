package transforms

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/trace"
)

// contains reports whether v holds a dual of i, under the boxes of others.
func (i *jvp) contains(v Value) bool {
	for {
		switch x := v.(type) {
		case *dual:
			if x.i == i || i.contains(x.tangent) {
				return true
			}
			v = x.primal
		case *batched:
			v = x.v
		default:
			return false
		}
	}
}

func (i *jvp) refuseOwn(fn string, vs []Value) {
	for _, v := range vs {
		if v != nil && i.contains(v) {
			trace.RefuseClosure(fn, v.Aval())
		}
	}
}

// refuseYounger refuses values that hold duals of i or of a younger derivative: a younger
// derivative passed the call on, so none of its duals is an operand.
func (i *jvp) refuseYounger(fn string, vs []Value) {
	for _, v := range vs {
		for v != nil {
			switch x := v.(type) {
			case *dual:
				if x.i.level >= i.level {
					trace.RefuseClosure(fn, x.Aval())
				}
				v = x.primal
			case *batched:
				v = x.v
			default:
				v = nil
			}
		}
	}
	i.refuseOwn(fn, vs)
}

// refuseRules checks the results of a differentiated program. Only user-defined rules within it
// can close over a value; if that value is being differentiated right here, its derivative would
// be lost.
func (i *jvp) refuseRules(p core.Primitive, results ...[]Value) {
	for _, vs := range results {
		for _, v := range vs {
			if v != nil && i.contains(v) {
				trace.RefuseClosure(customWithin(p), v.Aval())
			}
		}
	}
}

// customWithin returns the name of the first function with user-defined derivative rules within p, or p's name if there is none.
func customWithin(p core.Primitive) string {
	for _, j := range jaxpr.Programs(p) {
		for _, e := range j.Eqns {
			switch c := e.Prim.(type) {
			case *jaxpr.CustomJVP:
				return c.Fn
			case *jaxpr.CustomVJP:
				return c.Fn
			}
			if fn := customWithin(e.Prim); fn != e.Prim.Name() {
				return fn
			}
		}
	}
	return p.Name()
}

// refuseEnded refuses results of a rule that belong to a trace or transformation that had ended
// when the rule ran, even if nothing uses them. Results whose value is known are replaced by that
// value.
func refuseEnded(vs []Value) {
	for k, v := range vs {
		if t, ok := v.(core.Tracer); ok && !t.Interpreter().Live() {
			vs[k] = core.Resolve(t)
		}
	}
}

// checkRule fails if a rule returned results of other types than want, or a tangent that does not have the tangent type of
// its result. Tangents of the type float0 become nil.
func checkRule(fn, rule string, outs, touts []Value, want []core.ShapedArray) {
	if want != nil && len(outs) != len(want) {
		core.FailOp(core.ErrCustomRule, fn, nil, "its rule %s returns %s, but the function returns %d; return one tangent for each result", rule, core.Count(len(outs), "result"), len(want))
	}
	for k, v := range outs {
		a := v.Aval()
		if want != nil && !a.SameType(want[k]) {
			core.FailOp(core.ErrCustomRule, fn, []core.ShapedArray{want[k], a}, "its rule %s returns %s for result %d, but the function returns %s; return the function's type", rule, a.Full(), k, want[k].Full())
		}
		t := touts[k]
		if t == nil {
			continue
		}
		tw, got := a.Tangent(), t.Aval()
		if got.DType == core.Float0 && tw.DType == core.Float0 {
			touts[k] = nil
		} else if !got.SameType(tw) {
			core.FailOp(core.ErrCustomRule, fn, []core.ShapedArray{tw, got}, "its rule %s returns a tangent %s for result %d of type %s; return the tangent type", rule, got.Full(), k, a.Full())
		}
	}
}
