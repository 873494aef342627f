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
	"github.com/weft-go/weft/trace"
)

func text(t *testing.T, f any, args ...any) string {
	t.Helper()
	ir, err := weft.Jaxpr(f, args...)
	if err != nil {
		t.Fatal(err)
	}
	return ir.String()
}

// A call stays a call when it is mapped and differentiated, with its body transformed;
// outside of traces it is the function, which receives concrete values.
func TestCallStaysACall(t *testing.T) {
	statement.Shows(t, "J-8", "a call stays a call when mapped, with its body batched")
	statement.Shows(t, "J-11", "concrete arguments are concrete within a call")
	body := func(x weft.Array) weft.Array { return weft.Sin(x).Mul(x) }
	f := weft.Call(body, "f")
	one := text(t, f, float32(1))
	if !strings.Contains(one, "core_call[") || !strings.Contains(one, "f") {
		t.Errorf("no call: %s", one)
	}
	mapped := text(t, weft.Vmap(f), vec(1, 2))
	if want := text(t, weft.Call(weft.Vmap(body), "f"), vec(1, 2)); mapped != want {
		t.Errorf("vmap of call is\n%s\nwant call of vmap\n%s", mapped, want)
	}
	derived := func(f unary) func(x, t weft.Array) (weft.Array, weft.Array) {
		return func(x, t weft.Array) (weft.Array, weft.Array) { return weft.JVP(f, x, t) }
	}
	if jvp := text(t, derived(f), float32(1), float32(1)); strings.Count(jvp, "core_call[") != 1 {
		t.Errorf("jvp of call: %s", jvp)
	}
	if grad := text(t, weft.Grad(f), float32(1)); strings.Count(grad, "core_call[") != 2 {
		t.Errorf("the forward and the backward part are calls: %s", grad)
	}
	looked := 0
	look := weft.Call(func(x weft.Array) weft.Array {
		if x.Float() > 0 {
			looked++
		}
		return x.Mul(x)
	})
	near(t, "value", look(s(3)), 9)
	near(t, "grad", weft.Grad(look)(s(3)), 6)
	if looked != 2 {
		t.Errorf("looked %d times", looked)
	}
	testcheck.Fails(t, core.ErrConcrete, func() { weft.Jit(look)(s(3)) })
	near(t, "jit of grad", weft.Jit(weft.Grad(f))(s(2)), math.Cos(2)*2+math.Sin(2))
	near(t, "grad of jit of grad", weft.Grad(weft.Jit(weft.Grad(f)))(s(2)), 2*math.Cos(2)-2*math.Sin(2))
	near(t, "closes over", weft.Grad(weft.Jit(func(x weft.Array) weft.Array {
		return weft.Call(func(y weft.Array) weft.Array { return x.Mul(y) })(s(5))
	}))(s(2)), 5)
}

// Function and rule are mapped as they are: rank 0 within, under every stack of maps and
// derivatives; the function's body is never differentiated.
func TestFunctionAndRuleAreMappedApart(t *testing.T) {
	statement.Shows(t, "J-9", "function and rule both receive one element under any stack of maps and derivatives")
	statement.Shows(t, "J-10", "the body of a function with a rule is never differentiated")
	runs := 0
	f := custom.JVP(func(x weft.Array) weft.Array {
		runs++
		if x.Rank() != 0 {
			t.Errorf("the function receives %v", x.Shape())
		}
		return weft.Sin(x)
	}, func(x, tx weft.Array) (weft.Array, weft.Array) {
		if x.Rank() != 0 || tx.Rank() != 0 {
			t.Errorf("the rule receives %v and %v", x.Shape(), tx.Shape())
		}
		return weft.Sin(x), weft.Cos(x).Mul(tx).Mul(2)
	})
	v := weft.Vmap[unary]
	d := func(f unary) unary {
		return func(x weft.Array) weft.Array { _, t := weft.JVP(f, x, x); return t }
	}
	xs := vec(0, 1, 2)
	want := []float64{0, 2 * math.Cos(1), 4 * math.Cos(2)}
	for name, g := range map[string]unary{
		"jvp of vmap": d(v(f)), "vmap of jvp": v(d(f)),
		"vmap of vmap of jvp": func(x weft.Array) weft.Array { return v(v(d(f)))(x.Reshape(1, 3)).Ravel() },
		"vmap of jvp of vmap": func(x weft.Array) weft.Array { return v(d(v(f)))(x.Reshape(3, 1)).Ravel() },
		"jvp of vmap of vmap": func(x weft.Array) weft.Array { return d(v(v(f)))(x.Reshape(3, 1)).Ravel() },
	} {
		runs = 0
		nearAll(t, name, g(xs), want...)
		if runs != 0 {
			t.Errorf("%s ran the function", name)
		}
		nearAll(t, "jit of "+name, weft.Jit(g)(xs), want...)
	}
}

