package weft

import (
	"reflect"
	"runtime"
	"strings"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
)

// CustomJVP is f with a forward derivative of the user's: rule gives f's result
// and its tangent at p along t. Whatever differentiates the function runs the rule
// instead of looking inside f; reverse mode transposes what the rule does to t.
//
// Static fields of P (functions, slices of strings, numbers) are its
// non-differentiable arguments. Tangents of integers are float0. In a tangent that
// the rule gives, the zero Array means zero.
//
// Names are what IR text shows for f and for the rule, instead of the Go functions'.
func CustomJVP[P, O any](f func(P) O, rule func(p, t P) (O, O), names ...NameOption) func(P) O {
	functions("CustomJVP", f, rule)
	c := newCustom[P, O]("CustomJVP", f, namesOf(names, f, rule))
	return func(p P) O { return c.call(p, c.jvp(&p, rule)) }
}

// CustomVJP is f with a reverse derivative of the user's: fwd gives f's result and
// residuals, bwd maps residuals and the cotangent of the result to the cotangent
// of p, in which the zero Array means none. Such a function cannot be
// differentiated forward.
//
// Names are what IR text shows for f, fwd and bwd, instead of the Go functions'.
func CustomVJP[P, R, O any](f func(P) O, fwd func(P) (O, R), bwd func(R, O) P, names ...NameOption) func(P) O {
	functions("CustomVJP", f, fwd, bwd)
	c := newCustom[P, O]("CustomVJP", f, namesOf(names, f, fwd, bwd))
	fr := formOf[R]("CustomVJP")
	return func(p P) O { return c.call(p, customVJP(c, fr, &p, fwd, bwd)) }
}

// custom is what functions with rules have in common.
type custom[P, O any] struct {
	op    string
	f     func(P) O
	fp    form[P]
	fo    form[O]
	names []string // of f and its rules
}

func newCustom[P, O any](op string, f func(P) O, names []string) *custom[P, O] {
	return &custom[P, O]{op, f, formOf[P](op), formOf[O](op), names}
}

// namesOf is the names of a function and its rules: those given, then their own.
func namesOf(given []NameOption, fs ...any) []string {
	names := make([]string, len(fs))
	for i, f := range fs {
		if names[i] = funcName(f); i < len(given) {
			names[i] = string(given[i])
		}
	}
	return names
}

// call binds the primitive that make makes for one call.
func (c *custom[P, O]) call(p P, make func(def defOf, out *defOf) core.Primitive) O {
	vals, def := c.fp.values(c.op, &p)
	var out defOf
	outs := core.Bind(make(def, &out), vals...)
	return together[O](out, outs)
}

// jvp makes the primitive of a call with a forward rule.
func (c *custom[P, O]) jvp(p *P, rule func(p, t P) (O, O)) func(defOf, *defOf) core.Primitive {
	return func(def defOf, out *defOf) core.Primitive {
		return &jaxpr.CustomJVP{
			Fn: c.names[0], RuleName: c.names[1],
			F: flat(c.op, def, c.f, c.fo, out),
			Rule: func(in, t []core.Value) (outs, touts []core.Value) {
				o, to := rule(together[P](def, in), together[P](def, withNone(in, t)))
				outs, *out = c.fo.values(c.op, &o)
				c.sameLeaves("the tangent that the rule gives", &o, &to)
				touts, _ = c.fo.apart(&to)
				return outs, touts
			},
		}
	}
}

// withNone gives what has no tangent float0.
func withNone(in, t []core.Value) []core.Value {
	out := make([]core.Value, len(t))
	for i, v := range t {
		if v == nil && !in[i].Aval().DType.IsInexact() {
			v = none(in[i].Aval())
		}
		out[i] = v
	}
	return out
}

// sameLeaves refuses a result of a rule that has not the leaves of the function's.
// Statics are not compared: in a tangent they mean nothing.
func (c *custom[P, O]) sameLeaves(what string, o, to *O) {
	a, _ := c.fo.apart(o)
	b, _ := c.fo.apart(to)
	if len(a) != len(b) {
		core.FailOp(core.ErrCustomRule, c.names[0], nil, "%s has %d arrays, the function's result has %d; they must have the same structure", what, len(b), len(a))
	}
}

