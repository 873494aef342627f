package weft_test

import (
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/custom"
	"github.com/weft-go/weft/internal/testcheck"
)

type unary = func(weft.Array) weft.Array

// s returns a strong f32 scalar.
func s(v float64) weft.Array { return weft.Scalar(float32(v)) }

func vec(vs ...float64) weft.Array {
	out := make([]float32, len(vs))
	for i, v := range vs {
		out[i] = float32(v)
	}
	return weft.FromSlice(out)
}

func nearAll(t *testing.T, what string, got weft.Array, want ...float64) {
	t.Helper()
	testcheck.NearAll(t, what, weft.ToSlice[float32](got), want, 1e-5)
}

// placements returns a function with Jit around it or not.
func placements(f func(weft.Array) weft.Array) map[string]func(weft.Array) weft.Array {
	return map[string]func(weft.Array) weft.Array{"eager": f, "jit": weft.Jit(f)}
}

// twice returns 2x with a reverse rule that states 3.
func twice() func(weft.Array) weft.Array {
	return custom.VJP(
		func(x weft.Array) weft.Array { return x.Mul(2) },
		func(x weft.Array) (weft.Array, weft.Array) { return x.Mul(2), x },
		func(x, g weft.Array) weft.Array { return g.Mul(3) })
}

// reduceBy returns Reduce with an operation.
func reduceBy(op weft.ReduceOp) func(x weft.Array, c weft.ReduceConfig) weft.Array {
	return func(x weft.Array, c weft.ReduceConfig) weft.Array {
		c.Op = op
		return weft.Reduce(x, c)
	}
}

// skipNaN returns a reduction along axes of what is not NaN.
func skipNaN(op weft.ReduceOp) func(x weft.Array, axes ...int) weft.Array {
	return func(x weft.Array, axes ...int) weft.Array {
		c := weft.ReduceConfig{Op: op, SkipNaN: true}
		c.Axes, c.Keep = splitKeep(axes)
		return weft.Reduce(x, c)
	}
}

// splitKeep separates weft.Keep from the axes of a reduction.
func splitKeep(axes []int) (rest []int, keep bool) {
	for _, a := range axes {
		if a == weft.Keep {
			keep = true
		} else {
			rest = append(rest, a)
		}
	}
	return rest, keep
}
