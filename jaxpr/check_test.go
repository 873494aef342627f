package jaxpr_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
)

// Check finds mistakes and names the place of each.
func TestCheck(t *testing.T) {
	x, y, z := jaxpr.NewVar(f32), jaxpr.NewVar(f32), jaxpr.NewVar(f32)
	vector := jaxpr.NewVar(core.Aval(core.Float32, 3))
	weak := jaxpr.NewVar(core.ShapedArray{DType: core.Float32, Weak: true})
	eqn := func(p core.Primitive, out []*jaxpr.Var, in ...jaxpr.Atom) *jaxpr.Eqn {
		return &jaxpr.Eqn{Prim: p, Outs: out, Ins: in}
	}
	one := func(v *jaxpr.Var) []*jaxpr.Var { return []*jaxpr.Var{v} }
	prog := func(es ...*jaxpr.Eqn) *jaxpr.Jaxpr {
		return &jaxpr.Jaxpr{Ins: one(x), Eqns: es, Outs: []jaxpr.Atom{x}}
	}
	unbound := prog(eqn(sinP, one(z), y))
	loud := prog(eqn(sayP, one(y), x))
	for _, c := range []struct {
		name string
		j    *jaxpr.Jaxpr
		want []string // parts of the message; none: the program is right
	}{
		{"right", prog(eqn(sinP, one(y), x), eqn(addP, one(z), x, y)), nil},
		{"literal", prog(eqn(addP, one(y), x, core.Lit(core.FloatNumber(2), core.Float32))), nil},
		{"right within", prog(eqn(&jaxpr.Jit{Fn: "f", Jaxpr: loud}, one(y), x)), nil},
		{"unbound", unbound, []string{"equation 0 (sin): _:f32[] = sin b:", "operand 0", "not bound"}},
		{"later", prog(eqn(sinP, one(y), z), eqn(sinP, one(z), x)), []string{"equation 0", "not bound"}},
		{"twice", prog(eqn(sinP, one(y), x), eqn(sinP, one(y), x)), []string{"equation 1", "bound twice"}},
		{"input again", prog(eqn(sinP, one(x), x)), []string{"equation 0", "bound twice"}},
		{"inputs twice", &jaxpr.Jaxpr{Ins: []*jaxpr.Var{x, x}}, []string{"binders", "bound twice"}},
		{"operands", prog(eqn(addP, one(y), x)), []string{"equation 0 (add)", "takes 2 operands, got 1"}},
		{"results", prog(eqn(sinP, []*jaxpr.Var{y, z}, x)), []string{"returns 1 result and binds 2"}},
		{"type", prog(eqn(sinP, one(vector), x)), []string{"_:f32[3] = sin a", "declared f32[3]; of f32[] it is f32[]"}},
		{"weak", prog(eqn(sinP, one(weak), x)), []string{"declared ~f32[]"}},
		{"result", &jaxpr.Jaxpr{Outs: []jaxpr.Atom{x}}, []string{"results: result 0", "not bound"}},
		{"no primitive", prog(&jaxpr.Eqn{}), []string{"equation 0", "no primitive"}},
		{"array", prog(eqn(sinP, one(y), num(1))), []string{"pass a variable or a literal"}},
		{"nil", prog(eqn(sinP, one(y), nil)), []string{"operand 0 is nil"}},
		{"const", &jaxpr.Jaxpr{Consts: one(vector), ConstVals: []core.Value{num(1)}}, []string{"constant 0", "f32[3]"}},
		{"consts", &jaxpr.Jaxpr{Consts: one(x), ConstVals: []core.Value{}}, []string{"1 constant with 0 values"}},
		{"within", prog(eqn(&jaxpr.Jit{Fn: "f", Jaxpr: unbound}, one(y), x)),
			[]string{"equation 0 (sin) within equation 0 (jit): b:f32[] = sin c: operand 0"}},
		{"open", prog(eqn(sinP, one(z), x), eqn(&jaxpr.Jit{Fn: "f", Jaxpr: &jaxpr.Jaxpr{Outs: []jaxpr.Atom{z}}}, one(y))),
			[]string{"results within equation 1 (jit)", "not bound"}},
		{"hidden", prog(eqn(quiet{loud}, one(y), x)), []string{"hides the effects IO"}},
		{"missing", prog(eqn(&jaxpr.CustomJVP{OutAvals: []core.ShapedArray{f32}}, one(y), x)), nil},
	} {
		err := jaxpr.Check(c.j)
		if len(c.want) == 0 {
			if err != nil {
				t.Errorf("%s: %v", c.name, err)
			}
			continue
		}
		if err == nil {
			t.Errorf("%s: passes", c.name)
			continue
		}
		if !errors.Is(err, core.ErrCheck) {
			t.Errorf("%s: the kind is not ErrCheck: %v", c.name, err)
		}
		for _, w := range c.want {
			if !strings.Contains(err.Error(), w) {
				t.Errorf("%s: want %q in\n%v", c.name, w, err)
			}
		}
	}
}

// quiet is a call that does not declare its program's effects.
type quiet struct{ j *jaxpr.Jaxpr }

func (quiet) Name() string                                        { return "quiet" }
func (q quiet) Abstract(in []core.ShapedArray) []core.ShapedArray { return q.j.OutAvals() }
func (q quiet) Programs() []*jaxpr.Jaxpr                          { return []*jaxpr.Jaxpr{q.j} }

// Every program read from JAX's texts passes.
func TestCheckGoldens(t *testing.T) {
	n := 0
	for _, g := range goldens(t) {
		j, err := jaxpr.Parse(g.text(), nil)
		if err == nil {
			err = jaxpr.Check(j)
		}
		if err != nil {
			t.Errorf("%s %s: %v", g.File, g.Name, err)
		}
		n++
	}
	t.Logf("%d programs", n)
}
