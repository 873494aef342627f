package custom

import (
	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/leaves"
	"github.com/weft-go/weft/internal/nd"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/trace"
)

// Gradient returns f with a reverse derivative that f itself returns: its second result maps the
// cotangent of the first to the cotangent of p. Values that this map closes over become
// residuals. The map is traced when the function is differentiated, so it cannot read the values
// of cotangents; a rule of [VJP] can. The function cannot be differentiated forward.
//
// Names are shown in IR text for the function and its two rules.
func Gradient[P, O any](f func(P) (O, func(O) P), names ...weft.NameOption) func(P) O {
	leaves.RequireNonNil("custom.Gradient", f)
	given := namesOf(names, f, f, f)
	if len(names) < 3 {
		given[2] = leaves.Name{Short: "bwd"}
	}
	if len(names) < 2 {
		given[1] = leaves.Name{Short: "fwd"}
	}
	c := newCustom[P, O]("custom.Gradient", func(p P) O { o, _ := f(p); return o }, given)
	return func(p P) O {
		return c.call(p, func(def defOf, out *resultForm) core.Primitive {
			return &jaxpr.CustomVJP{
				Fn: given[0].Short, FwdName: given[1].Short, BwdName: given[2].Short, F: c.flat(def, out),
				Forward: func(in []core.Value, _ []bool) (outs, res []core.Value, bwd jaxpr.Backward) {
					o, pullback := f(together[P](def, in))
					if pullback == nil {
						c.fail(nil, "returned no derivative: its second result is nil; return a function of the cotangent")
					}
					outs, odef := c.fo.Values(c.op, &o)
					out.set(odef)
					res, bwd = c.pullback(pullback, &p, odef, core.AvalsOf(in), core.AvalsOf(outs))
					return outs, res, bwd
				},
			}
		})
	}
}

// pullback traces the derivative that a function returned: its residuals, and how to apply it.
func (c *custom[P, O]) pullback(f func(O) P, p *P, odef defOf, in, out []core.ShapedArray) (res []core.Value, bwd jaxpr.Backward) {
	var types []core.ShapedArray
	for _, a := range out {
		if a.DType.IsInexact() {
			types = append(types, a.Tangent())
		}
	}
	var there []bool
	program := trace.Stage(c.names[2].Short, types, func(cts []core.Value) (some []core.Value) {
		all := make([]core.Value, len(out))
		for k, a := range out {
			if all[k] = nd.NoTangent(a); a.DType.IsInexact() {
				all[k], cts = cts[0], cts[1:]
			}
		}
		g := f(together[O](odef, all))
		for _, v := range c.cotangents(p, &g, in) {
			ok := v != nil && v.Aval().DType != core.Float0
			if there = append(there, ok); ok {
				some = append(some, v)
			}
		}
		return some
	})
	consts := trace.HoistAll(program)
	return consts, func(res, cts []core.Value) []core.Value {
		args := append([]core.Value(nil), res...)
		for k, a := range out {
			if a.DType.IsInexact() {
				args = append(args, cts[k])
			}
		}
		some := jaxpr.Eval(program, nil, args)
		all := make([]core.Value, len(there))
		for k, ok := range there {
			if ok {
				all[k], some = some[0], some[1:]
			}
		}
		return all
	}
}
