package transforms_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/internal/test/testcheck"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/trace"
	"github.com/weft-go/weft/transforms"
)

// Stacks that went wrong once, and what was wrong.
var foundStacks = []struct{ why, outer, stack string }{
	{"a function with a batching rule had none where its operands are not mapped", "vmap", "customvmap"},
	{"the same, with a rule within that makes mapped values of others", "vmap", "customvmap customjvp"},
	{"the same, with an older batch around", "gradvmap", "vmap customvmap rulejvp"},
	{"a reverse rule within a recorded batching rule was asked for a forward derivative", "grad", "jit customvmap rulevjp"},
	{"the same, batched after", "gradvmap", "jit customvmap rulevjp"},
	{"values of a batching rule did not come from the rules within", "vmap", "jvp jacrev customvmap customvjp"},
	{"the value that a rule returns was taken from the function instead of from the rule within", "eval", "grad jvp rulejvp customjvp"},
	{"reverse mode went through the loop, which does not depend on c: what does had the place of its residual in another branch", "grad", "linearize linear branch customvmap while"},
	{"the last bit of a sine was taken for a wrong number", "grad", "scan scan vmap vmap"},
}

func TestStacksOfTransformations(t *testing.T) {
	for _, s := range foundStacks {
		var stack []wrapper
		for _, name := range strings.Fields(s.stack) {
			stack = append(stack, wrapper(slices.Index(wrapperNames[:], name)))
		}
		if got := runStack(t, stack, slices.Index(outerNames, s.outer)); got != agrees {
			t.Errorf("%s %s, where %s: %v", s.outer, s.stack, s.why, got)
		}
	}
}

// The error for a reverse rule within a while loop on a tape says that neither mode goes through
// both. It does not say that reverse mode would.
func TestErrorOfReverseRuleInWhile(t *testing.T) {
	m := weftMachine{}
	for name, f := range map[string]func(val) val{
		"at once": m.while(m.customVJP(m.sin)), "in jit": m.jit(m.while(m.customVJP(m.sin))), "in a scan": m.scan(m.while(m.jit(m.customVJP(m.sin)))),
	} {
		err := testcheck.Recover(func() { m.grad(f)(runtimeScalar(0.5)) })
		if err == nil || !strings.Contains(err.Error(), "within a While loop") || strings.Contains(err.Error(), "use Grad") {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// A residual of one branch is not differentiated because of a residual of another branch: a while
// loop, differentiated in a branch that does not depend on c, is not reversed for the sake of one
// that does.
func TestBranchResidualsAreIndependent(t *testing.T) {
	m := weftMachine{}
	for _, first := range []bool{true, false} {
		slope := func(c val) val {
			return m.linearize(func(x val) val {
				is := prim.Gt(x, m.num(0.1))
				if !first {
					is = prim.Not(is)
				}
				return trace.Cond(is, func() []val { return []val{m.sin(m.mul(c, x))} }, func() []val { return []val{m.while(m.sin)(m.sin(x))} })[0]
			})(m.num(0.5))
		}
		want := 0.0
		if first { // of c·cos(c/2)
			want = math.Cos(0.15) - 0.15*math.Sin(0.15)
		}
		outs, err := attempt(func() []val { return []val{m.grad(slope)(runtimeScalar(0.3))} })
		if err != nil {
			t.Errorf("first branch %v: %v", first, err)
			continue
		}
		got, _ := literalOrArray(outs[0])
		testcheck.Within(t, fmt.Sprintf("first branch %v", first), got, want, 1e-15)
	}
}

// Branches that keep the same for the same inputs share room for it.
func TestBranchesShareResiduals(t *testing.T) {
	kept := func(yes, no func(x, y val) val) int {
		j := trace.Stage("f", []core.ShapedArray{core.Aval(core.Bool), f64, f64}, func(in []val) []val {
			return trace.Cond(in[0], func() []val { return []val{yes(in[1], in[2])} }, func() []val { return []val{no(in[1], in[2])} })
		})
		fwd, _ := transforms.LinearizeProgram(j)
		for _, e := range fwd.Eqns {
			if _, ok := e.Prim.(*jaxpr.Cond); ok {
				return len(e.Outs) - 1
			}
		}
		t.Fatalf("no conditional in\n%v", fwd)
		return 0
	}
	sin := func(x, _ val) val { return prim.Sin(x) }
	exp := func(x, _ val) val { return prim.Log(prim.Cos(x)) }
	other := func(_, y val) val { return prim.Sin(y) }
	called := func(x, _ val) val { return weftMachine{}.jit(prim.Sin)(x) }
	for _, c := range []struct {
		what    string
		yes, no func(x, y val) val
		want    int
	}{{"the same", sin, sin, 1}, {"more of the same input", sin, exp, 2}, {"another input", sin, other, 2}, {"the same in a call", called, sin, 1}} {
		if got := kept(c.yes, c.no); got != c.want {
			t.Errorf("%s: %d values are kept, want %d", c.what, got, c.want)
		}
	}
}
