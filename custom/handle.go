package custom

import (
	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/internal/leaves"
)

// None is the type of the non-differentiable argument of functions that have none.
type None = struct{}

// A JVPRule is a function of d and p whose forward rule is set after it is made: see
// [NewJVP]. The methods of the zero JVPRule fail.
type JVPRule[D, P, O any] struct {
	f     func(D, P) O
	fd    form[D]
	fp    form[P]
	fo    form[O]
	rule  func(p, t P, d D) (O, O)
	zeros bool
	names []leaves.Name
	given []weft.NameOption
}

// NewJVP returns a handle for f, whose forward rule is set with Rule, RuleFirst, RuleWithZeros or
// RuleEach before it is called. The argument d is not differentiated: it may be a function, a
// shape, a text, or None. Arrays in d, traced ones too, have no tangent.
//
// Names are shown in IR text for f and for the rule, instead of the Go functions' names.
func NewJVP[D, P, O any](f func(d D, p P) O, names ...weft.NameOption) *JVPRule[D, P, O] {
	const op = "custom.NewJVP"
	leaves.RequireNonNil(op, f)
	return &JVPRule[D, P, O]{f: f, names: namesOf(names, f), given: names, fd: formOf[D](op), fp: formOf[P](op), fo: formOf[O](op)}
}

// Rule sets the forward rule, which receives d after the primals and tangents: see [JVP].
func (c *JVPRule[D, P, O]) Rule(rule func(p, t P, d D) (O, O)) {
	leaves.RequireNonNil("JVPRule.Rule", rule)
	c.set("JVPRule.Rule", rule, rule, false)
}

// RuleFirst sets the forward rule, which receives d first, as in JAX.
func (c *JVPRule[D, P, O]) RuleFirst(rule func(d D, p, t P) (O, O)) {
	leaves.RequireNonNil("JVPRule.RuleFirst", rule)
	c.set("JVPRule.RuleFirst", rule, func(p, t P, d D) (O, O) { return rule(d, p, t) }, false)
}

// RuleWithZeros sets the forward rule, which receives the zero Array as the tangent of every leaf
// that is not differentiated, and can skip the leaf's part of the computation.
func (c *JVPRule[D, P, O]) RuleWithZeros(rule func(p, t P, d D) (O, O)) {
	leaves.RequireNonNil("JVPRule.RuleWithZeros", rule)
	c.set("JVPRule.RuleWithZeros", rule, rule, true)
}

// RuleEach sets one rule for each array of the parameters: it returns what the tangent t of that
// array adds to the tangent of the result. A rule also receives the result ans of the function. A
// nil rule means that the result does not depend on the array. Derivatives of higher order follow
// by themselves.
func (c *JVPRule[D, P, O]) RuleEach(rules ...func(t weft.Array, ans O, p P, d D) O) {
	var name any
	if len(rules) > 0 {
		name = rules[0]
	}
	c.set("JVPRule.RuleEach", name, func(p, t P, d D) (O, O) {
		ans := c.Call(d, p)
		ts, _ := c.fp.Flatten(&t)
		k := custom[P, O]{op: "RuleEach", fp: c.fp, fo: c.fo, names: c.names}
		if len(ts) != len(rules) {
			k.fail(nil, "rules of RuleEach and arrays differ in number (got %d, want %d); give one rule for each array of the parameters, or nil", len(rules), len(ts))
		}
		return ans, k.sum(&ans, ts, func(i int) func(t weft.Array) O {
			if rules[i] == nil {
				return nil
			}
			return func(t weft.Array) O { return rules[i](t, ans, p, d) }
		})
	}, false)
}

func (c *JVPRule[D, P, O]) set(op string, given any, rule func(p, t P, d D) (O, O), zeros bool) {
	c.require(op)
	c.rule, c.zeros, c.names = rule, zeros, namesOf(c.given, c.f, given)
}

// require refuses a handle that NewJVP did not make.
func (c *JVPRule[D, P, O]) require(op string) {
	if c == nil || c.f == nil {
		core.FailOp(core.ErrCustomRule, op, nil, "the JVPRule has no function; make it with custom.NewJVP")
	}
}

// Call applies the function. It fails if no rule was set.
func (c *JVPRule[D, P, O]) Call(d D, p P) O {
	c.require("Call")
	if c.rule == nil {
		core.FailOp(core.ErrCustomRule, c.names[0].Function(), nil, "no derivative rule was set; call Rule before Call")
	}
	vals, def := c.fd.Flatten(&d)
	if len(vals) == 0 {
		k := &custom[P, O]{op: "JVPRule", fp: c.fp, fo: c.fo, names: c.names, zeros: c.zeros, f: func(p P) O { return c.f(d, p) }}
		return k.call(p, k.jvp(func(p, t P) (O, O) { return c.rule(p, t, d) }))
	}
	stopped(vals)
	k := newCustom[with[D, P], O]("JVPRule", func(w with[D, P]) O { return c.f(w.D, w.P) }, c.names)
	k.zeros = c.zeros
	return k.call(with[D, P]{together[D](def, vals), p}, k.jvp(func(w, t with[D, P]) (O, O) { return c.rule(w.P, t.P, w.D) }))
}

