package weft_test

import (
	"math"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
)

// J-22: what rules give must have the structure and types of what they stand for; the error
// names the function's rule, the place, both sides and the user's line.
func TestRulesOfOtherStructure(t *testing.T) {
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
		f := weft.CustomVJP(sum, func(n net) (weft.Array, net) { return sum(n), n }, bwd, "sum", "fwd", "bwd")
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
		for _, w := range append(c.want, "custom_breaks_test.go:") {
			if !strings.Contains(err.Error(), w) {
				t.Errorf("%s: the error does not say %s: %v", name, w, err)
			}
		}
	}

	list := func(rule func(x, tx []weft.Array) ([]weft.Array, []weft.Array)) func() {
		f := weft.CustomJVP(func(x []weft.Array) []weft.Array { return x }, rule, "f", "rule")
		return func() { weft.JVP(f, []weft.Array{s(1), s(2)}, []weft.Array{s(1), s(1)}) }
	}
	mustPanic(t, core.ErrCustomRule, []string{"f: ", "tangent", "rule", "got 1 element, want 2 elements"}, list(func(x, tx []weft.Array) ([]weft.Array, []weft.Array) { return x, tx[:1] }))
	mustPanic(t, core.ErrCustomRule, []string{"tangent f32[1]", `at "[1]"`, "must be f32[]"}, list(func(x, tx []weft.Array) ([]weft.Array, []weft.Array) {
		return x, []weft.Array{tx[0], tx[1].Reshape(1)}
	}))
	inJit := func(f unary) func() { return func() { weft.Grad(weft.Jit(f))(s(1)) } }
	mustPanic(t, core.ErrCustomRule, []string{"f32[1]", "f32[]"}, inJit(weft.CustomJVP(weft.Sin, func(x, tx weft.Array) (weft.Array, weft.Array) {
		return x.Reshape(1), tx.Reshape(1)
	})))
	mustPanic(t, core.ErrCustomRule, []string{"gives 1 result, the function 2"}, func() {
		n := 2
		f := weft.CustomJVP(func(x weft.Array) []weft.Array { return []weft.Array{x, x}[:n] },
			func(x, tx weft.Array) ([]weft.Array, []weft.Array) { return []weft.Array{x}, []weft.Array{tx} })
		weft.JVP(weft.Jit(f), s(1), s(1))
	})
	mustPanic(t, core.ErrTree, []string{"holds no array"}, func() {
		weft.JVP(weft.CustomJVP(weft.Sin, func(x, tx weft.Array) (weft.Array, weft.Array) { return weft.Array{}, tx }), s(1), s(1))
	})
	mustPanic(t, core.ErrTree, []string{"holds no array"}, func() {
		weft.CustomJVP(func(weft.Array) weft.Array { return weft.Array{} }, func(x, tx weft.Array) (weft.Array, weft.Array) { return x, tx })(s(1))
	})
	near(t, "a tangent of nothing but none", weft.Grad(weft.CustomJVP(weft.Sin, func(x, tx weft.Array) (weft.Array, weft.Array) { return x, weft.Array{} }))(s(1)), 0)
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
		"CustomJVP, f":         func() { weft.CustomJVP[weft.Array, weft.Array](nil, ok) },
		"CustomJVP, rule":      func() { weft.CustomJVP(sin, rule2(nil)) },
		"CustomVJP, fwd":       func() { weft.CustomVJP(sin, fwd(nil), bwd(nil)) },
		"CustomJVP2":           func() { weft.CustomJVP2(func(x, y weft.Array) weft.Array { return x }, nil) },
		"CustomJVP3":           func() { weft.CustomJVP3(func(x, y, z weft.Array) weft.Array { return x }, nil) },
		"CustomJVPWith":        func() { weft.CustomJVPWith[int, weft.Array, weft.Array](nil, nil) },
		"CustomJVPWithFirst":   func() { weft.CustomJVPWithFirst[int, weft.Array, weft.Array](nil, nil) },
		"CustomVJPWith":        func() { weft.CustomVJPWith[int, weft.Array, weft.Array, weft.Array](nil, nil, nil) },
		"NewCustomJVPWith":     func() { weft.NewCustomJVPWith[int, weft.Array, weft.Array](nil) },
		"NewCustomVJPWith":     func() { weft.NewCustomVJPWith[int, weft.Array, weft.Array, weft.Array](nil) },
		"CustomJVPs":           func() { weft.CustomJVPs[weft.Array](nil, nil) },
		"CustomGradient":       func() { weft.CustomGradient[weft.Array, weft.Array](nil) },
		"CustomVmap":           func() { weft.CustomVmap(sin, nil) },
		"SequentialVmap":       func() { weft.SequentialVmap[weft.Array, weft.Array](nil) },
		"NewCustomVmap":        func() { weft.NewCustomVmap[weft.Array, weft.Array](nil) },
		"CustomVmapFunc.Rule":  func() { weft.NewCustomVmap(sin).Rule(nil) },
		"CustomJVPFunc.Rule":   func() { weft.NewCustomJVP(sin).Rule(nil) },
		"RuleWithZeros":        func() { weft.NewCustomJVP(sin).RuleWithZeros(nil) },
		"CustomVJPFunc.Rules":  func() { weft.NewCustomVJP[weft.Array, weft.Array](sin).Rules(nil, nil) },
		"RulesWithZeros":       func() { weft.NewCustomVJP[weft.Array, weft.Array](sin).RulesWithZeros(nil, nil) },
		"CustomRoot, f":        func() { weft.CustomRoot(nil, s(1), solve, solve) },
		"CustomRoot, solve":    func() { weft.CustomRoot(sin, s(1), nil, solve) },
		"CustomRoot, tangent":  func() { weft.CustomRoot(sin, s(1), solve, nil) },
		"CustomLinearSolve":    func() { weft.CustomLinearSolve(sin, s(1), nil, nil) },
		"CustomSymmetricSolve": func() { weft.CustomSymmetricSolve(nil, s(1), solve) },
		"LinearCall":           func() { weft.LinearCall[weft.Array, weft.Array, weft.Array](nil, nil, s(1), s(1)) },
		"ClosureConvert":       func() { weft.ClosureConvert[weft.Array, weft.Array](nil, s(1)) },
		"Call":                 func() { weft.Call[weft.Array, weft.Array](nil) },
		"CustomVJPWithFunc.Rules": func() {
			weft.NewCustomVJPWith[int, weft.Array, weft.Array](func(int, weft.Array) weft.Array { return s(1) }).Rules(nil, nil)
		},
	} {
		err := core.Catch(f)
		if err == nil || !strings.Contains(err.Error(), "is nil") || !strings.Contains(err.Error(), "custom_breaks_test.go:") {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// A rule that closes over a value of a trace that has ended says so: its function was
// traced, its rule runs when the program is differentiated.
func TestRulesCloseOverEndedTraces(t *testing.T) {
	for name, f := range map[string]func(y weft.Array) unary{
		"jvp": func(y weft.Array) unary {
			return weft.CustomJVP(weft.Sin, func(x, tx weft.Array) (weft.Array, weft.Array) { return weft.Sin(x), tx.Mul(y) }, "f", "rule")
		},
		"fwd": func(y weft.Array) unary {
			return weft.CustomVJP(weft.Sin, func(x weft.Array) (weft.Array, struct{}) { return weft.Sin(x).Mul(y), struct{}{} },
				func(_ struct{}, g weft.Array) weft.Array { return g }, "f", "fwd", "bwd")
		},
		"bwd": func(y weft.Array) unary {
			return weft.CustomVJP(weft.Sin, func(x weft.Array) (weft.Array, struct{}) { return weft.Sin(x), struct{}{} },
				func(_ struct{}, g weft.Array) weft.Array { return g.Mul(y) }, "f", "fwd", "bwd")
		},
	} {
		for how, g := range map[string]unary{
			"jit": weft.Jit(func(y weft.Array) weft.Array { return f(y)(y.Mul(y)) }),
			"scan": func(x weft.Array) weft.Array {
				return weft.MapScan(func(y weft.Array) weft.Array { return f(y)(y.Mul(x)) }, vec(1, 2)).Sum()
			},
		} {
			err := core.Catch(func() { weft.Grad(g)(s(2)) })
			if err == nil {
				t.Errorf("%s, %s: no error", name, how)
				continue
			}
			for _, w := range []string{"custom_breaks_test.go:", "f", "rule", "closes over", "pass it"} {
				if !strings.Contains(err.Error(), w) {
					t.Errorf("%s, %s: the error does not say %q: %v", name, how, w, err)
				}
			}
		}
	}
	var leak weft.Array
	weft.Jit(func(x weft.Array) weft.Array { leak = x.Mul(2); return x })(s(1))
	mustPanic(t, core.ErrEscaped, nil, func() {
		weft.CustomJVP(func(x weft.Array) weft.Array { return x.Mul(leak) }, func(x, tx weft.Array) (weft.Array, weft.Array) { return x, tx })(s(1))
	})
}

// A custom function may be differentiated, mapped and traced by many goroutines at once.
func TestRulesFromManyGoroutines(t *testing.T) {
	type res struct{ C weft.Array }
	f := weft.CustomVJP(weft.Sin, func(x weft.Array) (weft.Array, res) { return weft.Sin(x), res{weft.Cos(x)} },
		func(r res, g weft.Array) weft.Array { return r.C.Mul(g) })
	g := weft.CustomJVP(f, func(x, tx weft.Array) (weft.Array, weft.Array) { return f(x), weft.Cos(x).Mul(tx) })
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
	f := weft.CustomJVPWith(func(d odd, x weft.Array) weft.Array { return x.Mul(d.when.Day()) },
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
	mustPanic(t, core.ErrTree, []string{"CustomJVPWith"}, func() {
		weft.CustomJVPWith(func(h hidden, x weft.Array) weft.Array { return x.Mul(h.x) }, func(x, tx weft.Array, h hidden) (weft.Array, weft.Array) { return x, tx })
	})
	fs := func(g any) unary {
		return func(x weft.Array) weft.Array {
			return weft.CustomJVPWith(func(g any, x weft.Array) weft.Array { return x }, func(x, tx weft.Array, g any) (weft.Array, weft.Array) {
				if a, ok := g.(weft.Array); ok {
					return x, tx.Mul(a)
				}
				return x, tx.Mul(len(g.(string)))
			})(g, x)
		}
	}
	near(t, "an interface that holds a text", weft.Grad(fs("four"))(s(1)), 4)
	near(t, "an interface that holds an array", weft.Grad(weft.Jit(fs(s(9))))(s(1)), 9)
}