// Where no derivative can follow, rules never run and the lowered program is that of the plain
// function, for reverse rules too. A rule that calls its function is run once per signature,
// however often the program is differentiated.
func TestRulesAreDroppedAndKept(t *testing.T) {
	statement.Shows(t, "J-12", "without differentiation the rule never runs, and the program is that of the plain function")
	statement.Shows(t, "J-15", "a rule that calls its function is traced at most once a signature, and not unless differentiated")
	rules := 0
	body := func(x weft.Array) weft.Array { return weft.Sin(x).Mul(2) }
	f := newVJP[weft.Array, weft.Array](body)
	f.Rules(func(x weft.Array) (weft.Array, weft.Array) { rules++; return f.Call(x), x },
		func(x, g weft.Array) weft.Array { return g.Mul(3) })
	low := func(f unary) string {
		p, err := weft.Lower(f, float32(1))
		if err != nil {
			t.Fatal(err)
		}
		return p.String()
	}
	loop := func(f unary) unary {
		return func(x weft.Array) weft.Array {
			return weft.ForI(3, func(_, x weft.Array) weft.Array { return f(x) }, x)
		}
	}
	if a, b := low(f.Call), low(body); a != b {
		t.Errorf("lowered:\n%s\nthe plain function's:\n%s", a, b)
	}
	if a, b := low(loop(f.Call)), low(loop(body)); a != b {
		t.Errorf("lowered in a loop:\n%s\nthe plain function's:\n%s", a, b)
	}
	jit := weft.Jit(loop(f.Call))
	jit(s(1))
	weft.Vmap(jit)(vec(1, 2))
	if rules != 0 {
		t.Errorf("rules ran %d times where nothing follows", rules)
	}
	d := weft.Grad(jit)
	near(t, "grad", d(s(1)), 27)
	once, traces := rules, trace.Started()
	for range 3 {
		near(t, "grad again", d(s(2)), 27)
	}
	if rules != once || trace.Started() != traces {
		t.Errorf("differentiating the program again ran rules %d times and started %d traces", rules-once, trace.Started()-traces)
	}
	if once != 1 {
		t.Errorf("the rule ran %d times for one signature", once)
	}
}

