package custom_test

import (
	"math"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/custom"
	"github.com/weft-go/weft/internal/test/arraycheck"
	"github.com/weft-go/weft/internal/test/testcheck"
)

// Custom rules of one kind within those of another.

func TestBatchingRuleOfTwoArguments(t *testing.T) {
	type in struct{ X, W, N weft.Array }
	type out struct{ Y, N weft.Array }
	f := custom.Vmap(func(p in) out { return out{p.X.Mul(p.W), p.N.Add(1)} },
		func(n int, mapped, p in) (out, out) {
			return out{p.X.Mul(p.W).Mul(100), p.N.Add(1)}, out{Y: yes}
		})
	three := weft.Scalar(int32(3))
	y := func(x, w weft.Array) weft.Array { return f(in{x, w, three}).Y }
	xs := vec(1, 2, 3)
	for name, d := range arraycheck.Placements(func(x weft.Array) weft.Array {
		return weft.Grad(func(w weft.Array) weft.Array { return y(x, w) })(s(7))
	}) {
		nearAll(t, "with respect to what is not mapped, "+name, weft.Vmap(d)(xs), 100, 200, 300)
	}
	for name, d := range arraycheck.Placements(func(x weft.Array) weft.Array {
		return weft.Grad(func(w weft.Array) weft.Array { return y(x.Mul(w), w) })(s(7))
	}) {
		nearAll(t, "with respect to both, "+name, weft.Vmap(d)(xs), 1400, 2800, 4200)
		nearAll(t, "two batches: the rule runs for the inner one, "+name, weft.Vmap(weft.Vmap(d))(xs.Reshape(3, 1)).Ravel(), 1400, 2800, 4200)
	}
	near(t, "the gradient of a sum over the batch", weft.Grad(func(w weft.Array) weft.Array {
		return weft.Vmap(func(x weft.Array) weft.Array { return y(x, w) })(xs).Sum()
	})(s(7)), 600)
	nearAll(t, "Jacobian", weft.Jacrev(func(xs weft.Array) weft.Array {
		return weft.Vmap(func(x weft.Array) weft.Array { return y(x, s(2)) })(xs)
	})(xs).Ravel(), 200, 0, 0, 0, 200, 0, 0, 0, 200)
	o := weft.Vmap(func(x weft.Array) out { return f(in{x, s(1), three}) }, weft.Out(weft.Axes{"Y": 0, "N": weft.None}))(xs)
	if o.N.Int() != 4 {
		t.Errorf("N is %v, want 4", o.N)
	}
}

func TestRulesWithinRules(t *testing.T) {
	third := func(f unary) unary { // a reverse rule whose derivative is a third of f's
		return custom.VJP(f, func(x weft.Array) (weft.Array, weft.Array) { return f(x), x },
			func(x, g weft.Array) weft.Array { return weft.Grad(f)(x).Mul(g).Div(3) })
	}
	five := func(f unary) unary { // a forward rule whose derivative is five times f's
		return custom.JVP(f, func(x, t weft.Array) (weft.Array, weft.Array) {
			y, d := weft.JVP(f, x, t)
			return y, d.Mul(5)
		})
	}
	batched := func(f unary) unary { // a batching rule that loops
		g := custom.Vmap(f, nil)
		return func(x weft.Array) weft.Array { return g(x) }
	}
	for name, c := range map[string]struct {
		f    unary
		want float64
	}{
		"forward in reverse":             {third(five(weft.Sin)), 5. / 3},
		"forward in forward":             {five(five(weft.Sin)), 25},
		"reverse in reverse":             {third(third(weft.Sin)), 1. / 9},
		"batch in reverse":               {third(batched(weft.Sin)), 1. / 3},
		"reverse in batch":               {batched(third(weft.Sin)), 1. / 3},
		"forward in batch in reverse":    {third(batched(five(weft.Sin))), 5. / 3},
		"batch in forward in batch":      {batched(five(batched(weft.Sin))), 5},
		"jitted, rematerialized, mapped": {third(weft.Jit(weft.Remat(five(weft.Jit(weft.Sin))))), 5. / 3},
	} {
		for place, f := range everywhere(c.f) {
			near(t, name+", "+place, f(s(1)), math.Sin(1))
			near(t, "grad of "+name+", "+place, weft.Grad(f)(s(1)), c.want*math.Cos(1))
			nearAll(t, "vmap of grad of "+name+", "+place, weft.Vmap(weft.Grad(f))(vec(0, 1)), c.want, c.want*math.Cos(1))
			near(t, "jit of grad of "+name+", "+place, weft.Jit(weft.Grad(f))(s(1)), c.want*math.Cos(1))
		}
	}
}

