package weft_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/custom"
	"github.com/weft-go/weft/internal/test/testcheck"
	wruntime "github.com/weft-go/weft/runtime"
	"github.com/weft-go/weft/trace"
)

func TestJitTracesOnceATypeAndStatic(t *testing.T) {
	traces := 0
	f := weft.Jit(func(x weft.Array, n int) weft.Array {
		traces++
		for range n {
			x = x.Mul(x)
		}
		return x
	})
	for range 3 {
		near(t, "x⁴", f(weft.Scalar(float32(3)), 2), 81)
	}
	if traces != 1 {
		t.Errorf("traced %d times, want 1", traces)
	}
	near(t, "x²", f(weft.Scalar(float32(3)), 1), 9)
	near(t, "x² in f64", f(weft.Scalar(3.5), 1), 12.25)
	f(weft.Of(float32(1), float32(2)), 1)
	if traces != 4 {
		t.Errorf("traced %d times, want 4: a static, a dtype and a shape differ", traces)
	}
	weft.With(weft.DefaultBits(64), func() { f(weft.Scalar(float32(3)), 1) })
	if traces != 5 {
		t.Errorf("traced %d times, want 5: settings differ", traces)
	}
}

type model struct {
	W, B weft.Array
	Name string
}

func TestJitOverTrees(t *testing.T) {
	step := weft.Jit(func(m model, x weft.Array) (model, weft.Array, error) {
		if m.Name == "bad" {
			return m, x, errors.New("bad model")
		}
		y := m.W.Mul(x).Add(m.B)
		m.B = y
		return m, y.Mul(2), nil
	})
	m := model{weft.Scalar(float32(2)), weft.Scalar(float32(1)), "good"}
	m2, y, err := step(m, weft.Scalar(float32(5)))
	if err != nil || m2.Name != "good" {
		t.Fatal(m2.Name, err)
	}
	near(t, "b", m2.B, 11)
	near(t, "y", y, 22)
	m.Name = "bad"
	if _, _, err := step(m, weft.Scalar(float32(5))); err == nil || err.Error() != "bad model" {
		t.Errorf("got %v", err)
	}
	// A mistake in traced code is returned as the error, with the user's line.
	broken := weft.Jit(func(x weft.Array) (weft.Array, error) { return x.Dot(weft.Zeros(7)), nil })
	if _, err := broken(weft.Zeros(3)); !errors.Is(err, core.ErrShape) || !strings.Contains(err.Error(), "jit_test.go:") {
		t.Errorf("got %v", err)
	}
}

func TestJitWritesBehindPointers(t *testing.T) {
	traces := 0
	step := weft.Jit(func(m *model, x weft.Array) weft.Array {
		traces++
		m.B = m.B.Add(x)
		return m.B.Mul(10)
	})
	m := model{W: weft.Scalar(float32(2)), B: weft.Scalar(float32(1))}
	w := m.W
	for i := range 3 {
		near(t, "result", step(&m, weft.Scalar(float32(1))), float64(10*(i+2)))
	}
	near(t, "b", m.B, 4)
	if traces != 1 || !m.W.Equal(w) {
		t.Errorf("traced %d times; W is %v", traces, m.W)
	}
	both := weft.Jit(func(a, b *model) weft.Array { a.W = b.W; return a.W })
	testcheck.Fails(t, core.ErrTree, func() { both(&m, &m) }, "contains a pointer once")
	failing := weft.Jit(func(m *model) error { m.B = m.B.Mul(0); return errors.New("no") })
	if err := failing(&m); err == nil {
		t.Error("no error")
	}
	near(t, "b after an error", m.B, 4)
}

// Jit holds no lock while it traces: recursion with a smaller static argument, concurrent first
// calls and mutual recursion work.
func TestJitTracesWithoutLock(t *testing.T) {
	var pow func(x weft.Array, n int) weft.Array
	pow = weft.Jit(func(x weft.Array, n int) weft.Array {
		if n == 0 {
			return weft.OnesLike(x)
		}
		return x.Mul(pow(x, n-1))
	})
	near(t, "2⁵", pow(weft.Scalar(float32(2)), 5), 32)

	f := weft.Jit(func(x weft.Array) weft.Array { runtime.Gosched(); return x.Mul(3) })
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 50 {
				if got := f(weft.Scalar(float32(2))).Float(); got != 6 {
					t.Errorf("got %v", got)
				}
			}
		})
	}
	wg.Wait()
}

