package jaxpr_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/test/ircheck"
	"github.com/weft-go/weft/jaxpr"
)

func TestDCE(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"unused",
			"{ lambda ; a:f32[] b:f32[]. let c:f32[] = sin a; d:f32[] = sin c; e:f32[] = add a b in (e,) }",
			"{ lambda ; a:f32[] b:f32[]. let c:f32[] = add a b in (c,) }"},
		{"effects stay, and what they use",
			"{ lambda ; a:f32[]. let b:f32[] = sin a; c:f32[] = say b in (a,) }",
			"{ lambda ; a:f32[]. let b:f32[] = sin a; _:f32[] = say b in (a,) }"},
		{"effects within",
			"{ lambda ; a:f32[]. let b:f32[] = jit[name=f jaxpr={ lambda ; c:f32[]. let d:f32[] = say c in (d,) }] a in (a,) }",
			"{ lambda ; a:f32[]. let\n    _:f32[] = jit[\n      name=f\n      jaxpr={ lambda ; a:f32[]. let _:f32[] = say a in (_,) }\n    ] a\n  in (a,) }"},
		{"constants without values", "{ lambda a:f32[]; . let b:f32[] = sin a in () }", "{ lambda a:f32[]; . let  in () }"},
		{"unknown things stay", "{ lambda ; a:f32[]. let b:f32[] = frobnicate a in () }", "{ lambda ; a:f32[]. let _:f32[] = frobnicate a in () }"},
	} {
		ircheck.Prints(t, c.name, jaxpr.DCE(parse(t, c.text)), c.want)
	}
	b := jaxpr.NewBuilder()
	b.Const(num(1))
	k := b.Const(num(2))
	j := jaxpr.DCE(b.Build(k))
	ircheck.Prints(t, "constants", j, "{ lambda a:f32[]; . let  in (a,) }")
	if len(j.ConstVals) != 1 || j.ConstVals[0] != core.Value(num(2)) {
		t.Errorf("constants keep their values: %v", j.ConstVals)
	}
}

func TestSubstituteAndClone(t *testing.T) {
	j := parse(t, "{ lambda ; a:f32[] b:f32[]. let c:f32[] = add a b; d:f32[] = add c a in (d, b) }")
	k := jaxpr.Clone(j)
	if d := jaxpr.Diff(j, k); d != "" {
		t.Error("the clone differs: " + d)
	}
	if j.Ins[0] == k.Ins[0] || j.Eqns[0].Outs[0] == k.Eqns[0].Outs[0] {
		t.Error("the clone shares variables")
	}
	two := core.Lit(core.FloatNumber(2), core.Float32)
	ircheck.Prints(t, "literal", jaxpr.Substitute(j, map[*jaxpr.Var]jaxpr.Atom{j.Ins[1]: two}),
		"{ lambda ; a:f32[]. let b:f32[] = add a 2.0:f32[]; c:f32[] = add b a in (c, 2.0:f32[]) }")
	ircheck.Prints(t, "one for the other", jaxpr.Substitute(j, map[*jaxpr.Var]jaxpr.Atom{j.Ins[1]: j.Ins[0]}),
		"{ lambda ; a:f32[]. let b:f32[] = add a a; c:f32[] = add b a in (c, a) }")
}

func TestBuilder(t *testing.T) {
	j := parse(t, "{ lambda ; a:f32[] b:f32[]. let c:f32[] = add a b in (c, 1.0:f32[]) }")
	b := jaxpr.NewBuilder()
	x := b.Input(f32)
	outs := b.Splice(j, x, b.Eqn(sinP, x)[0])
	again := b.Splice(j, outs...)
	ircheck.Prints(t, "spliced", b.Build(again...),
		"{ lambda ; a:f32[]. let b:f32[] = sin a; c:f32[] = add a b; d:f32[] = add c 1.0:f32[] in (d, 1.0:f32[]) }")
	if err := core.Catch(func() { jaxpr.NewBuilder().Eqn(addP) }); err == nil {
		t.Error("an equation without operands is built")
	}
}

