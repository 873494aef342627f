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

type unary = func(weft.Array) weft.Array

func double(y weft.Array) weft.Array { return y.Mul(2) }

// A function is an argument that is not differentiated. The rule takes it after primals
// and tangents, as the document has it, or first, as JAX does; the reverse rule takes it
// before the residuals in both. It need not be comparable.
func TestNondifferentiableArguments(t *testing.T) {
	statement.Shows(t, "J-24", "arguments that are not differentiated stand last in forward and first in reverse rules")
	statement.Shows(t, "J-25", "such arguments may be functions and slices")
	apply := func(f unary, x weft.Array) weft.Array { return f(x) }
	last := jvpWith(apply, func(x, tx weft.Array, f unary) (weft.Array, weft.Array) { return f(x), tx.Mul(3) })
	first := jvpWithFirst(apply, func(f unary, x, tx weft.Array) (weft.Array, weft.Array) { return f(x), tx.Mul(3) })
	later := custom.NewJVP(apply)
	later.Rule(func(x, tx weft.Array, f unary) (weft.Array, weft.Array) { return later.Call(f, x), tx.Mul(3) })
	for name, app := range map[string]func(unary, weft.Array) weft.Array{"last": last, "first": first, "later": later.Call} {
		near(t, name, app(double, s(1)), 2)
		for place, g := range arraycheck.Placements(func(x weft.Array) weft.Array { return app(double, x) }) {
			y, d := weft.JVP(g, s(1), s(1))
			near(t, name+" value, "+place, y, 2)
			near(t, name+" tangent, "+place, d, 3)
			nearAll(t, name+" grad of vmap, "+place, weft.Grad(func(x weft.Array) weft.Array { return weft.Vmap(g)(x).Sum() })(vec(1, 2)), 3, 3)
		}
	}
	rev := vjpWith(apply, func(f unary, x weft.Array) (weft.Array, weft.Array) { return f(x), weft.Cos(x) },
		func(_ unary, c, g weft.Array) weft.Array { return c.Mul(g) })
	for place, g := range arraycheck.Placements(func(x weft.Array) weft.Array { return rev(double, x) }) {
		v, d := weft.ValueAndGrad(g)(s(1))
		near(t, "reverse value, "+place, v, 2)
		near(t, "reverse gradient, "+place, d, 0.5403023)
	}
	type config struct {
		Dims  []int
		Names map[int]string
		Fs    []unary
		Any   any
	}
	odd := vjpWith(func(c config, x weft.Array) weft.Array { return c.Fs[0](x).Mul(c.Dims[1]) },
		func(c config, x weft.Array) (weft.Array, struct{}) { return c.Fs[0](x).Mul(c.Dims[1]), struct{}{} },
		func(c config, _ struct{}, g weft.Array) weft.Array { return g.Mul(len(c.Names[7])) })
	c := config{Dims: []int{1, 5}, Names: map[int]string{7: "seven"}, Fs: []unary{double}, Any: make(chan int)}
	near(t, "what cannot be compared", odd(c, s(1)), 10)
	near(t, "what cannot be compared, grad", weft.Grad(func(x weft.Array) weft.Array { return odd(c, x) })(s(1)), 5)
	near(t, "what cannot be compared, jit", weft.Jit(weft.Grad(func(x weft.Array) weft.Array { return odd(c, x) }))(s(1)), 5)
	testcheck.Fails(t, core.ErrCustomRule, func() { custom.NewJVP(apply).Call(double, s(1)) }, "no derivative rule", "Rule")
	unset := custom.NewVJP[unary, weft.Array, weft.Array](apply)
	testcheck.Fails(t, core.ErrCustomRule, func() { unset.Call(double, s(1)) }, "no derivative rules", "Rules")
}

type bounds struct{ Lo, Hi weft.Array }

// oldClip is clip_gradient with its bounds as arguments that are not differentiated.
var oldClip = custom.NewVJP[bounds, weft.Array, none](func(_ bounds, x weft.Array) weft.Array { return x }, "clip_gradient")

func init() {
	oldClip.Rules(func(_ bounds, x weft.Array) (weft.Array, none) { return x, none{} },
		func(b bounds, _ none, g weft.Array) weft.Array { return weft.Clip(g, b.Lo, b.Hi) })
}