func customVJP[P, R, O any](c *custom[P, O], fr form[R], p *P, fwd func(P) (O, R), bwd func(R, O) P) func(defOf, *defOf) core.Primitive {
	return func(def defOf, out *defOf) core.Primitive {
		var residual defOf // of the last forward pass; all have the same structure
		name := c.names[0]
		return &jaxpr.CustomVJP{
			Fn: name, FwdName: c.names[1], BwdName: c.names[2],
			F: flat(c.op, def, c.f, c.fo, out),
			Fwd: func(in []core.Value) (outs, res []core.Value) {
				o, r := fwd(together[P](def, in))
				outs, *out = c.fo.values(c.op, &o)
				res, residual = fr.values(c.op, &r)
				return outs, res
			},
			Bwd: func(res, ct []core.Value) []core.Value {
				g := bwd(together[R](residual, res), together[O](*out, ct))
				cts, _ := c.fp.apart(&g)
				if len(cts) != def.Len() {
					core.FailOp(core.ErrCustomRule, name, nil, "the reverse rule gives a cotangent with %d arrays, the parameters have %d; they must have the same structure", len(cts), def.Len())
				}
				return cts
			},
		}
	}
}

// CustomJVP2 is [CustomJVP] of a function of two arrays. The rule takes the
// arguments and then their tangents.
func CustomJVP2[O any](f func(x, y Array) O, rule func(x, y, tx, ty Array) (O, O), names ...NameOption) func(x, y Array) O {
	functions("CustomJVP2", f, rule)
	type pair struct{ X, Y Array }
	c := newCustom[pair, O]("CustomJVP", func(p pair) O { return f(p.X, p.Y) }, namesOf(names, f, rule))
	return func(x, y Array) O {
		p := pair{x, y}
		return c.call(p, c.jvp(&p, func(p, t pair) (O, O) { return rule(p.X, p.Y, t.X, t.Y) }))
	}
}

// CustomJVP3 is [CustomJVP] of a function of three arrays.
func CustomJVP3[O any](f func(x, y, z Array) O, rule func(x, y, z, tx, ty, tz Array) (O, O), names ...NameOption) func(x, y, z Array) O {
	functions("CustomJVP3", f, rule)
	type triple struct{ X, Y, Z Array }
	c := newCustom[triple, O]("CustomJVP", func(p triple) O { return f(p.X, p.Y, p.Z) }, namesOf(names, f, rule))
	return func(x, y, z Array) O {
		p := triple{x, y, z}
		return c.call(p, c.jvp(&p, func(p, t triple) (O, O) { return rule(p.X, p.Y, p.Z, t.X, t.Y, t.Z) }))
	}
}

// CustomVJP2 is [CustomVJP] of a function of two arrays.
func CustomVJP2[R, O any](f func(x, y Array) O, fwd func(x, y Array) (O, R), bwd func(R, O) (x, y Array), names ...NameOption) func(x, y Array) O {
	functions("CustomVJP2", f, fwd, bwd)
	type pair struct{ X, Y Array }
	c := newCustom[pair, O]("CustomVJP", func(p pair) O { return f(p.X, p.Y) }, namesOf(names, f, fwd, bwd))
	fr := formOf[R]("CustomVJP")
	return func(x, y Array) O {
		p := pair{x, y}
		return c.call(p, customVJP(c, fr, &p, func(p pair) (O, R) { return fwd(p.X, p.Y) }, func(r R, ct O) pair {
			x, y := bwd(r, ct)
			return pair{x, y}
		}))
	}
}

