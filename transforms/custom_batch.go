package transforms

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
)

// sums unboxes cotangents. Those of mapped operands get the batch's axis; those of the other
// operands are summed over it.
func (b *vmap) sums(vs []Value, mapped []bool) []Value {
	out := make([]Value, len(vs))
	for k, v := range vs {
		if v == nil || v.Aval().DType == core.Float0 {
			continue
		}
		u, m := b.unbox([]Value{v})
		switch {
		case mapped[k]:
			out[k] = front(u[0], m[0], b.n)
		case m[0]:
			out[k] = prim.ReduceSum(u[0], core.MakeDims(0))
		default: // The n elements have the same cotangent.
			out[k] = prim.Times(u[0], b.n)
		}
	}
	return out
}

// passCustomVmap passes a call with a batching rule on to older interpreters: none of its
// operands is mapped here. A recorded function runs in the batch only if it names the axis. Functions
// that are not recorded may also close over mapped values: they run in the batch, and all results
// are mapped.
func (b *vmap) passCustomVmap(c *jaxpr.CustomVmap, in []Value) (outs []Value, outMapped []bool) {
	unmapped := all(len(in), false)
	if j := c.Jaxpr; j != nil {
		if b.axis != "" && b.names(c) {
			return b.apply(func(in []Value) []Value { return eval(j, in) }, in, unmapped)
		}
		outs = core.Bind(c, in...)
		return outs, all(len(outs), false)
	}
	q := alike(c, c.NumConsts)
	q.Extra, q.F = c.Extra, b.batchF(c.F, nil, unmapped)
	if c.Rule != nil {
		q.Rule = func(n int, in []Value, mapped []bool) (outs []Value, outMapped []bool) {
			b.enter(func() []Value {
				outs, outMapped = c.Rule(n, in, mapped)
				outs = b.fronts(outs)
				return nil
			})
			for k, m := range outMapped {
				if m { // the axis that the rule is called for comes first
					outs[k] = swapFront(outs[k])
				}
			}
			return outs, outMapped
		}
	}
	outs = core.Bind(q, in...)
	return outs, all(len(outs), true)
}

// jvpCustomVmap differentiates the function. Its batching rule is lost, since the rule says
// nothing about derivatives.
func jvpCustomVmap(_ *jvp, p core.Primitive, in, t []Value) (outs, touts []Value) {
	c := p.(*jaxpr.CustomVmap)
	if !anyTrue(present(t)) {
		return core.Bind(p, in...), nil
	}
	f := c.F
	if c.Jaxpr != nil {
		f = func(in []Value) []Value { return eval(c.Jaxpr, in) }
	}
	return newJVP().run(f, in, t)
}