// Arrays in such arguments must be concrete: values that a transformation traces are refused when
// the function is called, by Vmap, Grad and Jit alike, also within containers.
func TestTracedNondifferentiableArgumentsAreRefused(t *testing.T) {
	statement.Shows(t, "V-1", "tracers in arguments that are not differentiated are refused, also within containers")
	statement.Shows(t, "V-2", "clip_gradient with constant bounds works, and traced bounds are refused")
	v, g := weft.ValueAndGrad(func(x weft.Array) weft.Array { return oldClip.Call(bounds{s(-1), s(1)}, x).Mul(10) })(s(3))
	near(t, "value", v, 30)
	near(t, "grad", g, 1)
	near(t, "jit with bounds that are numbers", weft.Jit(weft.Grad(func(x weft.Array) weft.Array { return oldClip.Call(bounds{s(-1), s(1)}, x).Mul(10) }))(s(3)), 1)
	hidden := custom.NewVJP[map[string][]weft.Array, weft.Array, struct{}](func(m map[string][]weft.Array, x weft.Array) weft.Array { return x })
	hidden.Rules(func(m map[string][]weft.Array, x weft.Array) (weft.Array, struct{}) { return x, struct{}{} },
		func(m map[string][]weft.Array, _ struct{}, g weft.Array) weft.Array { return g })
	for name, f := range map[string]func(hi weft.Array) weft.Array{
		"at once": func(hi weft.Array) weft.Array { return oldClip.Call(bounds{s(-1), hi}, s(3)) },
		"hidden": func(hi weft.Array) weft.Array {
			return hidden.Call(map[string][]weft.Array{"bounds": {s(-1), hi}}, s(3))
		},
	} {
		for how, run := range map[string]func(){
			"vmap": func() { weft.Vmap(f)(vec(1, 2)) },
			"grad": func() { weft.Grad(f)(s(1)) },
			"jit":  func() { weft.Jit(f)(s(1)) },
			"jvp":  func() { weft.JVP(f, s(1), s(1)) },
			"scan": func() { weft.MapScan(f, vec(1, 2)) },
		} {
			err := core.Catch(run)
			if err == nil {
				t.Errorf("%s, %s: no error", name, how)
				continue
			}
			for _, part := range []string{"nondiff_test.go:", "traced value", "not differentiated", "functions, shapes", "keep them as residuals", "zero Array"} {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("%s, %s: the error does not contain %q: %v", name, how, part, err)
				}
			}
		}
	}
	if e := core.Catch(func() {
		weft.Vmap(func(hi weft.Array) weft.Array { return oldClip.Call(bounds{s(-1), hi}, s(3)) })(vec(1, 2))
	}); !strings.Contains(e.Error(), `".Hi"`) || !strings.Contains(e.Error(), "clip_gradient") {
		t.Errorf("the error names neither field nor function: %v", e)
	}
}

// A forward rule takes traced arrays in the argument that is not differentiated, from
// every transformation; a tangent that they bring along counts for nothing.
func TestTracedNondifferentiableArgumentsOfForwardRules(t *testing.T) {
	statement.Shows(t, "V-8", "a forward rule takes tracers in the argument that is not differentiated")
	f := custom.NewJVP(func(x, y weft.Array) weft.Array { return x.Mul(y) })
	f.Rule(func(y, ty, x weft.Array) (weft.Array, weft.Array) { return f.Call(x, y), ty.Mul(5) })
	both := func(x weft.Array) func(weft.Array) weft.Array {
		return func(y weft.Array) weft.Array { return f.Call(x, y) }
	}
	type xy struct{ X, Y weft.Array }
	vm := weft.Vmap(func(p xy) weft.Array { return f.Call(p.X, p.Y) })
	y, d := weft.JVP(func(ys weft.Array) weft.Array { return vm(xy{vec(2), ys}) }, vec(3), vec(1))
	nearAll(t, "jvp of vmap", y, 6)
	nearAll(t, "jvp of vmap", d, 5)
	out := weft.Vmap(func(p xy) xy { y, d := weft.JVP(both(p.X), p.Y, s(1)); return xy{y, d} })(xy{vec(2), vec(3)})
	nearAll(t, "vmap of jvp", out.X, 6)
	nearAll(t, "vmap of jvp", out.Y, 5)
	jit := weft.Jit(func(p xy) weft.Array { return f.Call(p.X, p.Y) })
	y, d = weft.JVP(func(y weft.Array) weft.Array { return jit(xy{s(2), y}) }, s(3), s(1))
	near(t, "jvp of jit", y, 6)
	near(t, "jvp of jit", d, 5)
	out = weft.Jit(func(p xy) xy { y, d := weft.JVP(both(p.X), p.Y, s(1)); return xy{y, d} })(xy{s(2), s(3)})
	near(t, "jit of jvp", out.X, 6)
	near(t, "jit of jvp", out.Y, 5)
	for name, g := range arraycheck.Placements(func(x weft.Array) weft.Array { return f.Call(x, x) }) {
		y, d = weft.JVP(g, s(3), s(1))
		near(t, "both, value, "+name, y, 9)
		near(t, "both: the tangent of x stops, "+name, d, 5)
		near(t, "both: the gradient of x stops, "+name, weft.Grad(g)(s(3)), 5)
		near(t, "x alone, "+name, weft.Grad(func(x weft.Array) weft.Array { return f.Call(x, s(1)) })(s(3)), 0)
	}
	body := func(c, x weft.Array) weft.Array { return f.Call(x, c) }
	near(t, "scan", weft.Grad(func(c weft.Array) weft.Array { return weft.Fold(body, c, vec(2, 3)) })(s(1)), 25)
}

