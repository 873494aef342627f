package custom_test

import (
	"math"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/custom"
	"github.com/weft-go/weft/internal/test/statement"
	"github.com/weft-go/weft/internal/test/testcheck"
)

// What rules return must have the structure and types of what it stands for; the error names the
// function's rule, the place, both sides and the user's line.
func TestRulesOfOtherStructure(t *testing.T) {
	statement.Shows(t, "J-22", "arguments, results and residuals are trees, and other structures are refused")
	type net struct {
		Layers []weft.Array
		Extra  map[string]weft.Array
		Next   *weft.Array
		Any    any
		Act    unary
	}
	next := s(4)
	p := net{Layers: []weft.Array{s(1), s(2)}, Extra: map[string]weft.Array{"a": s(3)}, Next: &next, Any: s(5), Act: weft.Sin}
	sum := func(n net) weft.Array {
		return n.Layers[0].Add(n.Layers[1]).Add(n.Extra["a"]).Add(*n.Next).Add(n.Any.(weft.Array))
	}
	grad := func(bwd func(n net, g weft.Array) net) net {
		f := custom.VJP(sum, func(n net) (weft.Array, net) { return sum(n), n }, bwd, "sum", "fwd", "bwd")
		return weft.Grad(f)(p)
	}
	total := func(n net) weft.Array {
		return n.Layers[0].Add(n.Layers[1].Mul(10)).Add(n.Extra["a"].Mul(100)).Add(n.Next.Mul(1000)).Add(n.Any.(weft.Array).Mul(10000))
	}
	near(t, "all of it", total(grad(func(n net, g weft.Array) net {
		return net{Layers: []weft.Array{g, g}, Extra: map[string]weft.Array{"a": g}, Next: &g, Any: g}
	})), 11111)
	near(t, "nil is none", total(grad(func(n net, g weft.Array) net { return net{Layers: []weft.Array{g, {}}, Next: &g} })), 1001)
	near(t, "none at all", total(grad(func(n net, g weft.Array) net { return net{} })), 0)
	for name, c := range map[string]struct {
		bwd  func(n net, g weft.Array) net
		want []string
	}{
		"too few":       {func(n net, g weft.Array) net { return net{Layers: []weft.Array{g}} }, []string{"sum:", "bwd", `at ".Layers" got 1 element, want 2 elements`}},
		"too many":      {func(n net, g weft.Array) net { return net{Layers: []weft.Array{g, g, g}} }, []string{`got 3 elements, want 2 elements`}},
		"other keys":    {func(n net, g weft.Array) net { return net{Extra: map[string]weft.Array{"b": g}} }, []string{`got an array at ".Extra[\"b\"]", want an array at ".Extra[\"a\"]"`}},
		"other dynamic": {func(n net, g weft.Array) net { return net{Any: []weft.Array{g}} }, []string{`".Any"`, "[]weft.Array"}},
		"other shape":   {func(n net, g weft.Array) net { return net{Next: ptr(g.Reshape(1))} }, []string{"f32[1]", `at ".Next"`, "must be f32[]"}},
		"other dtype":   {func(n net, g weft.Array) net { return net{Layers: []weft.Array{g.AsType(weft.Float64), g}} }, []string{"f64[]", `at ".Layers[0]"`, "must be f32[]"}},
		"an integer":    {func(n net, g weft.Array) net { return net{Layers: []weft.Array{g.AsType(weft.Int32), g}} }, []string{"i32[]", "must be f32[]"}},
	} {
		err := core.Catch(func() { grad(c.bwd) })
		if err == nil {
			t.Errorf("%s: no error", name)
			continue
		}
		for _, w := range append(c.want, "refuse_test.go:") {
			if !strings.Contains(err.Error(), w) {
				t.Errorf("%s: the error does not contain %s: %v", name, w, err)
			}
		}
	}

	list := func(rule func(x, tx []weft.Array) ([]weft.Array, []weft.Array)) func() {
		f := custom.JVP(func(x []weft.Array) []weft.Array { return x }, rule, "f", "rule")
		return func() { weft.JVP(f, []weft.Array{s(1), s(2)}, []weft.Array{s(1), s(1)}) }
	}
	testcheck.Fails(t, core.ErrCustomRule, list(func(x, tx []weft.Array) ([]weft.Array, []weft.Array) { return x, tx[:1] }), "f: ", "tangent", "rule", "got 1 element, want 2 elements")
	testcheck.Fails(t, core.ErrCustomRule, list(func(x, tx []weft.Array) ([]weft.Array, []weft.Array) {
		return x, []weft.Array{tx[0], tx[1].Reshape(1)}
	}), "tangent f32[1]", `at "[1]"`, "must be f32[]")
	inJit := func(f unary) func() { return func() { weft.Grad(weft.Jit(f))(s(1)) } }
	testcheck.Fails(t, core.ErrCustomRule, inJit(custom.JVP(weft.Sin, func(x, tx weft.Array) (weft.Array, weft.Array) {
		return x.Reshape(1), tx.Reshape(1)
	})), "f32[1]", "f32[]")
	testcheck.Fails(t, core.ErrCustomRule, func() {
		n := 2
		f := custom.JVP(func(x weft.Array) []weft.Array { return []weft.Array{x, x}[:n] },
			func(x, tx weft.Array) ([]weft.Array, []weft.Array) { return []weft.Array{x}, []weft.Array{tx} })
		weft.JVP(weft.Jit(f), s(1), s(1))
	}, "returns 1 result, but the function returns 2")
	testcheck.Fails(t, core.ErrTree, func() {
		weft.JVP(custom.JVP(weft.Sin, func(x, tx weft.Array) (weft.Array, weft.Array) { return weft.Array{}, tx }), s(1), s(1))
	}, "zero Array")
	testcheck.Fails(t, core.ErrTree, func() {
		custom.JVP(func(weft.Array) weft.Array { return weft.Array{} }, func(x, tx weft.Array) (weft.Array, weft.Array) { return x, tx })(s(1))
	}, "zero Array")
	near(t, "a tangent of nothing but none", weft.Grad(custom.JVP(weft.Sin, func(x, tx weft.Array) (weft.Array, weft.Array) { return x, weft.Array{} }))(s(1)), 0)
}