// CustomVJP3 is [CustomVJP] of a function of three arrays.
func CustomVJP3[R, O any](f func(x, y, z Array) O, fwd func(x, y, z Array) (O, R), bwd func(R, O) (x, y, z Array), names ...NameOption) func(x, y, z Array) O {
	functions("CustomVJP3", f, fwd, bwd)
	type triple struct{ X, Y, Z Array }
	c := newCustom[triple, O]("CustomVJP", func(p triple) O { return f(p.X, p.Y, p.Z) }, namesOf(names, f, fwd, bwd))
	fr := formOf[R]("CustomVJP")
	return func(x, y, z Array) O {
		p := triple{x, y, z}
		return c.call(p, customVJP(c, fr, &p, func(p triple) (O, R) { return fwd(p.X, p.Y, p.Z) }, func(r R, ct O) triple {
			x, y, z := bwd(r, ct)
			return triple{x, y, z}
		}))
	}
}

// CustomJVPFunc is a function whose forward rule comes later: see [NewCustomJVP].
type CustomJVPFunc[P, O any] struct {
	c     *custom[P, O]
	rule  func(p, t P) (O, O)
	names []NameOption
}

// NewCustomJVP is f, for which a rule is set with Rule before it is called. It is
// the form for rules that call the function itself.
func NewCustomJVP[P, O any](f func(P) O, names ...NameOption) *CustomJVPFunc[P, O] {
	functions("NewCustomJVP", f)
	return &CustomJVPFunc[P, O]{c: newCustom[P, O]("CustomJVP", f, namesOf(names, f)), names: names}
}

// Rule sets the forward rule.
func (c *CustomJVPFunc[P, O]) Rule(rule func(p, t P) (O, O)) {
	c.rule, c.c.names = rule, namesOf(c.names, c.c.f, rule)
}

// Call applies the function.
func (c *CustomJVPFunc[P, O]) Call(p P) O {
	if c.rule == nil {
		core.FailOp(core.ErrCustomRule, c.c.names[0], nil, "no derivative rule was set: call Rule before Call")
	}
	return c.c.call(p, c.c.jvp(&p, c.rule))
}

// CustomVJPFunc is a function whose reverse rules come later: see [NewCustomVJP].
type CustomVJPFunc[P, R, O any] struct {
	c   *custom[P, O]
	fr  form[R]
	fwd func(P) (O, R)
	bwd func(R, O) P

	names []NameOption
}

// NewCustomVJP is f, for which rules are set with Rules before it is called. It is
// the form for rules that call the function itself.
func NewCustomVJP[P, R, O any](f func(P) O, names ...NameOption) *CustomVJPFunc[P, R, O] {
	functions("NewCustomVJP", f)
	return &CustomVJPFunc[P, R, O]{c: newCustom[P, O]("CustomVJP", f, namesOf(names, f)), fr: formOf[R]("CustomVJP"), names: names}
}

// Rules sets the reverse rules.
func (c *CustomVJPFunc[P, R, O]) Rules(fwd func(P) (O, R), bwd func(R, O) P) {
	c.fwd, c.bwd, c.c.names = fwd, bwd, namesOf(c.names, c.c.f, fwd, bwd)
}

// Call applies the function.
func (c *CustomVJPFunc[P, R, O]) Call(p P) O {
	if c.fwd == nil || c.bwd == nil {
		core.FailOp(core.ErrCustomRule, c.c.names[0], nil, "no derivative rules were set: call Rules before Call")
	}
	return c.c.call(p, customVJP(c.c, c.fr, &p, c.fwd, c.bwd))
}

// funcName is the short name of a Go function, as IR text shows it: the last part
// of its name; of a literal, func and its number.
func funcName(f any) string {
	v := reflect.ValueOf(f)
	if v.Kind() != reflect.Func || v.IsNil() {
		return "func"
	}
	name := runtime.FuncForPC(v.Pointer()).Name()
	name = name[strings.LastIndexByte(name, '/')+1:]
	name = strings.TrimSuffix(name, "-fm")
	name = strings.TrimSuffix(name, "[...]")
	name = name[strings.LastIndexByte(name, '.')+1:]
	if strings.Trim(name, "0123456789") == "" {
		return "func" + name // a literal within a literal: main.main.func1.2
	}
	return name
}
