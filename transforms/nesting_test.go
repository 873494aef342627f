package transforms_test

import (
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/trace"
)

// nested wraps sin in n levels of a transformation.
func nested(n int, wrap func(func(weft.Array) weft.Array) func(weft.Array) weft.Array) func(weft.Array) weft.Array {
	f := func(x weft.Array) weft.Array { return weft.Sin(x) }
	for range n {
		f = wrap(f)
	}
	return f
}

// Functions within functions, as deep as they may be, are traced and differentiated in time
// that grows with the depth: a stack of many thousand frames is not walked for each
// equation.
func TestDeepNesting(t *testing.T) {
	const depth = 900
	x := weft.Scalar(float32(0.5))
	want := weft.Cos(x).Float()
	for name, wrap := range map[string]func(func(weft.Array) weft.Array) func(weft.Array) weft.Array{
		"jit":   func(f func(weft.Array) weft.Array) func(weft.Array) weft.Array { return weft.Jit(f) },
		"remat": func(f func(weft.Array) weft.Array) func(weft.Array) weft.Array { return weft.Remat(f) },
	} {
		if got := weft.Grad(nested(depth, wrap))(x).Float(); got != want {
			t.Errorf("%s: got %v, want %v", name, got, want)
		}
	}
}

// An equation in a deep trace is still at the user's line: the one on which the trace
// around it was started, where no function of the user's is nearer.
func TestDeepNestingKeepsLines(t *testing.T) {
	f := nested(60, func(f func(weft.Array) weft.Array) func(weft.Array) weft.Array { return weft.Jit(f) })
	j := trace.Stage("f", []core.ShapedArray{core.Aval(core.Float32)}, func(in []val) []val {
		return []val{f(weft.FromValue(in[0])).Value()}
	})
	for depth := 0; len(j.Eqns) == 1; depth++ {
		e := j.Eqns[0]
		if !strings.HasPrefix(e.Site.String(), "nesting_test.go:") {
			t.Fatalf("the equation %s at depth %d is at %q", e.Prim.Name(), depth, e.Site)
		}
		js := jaxpr.Programs(e.Prim)
		if len(js) == 0 {
			if depth != 60 {
				t.Errorf("sin is at depth %d, want 60", depth)
			}
			return
		}
		j = js[0]
	}
	t.Error("a program has not one equation")
}
