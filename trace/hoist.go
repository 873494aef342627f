package trace

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
)

// hoisted maps values of older interpreters to the tracers that stand for them in a trace.
type hoisted struct {
	numbers jaxpr.Numbers // of tracers of other traces
	traced  []*Tracer     // by number
	others  map[core.Value]*Tracer
}

// get returns the tracer that stands for v, nil if there is none.
func (h *hoisted) get(v core.Value) *Tracer {
	if x, ok := v.(*Tracer); ok {
		if n, ok := h.numbers.Of(x.v); ok {
			return h.traced[n]
		}
		return nil
	}
	return h.others[v]
}

func (h *hoisted) put(v core.Value, t *Tracer) {
	if x, ok := v.(*Tracer); ok {
		h.numbers.Bind(x.v)
		h.traced = append(h.traced, t)
		return
	}
	if h.others == nil {
		h.others = map[core.Value]*Tracer{}
	}
	h.others[v] = t
}

// hoist makes a value of an older interpreter a constant of the program, once for each value. A tape
// that rewrites writes the equations of a known value again instead. The caller holds the lock.
func (r *Recorder) hoist(v core.Value) *Tracer {
	if t := r.hoisted.get(v); t != nil {
		return t
	}
	if o, ok := v.(core.Tracer); ok && o.Interpreter().Level() > r.level {
		panic("BUG: a younger tracer " + o.Aval().Full() + " among the operands of an older recorder")
	}
	if x, ok := v.(*Tracer); ok && r.rewrite && x.k != nil && x.k.pure && !x.k.drawn {
		if x.k.given != nil {
			return r.hoist(x.k.given)
		}
		return r.copySlice(x)
	}
	t := newArgument(r, v.Aval())
	t.k = knowledgeOf(v)
	r.hoisted.put(v, t)
	r.consts = append(r.consts, constant{t, v})
	return t
}

// knowledgeOf returns what is known of a value of another owner, nil if it cannot be looked at.
func knowledgeOf(v core.Value) *knowledge {
	if !Known(v) {
		return nil
	}
	_, traced := v.(core.Tracer)
	k := &knowledge{given: v, pure: !traced}
	if x, ok := v.(*Tracer); ok {
		k.pure, k.drawn = x.k.pure, x.k.drawn
	}
	return k
}

// copySlice writes the equations behind a known value of another trace, each once.
// The caller holds the lock.
func (r *Recorder) copySlice(t *Tracer) *Tracer {
	if r.copied == nil {
		r.copied = map[*knowledge][]*Tracer{}
	}
	todo := []*knowledge{t.k}
	for len(todo) > 0 {
		k := todo[len(todo)-1]
		if r.copied[k] != nil {
			todo = todo[:len(todo)-1]
			continue
		}
		ready := true
		ins := make([]jaxpr.Atom, len(k.in))
		avals := make([]core.ShapedArray, len(k.in))
		for i, v := range k.in {
			avals[i] = v.Aval()
			x, ok := v.(*Tracer)
			switch {
			case ok && x.k != nil && x.k.given == nil:
				if c := r.copied[x.k]; c != nil {
					ins[i] = c[x.index].v
				} else {
					todo = append(todo, x.k)
					ready = false
				}
			case ok && x.k != nil:
				ins[i] = r.hoist(x.k.given).v
			default:
				if l, ok := v.(core.Literal); ok {
					ins[i] = l
				} else {
					ins[i] = r.hoist(v).v
				}
			}
		}
		if !ready {
			continue
		}
		e := &jaxpr.Eqn{Prim: k.prim, Ins: ins}
		var ts []*Tracer
		for i, a := range core.AbstractOf(k.prim, avals) {
			e.Outs = append(e.Outs, jaxpr.NewVar(a))
			ts = append(ts, newTracer(Tracer{rec: r, v: e.Outs[i], eqn: e, index: i}))
		}
		r.add(e)
		r.copied[k] = ts
	}
	c := r.copied[t.k][t.index]
	r.hoisted.put(t, c)
	return c
}