// with is a parameter with an argument that is not differentiated.
type with[D, P any] struct {
	D D
	P P
}

// A VJPRule is a function of d and p whose reverse rules are set after it is made: see
// [NewVJP]. The methods of the zero VJPRule fail.
type VJPRule[D, P, R, O any] struct {
	f     func(D, P) O
	fd    form[D]
	fp    form[P]
	fr    form[R]
	fo    form[O]
	fwd   func(d D, p, active P) (O, R)
	bwd   func(D, R, O) P
	zeros bool
	names []leaves.Name
	given []weft.NameOption
}

// NewVJP returns a handle for f, whose reverse rules are set with Rules or RulesWithZeros before
// it is called. The argument d is not differentiated: it may be a function, a shape, a text, or
// None.
//
// Arrays in d must be concrete, not values that a transformation traces, because bwd runs later.
// Make a traced array a parameter and a residual, and return the zero Array as its cotangent.
func NewVJP[D, P, R, O any](f func(d D, p P) O, names ...weft.NameOption) *VJPRule[D, P, R, O] {
	const op = "custom.NewVJP"
	leaves.RequireNonNil(op, f)
	return &VJPRule[D, P, R, O]{f: f, names: namesOf(names, f), given: names, fd: formOf[D](op), fp: formOf[P](op), fr: formOf[R](op), fo: formOf[O](op)}
}

// Rules sets the reverse rules: see [VJP]. fwd receives d as f does, bwd receives it
// before the residuals.
func (c *VJPRule[D, P, R, O]) Rules(fwd func(d D, p P) (O, R), bwd func(d D, r R, ct O) P) {
	leaves.RequireNonNil("VJPRule.Rules", fwd, bwd)
	c.require("VJPRule.Rules")
	c.fwd, c.bwd, c.zeros = func(d D, p, _ P) (O, R) { return fwd(d, p) }, bwd, false
	c.names = namesOf(c.given, c.f, fwd, bwd)
}

// RulesWithZeros sets reverse rules that are told which derivatives are needed. fwd also
// receives, in the form of the parameters, whether each leaf is differentiated; residuals that
// only the others need may be the zero Array. bwd receives the zero Array as the cotangent of a
// result that does not matter.
func (c *VJPRule[D, P, R, O]) RulesWithZeros(fwd func(d D, p, active P) (O, R), bwd func(d D, r R, ct O) P) {
	leaves.RequireNonNil("VJPRule.RulesWithZeros", fwd, bwd)
	c.require("VJPRule.RulesWithZeros")
	c.fwd, c.bwd, c.zeros = fwd, bwd, true
	c.names = namesOf(c.given, c.f, fwd, bwd)
}

// require refuses a handle that NewVJP did not make.
func (c *VJPRule[D, P, R, O]) require(op string) {
	if c == nil || c.f == nil {
		core.FailOp(core.ErrCustomRule, op, nil, "the VJPRule has no function; make it with custom.NewVJP")
	}
}

// Call applies the function. It fails if no rules were set.
func (c *VJPRule[D, P, R, O]) Call(d D, p P) O {
	c.require("Call")
	if c.fwd == nil || c.bwd == nil {
		core.FailOp(core.ErrCustomRule, c.names[0].Function(), nil, "no derivative rules were set; call Rules before Call")
	}
	vals, _ := c.fd.Flatten(&d)
	for i, v := range vals {
		if _, ok := v.(core.Tracer); ok {
			core.FailOp(core.ErrCustomRule, c.names[0].Function(), []core.ShapedArray{v.Aval()},
				"a traced value (%s%s) came to a VJPRule in the argument that is not differentiated, which is for functions, shapes and the like; pass arrays among the parameters, keep them as residuals, and give the zero Array as their cotangent",
				v.Aval().Full(), leaves.AtPath(c.fd.Path(&d, i)))
		}
	}
	k := &custom[P, O]{op: "VJPRule", fp: c.fp, fo: c.fo, names: c.names, zeros: c.zeros, f: func(p P) O { return c.f(d, p) }}
	return k.call(p, reverse(k, c.fr, func(p, active P) (O, R) { return c.fwd(d, p, active) }, func(r R, ct O) P { return c.bwd(d, r, ct) })(&p))
}

// sum adds the tangents that the rules return.
func (c *custom[P, O]) sum(ans *O, ts []core.Value, rule func(i int) func(t weft.Array) O) O {
	outs, def := c.fo.Values(c.op, ans)
	sum := make([]core.Value, len(outs))
	for k, t := range ts {
		r := rule(k)
		if r == nil || t.Aval().DType == core.Float0 {
			continue
		}
		to := r(weft.FromValue(t))
		parts, wrong := c.fo.Fit(ans, &to)
		if wrong != "" {
			c.fail(nil, "the tangent that the rule of argument %d returns must have the structure of the result: %s", k, wrong)
		}
		for i, v := range c.tangents(ans, outs, parts) {
			switch {
			case v == nil || v.Aval().DType == core.Float0:
			case sum[i] == nil:
				sum[i] = v
			default:
				sum[i] = prim.AddAny(sum[i], v)
			}
		}
	}
	return together[O](def, sum)
}
