package custom_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/custom"
	"github.com/weft-go/weft/internal/test/golden"
	"github.com/weft-go/weft/internal/test/statement"
)

// Whole programs around custom rules, with the values of JAX 0.10.2 in hexadecimal.

func bits(dtype, hex string, shape ...int) golden.Array {
	return golden.Array{DType: dtype, Shape: shape, Bits: hex}
}

func sameAsJAX(t *testing.T, what string, got weft.Array, want golden.Array) {
	t.Helper()
	if diff := golden.Compare(got.Value(), want, 4, golden.Largest(want)); diff != "" {
		t.Errorf("%s: %s", what, diff)
	}
}

// fixedPoint returns the x with x = g(a, x), found by iteration from x₀; its derivative is that
// of the implicit function. g is an argument that is not differentiated.
func fixedPoint() *custom.VJPRule[func(a, x weft.Array) weft.Array, [2]weft.Array, [2]weft.Array, weft.Array] {
	type G = func(a, x weft.Array) weft.Array
	type state struct{ Before, Now, N weft.Array }
	f := custom.NewVJP[G, [2]weft.Array, [2]weft.Array](func(g G, p [2]weft.Array) weft.Array {
		a, x0 := p[0], p[1]
		return weft.While(func(c state) weft.Array {
			return weft.Abs(c.Before.Sub(c.Now)).Gt(1e-6).And(c.N.Lt(100))
		}, func(c state) state {
			return state{c.Now, g(a, c.Now), c.N.Add(1)}
		}, state{x0, g(a, x0), weft.Scalar(int32(0))}).Now
	})
	f.Rules(func(g G, p [2]weft.Array) (weft.Array, [2]weft.Array) {
		x := f.Call(g, p)
		return x, [2]weft.Array{p[0], x}
	}, func(g G, r [2]weft.Array, ct weft.Array) [2]weft.Array {
		a, x := r[0], r[1]
		gx := weft.Grad(func(x weft.Array) weft.Array { return g(a, x) })(x)
		ga := weft.Grad(func(a weft.Array) weft.Array { return g(a, x) })(a)
		return [2]weft.Array{ct.Mul(ga).Div(weft.Sub(1, gx)), {}}
	})
	return f
}

func heron(a, x weft.Array) weft.Array { return x.Add(a.Div(x)).Mul(0.5) }

func TestFixedPointProgram(t *testing.T) {
	fixed := fixedPoint()
	root := func(a weft.Array) weft.Array { return fixed.Call(heron, [2]weft.Array{a, a}) }
	value, slope := bits("f32", "f304b53f"), bits("f32", "f304b53e")
	for name, f := range everywhere(root) {
		v, d := weft.ValueAndGrad(f)(s(2))
		sameAsJAX(t, name, v, value)
		sameAsJAX(t, "grad of "+name, d, slope)
	}
	near(t, "twice", weft.Grad(weft.Grad(root))(s(2)), -0.25/math.Pow(2, 1.5))
	nearAll(t, "vmap of grad", weft.Vmap(weft.Grad(root))(vec(1, 4, 9)), 0.5, 0.25, 1./6)
	// Three features at once: the fixed point of a jitted map, batched over a, in a scan.
	sum := weft.Jit(func(as weft.Array) weft.Array {
		return weft.Fold(func(c, a weft.Array) weft.Array {
			return c.Add(weft.Vmap(func(b weft.Array) weft.Array { return fixed.Call(weft.Jit(heron), [2]weft.Array{a.Mul(b), b}) })(vec(1, 4)).Sum())
		}, s(0), as)
	})
	near(t, "Σ 3√a", sum(vec(1, 4)), 9)
	nearAll(t, "grad of Σ 3√a", weft.Grad(sum)(vec(1, 4)), 1.5, 0.75)
}

func TestNewtonProgram(t *testing.T) {
	cube := newJVP(func(a weft.Array) weft.Array {
		return weft.ForI(12, func(_, x weft.Array) weft.Array {
			return x.Sub(x.Pow(3).Sub(a).Div(x.Mul(3).Mul(x)))
		}, a)
	})
	cube.Rule(func(a, t weft.Array) (weft.Array, weft.Array) {
		y := cube.Call(a)
		return y, t.Div(y.Mul(3).Mul(y))
	})
	a := s(3)
	for name, f := range everywhere(cube.Call) {
		sameAsJAX(t, name, f(a), bits("f32", "a29bb83f"))
		sameAsJAX(t, "grad of "+name, weft.Grad(f)(a), bits("f32", "9018243e"))
		sameAsJAX(t, "grad² of "+name, weft.Grad(weft.Grad(f))(a), bits("f32", "f1dc11bd"))
		sameAsJAX(t, "vmap of "+name, weft.Vmap(f)(vec(3, 6)), bits("f32", "a29bb83f6897e83f", 2))
	}
	near(t, "the Hessian of a sum of roots", weft.Hessian(func(x weft.Array) weft.Array { return weft.Vmap(cube.Call)(x).Sum() })(vec(3, 8)).Index(1, 1), -2./9*math.Pow(8, -5./3))
}

