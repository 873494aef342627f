package custom_test

import (
	"math"
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/custom"
	"github.com/weft-go/weft/internal/test/arraycheck"
	"github.com/weft-go/weft/internal/test/testcheck"
)

var yes = weft.Scalar(true)

// sineOrCosine returns the sine of one number and the cosine of a batch, so that a test detects
// whether the rule ran.
func sineOrCosine(rules *int) func(weft.Array) weft.Array {
	return custom.Vmap(weft.Sin, func(n int, mapped, x weft.Array) (weft.Array, weft.Array) {
		*rules++
		return weft.Cos(x), mapped
	})
}

// The batching rule states what the function is on a batch: under Jit, in loops and branches,
// and for derivatives in both modes.
func TestCustomVmapRule(t *testing.T) {
	n := 0
	f := sineOrCosine(&n)
	xs := vec(0, 1, 2)
	near(t, "one", f(s(1)), math.Sin(1))
	near(t, "one, jit", weft.Jit(f)(s(1)), math.Sin(1))
	near(t, "grad of one", weft.Grad(f)(s(1)), math.Cos(1))
	if n != 0 {
		t.Errorf("the rule ran %d times for one element", n)
	}
	cos := []float64{1, math.Cos(1), math.Cos(2)}
	msin := []float64{0, -math.Sin(1), -math.Sin(2)}
	vm := weft.Vmap(f)
	remat := weft.Remat(f)
	scan := func(x weft.Array) weft.Array {
		c, _ := weft.ScanN(func(c weft.Array) (weft.Array, struct{}) { return f(c), struct{}{} }, x, 1)
		return c
	}
	cond := func(x weft.Array) weft.Array {
		return weft.Cond(weft.Scalar(2).Gt(1), func() weft.Array { return f(x) }, func() weft.Array { return x })
	}
	for name, g := range map[string]func(weft.Array) weft.Array{
		"vmap": vm, "jit of vmap": weft.Jit(vm), "vmap of jit": weft.Vmap(weft.Jit(f)),
		"vmap of remat": weft.Vmap(remat), "vmap of scan": weft.Vmap(scan), "vmap of cond": weft.Vmap(cond),
		"remat of vmap": weft.Remat(vm),
	} {
		n = 0
		nearAll(t, name, g(xs), cos...)
		if n == 0 {
			t.Errorf("%s: the rule did not run", name)
		}
		nearAll(t, "grad of "+name, weft.Grad(func(x weft.Array) weft.Array { return g(x).Sum() })(xs), msin...)
		nearAll(t, "jit of grad of "+name, weft.Jit(weft.Grad(func(x weft.Array) weft.Array { return g(x).Sum() }))(xs), msin...)
		_, d := weft.JVP(g, xs, weft.Ones(3))
		nearAll(t, "jvp of "+name, d, msin...)
	}
	for name, g := range arraycheck.Placements(weft.Grad(f)) {
		nearAll(t, "vmap of grad, "+name, weft.Vmap(g)(xs), msin...)
		nearAll(t, "vmap of grad of grad, "+name, weft.Vmap(weft.Grad(g))(xs), -1, -math.Cos(1), -math.Cos(2))
	}
	for name, g := range arraycheck.Placements(func(x weft.Array) weft.Array { _, d := weft.JVP(f, x, s(1)); return d }) {
		nearAll(t, "vmap of jvp, "+name, weft.Vmap(g)(xs), msin...)
		nearAll(t, "vmap of grad of jvp, "+name, weft.Vmap(weft.Grad(g))(xs), -1, -math.Cos(1), -math.Cos(2))
	}
	twice := weft.Vmap(weft.Vmap(f))(xs.Reshape(3, 1))
	nearAll(t, "two batches: the inner rule is mapped", twice.Ravel(), cos...)
	outer := weft.Vmap(func(x weft.Array) weft.Array {
		return weft.Vmap(func(y weft.Array) weft.Array { return f(x).Add(y) })(vec(0, 10)).Sum()
	})
	nearAll(t, "mapped by the outer batch only", outer(xs), 12, 2*math.Cos(1)+10, 2*math.Cos(2)+10)
}

// A rule receives which arguments are mapped and returns which results are.
func TestCustomVmapTrees(t *testing.T) {
	type in struct{ X, Y weft.Array }
	type out struct{ Sum, Y weft.Array }
	var saw []bool
	f := custom.Vmap(func(p in) out { return out{p.X.Add(p.Y), p.Y.Mul(2)} },
		func(n int, mapped, p in) (out, out) {
			saw = []bool{mapped.X.Bool(), mapped.Y.Bool()}
			if n != 3 || p.X.Rank() != 1 || p.Y.Rank() != 0 {
				t.Errorf("n = %d, x %v, y %v", n, p.X, p.Y)
			}
			return out{p.X.Add(p.Y).Mul(100), p.Y.Mul(200)}, out{Sum: yes}
		})
	for name, y := range map[string]weft.Array{"array": s(5), "traced": {}} {
		run := func(y weft.Array) out {
			return weft.Vmap(func(x weft.Array) out { return f(in{x, y}) }, weft.Out(weft.Axes{"Sum": 0, "Y": weft.None}))(vec(1, 2, 3))
		}
		var o out
		if name == "array" {
			o = run(y)
		} else {
			o = weft.Jit(run)(s(5))
		}
		nearAll(t, name, o.Sum, 600, 700, 800)
		near(t, name, o.Y, 1000)
	}
	if len(saw) != 2 || !saw[0] || saw[1] {
		t.Errorf("the rule received %v, want [true false]", saw)
	}
}

