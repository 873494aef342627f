package transforms_test

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/custom"
	"github.com/weft-go/weft/lax"
)

type scalarFunc = func(weft.Array) weft.Array

// wrappings are the ways to put a function into a program within the program.
var wrappings = map[string]func(scalarFunc) scalarFunc{
	"Jit":   func(f scalarFunc) scalarFunc { return weft.Jit(f) },
	"Remat": func(f scalarFunc) scalarFunc { return weft.Remat(f) },
	"custom.VJP": func(f scalarFunc) scalarFunc {
		return custom.VJP(f, func(x weft.Array) (weft.Array, weft.Array) { return f(x), x },
			func(x, ct weft.Array) weft.Array { return ct.Mul(weft.Cos(x)) })
	},
	"Cond": func(f scalarFunc) scalarFunc {
		return func(x weft.Array) weft.Array {
			return weft.Cond(x.Gt(0), func() weft.Array { return f(x) }, func() weft.Array { return x })
		}
	},
	"Switch": func(f scalarFunc) scalarFunc {
		return func(x weft.Array) weft.Array {
			return weft.Switch(x.AsType(weft.Int32), func() weft.Array { return f(x) }, func() weft.Array { return x })
		}
	},
	"ForI": func(f scalarFunc) scalarFunc {
		return func(x weft.Array) weft.Array {
			return weft.ForI(1, func(_, x weft.Array) weft.Array { return f(x) }, x)
		}
	},
	"While": func(f scalarFunc) scalarFunc {
		return func(x weft.Array) weft.Array {
			return weft.While(func(x weft.Array) weft.Array { return x.Gt(2) }, func(x weft.Array) weft.Array { return f(x) }, x)
		}
	},
	"Scan": func(f scalarFunc) scalarFunc {
		return func(x weft.Array) weft.Array {
			c, _ := weft.ScanN(func(x weft.Array) (weft.Array, weft.Array) { return f(x), x }, x, 1)
			return c
		}
	},
}

// depthCases returns what is nested: for a depth, a function to run.
func depthCases() map[string]func(depth int) func() {
	cases := map[string]func(int) func(){}
	x := weft.Scalar(0.5)
	for name, w := range wrappings {
		if name != "While" {
			cases["Grad of "+name] = func(n int) func() { f := weft.Grad(nested(n, w)); return func() { f(x).Float() } }
			cases["Vmap of Grad of "+name] = func(n int) func() {
				f := weft.Vmap(weft.Grad(nested(n, w)))
				return func() { f(weft.Ones(1)).Sum().Float() }
			}
		}
		if name != "custom.VJP" {
			cases["JVP of "+name] = func(n int) func() {
				f := nested(n, w)
				return func() { y, _ := weft.JVP(f, x, x); y.Float() }
			}
		}
		cases["Vmap of "+name] = func(n int) func() {
			f := weft.Vmap(nested(n, w))
			return func() { f(weft.Ones(1)).Sum().Float() }
		}
		cases["Jit of "+name] = func(n int) func() { f := weft.Jit(nested(n, w)); return func() { f(x).Float() } }
	}
	cases["Vmap"] = func(n int) func() {
		f, ones := nested(n, func(f scalarFunc) scalarFunc { return weft.Vmap(f) }), weft.Ones(slices.Repeat([]int{1}, n)...)
		return func() { f(ones).Sum().Float() }
	}
	cases["Psum"] = func(n int) func() {
		names := make([]string, n)
		for i := range names {
			names[i] = fmt.Sprint("axis", i)
		}
		f := func(x weft.Array) weft.Array { return lax.Psum(x, names...) }
		for _, name := range names {
			f = weft.Vmap(f, weft.AxisName(name))
		}
		ones := weft.Ones(slices.Repeat([]int{1}, n)...)
		return func() { f(ones).Sum().Float() }
	}
	return cases
}

// BenchmarkDepth measures transformations of programs within each other. At a depth of 1,000 gradients of
// conditionals take 3 s, everything else at most 0.6 s (one run, EPYC, a busy machine).
func BenchmarkDepth(b *testing.B) {
	for name, c := range depthCases() {
		for _, depth := range []int{250, 500, 1000} {
			b.Run(fmt.Sprintf("%s/%d", name, depth), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					c(depth)()
				}
			})
		}
	}
}

// Four times the depth allocates 3 to 8.5 times the memory, so at most 10 times: copies of programs at
// each level would multiply it by 16. Where the program itself grows with the square of the depth, the
// limit is 20 times (11.5 to 15.6 measured): copies of these programs would multiply it by 64.
func TestDepthCost(t *testing.T) {
	bytes := func(run func()) float64 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		run()
		runtime.ReadMemStats(&after)
		return float64(after.TotalAlloc - before.TotalAlloc)
	}
	for name, c := range depthCases() {
		limit := 10.
		switch {
		case name == "Psum": // each level names all axes
			limit = 20
		case strings.HasSuffix(name, "Grad of Cond"), strings.HasSuffix(name, "Grad of Switch"):
			limit = 20 // what the backward pass needs of a conditional is a result of each one around it
		}
		c(10)() // fills caches
		short, long := bytes(c(60)), bytes(c(240))
		t.Logf("%-28s %6.2f × the bytes at 4 × the depth", name, long/short)
		if long > limit*short {
			t.Errorf("%s: got %.0f bytes at depth 60 and %.0f at 240, want at most %v times as many", name, short, long, limit)
		}
	}
}