func ptr[T any](v T) *T { return &v }

// Functions that are nil are refused where they are given.
func TestNilRules(t *testing.T) {
	type rule2 = func(x, tx weft.Array) (weft.Array, weft.Array)
	type fwd = func(weft.Array) (weft.Array, weft.Array)
	type bwd = func(r, g weft.Array) weft.Array
	sin := weft.Sin
	ok := func(x, tx weft.Array) (weft.Array, weft.Array) { return x, tx }
	solve := func(f unary, x weft.Array) weft.Array { return x }
	for name, f := range map[string]func(){
		"CustomJVP, f":       func() { custom.JVP[weft.Array, weft.Array](nil, ok) },
		"CustomJVP, rule":    func() { custom.JVP(sin, rule2(nil)) },
		"CustomVJP, fwd":     func() { custom.VJP(sin, fwd(nil), bwd(nil)) },
		"NewCustomJVPWith":   func() { custom.NewJVP[int, weft.Array, weft.Array](nil) },
		"NewCustomVJPWith":   func() { custom.NewVJP[int, weft.Array, weft.Array, weft.Array](nil) },
		"CustomGradient":     func() { custom.Gradient[weft.Array, weft.Array](nil) },
		"CustomVmap":         func() { custom.Vmap[weft.Array, weft.Array](nil, nil) },
		"CustomJVPFunc.Rule": func() { custom.NewJVP(func(_ none, x weft.Array) weft.Array { return x }).Rule(nil) },
		"RuleWithZeros":      func() { custom.NewJVP(func(_ none, x weft.Array) weft.Array { return x }).RuleWithZeros(nil) },
		"CustomVJPFunc.Rules": func() {
			custom.NewVJP[none, weft.Array, none](func(_ none, x weft.Array) weft.Array { return x }).Rules(nil, nil)
		},
		"RulesWithZeros": func() {
			custom.NewVJP[none, weft.Array, none](func(_ none, x weft.Array) weft.Array { return x }).RulesWithZeros(nil, nil)
		},
		"CustomRoot, f":        func() { custom.Root(nil, s(1), solve, solve) },
		"CustomRoot, solve":    func() { custom.Root(sin, s(1), nil, solve) },
		"CustomRoot, tangent":  func() { custom.Root(sin, s(1), solve, nil) },
		"CustomLinearSolve":    func() { custom.LinearSolve(sin, s(1), nil, nil) },
		"CustomSymmetricSolve": func() { custom.LinearSolve(nil, s(1), solve, nil, custom.Symmetric()) },
		"LinearCall":           func() { custom.LinearCall[weft.Array, weft.Array, weft.Array](nil, nil, s(1), s(1)) },
		"ClosureConvert":       func() { custom.Closure[weft.Array, weft.Array](nil, s(1)) },
		"Call":                 func() { weft.Call[weft.Array, weft.Array](nil) },
		"CustomVJPWithFunc.Rules": func() {
			custom.NewVJP[int, weft.Array, weft.Array](func(int, weft.Array) weft.Array { return s(1) }).Rules(nil, nil)
		},
		"RuleFirst": func() { custom.NewJVP(func(_ none, x weft.Array) weft.Array { return x }).RuleFirst(nil) },
		"option":    func() { custom.LinearSolve(sin, s(1), solve, nil, nil) },
	} {
		err := core.Catch(f)
		if err == nil || !strings.Contains(err.Error(), "is nil") || !strings.Contains(err.Error(), "refuse_test.go:") {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// The zero handle, and a nil one, are errors.
func TestZeroHandles(t *testing.T) {
	var jvp custom.JVPRule[none, weft.Array, weft.Array]
	var vjp *custom.VJPRule[none, weft.Array, none, weft.Array]
	for _, f := range []func(){
		func() { jvp.Call(none{}, s(1)) },
		func() { jvp.RuleEach() },
		func() { vjp.Call(none{}, s(1)) },
		func() {
			vjp.Rules(func(_ none, x weft.Array) (weft.Array, none) { return x, none{} }, func(_, _ none, g weft.Array) weft.Array { return g })
		},
	} {
		testcheck.Fails(t, core.ErrCustomRule, f, "has no function", "make it with custom.New")
	}
}

// A rule may close over a value of a trace that has ended, but not over one that is being
// differentiated.
func TestRulesCloseOverEndedTraces(t *testing.T) {
	for name, c := range map[string]struct {
		f    func(y weft.Array) unary
		want float64 // of the derivative with respect to x of f(y)(x·y), for y = 1 and 2
	}{
		"jvp": {func(y weft.Array) unary {
			return custom.JVP(weft.Sin, func(x, tx weft.Array) (weft.Array, weft.Array) { return weft.Sin(x), tx.Mul(y) }, "f", "rule")
		}, 5},
		"fwd": {func(y weft.Array) unary {
			return custom.VJP(weft.Sin, func(x weft.Array) (weft.Array, struct{}) { return weft.Sin(x).Mul(y), struct{}{} },
				func(_ struct{}, g weft.Array) weft.Array { return g }, "f", "fwd", "bwd")
		}, 3},
		"bwd": {func(y weft.Array) unary {
			return custom.VJP(weft.Sin, func(x weft.Array) (weft.Array, struct{}) { return weft.Sin(x), struct{}{} },
				func(_ struct{}, g weft.Array) weft.Array { return g.Mul(y) }, "f", "fwd", "bwd")
		}, 5},
	} {
		near(t, name+", scan", weft.Grad(func(x weft.Array) weft.Array {
			return weft.MapScan(func(y weft.Array) weft.Array { return c.f(y)(y.Mul(x)) }, vec(1, 2)).Sum()
		})(s(2)), c.want)
		g := weft.Jit(func(y weft.Array) weft.Array { return c.f(y)(y.Mul(y)) })
		err := core.Catch(func() { weft.Grad(g)(s(2)) })
		if err == nil {
			t.Errorf("%s, jit: no error", name)
			continue
		}
		for _, w := range []string{"refuse_test.go:", "f", "rule", "closes over", "pass it"} {
			if !strings.Contains(err.Error(), w) {
				t.Errorf("%s, jit: the error does not contain %q: %v", name, w, err)
			}
		}
	}
}

// A custom function may be differentiated, mapped and traced by many goroutines at once.
func TestRulesFromManyGoroutines(t *testing.T) {
	type res struct{ C weft.Array }
	f := custom.VJP(weft.Sin, func(x weft.Array) (weft.Array, res) { return weft.Sin(x), res{weft.Cos(x)} },
		func(r res, g weft.Array) weft.Array { return r.C.Mul(g) })
	g := custom.JVP(f, func(x, tx weft.Array) (weft.Array, weft.Array) { return f(x), weft.Cos(x).Mul(tx) })
	jit := weft.Jit(func(x weft.Array) weft.Array { return g(f(x)) })
	want := math.Cos(math.Sin(1)) * math.Cos(1)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			near(t, "grad of jit", weft.Grad(jit)(s(1)), want)
			near(t, "jit of grad", weft.Jit(weft.Grad(jit))(s(1)), want)
			nearAll(t, "vmap of grad of jit", weft.Vmap(weft.Grad(jit))(vec(1, 1)), want, want)
		})
	}
	wg.Wait()
}

