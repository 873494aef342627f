package weft

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
)

// with is a parameter with an argument that is not differentiated.
type with[D, P any] struct {
	D D
	P P
}

// CustomJVPWith returns [CustomJVP] of a function with an argument d that is not
// differentiated: a function, a shape, a text, anything. The rule takes it last.
//
// Arrays in d are values without a tangent, of whatever transformation they come from.
func CustomJVPWith[D, P, O any](f func(d D, p P) O, rule func(p, t P, d D) (O, O), names ...NameOption) func(d D, p P) O {
	functions("CustomJVPWith", f, rule)
	c := newJVPWith(f, namesOf(names, f, rule))
	c.rule = rule
	return c.Call
}

// CustomJVPWithFirst returns [CustomJVPWith] whose rule takes d first, as in JAX.
// (Reverse rules take it first anyway: [CustomVJPWith].)
func CustomJVPWithFirst[D, P, O any](f func(d D, p P) O, rule func(d D, p, t P) (O, O), names ...NameOption) func(d D, p P) O {
	functions("CustomJVPWithFirst", f, rule)
	c := newJVPWith(f, namesOf(names, f, rule))
	c.rule = func(p, t P, d D) (O, O) { return rule(d, p, t) }
	return c.Call
}

// CustomJVPWithFunc is a function of d and p whose forward rule comes later: see
// [NewCustomJVPWith].
type CustomJVPWithFunc[D, P, O any] struct {
	f     func(D, P) O
	fd    form[D]
	fp    form[P]
	fo    form[O]
	rule  func(p, t P, d D) (O, O)
	names []called
	given []NameOption
}

// NewCustomJVPWith returns [CustomJVPWith] without its rule, which is set with Rule before
// the function is called.
func NewCustomJVPWith[D, P, O any](f func(d D, p P) O, names ...NameOption) *CustomJVPWithFunc[D, P, O] {
	functions("NewCustomJVPWith", f)
	c := newJVPWith(f, namesOf(names, f))
	c.given = names
	return c
}

func newJVPWith[D, P, O any](f func(D, P) O, names []called) *CustomJVPWithFunc[D, P, O] {
	const op = "CustomJVPWith"
	return &CustomJVPWithFunc[D, P, O]{f: f, names: names, fd: formOf[D](op), fp: formOf[P](op), fo: formOf[O](op)}
}

// Rule sets the forward rule.
func (c *CustomJVPWithFunc[D, P, O]) Rule(rule func(p, t P, d D) (O, O)) {
	functions("Rule", rule)
	c.rule, c.names = rule, namesOf(c.given, c.f, rule)
}

// Call applies the function.
func (c *CustomJVPWithFunc[D, P, O]) Call(d D, p P) O {
	if c.rule == nil {
		core.FailOp(core.ErrCustomRule, c.names[0].function(), nil, "no derivative rule was set: call Rule before Call")
	}
	vals, def := c.fd.apart(&d)
	if len(vals) == 0 {
		k := custom[P, O]{op: "CustomJVPWith", fp: c.fp, fo: c.fo, names: c.names, f: func(p P) O { return c.f(d, p) }}
		return k.call(p, k.jvp(func(p, t P) (O, O) { return c.rule(p, t, d) }))
	}
	for i, v := range vals {
		if _, ok := v.(core.Tracer); ok {
			vals[i] = prim.StopGradient(v)
		}
	}
	k := newCustom[with[D, P], O]("CustomJVPWith", func(w with[D, P]) O { return c.f(w.D, w.P) }, c.names)
	return k.call(with[D, P]{together[D](def, vals), p}, k.jvp(func(w, t with[D, P]) (O, O) { return c.rule(w.P, t.P, w.D) }))
}

// CustomVJPWith returns [CustomVJP] of a function with an argument d that is not
// differentiated: a function, a shape, a text, anything. fwd takes it as f does, bwd
// takes it before the residuals.
//
// Arrays in d must be numbers, not values that a transformation traces: bwd runs later,
// and could only close over them. Make such an array a parameter and a residual, and give
// the zero Array as its cotangent.
func CustomVJPWith[D, P, R, O any](f func(d D, p P) O, fwd func(d D, p P) (O, R), bwd func(d D, r R, ct O) P, names ...NameOption) func(d D, p P) O {
	functions("CustomVJPWith", f, fwd, bwd)
	c := newVJPWith[D, P, R](f, namesOf(names, f, fwd, bwd))
	c.fwd, c.bwd = fwd, bwd
	return c.Call
}

// CustomVJPWithFunc is a function of d and p whose reverse rules come later: see
// [NewCustomVJPWith].
type CustomVJPWithFunc[D, P, R, O any] struct {
	f     func(D, P) O
	fd    form[D]
	fp    form[P]
	fr    form[R]
	fo    form[O]
	fwd   func(D, P) (O, R)
	bwd   func(D, R, O) P
	names []called
	given []NameOption
}

// NewCustomVJPWith returns [CustomVJPWith] without its rules, which are set with Rules before
// the function is called.
func NewCustomVJPWith[D, P, R, O any](f func(d D, p P) O, names ...NameOption) *CustomVJPWithFunc[D, P, R, O] {
	functions("NewCustomVJPWith", f)
	c := newVJPWith[D, P, R](f, namesOf(names, f))
	c.given = names
	return c
}

func newVJPWith[D, P, R, O any](f func(D, P) O, names []called) *CustomVJPWithFunc[D, P, R, O] {
	const op = "CustomVJPWith"
	return &CustomVJPWithFunc[D, P, R, O]{f: f, names: names, fd: formOf[D](op), fp: formOf[P](op), fr: formOf[R](op), fo: formOf[O](op)}
}

// Rules sets the reverse rules.
func (c *CustomVJPWithFunc[D, P, R, O]) Rules(fwd func(d D, p P) (O, R), bwd func(d D, r R, ct O) P) {
	functions("Rules", fwd, bwd)
	c.fwd, c.bwd, c.names = fwd, bwd, namesOf(c.given, c.f, fwd, bwd)
}

// Call applies the function.
func (c *CustomVJPWithFunc[D, P, R, O]) Call(d D, p P) O {
	if c.fwd == nil || c.bwd == nil {
		core.FailOp(core.ErrCustomRule, c.names[0].function(), nil, "no derivative rules were set: call Rules before Call")
	}
	vals, _ := c.fd.apart(&d)
	for i, v := range vals {
		if _, ok := v.(core.Tracer); ok {
			core.FailOp(core.ErrCustomRule, c.names[0].function(), []core.ShapedArray{v.Aval()},
				"a traced value (%s%s) came to a CustomVJPWith function in the argument that is not differentiated, which is for functions, shapes and the like; pass arrays among the parameters, keep them as residuals, and give the zero Array as their cotangent",
				v.Aval().Full(), at(c.fd.path(&d, i)))
		}
	}
	k := &custom[P, O]{op: "CustomVJPWith", fp: c.fp, fo: c.fo, names: c.names, f: func(p P) O { return c.f(d, p) }}
	return k.call(p, reverse(k, c.fr, func(p, _ P) (O, R) { return c.fwd(d, p) }, func(r R, ct O) P { return c.bwd(d, r, ct) })(&p))
}
