package staging_test

import (
	"io"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/internal/test/race"
	"github.com/weft-go/weft/jaxpr"
)

// Nothing recurses along a chain of equations: with stacks of at most half a
// megabyte a frame an equation would be too much, even a small one.
func TestLongChains(t *testing.T) {
	race.Values(t)
	defer debug.SetMaxStack(debug.SetMaxStack(1 << 19))
	const n = chainLength
	chain := func(x weft.Array) weft.Array {
		for range n {
			x = x.Mul(1.5).Mul(1 / 1.5)
		}
		return x
	}
	x := weft.Of(float32(1), 2)
	must := func(what string, err error) {
		t.Helper()
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
	}
	ir, err := weft.Jaxpr(chain, x)
	must("trace", err)
	if len(ir.Eqns) != 2*n {
		t.Fatalf("%d equations", len(ir.Eqns))
	}
	must("check", jaxpr.Check(ir))
	text := ir.String()
	parsed, err := jaxpr.Parse(text, prim.Vocabulary)
	must("parse", err)
	must("check what was parsed", jaxpr.Check(parsed))
	if parsed.String() != text {
		t.Error("the text is another after parsing")
	}
	if !jaxpr.Equal(ir, parsed) {
		t.Error("the program is another after parsing")
	}
	if len(ir.DOT()) < n || len(ir.HTML("chain")) < n {
		t.Error("the views are short")
	}
	must("text with places", ir.Write(io.Discard, jaxpr.Options{Sites: true}))

	out := jaxpr.Eval(parsed, nil, []core.Value{x.Value()})
	want := weft.FromValue(out[0])
	same := func(what string, got weft.Array) {
		t.Helper()
		if !got.Equal(want) {
			t.Errorf("%s: got %v, want %v", what, got, want)
		}
	}
	same("eager", chain(x))
	same("jit", weft.Jit(chain)(x))
	compiled, err := weft.Compile(chain, x)
	must("compile", err)
	same("compiled", compiled.Call(x))
	low, err := weft.Lower(weft.Jit(chain), x)
	must("lower", err)
	same("lowered", weft.FromValue(jaxpr.Eval(low, nil, []core.Value{x.Value()})[0]))
	if d := jaxpr.DCE(ir); len(d.Eqns) != 2*n {
		t.Errorf("%d equations are left without dead code", len(d.Eqns))
	}
	same("clone", weft.FromValue(jaxpr.Eval(jaxpr.Clone(ir), nil, []core.Value{x.Value()})[0]))

	// Looking at the end of a known chain, within the trace and after it.
	var known weft.Array
	weft.Jit(func(y weft.Array) weft.Array {
		known = chain(weft.Of(float32(1), 2))
		same("looked at", known)
		return y
	})(x)
	same("what left its trace", known.Reshape(2))

	// Transformations.
	same("vmap", weft.Vmap(weft.Jit(chain))(weft.Stack(0, x, x)).Index(1))
	y, dy := weft.JVP(weft.Jit(chain), x, weft.OnesLike(x))
	same("jvp", y)
	g := weft.Grad(func(x weft.Array) weft.Array { return chain(x).Sum() })(x)
	if !g.Equal(dy) {
		t.Errorf("the gradient is %v, forward it is %v", g, dy)
	}
	if !strings.HasPrefix(text, "{ lambda ; a:f32[2]. let") {
		t.Errorf("the text begins %q", text[:40])
	}
}