// Arguments of any Go type pass untouched where they hold no arrays.
func TestStaticArgumentsOfAnyType(t *testing.T) {
	type odd struct {
		when time.Time
		mu   *sync.Mutex
		f    func() int
		m    map[[2]int]chan int
	}
	mu := &sync.Mutex{}
	when := time.Date(2020, 10, 14, 0, 0, 0, 0, time.UTC)
	d := odd{when, mu, func() int { return 3 }, map[[2]int]chan int{{1, 2}: make(chan int, 5)}}
	f := jvpWith(func(d odd, x weft.Array) weft.Array { return x.Mul(d.when.Day()) },
		func(x, tx weft.Array, d odd) (weft.Array, weft.Array) {
			if d.mu != mu {
				t.Error("the argument was copied")
			}
			return x.Mul(d.when.Day()), tx.Mul(d.f()).Mul(cap(d.m[[2]int{1, 2}]))
		})
	near(t, "value", f(d, s(2)), 28)
	near(t, "grad", weft.Grad(func(x weft.Array) weft.Array { return f(d, x) })(s(2)), 15)
	near(t, "grad of jit", weft.Grad(weft.Jit(func(x weft.Array) weft.Array { return f(d, x) }))(s(2)), 15)
	type hidden struct{ x weft.Array }
	testcheck.Fails(t, core.ErrTree, func() {
		jvpWith(func(h hidden, x weft.Array) weft.Array { return x.Mul(h.x) }, func(x, tx weft.Array, h hidden) (weft.Array, weft.Array) { return x, tx })
	}, "custom.NewJVP")
	fs := func(g any) unary {
		return func(x weft.Array) weft.Array {
			return jvpWith(func(g any, x weft.Array) weft.Array { return x }, func(x, tx weft.Array, g any) (weft.Array, weft.Array) {
				if a, ok := g.(weft.Array); ok {
					return x, tx.Mul(a)
				}
				return x, tx.Mul(len(g.(string)))
			})(g, x)
		}
	}
	near(t, "an interface that contains a text", weft.Grad(fs("four"))(s(1)), 4)
	near(t, "an interface that contains an array", weft.Grad(weft.Jit(fs(s(9))))(s(1)), 9)
}
