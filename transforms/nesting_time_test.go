//go:build !race

package transforms_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/custom"
	"github.com/weft-go/weft/internal/testcheck"
	"github.com/weft-go/weft/lax"
)

// Derivatives, batches and named axes at a depth of 1,000 take at most a second of processor time, the least
// of several runs. The race detector multiplies it.
func TestDepthTakesASecond(t *testing.T) {
	const depth = 1000
	type function = func(weft.Array) weft.Array
	wrap := map[string]func(function) function{
		"Jit":   func(f function) function { return weft.Jit(f) },
		"Remat": func(f function) function { return weft.Remat(f) },
		"custom.VJP": func(f function) function {
			return custom.VJP(f, func(x weft.Array) (weft.Array, weft.Array) { return f(x), x },
				func(x, ct weft.Array) weft.Array { return ct.Mul(weft.Cos(x)) })
		},
		"ForI": func(f function) function {
			return func(x weft.Array) weft.Array {
				return weft.ForI(1, func(_, x weft.Array) weft.Array { return f(x) }, x)
			}
		},
	}
	runs := map[string]func(){}
	for name, w := range wrap {
		runs["Grad of "+name] = func() { weft.Grad(nested(depth, w))(weft.Scalar(0.5)).Float() }
		runs["Vmap of Grad of "+name] = func() { weft.Vmap(weft.Grad(nested(depth, w)))(weft.Ones(1)).Sum().Float() }
	}
	ones := weft.Ones(slices.Repeat([]int{1}, depth)...)
	runs["Vmap"] = func() { nested(depth, func(f function) function { return weft.Vmap(f) })(ones).Sum().Float() }
	runs["Psum"] = func() {
		names := make([]string, depth)
		for i := range names {
			names[i] = fmt.Sprint("axis", i)
		}
		f := func(x weft.Array) weft.Array { return lax.Psum(x, names...) }
		for _, name := range names {
			f = weft.Vmap(f, weft.AxisName(name))
		}
		if got := f(ones).Sum().Float(); got != 1 {
			t.Errorf("Psum: got %v, want 1", got)
		}
	}
	for name, run := range runs {
		least := time.Hour
		for try := 0; try < 5 && least > time.Second; try++ {
			start := testcheck.CPUTime()
			run()
			least = min(least, testcheck.CPUTime()-start)
		}
		if least > time.Second {
			t.Errorf("%s at depth %d takes %v, want at most 1 s", name, depth, least)
		}
		t.Logf("%-24s %v", name, least)
	}
}