// There is one rule for each argument, for what it adds to the tangent. Higher orders follow; a nil
// rule adds nothing.
func TestRulePerArgument(t *testing.T) {
	statement.Shows(t, "J-21", "one rule for each argument")
	f := jvps2(func(x, y weft.Array) weft.Array { return weft.Sin(x).Mul(y) },
		func(t, ans, x, y weft.Array) weft.Array { return t.Mul(weft.Cos(x)).Mul(y) },
		func(t, ans, x, y weft.Array) weft.Array { return t.Mul(10) })
	fx := func(x weft.Array) weft.Array { return f(x, s(2)) }
	fy := func(y weft.Array) weft.Array { return f(s(1), y) }
	fxy := func(x weft.Array) weft.Array { return f(x, x) }
	for name, p := range arraycheck.Placements(fx) {
		near(t, "x, "+name, weft.Grad(p)(s(1)), 2*math.Cos(1))
		near(t, "x twice, "+name, weft.Grad(weft.Grad(p))(s(1)), -2*math.Sin(1))
	}
	near(t, "y", weft.Grad(fy)(s(2)), 10)
	near(t, "both", weft.Grad(fxy)(s(1)), math.Cos(1)+10)
	nearAll(t, "vmap", weft.Vmap(weft.Grad(fx))(vec(0, 1)), 2, 2*math.Cos(1))
	middle := custom.NewJVP(func(_ none, p xyz) weft.Array { return p[0].Mul(p[1]).Mul(p[2]) })
	middle.RuleEach(nil, func(t, ans weft.Array, p xyz, _ none) weft.Array { return t.Mul(7) }, nil)
	near(t, "nil", weft.Grad(func(x weft.Array) weft.Array { return middle.Call(none{}, xyz{x, x, x}) })(s(2)), 7)
	testcheck.Fails(t, core.ErrCustomRule, func() {
		few := custom.NewJVP(func(_ none, p xyz) weft.Array { return p[0] })
		few.RuleEach(nil)
		weft.Grad(func(x weft.Array) weft.Array { return few.Call(none{}, xyz{x, x, x}) })(s(2))
	}, "got 1, want 3")
	zero := jvps(weft.Sin, nil)
	near(t, "nothing but nil", weft.Grad(zero)(s(2)), 0)
	ints := jvps2(func(x, n weft.Array) weft.Array { return x.Mul(n) },
		func(t, ans, x, n weft.Array) weft.Array { return t.Mul(n) },
		func(t, ans, x, n weft.Array) weft.Array { panic("an integer has no tangent") })
	near(t, "an integer", weft.Grad(func(x weft.Array) weft.Array { return ints(x, weft.Scalar(int32(4))) })(s(2)), 4)
	type out struct{ A, B weft.Array }
	tree := jvps2(func(x, y weft.Array) out { return out{x.Mul(2), y.Mul(2)} },
		func(t weft.Array, ans out, x, y weft.Array) out { return out{A: t.Mul(3)} },
		func(t weft.Array, ans out, x, y weft.Array) out { return out{B: t.Mul(4)} })
	_, d := weft.JVP(func(x weft.Array) out { return tree(x, x) }, s(1), s(1))
	near(t, "tree, A", d.A, 3)
	near(t, "tree, B", d.B, 4)
	wrong := jvps(weft.Sin, func(t, ans, x weft.Array) weft.Array { return t.Reshape(1) })
	testcheck.Fails(t, core.ErrCustomRule, func() { weft.Grad(wrong)(s(1)) }, "f32[1]", "must be f32[]")
}