// Results of a rule that do not fit those of the function are refused.
func TestCustomVmapMistakes(t *testing.T) {
	xs := vec(1, 2)
	bad := func(rule func(n int, mapped, x weft.Array) (weft.Array, weft.Array)) func() {
		return func() { weft.Vmap(custom.Vmap(weft.Sin, rule))(xs) }
	}
	badJit := func(rule func(n int, mapped, x weft.Array) (weft.Array, weft.Array)) func() {
		return func() { weft.Vmap(weft.Jit(custom.Vmap(weft.Sin, rule)))(xs) }
	}
	testcheck.Fails(t, core.ErrCustomRule, bad(func(n int, m, x weft.Array) (weft.Array, weft.Array) { return x.Sum(), m }), "first axis must have 2 elements")
	testcheck.Fails(t, core.ErrCustomRule, bad(func(n int, m, x weft.Array) (weft.Array, weft.Array) { return x, x }), []string{"truth", "weft.Scalar(true)"}[1:]...)
	testcheck.Fails(t, core.ErrCustomRule, badJit(func(n int, m, x weft.Array) (weft.Array, weft.Array) { return x.Reshape(2, 1), m }), "f32[2,1]", "must be f32[2]")
	testcheck.Fails(t, core.ErrCustomRule, badJit(func(n int, m, x weft.Array) (weft.Array, weft.Array) { return x.AsType(weft.Int32), m }), "i32[2]", "must be f32[2]")
	many := custom.Vmap(func(x weft.Array) []weft.Array { return []weft.Array{x, x} },
		func(n int, m, x weft.Array) ([]weft.Array, []weft.Array) {
			return []weft.Array{x, x}, []weft.Array{yes}
		})
	testcheck.Fails(t, core.ErrCustomRule, func() { weft.Vmap(many)(xs) }, "structure", "got 1 element, want 2 elements")
	closes := func(x weft.Array) weft.Array {
		return weft.Jit(custom.Vmap(func(y weft.Array) weft.Array { return x.Mul(y) },
			func(n int, m, y weft.Array) (weft.Array, weft.Array) { return y, m }))(x)
	}
	testcheck.Fails(t, core.ErrCustomRule, func() { weft.Vmap(closes)(xs) }, "closes over", "pass it as an argument")
	if e := core.Catch(func() { weft.Vmap(closes)(xs) }); !strings.Contains(e.Error(), "vmap_test.go") {
		t.Errorf("no line of the user's in %v", e)
	}
}

// What is not mapped goes to the function, which may close over the batch.
func TestCustomVmapUnmapped(t *testing.T) {
	nearAll(t, "closes over a batch", weft.Vmap(func(x weft.Array) weft.Array {
		return custom.Vmap(func(y weft.Array) weft.Array { return x.Mul(y) },
			func(n int, m, y weft.Array) (weft.Array, weft.Array) { panic("nothing is mapped") })(s(3))
	})(vec(0, 1, 2)), 0, 3, 6)
}

// A rule may call the function itself; without a rule Vmap calls it element by element.
func TestCustomVmapRecursion(t *testing.T) {
	var sq unary
	sq = custom.Vmap(func(x weft.Array) weft.Array { return x.Mul(x) }, func(n int, m, xs weft.Array) (weft.Array, weft.Array) {
		var ys []weft.Array
		for i := range n {
			ys = append(ys, sq(xs.Index(i)).Add(1))
		}
		return weft.Stack(0, ys...), m
	})
	nearAll(t, "vmap", weft.Vmap(sq)(vec(1, 2, 3)), 2, 5, 10)
	nearAll(t, "vmap of grad", weft.Vmap(weft.Grad(sq))(vec(1, 2, 3)), 2, 4, 6)

	type in struct{ X, Y weft.Array }
	seq := custom.Vmap(func(p in) weft.Array { return p.X.Mul(p.Y) }, nil)
	for name, f := range arraycheck.Placements(func(xs weft.Array) weft.Array {
		return weft.Vmap(func(x weft.Array) weft.Array { return seq(in{x, s(10)}) })(xs)
	}) {
		nearAll(t, name, f(vec(1, 2, 3)), 10, 20, 30)
		nearAll(t, "grad of "+name, weft.Grad(func(x weft.Array) weft.Array { return f(x).Mul(x).Sum() })(vec(1, 2, 3)), 20, 40, 60)
	}
	ir, err := weft.Jaxpr(weft.Vmap(custom.Vmap(weft.Sin, nil)), vec(1, 2, 3))
	if err != nil || !strings.Contains(ir.String(), "scan[") {
		t.Errorf("no loop: %v %v", ir, err)
	}
}
