// Package arraycheck contains helpers for tests of several packages over [weft.Array]: short
// constructors, comparisons, and functions to transform.
package arraycheck

import (
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/custom"
	"github.com/weft-go/weft/internal/test/testcheck"
	"github.com/weft-go/weft/wefttest"
)

// F32 returns a strong f32 scalar.
func F32(v float64) weft.Array { return weft.Scalar(float32(v)) }

// Vector32 returns a vector of f32.
func Vector32(vs ...float64) weft.Array {
	out := make([]float32, len(vs))
	for i, v := range vs {
		out[i] = float32(v)
	}
	return weft.FromSlice(out)
}

// Vector64 returns a vector of f64.
func Vector64(vs ...float64) weft.Array { return weft.FromSlice(vs, len(vs)) }

// TypeText returns an array's type as text: ~f32[3].
func TypeText(x weft.Array) string { return x.Value().Aval().Full() }

// Near requires a scalar within 1e-5·max(1, |want|) of want.
func Near(t testing.TB, what string, got weft.Array, want float64) {
	t.Helper()
	testcheck.Near(t, what, got.Float(), want, 1e-5)
}

// NearAll requires a vector of f32 whose elements are within 1e-5·max(1, |want|) of want.
func NearAll(t testing.TB, what string, got weft.Array, want ...float64) {
	t.Helper()
	testcheck.NearAll(t, what, weft.ToSlice[float32](got), want, 1e-5)
}

// Within requires arrays of one shape whose elements differ by at most distance. The dtype of
// want need not be that of got.
func Within(t testing.TB, what string, got, want weft.Array, distance float64) {
	t.Helper()
	if d := wefttest.Difference(got, want.AsType(got.DType()), wefttest.Tolerance{Abs: distance}); d != "" {
		t.Errorf("%s: %s", what, d)
	}
}

// Placements returns a function with and without Jit around it.
func Placements(f func(weft.Array) weft.Array) map[string]func(weft.Array) weft.Array {
	return map[string]func(weft.Array) weft.Array{"eager": f, "jit": weft.Jit(f)}
}

// Twice returns the function 2x with a reverse rule that says 3.
func Twice() func(weft.Array) weft.Array {
	return custom.VJP(
		func(x weft.Array) weft.Array { return x.Mul(2) },
		func(x weft.Array) (weft.Array, weft.Array) { return x.Mul(2), x },
		func(x, g weft.Array) weft.Array { return g.Mul(3) })
}

// SkipNaN returns a reduction along axes that skips NaNs.
func SkipNaN(op weft.ReduceOp) func(x weft.Array, axes ...int) weft.Array {
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
