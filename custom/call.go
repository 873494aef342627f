package custom

import (
	"errors"
	"sync/atomic"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/tree"
	"github.com/weft-go/weft/internal/leaves"
	"github.com/weft-go/weft/internal/nd"
	"github.com/weft-go/weft/jaxpr"
)

// custom is what functions with rules have in common.
type custom[P, O any] struct {
	op    string // what made the function: custom.JVP and so on
	f     func(P) O
	fp    form[P]
	fo    form[O]
	names []leaves.Name // f and its rules
	zeros bool          // zero tangents reach the rules as the zero weft.Array
}

func newCustom[P, O any](op string, f func(P) O, names []leaves.Name) *custom[P, O] {
	return &custom[P, O]{op: op, f: f, fp: formOf[P](op), fo: formOf[O](op), names: names}
}

// namesOf returns the names of a function and its rules: those given, then their own.
func namesOf(given []weft.NameOption, fs ...any) []leaves.Name {
	names := make([]leaves.Name, len(fs))
	for i, f := range fs {
		if names[i] = leaves.NameOf(f); i < len(given) {
			names[i] = leaves.Name{Short: string(given[i])}
		}
	}
	return names
}

// resultForm is the form of a result. The function or the rule sets it, whichever runs first.
type resultForm struct {
	atomic.Pointer[tree.Def[weft.Array]]
}

func (r *resultForm) set(def defOf) { r.CompareAndSwap(nil, def) }

func (c *custom[P, O]) call(p P, make func(def defOf, out *resultForm) core.Primitive) O {
	vals, def := c.fp.Values(c.op, &p)
	var out resultForm
	outs := core.Bind(make(def, &out), vals...)
	return together[O](out.Load(), outs)
}

// flat returns the function over leaves. A call stores the form of its result in out.
func (c *custom[P, O]) flat(def defOf, out *resultForm) func([]core.Value) []core.Value {
	return func(in []core.Value) []core.Value {
		o := leaves.Invoke(c.op, c.fp, def, c.f, in)
		vals, d := c.fo.Values(c.op, &o)
		out.set(d)
		return vals
	}
}

func (c *custom[P, O]) fail(avals []core.ShapedArray, format string, args ...any) {
	core.FailOp(core.ErrCustomRule, c.names[0].Function(), avals, format, args...)
}

// outlived, deferred by a rule, explains the error of a rule that closes over a value of a trace
// that has ended: the trace contains only the function, and rules run later.
func (c *custom[P, O]) outlived(rule leaves.Name) {
	r := recover()
	if r == nil {
		return
	}
	if e, ok := r.(*core.Error); ok && errors.Is(e, core.ErrEscaped) && !errors.Is(e, core.ErrCustomRule) {
		r = &core.Error{Kind: core.ErrCustomRule, Op: c.names[0].Function(), Pos: e.Pos, Avals: e.Avals, Err: e,
			Msg: "its rule " + rule.Rule() + " closes over a value of a traced function, and runs when that is over, to differentiate the program; pass it to " + c.names[0].Function() + " as an argument"}
	}
	panic(r)
}

func (c *custom[P, O]) jvp(rule func(p, t P) (O, O)) func(defOf, *resultForm) core.Primitive {
	return func(def defOf, out *resultForm) core.Primitive {
		return &jaxpr.CustomJVP{
			Fn: c.names[0].Short, RuleName: c.names[1].Short, SymbolicZeros: c.zeros,
			F: c.flat(def, out),
			Rule: func(in, t []core.Value) (outs, touts []core.Value) {
				defer c.outlived(c.names[1])
				o, to := rule(together[P](def, in), together[P](def, withNone(in, t)))
				outs, d := c.fo.Values(c.op, &o)
				out.set(d)
				touts, wrong := c.fo.Fit(&o, &to)
				if wrong != "" {
					c.fail(nil, "the tangent that rule %s returns must have the structure of its result: %s; make them alike", c.names[1].Rule(), wrong)
				}
				return outs, c.tangents(&o, outs, touts)
			},
		}
	}
}

