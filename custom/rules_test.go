package custom_test

import (
	"math"
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/custom"
	"github.com/weft-go/weft/internal/test/arraycheck"
	"github.com/weft-go/weft/internal/test/statement"
	"github.com/weft-go/weft/internal/test/testcheck"
)

// The rule survives Vmap.
func TestCustomRuleSurvivesVmap(t *testing.T) {
	statement.Shows(t, "J-1", "the older mechanism, its wrong rule visible")
	statement.Shows(t, "J-3", "the rule survives Vmap, as a call in the program")
	f := arraycheck.Twice()
	xs := vec(1, 5, -2, 7)
	near(t, "grad", weft.Grad(f)(s(5)), 3)
	nearAll(t, "vmap of grad", weft.Vmap(weft.Grad(f))(xs), 3, 3, 3, 3)
	for name, g := range arraycheck.Placements(func(xs weft.Array) weft.Array { return weft.Vmap(f)(xs).Sum() }) {
		nearAll(t, "grad of vmap, "+name, weft.Grad(g)(xs), 3, 3, 3, 3)
	}
	ir, err := weft.Jaxpr(weft.Vmap(f), xs)
	if err != nil || !strings.Contains(ir.String(), "custom_vjp_call") {
		t.Errorf("the call is gone: %v %v", ir, err)
	}
}

