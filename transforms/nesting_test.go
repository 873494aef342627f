package transforms_test

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/custom"
	"github.com/weft-go/weft/internal/test/executors"
	"github.com/weft-go/weft/internal/test/race"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lax"
	"github.com/weft-go/weft/trace"
	"github.com/weft-go/weft/transforms"
)

// nested wraps sin in n levels of a transformation.
func nested(n int, wrap func(func(weft.Array) weft.Array) func(weft.Array) weft.Array) func(weft.Array) weft.Array {
	f := func(x weft.Array) weft.Array { return weft.Sin(x) }
	for range n {
		f = wrap(f)
	}
	return f
}

// Functions within functions, as deep as they may be, are traced, differentiated and printed in
// time that grows with the depth: a stack of many thousand frames is not walked for each
// equation. What is printed reads back.
func TestDeepNesting(t *testing.T) {
	race.Values(t)
	const depth = 1000
	x := weft.Scalar(float32(0.5))
	want := weft.Cos(x).Float()
	for name, wrap := range map[string]func(func(weft.Array) weft.Array) func(weft.Array) weft.Array{
		"jit":   func(f func(weft.Array) weft.Array) func(weft.Array) weft.Array { return weft.Jit(f) },
		"remat": func(f func(weft.Array) weft.Array) func(weft.Array) weft.Array { return weft.Remat(f) },
	} {
		f := nested(depth, wrap)
		if got := weft.Grad(f)(x).Float(); got != want {
			t.Errorf("%s: got %v, want %v", name, got, want)
		}
		for _, f := range []func(weft.Array) weft.Array{f, weft.Grad(f)} {
			j := programOf(t, f, x)
			read, err := jaxpr.Parse(j.String(), prim.Vocabulary)
			if err != nil {
				t.Errorf("%s: the text of a program %d deep does not read back: %v", name, jaxpr.Stats(j).Depth, err)
			} else if !jaxpr.Equal(j, read) {
				t.Errorf("%s: the text of a program %d deep reads back as another", name, jaxpr.Stats(j).Depth)
			}
		}
	}
}

// The equations of a backward pass are at the lines that they transpose, and not at the last line that was
// evaluated.
func TestTransposedLines(t *testing.T) {
	f := func(x weft.Array) weft.Array {
		x = lax.Mul(x, float32(2))
		x = lax.Reshape(x, 3, 2)
		x = lax.Neg(x)
		return lax.ReduceSum(x, 0, 1)
	}
	lines := map[string]string{}
	for _, e := range programOf(t, f, weft.Zeros(6)).Eqns {
		lines[e.Prim.Name()] = e.Site.String()
	}
	eqns := programOf(t, weft.Grad(f), weft.Zeros(6)).Eqns
	back := eqns[len(eqns)-4:]
	for i, of := range []string{"reduce_sum", "neg", "reshape", "mul"} {
		if got, want := back[i].Site.String(), lines[of]; got != want || !strings.HasPrefix(want, "nesting_test.go:") {
			t.Errorf("equation %s of the backward pass is at %q, want the line of %s, %q", back[i].Prim.Name(), got, of, want)
		}
	}
}