// Rules survive in the body of every loop and branch; there a look at a value is an error, eagerly
// it is not. Settings are restored after a panic.
func TestRulesWithinControlFlow(t *testing.T) {
	statement.Shows(t, "J-13", "programs of loops keep function and rule, to be transformed again")
	statement.Shows(t, "J-14", "rules survive in the bodies of loops and branches, and settings are restored after a panic")
	statement.Shows(t, "J-16", "looking at a value within the body of a loop is refused, and rules work there")
	f := custom.JVP(func(x weft.Array) weft.Array { return x.Mul(3) }, func(x, tx weft.Array) (weft.Array, weft.Array) { return x.Mul(3), tx.Mul(2) })
	less := func(x weft.Array) weft.Array { return x.Lt(1000) }
	type cn struct{ N, X weft.Array }
	for name, g := range map[string]unary{
		"cond": func(x weft.Array) weft.Array {
			return weft.Cond(less(x), func() weft.Array { return f(x) }, func() weft.Array { return x })
		},
		"switch": func(x weft.Array) weft.Array {
			return weft.Switch(weft.Scalar(1), func() weft.Array { return x }, func() weft.Array { return f(x) })
		},
		"for": func(x weft.Array) weft.Array {
			return weft.ForI(1, func(_, x weft.Array) weft.Array { return f(x) }, x)
		},
		"map": func(x weft.Array) weft.Array { return weft.MapScan(f, x.Reshape(1)).Index(0) },
		"scan of cond of remat": func(x weft.Array) weft.Array {
			return weft.MapScan(func(x weft.Array) weft.Array {
				return weft.Cond(less(x), func() weft.Array { return weft.Remat(f)(x) }, func() weft.Array { return x })
			}, x.Reshape(1)).Index(0)
		},
	} {
		for place, g := range arraycheck.Placements(g) {
			near(t, name+", "+place, g(s(3)), 9)
			near(t, "grad of "+name+", "+place, weft.Grad(g)(s(3)), 2)
			near(t, "grad² of "+name+", "+place, weft.Grad(weft.Grad(g))(s(3)), 0)
			nearAll(t, "vmap of grad of "+name+", "+place, weft.Vmap(weft.Grad(g))(vec(1, 2)), 2, 2)
			nearAll(t, "grad of vmap of "+name+", "+place, weft.Grad(func(x weft.Array) weft.Array { return weft.Vmap(g)(x).Sum() })(vec(1, 2)), 2, 2)
		}
	}
	while := func(x weft.Array) weft.Array {
		return weft.While(func(c cn) weft.Array { return f(c.N).Lt(3) }, func(c cn) cn { return cn{c.N.Add(1), f(c.X)} }, cn{s(0), x}).X
	}
	for place, g := range arraycheck.Placements(while) {
		y, d := weft.JVP(g, s(3), s(1))
		near(t, "while, "+place, y, 9)
		near(t, "jvp of while, "+place, d, 2)
		y, d = weft.JVP(weft.Vmap(g), vec(3, 1), vec(1, 1))
		nearAll(t, "vmap of while, "+place, y, 9, 3)
		nearAll(t, "jvp of vmap of while, "+place, d, 2, 2)
	}
	branch := func(x weft.Array) weft.Array {
		if x.Float() > 0 {
			return x.Mul(3)
		}
		return x
	}
	look := custom.JVP(branch, func(x, tx weft.Array) (weft.Array, weft.Array) { return branch(x), tx.Mul(2) })
	near(t, "a look at once", weft.Grad(look)(s(3)), 2)
	before := core.ActiveRecorder()
	testcheck.Fails(t, core.ErrConcrete, func() { weft.MapScan(look, vec(1, 2)) }, "stages_test.go:")
	testcheck.Fails(t, core.ErrConcrete, func() { weft.Grad(weft.Jit(look))(s(3)) })
	if core.ActiveRecorder() != before {
		t.Error("a trace goes on after a panic")
	}
	near(t, "a look at once, after the error", weft.Grad(look)(s(3)), 2)
}

// A rule that calls its function is the rule of the derivative's value, too; one that
// repeats the function's work is not.
func TestRulesCallTheirFunction(t *testing.T) {
	statement.Shows(t, "J-18", "a rule that calls its function is the rule of the primal result too")
	f := newJVP(func(x weft.Array) weft.Array { return weft.Cos(x.Mul(2)).Div(2) })
	f.Rule(func(x, tx weft.Array) (weft.Array, weft.Array) { return f.Call(x), tx.Mul(3) })
	primal := func(x weft.Array) weft.Array { y, _ := weft.JVP(f.Call, x, s(1)); return y }
	for name, g := range everywhere(primal) {
		_, d := weft.JVP(g, s(1), s(1))
		near(t, name, d, 3)
		_, d = weft.JVP(func(x weft.Array) weft.Array { y, _ := weft.JVP(g, x, s(1)); return y }, s(1), s(1))
		near(t, name+", once more", d, 3)
	}
	inline := custom.JVP(func(x weft.Array) weft.Array { return x.Mul(3) }, func(x, tx weft.Array) (weft.Array, weft.Array) { return x.Mul(3), tx.Mul(2) })
	_, d := weft.JVP(func(x weft.Array) weft.Array { y, _ := weft.JVP(inline, x, s(1)); return y }, s(1), s(1))
	near(t, "without calling it", d, 3)
}