func TestDiff(t *testing.T) {
	const base = "{ lambda ; a:f32[] b:f32[]. let c:f32[] = add a b; d:f32[] = sin c in (d,) }"
	weak := parse(t, base)
	weak.Ins[1].Type.Weak = true
	for _, c := range []struct{ name, a, b, want string }{
		{"names", base, "{ lambda ; x:f32[] y:f32[]. let z:f32[] = add x y; w:f32[] = sin z in (w,) }", ""},
		{"shared", "{ lambda ; a:f32[]. let b:f32[] = jit[name=f jaxpr={ lambda ; c:f32[]. let  in (c,) }] a; d:f32[] = jit[name=f jaxpr={ lambda ; e:f32[]. let  in (e,) }] b in (d,) }",
			"let f = { lambda ; a:f32[]. let  in (a,) } in { lambda ; a:f32[]. let b:f32[] = jit[name=f jaxpr=f] a; d:f32[] = jit[name=f jaxpr=f] b in (d,) }", ""},
		{"operand", base, "{ lambda ; a:f32[] b:f32[]. let c:f32[] = add b a; d:f32[] = sin c in (d,) }",
			"equation 0: operand 0 is another value\n- c:f32[] = add a b\n+ c:f32[] = add b a"},
		{"primitive", base, "{ lambda ; a:f32[] b:f32[]. let c:f32[] = add a b; d:f32[] = say c in (d,) }",
			"equation 1: sin, not say\n- d:f32[] = sin c\n+ d:f32[] = say c"},
		{"longer", base, "{ lambda ; a:f32[] b:f32[]. let c:f32[] = add a b in (c,) }", "equation 1: only the first program goes on\n- d:f32[] = sin c"},
		{"shorter", "{ lambda ; a:f32[]. let  in (a,) }", "{ lambda ; a:f32[]. let b:f32[] = sin a in (a,) }", "equation 0: only the second program goes on\n+ _:f32[] = sin a"},
		{"result", base, "{ lambda ; a:f32[] b:f32[]. let c:f32[] = add a b; d:f32[] = sin c in (c,) }", "the whole: result 0 is another value"},
		{"inputs", base, "{ lambda ; a:f32[]. let  in (a,) }", "2 inputs, not 1"},
		{"parameter", "{ lambda ; a:f32[]. let b:f32[] = q[n=1] a in (b,) }", "{ lambda ; a:f32[]. let b:f32[] = q[n=2] a in (b,) }",
			"equation 0: parameter n: 1, not 2\n- b:f32[] = q[n=1] a\n+ b:f32[] = q[n=2] a"},
		{"within", "{ lambda ; a:f32[]. let b:f32[] = jit[name=f jaxpr={ lambda ; c:f32[]. let d:f32[] = sin c in (d,) }] a in (b,) }",
			"{ lambda ; a:f32[]. let b:f32[] = jit[name=f jaxpr={ lambda ; c:f32[]. let d:f32[] = say c in (d,) }] a in (b,) }",
			"equation 0 (jit): jaxpr: equation 0: sin, not say\n- b:f32[] = sin a\n+ b:f32[] = say a"},
	} {
		a, b := parse(t, c.a), parse(t, c.b)
		if got := jaxpr.Diff(a, b); got != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", c.name, got, c.want)
		}
		if jaxpr.Equal(a, b) != (c.want == "") {
			t.Errorf("%s: Equal does not agree", c.name)
		}
	}
	if got := jaxpr.Diff(parse(t, base), weak); got != "input 1: f32[], not ~f32[]" {
		t.Errorf("weak marks count: %q", got)
	}
	// A rule writes the number of a complex literal as a real one, the text as (2+0j).
	of := func(n core.Number) *jaxpr.Jaxpr {
		b := jaxpr.NewBuilder()
		x := b.Input(core.Aval(core.Complex64))
		return b.Build(b.Eqn(addP, x, core.Lit(n, core.Complex64))[0])
	}
	if got := jaxpr.Diff(of(core.FloatNumber(2)), of(core.ComplexNumber(2))); got != "" {
		t.Errorf("a complex literal is its value: %s", got)
	}
	if jaxpr.Equal(of(core.FloatNumber(0)), of(core.FloatNumber(math.Copysign(0, -1)))) {
		t.Error("literals that differ in the sign of a zero are equal")
	}
}

// Prune returns the chosen results, what keep returns for each equation, and which inputs are used; it refuses what it cannot decide.
func TestPrune(t *testing.T) {
	j := parse(t, "{ lambda ; a:f32[] b:f32[]. let c:f32[] = sin a; d:f32[] = cos b; e:f32[] = tan a in (c, d, e) }")
	used := func(e *jaxpr.Eqn, used []bool) *jaxpr.Eqn {
		if used[0] {
			return e
		}
		return nil
	}
	got, ins := jaxpr.Prune(j, []bool{true, false, false}, used)
	ircheck.Prints(t, "one result", got, "{ lambda ; a:f32[] b:f32[]. let c:f32[] = sin a in (c,) }")
	if !slices.Equal(ins, []bool{true, false}) {
		t.Errorf("got inputs %v, want the first only", ins)
	}
	if got, ins := jaxpr.Prune(j, nil, used); got != j || !slices.Equal(ins, []bool{true, true}) {
		t.Errorf("nothing to remove: got %v and inputs %v, want the same program and both", got, ins)
	}
	for name, f := range map[string]func(){
		"too few marks": func() { jaxpr.Prune(j, []bool{true}, used) },
		"no program":    func() { jaxpr.Prune(nil, nil, used) },
		"no function":   func() { jaxpr.Prune(j, nil, nil) },
	} {
		if err := core.Catch(f); err == nil || !strings.Contains(err.Error(), "pass") {
			t.Errorf("%s: got %v, want an error that names the fix", name, err)
		}
	}
}
