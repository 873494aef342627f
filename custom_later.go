package weft

import (
	"github.com/weft-go/weft/core"
)

// CustomJVPFunc is a function whose forward rule comes later: see [NewCustomJVP].
type CustomJVPFunc[P, O any] struct {
	c     *custom[P, O]
	rule  func(p, t P) (O, O)
	given []NameOption
}

// NewCustomJVP returns f, for which a rule is set with Rule before it is called. It is
// the form for rules that call the function itself, as those of derivatives of higher
// order must.
func NewCustomJVP[P, O any](f func(P) O, names ...NameOption) *CustomJVPFunc[P, O] {
	functions("NewCustomJVP", f)
	return &CustomJVPFunc[P, O]{c: newCustom[P, O]("CustomJVP", f, namesOf(names, f)), given: names}
}

// Rule sets the forward rule: see [CustomJVP].
func (c *CustomJVPFunc[P, O]) Rule(rule func(p, t P) (O, O)) { c.set("Rule", rule, false) }

// RuleWithZeros sets the forward rule, to which the tangent of what is not
// differentiated comes as the zero Array: what belongs to it need not be computed.
func (c *CustomJVPFunc[P, O]) RuleWithZeros(rule func(p, t P) (O, O)) {
	c.set("RuleWithZeros", rule, true)
}

func (c *CustomJVPFunc[P, O]) set(op string, rule func(p, t P) (O, O), zeros bool) {
	functions(op, rule)
	c.rule, c.c.zeros, c.c.names = rule, zeros, namesOf(c.given, c.c.f, rule)
}

// Call applies the function.
func (c *CustomJVPFunc[P, O]) Call(p P) O {
	if c.rule == nil {
		core.FailOp(core.ErrCustomRule, c.c.names[0].function(), nil, "no derivative rule was set: call Rule before Call")
	}
	return c.c.call(p, c.c.jvp(c.rule))
}

// CustomVJPFunc is a function whose reverse rules come later: see [NewCustomVJP].
type CustomVJPFunc[P, R, O any] struct {
	c     *custom[P, O]
	fr    form[R]
	fwd   func(p, active P) (O, R)
	bwd   func(R, O) P
	given []NameOption
}

// NewCustomVJP returns f, for which rules are set with Rules before it is called. It is
// the form for rules that call the function itself, as those of derivatives of higher
// order must.
func NewCustomVJP[P, R, O any](f func(P) O, names ...NameOption) *CustomVJPFunc[P, R, O] {
	functions("NewCustomVJP", f)
	return &CustomVJPFunc[P, R, O]{c: newCustom[P, O]("CustomVJP", f, namesOf(names, f)), fr: formOf[R]("CustomVJP"), given: names}
}

// Rules sets the reverse rules: see [CustomVJP].
func (c *CustomVJPFunc[P, R, O]) Rules(fwd func(P) (O, R), bwd func(R, O) P) {
	functions("Rules", fwd, bwd)
	c.fwd, c.bwd, c.c.zeros = func(p, _ P) (O, R) { return fwd(p) }, bwd, false
	c.c.names = namesOf(c.given, c.c.f, fwd, bwd)
}

// RulesWithZeros sets reverse rules that know what is asked of them. fwd is also given,
// in the form of the parameters, the truth of whether each is differentiated: what it
// keeps for the others it may leave out, as the zero Array. To bwd the cotangent of a
// result that does not matter comes as the zero Array.
func (c *CustomVJPFunc[P, R, O]) RulesWithZeros(fwd func(p, active P) (O, R), bwd func(R, O) P) {
	functions("RulesWithZeros", fwd, bwd)
	c.fwd, c.bwd, c.c.zeros = fwd, bwd, true
	c.c.names = namesOf(c.given, c.c.f, fwd, bwd)
}

// Call applies the function.
func (c *CustomVJPFunc[P, R, O]) Call(p P) O {
	if c.fwd == nil || c.bwd == nil {
		core.FailOp(core.ErrCustomRule, c.c.names[0].function(), nil, "no derivative rules were set: call Rules before Call")
	}
	return c.c.call(p, reverse(c.c, c.fr, c.fwd, c.bwd)(&p))
}