// Mistakes are found where they happen: a check for NaN in a reverse rule fires at the cotangent
// that has one.
func TestReverseRulesCheckValues(t *testing.T) {
	statement.Shows(t, "J-6", "rules receive concrete values when differentiating eagerly, and checks for NaN fire in them")
	var at []string
	watch := func(name string) unary {
		return custom.VJP(func(x weft.Array) weft.Array { return x }, func(x weft.Array) (weft.Array, struct{}) { return x, struct{}{} },
			func(_ struct{}, g weft.Array) weft.Array {
				if math.IsNaN(g.Float()) {
					at = append(at, name)
				}
				return g
			})
	}
	weft.Grad(func(x weft.Array) weft.Array {
		y := watch("before the square root")(x)
		y = weft.Sqrt(y.Mul(0))
		return watch("after it")(y).Mul(0)
	})(s(1))
	if strings.Join(at, ", ") != "before the square root" {
		t.Errorf("NaN: %v", at)
	}
}

// The linear program has one custom_lin per call, which only a transposition passes; running it
// forward is an error.
func TestOneCustomLin(t *testing.T) {
	statement.Shows(t, "J-28", "linearizing shows one custom_lin, which only a transposition passes")
	statement.Shows(t, "J-2", "forward mode through a reverse rule is refused, under Vmap and Jit too")
	f := custom.VJP(weft.Sin, func(x weft.Array) (weft.Array, weft.Array) { return weft.Sin(x), weft.Cos(x) },
		func(c, g weft.Array) weft.Array { return c.Mul(g) }, "f", "fwd", "bwd")
	linear := func(f unary) string {
		return text(t, func(x, t weft.Array) weft.Array { _, lin := weft.Linearize(f, x); return lin(t) }, float32(3), float32(1))
	}
	for name, c := range map[string]struct {
		f    unary
		want int
	}{"one": {f, 1}, "two": {func(x weft.Array) weft.Array { return f(f(x)) }, 2}, "jit": {weft.Jit(f), 1}} {
		if ir := linear(c.f); strings.Count(ir, "custom_lin[") != c.want || strings.Contains(ir, "custom_vjp_call") {
			t.Errorf("%s: want %d of custom_lin in\n%s", name, c.want, ir)
		}
	}
	for name, run := range map[string]func(){
		"at once": func() { _, lin := weft.Linearize(f, s(3)); lin(s(1)) },
		"jit": func() {
			weft.Jit(func(x weft.Array) weft.Array { _, lin := weft.Linearize(f, x); return lin(x) })(s(3))
		},
		"forward of it": func() { _, lin := weft.Linearize(f, s(3)); weft.JVP(lin, s(1), s(1)) },
	} {
		err := core.Catch(run)
		if err == nil || !strings.Contains(err.Error(), "forward") || !strings.Contains(err.Error(), "custom.VJP") || !strings.Contains(err.Error(), "stages_test.go:") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Functions and rules close over any live tracer, where transformations other than
// derivatives trace it.
func TestRulesCloseOverLiveTracers(t *testing.T) {
	statement.Shows(t, "V-5", "functions and rules close over tracers of what is not a derivative")
	statement.Shows(t, "J-27", "rules close over what is alive, under other transformations")
	g := weft.Jit(func(p [2]weft.Array) weft.Array {
		return custom.VJP(func(y weft.Array) weft.Array { return p[0].Mul(y) },
			func(y weft.Array) (weft.Array, weft.Array) { return p[0].Mul(y), weft.Cos(y) },
			func(c, ct weft.Array) weft.Array { return c.Mul(ct) })(p[1])
	})
	near(t, "jit", g([2]weft.Array{s(2), s(3)}), 6)
	near(t, "grad of jit", weft.Grad(func(y weft.Array) weft.Array { return g([2]weft.Array{s(2), y}) })(s(3)), math.Cos(3))
	inside := weft.Jit(func(p [2]weft.Array) weft.Array {
		return weft.Grad(func(y weft.Array) weft.Array {
			return custom.VJP(func(y weft.Array) weft.Array { return p[0].Mul(y) },
				func(y weft.Array) (weft.Array, weft.Array) { return p[0].Mul(y), weft.Cos(y) },
				func(c, ct weft.Array) weft.Array { return c.Mul(ct) })(y)
		})(p[1])
	})
	near(t, "grad within jit", inside([2]weft.Array{s(2), s(3)}), math.Cos(3))
	wrap := func(y weft.Array) unary {
		return custom.JVP(func(x weft.Array) weft.Array { return x.Mul(y) }, func(x, tx weft.Array) (weft.Array, weft.Array) { return x.Mul(y), tx.Mul(y).Mul(10) })
	}
	d := func(y weft.Array) weft.Array { return weft.Grad(wrap(y))(s(1)) } // 10·y
	for name, f := range everywhere(d) {
		near(t, name, f(s(3)), 30)
		near(t, "a derivative of the rule, "+name, weft.Grad(f)(s(3)), 10)
	}
	nearAll(t, "a scan's element", weft.MapScan(d, vec(1, 2)), 10, 20)
	near(t, "a younger batch", weft.Grad(func(z weft.Array) weft.Array {
		return weft.Vmap(func(y weft.Array) weft.Array { return wrap(y)(z) })(vec(1, 2, 3)).Sum()
	})(s(1)), 60)
	type cx struct{ C, X weft.Array }
	near(t, "a while's carry", weft.While(func(c cx) weft.Array { return c.C.Lt(3) },
		func(c cx) cx { return cx{c.C.Add(1), c.X.Add(d(c.C))} }, cx{s(0), s(0)}).X, 30)
}

// Rules of both kinds take and return integers and truth values, under Jit and Vmap.
func TestIntegersEverywhere(t *testing.T) {
	statement.Shows(t, "V-7", "integers in and out have no derivative, without complaint")
	type in struct{ X, N, B weft.Array }
	p := in{s(3), weft.Scalar(int32(4)), weft.Scalar(true)}
	body := func(p in) in { return in{p.X.Mul(p.N), p.N.Add(1), p.B.Not()} }
	rev := custom.VJP(body, func(p in) (in, weft.Array) { return body(p), p.N },
		func(n weft.Array, ct in) in {
			if ct.N.DType() != weft.Float0 || ct.B.DType() != weft.Float0 {
				t.Errorf("cotangents of integers: %v, %v", ct.N.DType(), ct.B.DType())
			}
			return in{X: ct.X.Mul(n), N: ct.N}
		})
	fwd := custom.JVP(body, func(p, t in) (in, in) { return body(p), in{X: t.X.Mul(p.N), N: t.N, B: t.B} })
	for name, f := range map[string]func(in) in{"reverse": rev, "forward": fwd, "reverse, jit": weft.Jit(rev), "forward, jit": weft.Jit(fwd)} {
		g := weft.Grad(func(p in) weft.Array { return f(p).X })(p)
		near(t, name, g.X, 4)
		if g.N.DType() != weft.Float0 || g.B.DType() != weft.Float0 {
			t.Errorf("%s: the gradients of integers are %v and %v", name, g.N.DType(), g.B.DType())
		}
		vm := weft.Vmap(func(x weft.Array) weft.Array {
			return weft.Grad(func(x weft.Array) weft.Array { return f(in{x, p.N, p.B}).X })(x)
		})
		nearAll(t, "vmap of grad, "+name, vm(vec(1, 2)), 4, 4)
	}
	bad := custom.JVP(body, func(p, t in) (in, in) { return body(p), in{X: t.X, N: t.X} })
	testcheck.Fails(t, core.ErrCustomRule, func() { weft.JVP(bad, p, in{X: s(1)}) }, `at ".N"`, "i32 has no derivative")
}