// On request the rules receive zero tangents as zero Arrays, and learn which parameters are not
// differentiated.
func TestSymbolicZeros(t *testing.T) {
	type in struct{ X, Y weft.Array }
	var zero [2]bool
	f := newJVP(func(p in) weft.Array { return p.X.Mul(p.Y) })
	f.RuleWithZeros(func(p, t in) (weft.Array, weft.Array) {
		zero = [2]bool{t.X.IsZero(), t.Y.IsZero()}
		var d weft.Array
		if !zero[0] {
			d = t.X.Mul(p.Y)
		}
		return f.Call(p), d
	})
	for name, g := range arraycheck.Placements(func(x weft.Array) weft.Array { return f.Call(in{x, s(3)}) }) {
		near(t, "x, "+name, weft.Grad(g)(s(2)), 3)
		if zero != [2]bool{false, true} {
			t.Errorf("x, %s: the rule received %v", name, zero)
		}
	}
	near(t, "y", weft.Grad(func(y weft.Array) weft.Array { return f.Call(in{s(2), y}) })(s(3)), 0)
	if zero != [2]bool{true, false} {
		t.Errorf("y: the rule received %v", zero)
	}
	nearAll(t, "vmap", weft.Vmap(weft.Grad(func(x weft.Array) weft.Array { return f.Call(in{x, s(3)}) }))(vec(1, 2)), 3, 3)

	type out struct{ A, B weft.Array }
	var active, cts [2]bool
	v := newVJP[in, in, out](func(p in) out { return out{p.X.Mul(p.Y), p.Y.Mul(2)} })
	v.RulesWithZeros(func(p, act in) (out, in) {
		active = [2]bool{act.X.Bool(), act.Y.Bool()}
		r := in{Y: p.Y}
		if active[1] {
			r.X = p.X
		}
		return v.Call(p), r
	}, func(r in, ct out) in {
		cts = [2]bool{!ct.A.IsZero(), !ct.B.IsZero()}
		g := in{X: ct.A.Mul(r.Y)}
		if !r.X.IsZero() {
			g.Y = ct.A.Mul(r.X)
		}
		return g
	})
	for name, g := range arraycheck.Placements(func(x weft.Array) weft.Array { return v.Call(in{x, s(3)}).A }) {
		near(t, "reverse, x, "+name, weft.Grad(g)(s(2)), 3)
		if active != [2]bool{true, false} || cts != [2]bool{true, false} {
			t.Errorf("reverse, x, %s: fwd received %v, bwd %v", name, active, cts)
		}
		nearAll(t, "reverse, vmap of grad, "+name, weft.Vmap(weft.Grad(g))(vec(1, 2)), 3, 3)
	}
	near(t, "reverse, y", weft.Grad(func(y weft.Array) weft.Array { return v.Call(in{s(2), y}).A })(s(3)), 2)
	if active != [2]bool{false, true} {
		t.Errorf("reverse, y: fwd received %v", active)
	}
}

// Arguments by name are fields. One that is not set is an error; one that may be left out
// is a pointer or a slice.
func TestArgumentsByName(t *testing.T) {
	statement.Shows(t, "J-23", "arguments by name resolve to fields, and a missing one is an error")
	type in struct {
		X, Y weft.Array
		C    *weft.Array
	}
	c := func(p in) weft.Array {
		if p.C == nil {
			return s(2)
		}
		return *p.C
	}
	f := custom.JVP(func(p in) weft.Array { return p.X.Mul(p.Y).Mul(c(p)) },
		func(p, t in) (weft.Array, weft.Array) { return p.X.Mul(p.Y).Mul(c(p)), t.X.Mul(p.Y).Mul(c(p)) })
	near(t, "by name", weft.Grad(func(x weft.Array) weft.Array { return f(in{Y: s(3), X: x}) })(s(1)), 6)
	five := s(5)
	near(t, "and an optional one", weft.Grad(func(x weft.Array) weft.Array { return f(in{Y: s(3), X: x, C: &five}) })(s(1)), 15)
	testcheck.Fails(t, core.ErrTree, func() { f(in{X: s(1)}) }, `".Y"`, "zero Array, which has no value; set it")
}

// Values without elements, as tangents of integers are, may be such arguments, and parts of a root, under any trace.
func TestNondifferentiableArgumentsOfFloat0(t *testing.T) {
	type with struct{ Y, N weft.Array }
	f := jvpWith(func(w with, x weft.Array) weft.Array { return x.Mul(w.Y) },
		func(x, tx weft.Array, w with) (weft.Array, weft.Array) { return x.Mul(w.Y), tx.Mul(7) })
	none := weft.ZerosOf(weft.Float0)
	of := func(n, x weft.Array) weft.Array { return f(with{s(2), n}, x) }
	near(t, "value", of(none, s(3)), 6)
	near(t, "jit", weft.Jit(of)(none, s(3)), 6)
	near(t, "grad of jit", weft.Grad(func(x weft.Array) weft.Array { return weft.Jit(of)(none, x) })(s(3)), 7)
	near(t, "jit of grad", weft.Jit(func(n, x weft.Array) weft.Array {
		return weft.Grad(func(x weft.Array) weft.Array { return of(n, x) })(x)
	})(none, s(3)), 7)

	root := func(n, a weft.Array) with {
		return custom.Root(func(w with) with { return with{w.Y.Mul(w.Y).Sub(a), w.N} }, with{s(1), n},
			func(_ func(with) with, w with) with { return with{weft.Sqrt(a), w.N} },
			func(g func(with) with, b with) with { return with{b.Y.Div(g(with{s(1), n}).Y), b.N} })
	}
	near(t, "root", root(none, s(4)).Y, 2)
	near(t, "jit of root", weft.Jit(root)(none, s(4)).Y, 2)
}