func TestJitCacheAfterFailedTrace(t *testing.T) {
	fail := true
	f := weft.Jit(func(x weft.Array) weft.Array {
		if fail {
			panic("other")
		}
		return x.Mul(2)
	})
	testcheck.PanicsWith(t, "other", func() { f(weft.Scalar(float32(1))) })
	fail = false
	near(t, "after a panic", f(weft.Scalar(float32(1))), 2)
}

func TestJitClosesOverTracers(t *testing.T) {
	outer := weft.Jit(func(x weft.Array) weft.Array {
		inner := weft.Jit(func(y weft.Array) weft.Array { return y.Mul(x) })
		return inner(weft.Scalar(float32(3))).Add(inner(x))
	})
	near(t, "3x + x²", outer(weft.Scalar(float32(4))), 28)
	g := weft.Grad(func(x weft.Array) weft.Array {
		return weft.Jit(func(y weft.Array) weft.Array { return y.Mul(x) })(x)
	})
	near(t, "d x²", g(weft.Scalar(float32(4))), 8)
	// A global jitted function that closed over a tracer is traced again when the tracer's trace
	// has ended.
	var captured weft.Array
	global := weft.Jit(func(y weft.Array) weft.Array { return y.Mul(captured) })
	for _, v := range []float32{2, 5} {
		d := weft.Grad(func(x weft.Array) weft.Array { captured = x; return global(x) })(weft.Scalar(v))
		near(t, "captured", d, float64(2*v))
	}
}

func TestGradOfJitTracesAndTransformsOnce(t *testing.T) {
	traces := 0
	f := weft.Jit(func(x weft.Array) weft.Array { traces++; return weft.Sin(x).Mul(x) })
	g := weft.Grad(f)
	x := weft.Scalar(float32(2))
	want := math.Cos(2)*2 + math.Sin(2)
	near(t, "grad", g(x), want)
	before := trace.Started()
	near(t, "grad again", g(x), want)
	staged := trace.Started() - before
	if traces != 1 || staged != 0 {
		t.Errorf("the second call traced %d times and staged %d programs, want 1 and 0", traces, staged)
	}
}

func TestJitRefusals(t *testing.T) {
	x := weft.Scalar(float32(1))
	testcheck.Fails(t, core.ErrStatic, func() { weft.Jit(x) }, "this is an Array", "did you call it?")
	testcheck.Fails(t, core.ErrStatic, func() { weft.Jit(func(x weft.Array, lr float64) weft.Array { return x }) }, "float64", "weft.Scalar")
	testcheck.Fails(t, core.ErrTree, func() { var f func(weft.Array) weft.Array; weft.Jit(f) }, "nil")
	f := weft.Jit(func(x weft.Array) weft.Array {
		if x.Float() > 0 {
			return x
		}
		return x.Neg()
	})
	testcheck.Fails(t, core.ErrConcrete, func() { f(x) }, "jit_test.go:", "argument 0", "Where")
	var leak weft.Array
	weft.Jit(func(x weft.Array) weft.Array { leak = x.Mul(2); return x })(x)
	testcheck.Fails(t, core.ErrEscaped, func() { leak.Add(1) }, "mul at jit_test.go:", "return it")
}

func TestJitReadsKnownValues(t *testing.T) {
	f := weft.Jit(func(x weft.Array) weft.Array {
		if weft.Of(20, 6).Prod().Int() > 100 {
			return x.Mul(2)
		}
		return x
	})
	near(t, "looked", f(weft.Scalar(float32(3))), 6)
}

func TestExplainRetracing(t *testing.T) {
	var why []string
	weft.ExplainRetracing(func(s string) { why = append(why, s) })
	defer weft.ExplainRetracing(nil)
	f := weft.Jit(func(x weft.Array) weft.Array { return x.Sum() }, weft.Name("loss"))
	f(weft.Zeros(32, 784))
	f(weft.Zeros(31, 784))
	if len(why) != 1 || !strings.Contains(why[0], "loss retraced") || !strings.Contains(why[0], "was f32[32,784], now f32[31,784]") || !strings.Contains(why[0], "jit_test.go:") {
		t.Errorf("explained %q", why)
	}
}