// VmapProgram requires the size of the batch, whether or not an input is mapped.
func TestVmapProgramSize(t *testing.T) {
	j := trace.Stage("f", []core.ShapedArray{core.Aval(core.Float32)}, func(in []val) []val { return []val{prim.Sin(in[0])} })
	for _, axis := range []int{0, transforms.Unmapped} {
		for _, size := range []int{0, -1} {
			err := core.Catch(func() { transforms.VmapProgram(j, []int{axis}, []int{0}, size) })
			if !errors.Is(err, core.ErrAxis) || !strings.Contains(err.Error(), "pass the size of the batch") {
				t.Errorf("axis %d, size %d: got error %v", axis, size, err)
			}
		}
		if got := transforms.VmapProgram(j, []int{axis}, []int{0}, 3).Outs[0].Aval().String(); got != "f32[3]" {
			t.Errorf("axis %d: got %s, want f32[3]", axis, got)
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

// Batches within batches, and user-defined derivatives within each other, are as deep as they may be.
func TestDeepBatchesAndRules(t *testing.T) {
	const depth = 1000
	x := weft.Ones(slices.Repeat([]int{1}, depth)...)
	f := nested(depth, func(f func(weft.Array) weft.Array) func(weft.Array) weft.Array { return weft.Vmap(f) })
	if got, want := f(x).Sum().Float(), weft.Sin(weft.Scalar(1.)).Float(); got != want {
		t.Errorf("Vmap: got %v, want %v", got, want)
	}
	g := nested(depth, func(f func(weft.Array) weft.Array) func(weft.Array) weft.Array {
		return custom.VJP(f, func(x weft.Array) (weft.Array, weft.Array) { return f(x), x },
			func(x, ct weft.Array) weft.Array { return ct.Mul(weft.Cos(x)) })
	})
	y := weft.Scalar(float32(0.5))
	if got, want := weft.Grad(g)(y).Float(), weft.Cos(y).Float(); got != want {
		t.Errorf("custom.VJP: got %v, want %v", got, want)
	}
}

// A function that maps itself without end is an error that states so, and not a long wait.
func TestEndlessBatches(t *testing.T) {
	race.Values(t)
	var f func(x weft.Array) weft.Array
	f = func(x weft.Array) weft.Array { return weft.Vmap(f)(x.Reshape(1, 2)).Reshape(2) }
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := weft.Try(func() weft.Array { return f(weft.Ones(2)) })
	runtime.ReadMemStats(&after)
	if got := (after.TotalAlloc - before.TotalAlloc) >> 20; got > 500 { // 56 measured
		t.Errorf("%d MB were allocated up to the error, want at most 500", got)
	}
	if !errors.Is(err, core.ErrStatic) || !strings.Contains(err.Error(), "call itself without end") {
		t.Errorf("got %v, want an error that names the recursion", err)
	}
}

// Operations on batches within batches allocate as often at each depth.
func TestNestedBatchesAllocations(t *testing.T) {
	allocations := func(depth, operations int) int {
		f := func(x weft.Array) weft.Array {
			for range operations {
				x = weft.Sin(x.Add(1)).Mul(x)
			}
			return x
		}
		for range depth {
			g := f
			f = func(x weft.Array) weft.Array { return weft.Vmap(g)(x) }
		}
		var n float64
		weft.With(weft.DefaultDevice(weft.DeviceNamed(executors.Host())), func() {
			x := weft.Ones(slices.Concat(slices.Repeat([]int{1}, depth), []int{2})...)
			n = testing.AllocsPerRun(3, func() { f(x) })
		})
		return int(n)
	}
	per := func(depth int) int { return (allocations(depth, 20) - allocations(depth, 10)) / 10 }
	most := 20 // more than few: the list of batches grows
	if race.Enabled {
		most = 98 // pools drop some of what they get; one allocation for each batch would be 196
	}
	if few, many := per(4), per(200); many > few+most {
		t.Errorf("three operations allocate %d times in 4 batches and %d times in 200, want as often", few, many)
	}
}

// cost counts the equations that a run of a program evaluates, and the elements of their results.
func cost(j *jaxpr.Jaxpr) (equations, elements int) {
	for _, e := range j.Eqns {
		js := jaxpr.Programs(e.Prim)
		for _, q := range js {
			n, m := cost(q)
			equations, elements = equations+n, elements+m
		}
		if len(js) == 0 {
			equations++
			for _, v := range e.Outs {
				elements += v.Type.Size()
			}
		}
	}
	return equations, elements
}

func programOf(t *testing.T, f any, args ...any) *jaxpr.Jaxpr {
	t.Helper()
	ir, err := weft.Jaxpr(f, args...)
	if err != nil {
		t.Fatal(err)
	}
	return ir
}

// The gradient of n parts of an array costs n equations more and O(n) elements, not n arrays of the whole size.
func TestUnstackGradientCost(t *testing.T) {
	per := func(n int) (equations, elements float64) {
		j := programOf(t, weft.Grad(func(x weft.Array) weft.Array {
			s := weft.Scalar(0.)
			for _, v := range weft.Unstack(x, 0) {
				s = s.Add(v.Mul(v))
			}
			return s
		}), weft.Ones(n))
		a, b := cost(j)
		return float64(a) / float64(n), float64(b) / float64(n)
	}
	a, b := per(50)
	c, d := per(400)
	if c > a || d > b {
		t.Errorf("of 50 parts: %.1f equations and %.1f elements a part; of 400: %.1f and %.1f, want no more", a, b, c, d)
	}
}

// Gradients of jitted functions within each other evaluate at most the equations of the same
// gradients without Jit: what a derivative does not need of a call is not a result of the call.
// The programs that are traced for them grow with the square of the depth, no faster.
func TestNestedJitGradientCost(t *testing.T) {
	grads := func(n int, jit bool) (equations, traces int) {
		f := func(x weft.Array) weft.Array { return weft.Sin(x) }
		for range n {
			g := f
			if jit {
				g = weft.Jit(f)
			}
			f = weft.Grad(g)
		}
		start := trace.Started()
		j := programOf(t, f, weft.Scalar(float32(0.5)))
		traces = int(trace.Started() - start)
		equations, _ = cost(j)
		return equations, traces
	}
	for n := 1; n <= 10; n++ {
		plain, _ := grads(n, false)
		if jitted, _ := grads(n, true); jitted > plain {
			t.Errorf("%d gradients: got %d equations with Jit, want at most the %d without", n, jitted, plain)
		}
	}
	for n := 4; n <= 16; n *= 2 {
		if equations, traces := grads(n, true); equations > 3*n || traces > 3*n*n {
			t.Errorf("%d gradients: got %d equations and %d traces, want at most %d and %d", n, equations, traces, 3*n, 3*n*n)
		}
	}
}

// A sum over many named axes has one operation per axis.
func TestManyAxisNamesCost(t *testing.T) {
	per := func(n int) int {
		names := make([]string, n)
		for i := range names {
			names[i] = fmt.Sprint("axis", i)
		}
		f := func(x weft.Array) weft.Array { return lax.Psum(x, names...) }
		for _, name := range names {
			f = weft.Vmap(f, weft.AxisName(name))
		}
		equations, _ := cost(programOf(t, f, weft.Ones(slices.Repeat([]int{1}, n)...)))
		return equations
	}
	if a, b := per(10), per(40); b > 4*a {
		t.Errorf("got %d equations for 10 names and %d for 40, want at most four times as many", a, b)
	}
}

// The text of nested programs has the same number of lines per level at every depth.
func TestNestedProgramLines(t *testing.T) {
	lines := func(n int) int {
		f := nested(n, func(f func(weft.Array) weft.Array) func(weft.Array) weft.Array {
			return weft.Jit(func(x weft.Array) weft.Array { return f(x).Add(1.) })
		})
		return strings.Count(programOf(t, f, weft.Scalar(float32(0.5))).String(), "\n")
	}
	if a, b, c := lines(50), lines(100), lines(150); b-a != c-b {
		t.Errorf("got %d, %d and %d lines at depths 50, 100 and 150, want equal steps", a, b, c)
	}
}

// Equations that are written many frames of the library's below the user's function are at its
// line.
func TestLinesBelowManyInterpreters(t *testing.T) {
	f := func(x weft.Array) weft.Array { return weft.Sin(x) }
	for range 10 {
		f = weft.Grad(f)
	}
	for _, e := range programOf(t, f, weft.Scalar(float32(0.5))).Eqns {
		if got := e.Site.String(); !strings.HasPrefix(got, "nesting_test.go:") {
			t.Fatalf("equation %s is at %q, want a line of nesting_test.go", e.Prim.Name(), got)
		}
	}
}

// The text of programs within each other reads back as the same program, for each construct that contains programs.
func TestNestedTextReadsBack(t *testing.T) {
	for _, w := range wrappings {
		depth := 40
		if w.name == "LinearSolve's operator" {
			depth = 4 // its text doubles with each level
		}
		j := programOf(t, nested(depth, w.wrap), weft.Scalar(float32(0.5)))
		read, err := jaxpr.Parse(j.Text(jaxpr.Options{Weak: true}), prim.Vocabulary)
		if err != nil {
			t.Errorf("%s: %v", w.name, err)
		} else if d := jaxpr.Diff(j, read); d != "" {
			t.Errorf("%s: %s", w.name, d)
		}
	}
}

// The gradient of one of two results computes nothing of the other that JAX's gradient leaves out: the limits are JAX's
// numbers of operations.
func TestUnusedResultsCost(t *testing.T) {
	type A = weft.Array
	two := func(x A) [2]A { return [2]A{weft.Sin(x), weft.Exp(weft.Sin(weft.Cos(x)))} }
	cond := func(x A) [2]A {
		return weft.Cond(x.Gt(0), func() [2]A { return two(x) }, func() [2]A { return [2]A{x, x} })
	}
	remat := func(x A) [2]A { return weft.Remat(two)(x) }
	for _, c := range []struct {
		name string
		jax  int
		f    scalarFunc
	}{
		{"jit", 8, func(x A) A { return weft.Jit(two)(x)[0] }},
		{"remat", 6, func(x A) A { return remat(x)[0] }},
		{"jit of remat", 6, func(x A) A { return weft.Jit(remat)(x)[0] }},
		{"cond", 18, func(x A) A { return cond(x)[0] }},
		{"jit of cond", 14, func(x A) A { return weft.Jit(cond)(x)[0] }},
		{"scan", 8, func(x A) A {
			c, _ := weft.ScanN(func(c A) (A, A) { y := two(c); return y[0], y[1] }, x, 3)
			return c
		}},
	} {
		if n, _ := cost(programOf(t, weft.Grad(c.f), weft.Scalar(float32(0.5)))); n > c.jax {
			t.Errorf("%s: got %d operations, want at most the %d of JAX", c.name, n, c.jax)
		}
	}
}