func TestRootProgram(t *testing.T) {
	sqrt := func(a weft.Array) weft.Array {
		solve := func(g unary, x weft.Array) weft.Array {
			return weft.ForI(8, func(_, x weft.Array) weft.Array { return x.Sub(g(x).Div(x.Mul(2))) }, x)
		}
		return custom.Root(func(x weft.Array) weft.Array { return x.Mul(x).Sub(a) }, a, solve, func(g unary, y weft.Array) weft.Array { return y.Div(g(s(1))) })
	}
	for name, f := range everywhere(sqrt) {
		sameAsJAX(t, name, f(s(3)), bits("f32", "d7b3dd3f"))
		sameAsJAX(t, "grad of "+name, weft.Grad(f)(s(3)), bits("f32", "3acd933e"))
	}
}

func TestClipGradientProgram(t *testing.T) {
	type bounds struct{ Lo, Hi weft.Array }
	clip := vjp3(func(x, lo, hi weft.Array) weft.Array { return x },
		func(x, lo, hi weft.Array) (weft.Array, bounds) { return x, bounds{lo, hi} },
		func(r bounds, g weft.Array) (x, lo, hi weft.Array) {
			return weft.Clip(g, r.Lo, r.Hi), weft.Array{}, weft.Array{}
		})
	for name, f := range everywhere(func(x weft.Array) weft.Array { return clip(x, s(-1), s(1)).Mul(10) }) {
		v, d := weft.ValueAndGrad(f)(s(3))
		sameAsJAX(t, name, v, bits("f32", "0000f041"))
		sameAsJAX(t, "grad of "+name, d, bits("f32", "0000803f"))
	}
}

// A bilevel program: the inner problem is solved by conjugate gradients, its solution is a
// root, and the outer loss is minimized by a scan of gradient steps through both.
func TestBilevelProgram(t *testing.T) {
	// Inner: ridge regression w(λ) = (AᵀA + e^λ)⁻¹ Aᵀb. Outer: ‖A'w − b'‖².
	a := weft.FromSlice([]float32{1, 2, 3, -1, 0.5, 1, 2, 2}, 4, 2)
	b := vec(1, 2, 3, 4)
	va, vb := weft.FromSlice([]float32{2, -1, 1, 1}, 2, 2), vec(0.5, 1)
	cg := func(mv unary, b weft.Array) weft.Array {
		type st struct{ X, R, P weft.Array }
		return weft.ForI(6, func(_ weft.Array, c st) st {
			ap, rr := mv(c.P), c.R.Dot(c.R)
			alpha := rr.Div(c.P.Dot(ap).Add(1e-30))
			r := c.R.Sub(alpha.Mul(ap))
			return st{c.X.Add(alpha.Mul(c.P)), r, r.Add(r.Dot(r).Div(rr.Add(1e-30)).Mul(c.P))}
		}, st{weft.ZerosLike(b), b, b}).X
	}
	byRoot := func(l weft.Array) weft.Array {
		grad := func(w weft.Array) weft.Array { return a.T().Dot(a.Dot(w).Sub(b)).Add(weft.Exp(l).Mul(w)) }
		return custom.Root(grad, weft.Zeros(2), func(f unary, w weft.Array) weft.Array {
			rhs := f(w).Neg()
			return w.Add(cg(func(v weft.Array) weft.Array { _, hv := weft.JVP(f, w, v); return hv }, rhs))
		}, func(g unary, y weft.Array) weft.Array { return symmetricSolve(g, y, cg) })
	}
	bySolve := func(l weft.Array) weft.Array {
		return symmetricSolve(func(w weft.Array) weft.Array { return a.T().Dot(a.Dot(w)).Add(weft.Exp(l).Mul(w)) }, a.T().Dot(b), cg)
	}
	byUnrolling := func(l weft.Array) weft.Array {
		m := a.T().Dot(a)
		m = m.Add(weft.Exp(l).Mul(weft.Eye(2)))
		det := m.Index(0, 0).Mul(m.Index(1, 1)).Sub(m.Index(0, 1).Mul(m.Index(1, 0)))
		r := a.T().Dot(b)
		return weft.Stack(0, m.Index(1, 1).Mul(r.Index(0)).Sub(m.Index(0, 1).Mul(r.Index(1))), m.Index(0, 0).Mul(r.Index(1)).Sub(m.Index(1, 0).Mul(r.Index(0)))).Div(det)
	}
	outer := func(w func(weft.Array) weft.Array) unary {
		return func(l weft.Array) weft.Array { return weft.Square(va.Dot(w(l)).Sub(vb)).Sum() }
	}
	want := outer(byUnrolling)
	close := func(what string, got, want weft.Array) {
		t.Helper()
		if d := math.Abs(got.Float() - want.Float()); !(d <= 2e-4*math.Max(1, math.Abs(want.Float()))) {
			t.Errorf("%s: got %v, want %v", what, got, want)
		}
	}
	for name, w := range map[string]unary{"root": byRoot, "solve": bySolve} {
		for place, f := range everywhere(outer(w)) {
			what := name + ", " + place
			close(what, f(s(0.5)), want(s(0.5)))
			close("grad of "+what, weft.Grad(f)(s(0.5)), weft.Grad(want)(s(0.5)))
			close("grad² of "+what, weft.Grad(weft.Grad(f))(s(0.5)), weft.Grad(weft.Grad(want))(s(0.5)))
		}
	}
	train := func(f unary) weft.Array {
		return weft.Jit(func(l weft.Array) weft.Array {
			return weft.ForI(20, func(_, l weft.Array) weft.Array { return l.Sub(weft.Grad(f)(l).Mul(0.5)) }, l)
		})(s(0.5))
	}
	close("trained", train(outer(byRoot)), train(want))
	close("trained by solves", train(outer(bySolve)), train(want))
}