// tangents checks the types of tangents that a rule returns, naming the leaf.
func (c *custom[P, O]) tangents(o *O, outs, touts []core.Value) []core.Value {
	for k, t := range touts {
		if wrong := wrongTangent(outs[k].Aval(), t); wrong != "" {
			c.fail([]core.ShapedArray{outs[k].Aval(), t.Aval()}, "rule %s returns the tangent %s for a result %s%s; it must be %s: reshape or convert it",
				c.names[1].Rule(), t.Aval().Full(), outs[k].Aval().Full(), leaves.AtPath(c.fo.Path(o, k)), wrong)
		}
	}
	return touts
}

// wrongTangent returns the type that a tangent of a value of type a must have, if t has another.
// For a type without derivatives the tangent may be float0.
func wrongTangent(a core.ShapedArray, t core.Value) string {
	if t == nil {
		return ""
	}
	want := a.Tangent()
	if want.DType == core.Float0 {
		if t.Aval().DType == core.Float0 {
			return ""
		}
		return "the zero Array or float0, since " + a.DType.String() + " has no derivative"
	}
	if t.Aval().SameType(want) {
		return ""
	}
	return want.Full()
}

// withNone replaces missing tangents of types without derivatives by float0.
func withNone(in, t []core.Value) []core.Value {
	out := make([]core.Value, len(t))
	for i, v := range t {
		if v == nil && !in[i].Aval().DType.IsInexact() {
			v = nd.NoTangent(in[i].Aval())
		}
		out[i] = v
	}
	return out
}

// reverse makes the primitive of a call with reverse rules. fwd also receives which leaves are
// differentiated, as truth values in the form of P.
func reverse[P, R, O any](c *custom[P, O], fr form[R], fwd func(p, active P) (O, R), bwd func(R, O) P) func(p *P) func(defOf, *resultForm) core.Primitive {
	return func(p *P) func(defOf, *resultForm) core.Primitive {
		return func(def defOf, out *resultForm) core.Primitive {
			return &jaxpr.CustomVJP{
				Fn: c.names[0].Short, FwdName: c.names[1].Short, BwdName: c.names[2].Short, SymbolicZeros: c.zeros,
				F: c.flat(def, out),
				Forward: func(in []core.Value, active []bool) (outs, res []core.Value, back jaxpr.Backward) {
					defer c.outlived(c.names[1])
					o, r := fwd(together[P](def, in), truths[P](def, active))
					outs, odef := c.fo.Values(c.op, &o)
					out.set(odef)
					all, rdef := fr.Flatten(&r)
					there := make([]bool, len(all)) // a residual may be the zero Array
					for k, v := range all {
						if there[k] = v != nil; there[k] {
							res = append(res, v)
						}
					}
					types := core.AvalsOf(in)
					return outs, res, func(res, ct []core.Value) []core.Value {
						defer c.outlived(c.names[2])
						all := make([]core.Value, len(there))
						for k := range all {
							if there[k] {
								all[k], res = res[0], res[1:]
							}
						}
						g := bwd(together[R](rdef, all), together[O](odef, ct))
						return c.cotangents(p, &g, types)
					}
				},
			}
		}
	}
}

// cotangents flattens and checks the cotangents that a reverse rule returns for parameters p of
// the given types.
func (c *custom[P, O]) cotangents(p, g *P, types []core.ShapedArray) []core.Value {
	cts, wrong := c.fp.Fit(p, g)
	if wrong != "" {
		c.fail(nil, "the cotangent that rule %s returns must have the structure of the parameters: %s; make them alike", c.names[2].Rule(), wrong)
	}
	for k, ct := range cts {
		if wrong := wrongTangent(types[k], ct); wrong != "" {
			c.fail([]core.ShapedArray{types[k], ct.Aval()}, "rule %s returns the cotangent %s for a parameter %s%s; it must be %s: reshape or convert it",
				c.names[2].Rule(), ct.Aval().Full(), types[k].Full(), leaves.AtPath(c.fp.Path(p, k)), wrong)
		}
	}
	return cts
}

func truths[P any](def defOf, marks []bool) P {
	vals := make([]core.Value, len(marks))
	for k, m := range marks {
		vals[k] = weft.Scalar(m).Value()
	}
	return together[P](def, vals)
}