// Forward mode through a reverse rule is refused, under Vmap and Jit too.
func TestNoForwardThroughReverseRule(t *testing.T) {
	statement.Shows(t, "J-2", "forward mode through a reverse rule is refused, under Vmap and Jit too")
	f := arraycheck.Twice()
	for name, g := range map[string]func(weft.Array) weft.Array{"plain": f, "jit": weft.Jit(f), "vmap": func(x weft.Array) weft.Array {
		return weft.Vmap(f)(weft.Stack(0, x, x)).Sum()
	}} {
		err := core.Catch(func() { weft.JVP(g, s(1), s(1)) })
		if err == nil || !strings.Contains(err.Error(), "custom.VJP") || !strings.Contains(err.Error(), "forward") {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// Vmap of a function with a rule is the loop, in value and derivative; the function and
// the rule receive one element.
func TestCustomRuleUnderVmap(t *testing.T) {
	statement.Shows(t, "J-4", "Vmap of a function with a rule is the loop, in value and derivative")
	statement.Shows(t, "J-9", "function and rule both receive one element under any stack of maps and derivatives")
	see := func(x weft.Array) {
		if x.Rank() != 0 {
			t.Errorf("the function or its rule receives rank %d", x.Rank())
		}
	}
	f := custom.JVP(func(x weft.Array) weft.Array { see(x); return weft.Sin(x) },
		func(x, tx weft.Array) (weft.Array, weft.Array) {
			see(x)
			see(tx)
			return weft.Sin(x), tx.Mul(weft.Cos(x)).Mul(2)
		})
	xs := vec(0, 1, 2)
	wantY := []float64{0, math.Sin(1), math.Sin(2)}
	wantT := []float64{0, 2 * math.Cos(1), 4 * math.Cos(2)}
	y, ty := weft.JVP(weft.Vmap(f), xs, xs)
	nearAll(t, "jvp of vmap", y, wantY...)
	nearAll(t, "jvp of vmap", ty, wantT...)
	y, ty = weft.Vmap(func(x weft.Array) (weft.Array, weft.Array) { return weft.JVP(f, x, x) })(xs)
	nearAll(t, "vmap of jvp", y, wantY...)
	nearAll(t, "vmap of jvp", ty, wantT...)
	g := weft.Vmap(func(xs weft.Array) (weft.Array, weft.Array) { return weft.JVP(weft.Vmap(f), xs, xs) })
	_, ty = g(xs.Reshape(1, 3))
	nearAll(t, "vmap of jvp of vmap", ty, wantT...)
	nearAll(t, "vmap of vmap", weft.Vmap(weft.Vmap(f))(xs.Reshape(3, 1)), wantY...)
}

// The body is never differentiated, and the rule never runs unless something
// differentiates; the lowered program is that of the plain function.
func TestRuleRunsOnlyWhenDifferentiated(t *testing.T) {
	statement.Shows(t, "J-10", "the body of a function with a rule is never differentiated")
	statement.Shows(t, "J-12", "without differentiation the rule never runs, and the program is that of the plain function")
	rules := 0
	body := func(x weft.Array) weft.Array { return weft.Round(x).Add(x.Mul(2)) }
	f := custom.JVP(body, func(x, tx weft.Array) (weft.Array, weft.Array) { rules++; return body(x), tx.Mul(3) })
	f(s(1))
	weft.Vmap(f)(vec(1, 2))
	weft.Jit(f)(s(1))
	low, err := weft.Lower(f, s(1))
	if err != nil {
		t.Fatal(err)
	}
	plain, err := weft.Lower(body, s(1))
	if err != nil {
		t.Fatal(err)
	}
	if rules != 0 || low.String() != plain.String() {
		t.Errorf("the rule ran %d times, want 0; lowered:\n%s\nthe plain function's:\n%s", rules, low, plain)
	}
	_, d := weft.JVP(weft.Jit(f), s(1), s(1))
	near(t, "jvp of jit", d, 3)
	near(t, "jit of grad", weft.Jit(weft.Grad(f))(s(1)), 3)
	if rules != 2 {
		t.Errorf("the rule ran %d times, want 2", rules)
	}
}

// Rules survive the body of a scan, to any order, and may call the function itself.
func TestRulesWithinScan(t *testing.T) {
	statement.Shows(t, "J-13", "programs of loops keep function and rule, to be transformed again")
	statement.Shows(t, "J-14", "rules survive in the bodies of loops and branches, and settings are restored after a panic")
	statement.Shows(t, "J-15", "a rule that calls its function is traced at most once a signature, and not unless differentiated")
	f := newJVP(func(x weft.Array) weft.Array { return x.Mul(3) })
	calls := 0
	f.Rule(func(x, tx weft.Array) (weft.Array, weft.Array) { calls++; return f.Call(x), tx.Mul(2) })
	foo := func(x weft.Array) weft.Array {
		c, _ := weft.ScanN(func(c weft.Array) (weft.Array, struct{}) { return f.Call(c), struct{}{} }, x, 1)
		return c
	}
	near(t, "foo", foo(s(3)), 9)
	if calls != 0 {
		t.Errorf("the rule ran %d times without a derivative", calls)
	}
	for name, g := range arraycheck.Placements(foo) {
		for inner, d := range arraycheck.Placements(weft.Grad(g)) {
			near(t, "grad "+name+" "+inner, d(s(3)), 2)
			for outer, dd := range arraycheck.Placements(weft.Grad(d)) {
				near(t, "grad² "+name+" "+inner+" "+outer, dd(s(3)), 0)
			}
		}
		nearAll(t, "vmap "+name, weft.Vmap(g)(vec(1, 1, 1)), 3, 3, 3)
		nearAll(t, "grad of vmap "+name, weft.Grad(func(x weft.Array) weft.Array { return weft.Vmap(g)(x).Sum() })(vec(1, 1, 1)), 2, 2, 2)
	}
	sin := custom.VJP(weft.Sin, func(x weft.Array) (weft.Array, weft.Array) { return weft.Sin(x), x },
		func(x, g weft.Array) weft.Array { return g.Mul(weft.Cos(x)).Mul(2) })
	bar := func(x weft.Array) weft.Array {
		c, _ := weft.ScanN(func(c weft.Array) (weft.Array, struct{}) { return sin(c), struct{}{} }, x, 1)
		return c
	}
	for name, g := range arraycheck.Placements(bar) {
		near(t, "reverse rule in scan, "+name, weft.Grad(g)(s(3)), -1.9799850)
		near(t, "twice, "+name, weft.Grad(weft.Grad(g))(s(3)), -0.2822400)
	}
}

// Values and derivatives of two orders are right, whether or not the rule calls its function.
func TestCustomJVPOrders(t *testing.T) {
	statement.Shows(t, "J-17", "values and derivatives of sin with its rule, to the second order")
	statement.Shows(t, "J-18", "a rule that calls its function is the rule of the primal result too")
	f := custom.JVP(weft.Sin, func(x, tx weft.Array) (weft.Array, weft.Array) { return weft.Sin(x), tx.Mul(weft.Cos(x)) })
	y, d := weft.JVP(f, s(3), s(1))
	near(t, "value", y, 0.1411200)
	near(t, "tangent", d, -0.9899925)
	near(t, "grad", weft.Grad(f)(s(3)), -0.9899925)
	near(t, "grad²", weft.Grad(weft.Grad(f))(s(3)), -0.1411200)
	unset := newJVP(weft.Sin)
	testcheck.Fails(t, core.ErrCustomRule, func() { unset.Call(s(1)) }, "Rule")

	self := newJVP(func(x weft.Array) weft.Array { return x.Mul(3) })
	self.Rule(func(x, tx weft.Array) (weft.Array, weft.Array) { return self.Call(x), tx.Mul(2) })
	primal := func(x weft.Array) weft.Array { y, _ := weft.JVP(self.Call, x, s(1)); return y }
	_, d = weft.JVP(primal, s(1), s(1))
	near(t, "the primal of the jvp, differentiated", d, 2)
}

// A reverse rule with residuals works under Jit, Vmap and Grad in any order.
func TestCustomVJPPlacements(t *testing.T) {
	statement.Shows(t, "J-19", "a reverse rule under Jit, Vmap and Grad in any order")
	f := custom.VJP(weft.Sin, func(x weft.Array) (weft.Array, weft.Array) { return weft.Sin(x), weft.Cos(x) },
		func(c, g weft.Array) weft.Array { return c.Mul(g) })
	near(t, "grad", weft.Grad(f)(s(3)), -0.9899925)
	near(t, "jit of grad", weft.Jit(weft.Grad(f))(s(3)), -0.9899925)
	near(t, "grad of jit", weft.Grad(weft.Jit(f))(s(3)), -0.9899925)
	nearAll(t, "vmap of grad", weft.Vmap(weft.Grad(f))(vec(0, 1, 2)), 1, 0.5403023, -0.4161468)
	nearAll(t, "grad of vmap", weft.Grad(func(x weft.Array) weft.Array { return weft.Vmap(f)(x).Sum() })(vec(0, 1, 2)), 1, 0.5403023, -0.4161468)
	near(t, "grad²", weft.Grad(weft.Grad(f))(s(3)), -0.1411200)
}

// Arguments, results and residuals are trees; structures that do not match are errors.
func TestCustomRulesOverTrees(t *testing.T) {
	statement.Shows(t, "J-22", "arguments, results and residuals are trees, and other structures are refused")
	type in struct{ A weft.Array }
	type out struct{ B weft.Array }
	type res struct{ R weft.Array }
	f := custom.JVP(func(p in) out { return out{weft.Sin(p.A)} },
		func(p, t in) (out, out) { return out{weft.Sin(p.A)}, out{weft.Cos(p.A).Mul(t.A).Mul(2)} })
	y, d := weft.JVP(f, in{s(3)}, in{s(3)})
	near(t, "value", y.B, 0.1411200)
	near(t, "tangent", d.B, -5.9399549)
	g := custom.VJP(func(p in) out { return out{weft.Sin(p.A)} },
		func(p in) (out, res) { return out{weft.Sin(p.A)}, res{weft.Cos(p.A)} },
		func(r res, ct out) in { return in{r.R.Mul(ct.B).Mul(2)} })
	grad := weft.Grad(func(p in) weft.Array { return g(p).B })
	near(t, "grad", grad(in{s(3)}).A, -1.9799850)

	many := custom.VJP(func(xs []weft.Array) weft.Array { return xs[0].Mul(xs[1]) },
		func(xs []weft.Array) (weft.Array, struct{}) { return xs[0].Mul(xs[1]), struct{}{} },
		func(_ struct{}, g weft.Array) []weft.Array { return []weft.Array{g} })
	testcheck.Fails(t, core.ErrCustomRule, func() { weft.Grad(many)([]weft.Array{s(1), s(2)}) }, "structure", "got 1 element, want 2 elements")
	wrong := custom.JVP(weft.Sin, func(x, tx weft.Array) (weft.Array, weft.Array) { return x, tx.Reshape(1) })
	testcheck.Fails(t, core.ErrCustomRule, func() { weft.JVP(wrong, s(1), s(1)) }, "f32[1]", "f32[]")
}

// Linearizing shows one custom_lin; bwd runs once per transposition.
func TestCustomVJPOnATape(t *testing.T) {
	statement.Shows(t, "J-28", "linearizing shows one custom_lin, which only a transposition passes")
	backs := 0
	f := custom.VJP(weft.Sin, func(x weft.Array) (weft.Array, weft.Array) { return weft.Sin(x), weft.Cos(x) },
		func(c, g weft.Array) weft.Array { backs++; return c.Mul(g) })
	_, lin := weft.Linearize(f, s(3))
	err := core.Catch(func() { lin(s(1)) })
	if err == nil || !strings.Contains(err.Error(), "custom.VJP") {
		t.Errorf("the linear map ran forward: %v", err)
	}
	_, vjp := weft.VJP(f, s(3))
	if backs != 0 {
		t.Error("the reverse rule ran before a cotangent was there")
	}
	vjp(s(1))
	vjp(s(2))
	if backs != 2 {
		t.Errorf("the reverse rule ran %d times for two cotangents", backs)
	}
	weft.Jit(f)(s(3))
	if backs != 2 {
		t.Error("the reverse rule ran although only the value was used")
	}
}

// The zero Array in a cotangent stands for an argument without a gradient.
func TestClipGradient(t *testing.T) {
	statement.Shows(t, "V-3", "clip_gradient with bounds as ordinary arguments, under every transformation")
	type bounds struct{ Lo, Hi weft.Array }
	clip := vjp3(func(lo, hi, x weft.Array) weft.Array { return x },
		func(lo, hi, x weft.Array) (weft.Array, bounds) { return x, bounds{lo, hi} },
		func(b bounds, g weft.Array) (lo, hi, x weft.Array) { return lo, hi, weft.Clip(g, b.Lo, b.Hi) })
	near(t, "forward", clip(s(-1), s(1), s(3)).Mul(10), 30)
	f := func(x weft.Array) weft.Array { return clip(s(-1), s(1), x).Mul(10) }
	for name, g := range arraycheck.Placements(f) {
		near(t, "grad "+name, weft.Grad(g)(s(3)), 1)
	}
	batch := weft.Vmap(func(lo, x weft.Array) weft.Array {
		_, vjp := weft.VJP(func(x weft.Array) weft.Array { return clip(lo, lo.Neg(), x) }, x)
		return vjp(s(10))
	})
	nearAll(t, "vmap", batch(vec(-1, -2, -3, -4), weft.Ones(4)), 1, 2, 3, 4)
	near(t, "hi depends on x", weft.Grad(func(x weft.Array) weft.Array { return clip(s(-0.1), x.Add(0.1), x) })(s(0.1)), 0.2)
	near(t, "with respect to a bound", weft.Grad(func(lo weft.Array) weft.Array { return clip(lo, s(1), s(3)).Mul(10) })(s(-1)), 0)
}

// A function is an argument: a static field is not differentiated.
func TestSkipApp(t *testing.T) {
	statement.Shows(t, "V-4", "skip_app takes a function, and is straight-through")
	type app struct {
		F func(weft.Array) weft.Array
		X weft.Array
	}
	skip := custom.VJP(func(a app) weft.Array { return a.F(a.X) },
		func(a app) (weft.Array, struct{}) { return a.F(a.X), struct{}{} },
		func(_ struct{}, g weft.Array) app { return app{X: g} })
	v, g := weft.ValueAndGrad(func(x weft.Array) weft.Array { return skip(app{weft.Sin, x}) })(s(3))
	near(t, "sin 3", v, 0.1411200)
	near(t, "straight through", g, 1)
	v, g = weft.ValueAndGrad(func(x weft.Array) weft.Array { return skip(app{weft.Square, x}) })(s(3))
	near(t, "3²", v, 9)
	near(t, "straight through", g, 1)
}

// Integers in and out have no derivative, and no error.
func TestIntegersInCustomRules(t *testing.T) {
	statement.Shows(t, "V-7", "integers in and out have no derivative, without complaint")
	type in struct{ X, N weft.Array }
	f := custom.VJP(func(p in) weft.Array { return p.X.Mul(p.N) },
		func(p in) (weft.Array, weft.Array) { return p.X.Mul(p.N), p.N },
		func(n, g weft.Array) in { return in{X: g.Mul(n)} })
	n := weft.Scalar(int32(4))
	g := weft.Grad(f)(in{s(3), n})
	near(t, "x", g.X, 4)
	if g.N.DType() != weft.Float0 {
		t.Errorf("the gradient of an integer is %v", g.N.DType())
	}
	h := custom.JVP(func(p in) in { return in{p.X.Mul(2), p.N.Add(1)} },
		func(p, t in) (in, in) {
			if t.N.DType() != weft.Float0 {
				panic("the tangent of an integer is " + t.N.DType().String())
			}
			return in{p.X.Mul(2), p.N.Add(1)}, in{X: t.X.Mul(2)}
		})
	_, d := weft.JVP(h, in{s(3), n}, in{X: s(1)})
	near(t, "tangent", d.X, 2)
}