// A program works that combines every feature: a numerically stable function with a rule, in a scan
// with checkpoints, mapped over a batch, clipped on the way back.
func TestCombinedProgram(t *testing.T) {
	softplus := jvps(func(x weft.Array) weft.Array { return weft.Log1p(weft.Exp(x)) },
		func(t, _, x weft.Array) weft.Array {
			return t.Mul(weft.Sub(1, weft.Reciprocal(weft.Add(1, weft.Exp(x)))))
		})
	sigmoid := func(x float64) float64 { return 1 / (1 + math.Exp(-x)) }
	near(t, "where the plain derivative is NaN", weft.Grad(softplus)(s(100)), 1)
	clip := oldClip.Call
	cell := func(b bounds) func(c, x weft.Array) weft.Array {
		return weft.Remat(func(c, x weft.Array) weft.Array { return clip(b, softplus(c)).Add(x) })
	}
	run := func(c, xs weft.Array, limit float64) weft.Array {
		return weft.Fold(cell(bounds{s(-limit), s(limit)}), c, xs)
	}
	xs := vec(0.1, -0.2, 0.3)
	for _, limit := range []float64{10, 0.25} {
		c, d := 0.5, 1.0
		var ins []float64
		for _, x := range []float64{0.1, -0.2, 0.3} {
			ins = append(ins, c)
			c = math.Log1p(math.Exp(c)) + x
		}
		for k := len(ins) - 1; k >= 0; k-- {
			d = math.Max(-limit, math.Min(limit, d)) * sigmoid(ins[k])
		}
		f := func(c weft.Array) weft.Array { return run(c, xs, limit) }
		for name, g := range everywhere(f) {
			near(t, fmt.Sprintf("limit %v, %s", limit, name), g(s(0.5)), c)
			near(t, fmt.Sprintf("limit %v, grad of %s", limit, name), weft.Grad(g)(s(0.5)), d)
			nearAll(t, fmt.Sprintf("limit %v, vmap of grad of %s", limit, name), weft.Vmap(weft.Grad(g))(vec(0.5, 0.5)), d, d)
		}
	}
}

// Transformations that call f keep its rule: Vmap, Remat, Call, loops, branches, and Jit where
// another transformation may follow. A derivative does not: it contains only the rule.
func TestCallersKeepTheRule(t *testing.T) {
	statement.Shows(t, "J-5", "transformations that call the function keep its rule; those that rewrite its body do not")
	f := custom.JVP(double, func(x, tx weft.Array) (weft.Array, weft.Array) { return double(x), tx.Mul(3) }, "f", "rule")
	ways := everywhere(f)
	ways["call"] = weft.Jit(weft.Call(f))
	for name, g := range ways {
		near(t, name, weft.Grad(g)(s(1)), 3)
		near(t, "jit of grad of "+name, weft.Jit(weft.Grad(g))(s(1)), 3)
		_, d := weft.JVP(g, s(1), s(1))
		near(t, "jvp of "+name, d, 3)
		if ir := text(t, g, float32(1)); !containsRule(ir) {
			t.Errorf("%s: the program has lost the rule: %s", name, ir)
		}
	}
	if ir := text(t, weft.Grad(f), float32(1)); containsRule(ir) {
		t.Errorf("the derivative calls f: %s", ir)
	}
}

func containsRule(ir string) bool { return strings.Contains(ir, "custom_jvp_call[") }
