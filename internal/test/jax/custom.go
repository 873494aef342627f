package jax

import (
	"slices"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
)

// pyCustom is a function of a golden program with a derivative of its own:
// jax.custom_jvp or jax.custom_vjp.
type pyCustom struct {
	f        any
	nondiff  []int
	vjp      bool
	rule     any // of the forward derivative
	ruleName string
	fwd, bwd any
	zeros    bool // symbolic_zeros
}

func (c *pyCustom) member(name string) (any, bool) {
	defs := map[string]func(a *pyArgs) any{
		"defjvp": func(a *pyArgs) any {
			c.rule = a.must(0, "jvp")
			c.ruleName, c.zeros = pyFuncName(c.rule), pyTruth(a.or(-1, "symbolic_zeros", false))
			return c.rule
		},
		"defjvps": func(a *pyArgs) any {
			c.rule, c.ruleName = c.perArgument(a.rest(0)), "jvp"
			return nil
		},
		"defvjp": func(a *pyArgs) any { c.fwd, c.bwd = a.must(0, "fwd"), a.must(1, "bwd"); return nil },
	}
	f, ok := defs[name]
	return &pyBuiltin{name, f}, ok
}

// perArgument returns the rule that adds up a rule for each argument.
func (c *pyCustom) perArgument(rules []any) any {
	return pyMade(c.f, func(pos []any, _ map[string]any) any {
		p, t := pyIterate(pos[0]), pyIterate(pos[1])
		ans := pyCall(c, p, nil)
		var sum any
		for i, r := range rules {
			if r == nil {
				continue
			}
			d := pyCall(r, slices.Concat([]any{t[i], ans}, p), nil)
			if sum == nil {
				sum = d
			} else {
				sum = weft.FromValue(prim.AddAny(pyArray(sum).Value(), pyArray(d).Value()))
			}
		}
		return pyTuple{ans, sum}
	})
}

func (c *pyCustom) call(pos []any, kw map[string]any) any {
	if len(kw) > 0 {
		pyCannot("keyword arguments of a custom rule")
	}
	which := slices.DeleteFunc(pyEach(pos), func(i int) bool { return slices.Contains(c.nondiff, i) })
	var fixed []any
	for _, i := range c.nondiff {
		fixed = append(fixed, pos[i])
	}
	leaves, forms, with := pySplit(c.f, pos, nil, which)
	var form pyForm
	flat := func(v any) []core.Value {
		l, fm := Flatten(v)
		form = fm
		return Values(l)
	}
	f := func(in []core.Value) []core.Value { return flat(with(Arrays(in))) }
	var outs []core.Value
	if c.vjp {
		outs = core.Bind(c.reverse(pos, forms, which, fixed, f, &form), Values(leaves)...)
	} else {
		outs = core.Bind(&jaxpr.CustomJVP{Fn: pyFuncName(c.f), RuleName: c.ruleName, SymbolicZeros: c.zeros, F: f,
			Rule: func(in, t []core.Value) (out, dout []core.Value) {
				for i, v := range t {
					switch {
					case v == nil && in[i].Aval().DType.IsInexact():
						t[i] = prim.Zeros(in[i].Aval().Tangent())
					case v == nil:
						t[i] = pyNone(in[i].Aval())
					}
				}
				args := append(slices.Clone(fixed), pyRebuildAll(forms, Arrays(in)), pyRebuildAll(forms, Arrays(t)))
				pair := pyIterate(pyCall(c.rule, args, nil))
				l, _ := Flatten(pair[1])
				return flat(pair[0]), Values(l)
			}}, Values(leaves)...)
	}
	return form.rebuild(Arrays(outs))
}

// reverse returns the primitive of a call with a reverse rule.
func (c *pyCustom) reverse(pos []any, forms []pyForm, which []int, fixed []any, f func([]core.Value) []core.Value, form *pyForm) core.Primitive {
	var residual pyForm
	var types []core.ShapedArray
	return &jaxpr.CustomVJP{Fn: pyFuncName(c.f), FwdName: pyFuncName(c.fwd), BwdName: pyFuncName(c.bwd), F: f,
		Fwd: func(in []core.Value) (out, res []core.Value) {
			args := slices.Clone(pos)
			for k, v := range pyRebuildAll(forms, Arrays(in)) {
				args[which[k]] = v
			}
			pair := pyIterate(pyCall(c.fwd, args, nil))
			l, fm := Flatten(pair[0])
			*form = fm
			r, rf := Flatten(pair[1])
			residual = rf
			types = core.AvalsOf(Values(l))
			return Values(l), Values(r)
		},
		Bwd: func(res, ct []core.Value) []core.Value {
			ct = slices.Clone(ct)
			for i, v := range ct {
				switch {
				case v == nil && types[i].DType.IsInexact():
					ct[i] = prim.Zeros(types[i].Tangent())
				case v == nil:
					ct[i] = pyNone(types[i])
				}
			}
			args := append(slices.Clone(fixed), residual.rebuild(Arrays(res)), form.rebuild(Arrays(ct)))
			var out []core.Value
			for k, g := range pyIterate(pyCall(c.bwd, args, nil)) {
				if g == nil {
					out = append(out, make([]core.Value, forms[k].leaves())...)
					continue
				}
				l, _ := Flatten(g)
				out = append(out, Values(l)...)
			}
			return out
		}}
}

func Values(xs []array) []core.Value {
	out := make([]core.Value, len(xs))
	for i, x := range xs {
		out[i] = x.Value()
	}
	return out
}

func Arrays(vs []core.Value) []array {
	out := make([]array, len(vs))
	for i, v := range vs {
		out[i] = weft.FromValue(v)
	}
	return out
}
