package transforms_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/internal/test/golden"
	"github.com/weft-go/weft/internal/test/ircheck"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/trace"
	"github.com/weft-go/weft/transforms"
)

// readsBack reports how a program differs from the one that is read from its text: in
// its text, or in a bit of the results at in. It returns "" if they agree. Values of
// constants within called programs are not in a text: such programs are only compared as
// texts.
func readsBack(j *jaxpr.Jaxpr, in []val) string {
	text := j.String()
	back, err := jaxpr.Parse(text, prim.Vocabulary)
	if err == nil {
		err = jaxpr.Check(back)
	}
	if err != nil {
		return fmt.Sprintf("%v\n%s", err, text)
	}
	if again := back.String(); again != text {
		return "printed again (-was +is):\n" + cmp.Diff(strings.Split(text, "\n"), strings.Split(again, "\n"))
	}
	if ircheck.HiddenConstants(j) {
		return ""
	}
	want, err := attempt(func() []val { return jaxpr.Eval(j, nil, in) })
	if err != nil {
		return ""
	}
	got, err := attempt(func() []val { return jaxpr.Eval(back, j.ConstVals, in) })
	if err != nil {
		return fmt.Sprintf("the program of the text: %v\n%s", err, text)
	}
	if d := differAll(withoutWeakMarks(got), withoutWeakMarks(want)); d != "" {
		return fmt.Sprintf("the program of the text differs: %s\n%s", d, text)
	}
	return ""
}

// withoutWeakMarks returns values as strong arrays: JAX's text has no weak marks, neither of
// variables nor of literals.
func withoutWeakMarks(vs []val) []val {
	out := make([]val, len(vs))
	for k, v := range vs {
		x := golden.Concrete(v)
		out[k] = x.WithType(x.Aval().Strong())
	}
	return out
}

// Transformed programs have variables in common with the programs that they were made
// of: results that nothing uses outside are used within. Every combination of two calls
// around two functions with a stopped gradient reads back, and its gradient is right.
func TestDerivativeTexts(t *testing.T) {
	m := weftMachine{}
	n := 0
	around := map[string]func(f func(val) val) func(val) val{
		"nothing":    func(f func(val) val) func(val) val { return f },
		"jit":        m.jit,
		"core_call":  coreCall,
		"remat":      m.remat,
		"custom_jvp": m.customJVP,
		"custom_vjp": m.customVJP,
	}
	for name, f := range map[string]func(val) val{
		"square of the stopped": func(x val) val { s := prim.StopGradient(prim.Sin(x)); return prim.Mul(x, prim.Mul(s, s)) },
		"stopped factor":        func(x val) val { y := prim.Logistic(x); return prim.Mul(prim.Mul(y, y), prim.StopGradient(y)) },
	} {
		for outer, wrapOuter := range around {
			for inner, wrapInner := range around {
				g := wrapOuter(wrapInner(f))
				want := gradient(g, 0.3)
				n++
				j := trace.Stage("f", []core.ShapedArray{f64}, func(in []val) []val { return []val{g(in[0])} })
				in := []val{runtimeScalar(0.3)}
				for what, j := range map[string]*jaxpr.Jaxpr{
					"program": j, "grad": transforms.GradProgram(j, nil), "vjp": transforms.VJPProgram(j),
					"jit of grad": transforms.JitProgram(transforms.GradProgram(j, nil), "g"),
				} {
					args := in
					if what == "vjp" {
						args = []val{in[0], runtimeScalar(1)}
					}
					if d := readsBack(j, args); d != "" {
						t.Errorf("%s of %s of %s of %s: %s", what, outer, inner, name, d)
					}
					if what == "program" {
						continue
					}
					got, _ := literalOrArray(jaxpr.Eval(j, nil, args)[0])
					if got != want {
						t.Errorf("%s of %s of %s of %s: got %v, want %v", what, outer, inner, name, got, want)
					}
				}
			}
		}
	}
	if n != 72 {
		t.Errorf("%d combinations, want 72", n)
	}
}

// coreCall returns f as a call that is not compiled.
func coreCall(f func(val) val) func(val) val {
	return func(x val) val {
		j := trace.Stage("f", []core.ShapedArray{f64}, lift(f))
		extra := trace.HoistTracers(j)
		return core.Bind1(&jaxpr.CoreCall{Fn: "f", Jaxpr: j}, append(extra, x)...)
	}
}