func TestNoneEverywhere(t *testing.T) {
	type in struct {
		X  weft.Array
		Ys []weft.Array
	}
	p := in{s(1), []weft.Array{s(2), vec(3, 4)}}
	sum := func(p in) weft.Array { return p.X.Add(p.Ys[0]).Add(p.Ys[1].Sum()) }
	rev := custom.VJP(sum, func(p in) (weft.Array, in) { return sum(p), in{} }, func(r in, g weft.Array) in {
		if !r.X.IsZero() || r.Ys != nil {
			t.Error("residuals that were not kept were returned")
		}
		return in{}
	})
	zeros := newVJP[in, struct{}](sum)
	zeros.RulesWithZeros(func(p, _ in) (weft.Array, struct{}) { return sum(p), struct{}{} }, func(struct{}, weft.Array) in { return in{} })
	fwd := custom.JVP(sum, func(p, _ in) (weft.Array, weft.Array) { return sum(p), weft.Array{} })
	grad := custom.Gradient(func(p in) (weft.Array, func(weft.Array) in) {
		return sum(p), func(weft.Array) in { return in{} }
	})
	for name, f := range map[string]func(in) weft.Array{"reverse": rev, "zeros": zeros.Call, "forward": fwd, "gradient": grad,
		"reverse, jit": weft.Jit(rev), "gradient, jit": weft.Jit(grad)} {
		near(t, name, f(p), 10)
		g := weft.Grad(f)(p)
		near(t, name+", X", g.X, 0)
		near(t, name+", Ys[0]", g.Ys[0], 0)
		nearAll(t, name+", Ys[1]", g.Ys[1], 0, 0)
		batch := weft.Vmap(func(x weft.Array) weft.Array {
			return weft.Grad(func(x weft.Array) weft.Array { return f(in{x, p.Ys}) })(x)
		})
		nearAll(t, name+", vmap", batch(vec(1, 2)), 0, 0)
	}
}

// A linear solve of a tree, and a root of a tree, under every transformation.
func TestSolveTree(t *testing.T) {
	type ab struct{ A, B weft.Array }
	solve := func(mv func(ab) ab, b ab) ab { // by columns
		c, d := mv(ab{s(1), s(0)}), mv(ab{s(0), s(1)})
		det := c.A.Mul(d.B).Sub(d.A.Mul(c.B))
		return ab{b.A.Mul(d.B).Sub(d.A.Mul(b.B)).Div(det), c.A.Mul(b.B).Sub(c.B.Mul(b.A)).Div(det)}
	}
	f := func(p weft.Array) weft.Array { // 2A + pB = 1, B = p: A = (1 − p²)/2
		x := custom.LinearSolve(func(x ab) ab { return ab{x.A.Mul(2).Add(x.B.Mul(p)), x.B} }, ab{s(1), p}, solve, solve)
		return x.A
	}
	derivatives(t, "A", f, 3, -4, -3, -1, 0)
	testcheck.Fails(t, core.ErrCustomRule, func() {
		custom.LinearSolve(func(x ab) ab { return x }, ab{s(1), s(2)}, func(mv func(ab) ab, b ab) ab { return ab{b.A, b.B.Reshape(1)} }, nil)
	}, "solve returns f32[1]", `".B"`)
}