func TestJitAsksTheContext(t *testing.T) {
	f := weft.Jit(func(ctx context.Context, x weft.Array) (weft.Array, error) {
		return weft.While(func(x weft.Array) weft.Array { return x.Ge(0) }, func(x weft.Array) weft.Array { return x.Add(0) }, x), nil
	})
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := f(ctx, weft.Scalar(float32(1))); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func BenchmarkJitCall(b *testing.B) {
	f := weft.Jit(func(x weft.Array) weft.Array { return x })
	x := weft.Zeros(4)
	b.ReportAllocs()
	for b.Loop() {
		f(x)
	}
}

func TestJitReleasesArguments(t *testing.T) {
	f := weft.Jit(func(x []weft.Array) weft.Array { return x[0].Add(1) })
	defer func() { f([]weft.Array{weft.Zeros(1 << 16)}) }() // f itself is alive
	freed := make(chan bool)
	func() {
		x := weft.Zeros(1 << 16)
		runtime.AddCleanup(x.Value().(*wruntime.Array), func(int) { close(freed) }, 0)
		f([]weft.Array{x})
	}()
	for range 100 {
		runtime.GC()
		select {
		case <-freed:
			return
		case <-time.After(10 * time.Millisecond):
		}
	}
	t.Error("the arguments of the first call stay alive")
}

func ExampleJit_changes() {
	// What a function puts into slices and maps, or behind pointers, its caller finds there.
	step := weft.Jit(func(params map[string]weft.Array, grads map[string]weft.Array) {
		for name, g := range grads {
			params[name] = params[name].Sub(g.Mul(0.5))
		}
	})
	params := map[string]weft.Array{"w": weft.Of(1., 2), "b": weft.Scalar(3.)}
	grads := map[string]weft.Array{"w": weft.Of(2., 2), "b": weft.Scalar(4.)}
	step(params, grads)
	step(params, grads)
	fmt.Println(params["w"], params["b"])
	// Output:
	// [-1.  0.] -1.0
}

func TestJitWritesIntoSlicesAndMaps(t *testing.T) {
	one, two := weft.Scalar(1.), weft.Scalar(2.)
	traces := 0
	slice := weft.Jit(func(p []weft.Array, x weft.Array) weft.Array {
		traces++
		p[0] = p[0].Add(x)
		return p[0]
	})
	p := []weft.Array{one, two}
	for i := range 3 {
		near(t, "result", slice(p, one), float64(i+2))
	}
	near(t, "p[0]", p[0], 4)
	near(t, "p[1]", p[1], 2)
	if traces != 1 {
		t.Errorf("traced %d times, want 1", traces)
	}

	type layer struct{ W []weft.Array }
	deep := weft.Jit(func(m map[string]layer, i any) {
		m["a"].W[1] = m["a"].W[0].Mul(10)
		i.([]weft.Array)[0] = i.([]weft.Array)[0].Neg()
	})
	m := map[string]layer{"a": {[]weft.Array{one, two}}}
	held := []weft.Array{one}
	for range 2 {
		deep(m, held)
	}
	near(t, "in a map of slices", m["a"].W[1], 10)
	near(t, "in a slice in an interface", held[0], 1)

	// A struct passed by value belongs to the function; what its fields refer to belongs to the caller.
	type state struct {
		Own  weft.Array
		Rows []weft.Array
	}
	byValue := weft.Jit(func(s state) { s.Own, s.Rows[0] = s.Own.Add(1), s.Own })
	s := state{one, []weft.Array{two}}
	byValue(s)
	near(t, "own", s.Own, 1)
	near(t, "rows", s.Rows[0], 1)

	// Within another trace, and compiled ahead.
	outer := weft.Jit(func(x weft.Array) weft.Array {
		p := []weft.Array{x, x.Mul(2)}
		slice(p, x)
		return p[0]
	})
	near(t, "within a trace", outer(weft.Scalar(3.)), 6)
	near(t, "its derivative", weft.Grad(outer)(weft.Scalar(3.)), 2)
	ahead, err := weft.Compile(func(p []weft.Array) { p[0] = p[0].Mul(5) }, p)
	if err != nil {
		t.Fatal(err)
	}
	ahead.Call(p)
	near(t, "compiled", p[0], 20)
}

func TestJitWritesBackOnSuccessOnly(t *testing.T) {
	p := []weft.Array{weft.Scalar(1.)}
	f := weft.Jit(func(p []weft.Array) error { p[0] = p[0].Add(1); return errors.New("no") })
	if f(p) == nil {
		t.Error("no error")
	}
	near(t, "after an error", p[0], 1)
	m := map[string]weft.Array{"w": p[0]}
	grow := weft.Jit(func(m map[string]weft.Array) { m["new"] = m["w"] })
	testcheck.Fails(t, core.ErrTree, func() { grow(m) }, "1 entries before, 2 entries after", "give the rest as a result")
	if len(m) != 1 {
		t.Errorf("the map has %d entries", len(m))
	}
}

func TestJitRefusesOnePlaceTwice(t *testing.T) {
	swap := weft.Jit(func(a, b []weft.Array) { a[0], b[0] = b[0], a[0].Add(1) })
	read := weft.Jit(func(a, b []weft.Array) weft.Array { return a[0].Add(b[0]) })
	p := []weft.Array{weft.Scalar(1.), weft.Scalar(2.)}
	near(t, "read twice", read(p, p), 2)
	swap(p[:1], p[1:])
	near(t, "p[0]", p[0], 2)
	near(t, "p[1]", p[1], 2)
	testcheck.Fails(t, core.ErrTree, func() { swap(p, p) }, "argument 0[0] and argument 1[0] share memory", "pass a copy as one")
	q := []weft.Array{p[0], p[1], p[0]}
	testcheck.Fails(t, core.ErrTree, func() { swap(q[:2], q[1:]) }, "argument 0[1] and argument 1[0]")
	maps := weft.Jit(func(a, b map[string][2]weft.Array) { a["k"] = [2]weft.Array{b["k"][1], b["k"][0]} })
	m := map[string][2]weft.Array{"k": {p[0], p[1]}}
	testcheck.Fails(t, core.ErrTree, func() { maps(m, m) }, `argument 0["k"][0] and argument 1["k"][0]`)
	type pair struct{ A, B weft.Array }
	inner := weft.Jit(func(p *pair, b *weft.Array) { *b = p.A })
	v := pair{p[0], p[1]}
	testcheck.Fails(t, core.ErrTree, func() { inner(&v, &v.B) }, "share memory")
}

func TestWritesThatWouldBeLostAreRefused(t *testing.T) {
	p := []weft.Array{weft.Scalar(1.)}
	m := map[string]weft.Array{"w": p[0]}
	loss := func(p []weft.Array) weft.Array { p[0] = weft.Square(p[0]); return p[0] }
	wants := []string{`writes leaf "[0]"`, "nothing is written back", "copy"}
	testcheck.Fails(t, core.ErrTree, func() { weft.Grad(loss)(p) }, append(wants, "Grad")...)
	testcheck.Fails(t, core.ErrTree, func() { weft.JVP(loss, p, p) }, append(wants, "JVP")...)
	testcheck.Fails(t, core.ErrTree, func() { weft.Remat(loss)(p) }, append(wants, "Remat")...)
	testcheck.Fails(t, core.ErrTree, func() { weft.Vmap(loss)([]weft.Array{weft.Of(1., 2)}) }, append(wants, "Vmap")...)
	testcheck.Fails(t, core.ErrTree, func() {
		custom.JVP(loss, func(p, q []weft.Array) (weft.Array, weft.Array) { return p[0], q[0] })(p)
	}, append(wants, "custom.JVP")...)
	testcheck.Fails(t, core.ErrTree, func() {
		weft.Grad(func(m map[string]weft.Array) weft.Array { m["h"] = m["w"]; return m["h"] })(m)
	}, "changes the structure", "copy")
	testcheck.Fails(t, core.ErrTree, func() {
		weft.Vmap(func(m map[string]weft.Array) weft.Array { delete(m, "w"); return weft.Scalar(1.) })(map[string]weft.Array{"w": weft.Of(1.)})
	}, "changes the structure of argument 0")
	near(t, "p[0]", p[0], 1)
}
