package cpu_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/internal/test/race"
	"github.com/weft-go/weft/runtime"
)

// elementLoops are loops over arrays that each element could run by itself.
func elementLoops() map[string]func(x, y weft.Array) []weft.Array {
	type as = []weft.Array
	counted := func(n int, f func(i weft.Array, c as) as) func(x, y weft.Array) as {
		return func(x, y weft.Array) as {
			type state struct {
				I weft.Array
				C as
			}
			return weft.While(func(s state) weft.Array { return s.I.Lt(n) }, func(s state) state { return state{s.I.Add(1), f(s.I, s.C)} }, state{weft.Scalar(int32(0)), as{x, y}}).C
		}
	}
	return map[string]func(x, y weft.Array) as{
		"counted": func(x, y weft.Array) as {
			return as{weft.ForI(30_000, func(_, v weft.Array) weft.Array { return v.Mul(0.999).Add(y) }, x)}
		},
		"index":   counted(40, func(i weft.Array, c as) as { return as{c[0].Add(i.AsType(c[0].DType())), c[1].Mul(0.5)} }),
		"swapped": counted(41, func(_ weft.Array, c as) as { return as{c[1], c[0].Sub(1)} }),
		"none":    counted(0, func(_ weft.Array, c as) as { return as{c[0].Mul(2), c[1].Add(c[0])} }),
		"selected": counted(9, func(_ weft.Array, c as) as {
			return as{weft.Where(c[0].Lt(c[1]), c[0], c[1].Mul(0.75)), c[1].Add(c[0])}
		}),
		"reshaped": counted(5, func(_ weft.Array, c as) as {
			return as{c[0].Reshape(-1).Mul(3).Reshape(c[0].Shape()...), c[1].Sub(c[0])}
		}),
		"functions": counted(6, func(_ weft.Array, c as) as { return as{weft.Sin(c[0]), weft.Exp(c[1].Mul(-0.5))} }),
		"with bools": counted(7, func(_ weft.Array, c as) as {
			return as{weft.Where(weft.LogicalXor(c[0].Gt(0), c[1].Gt(0)), c[0].Neg(), c[1]), c[0]}
		}),
		"test of a number": func(x, y weft.Array) as {
			type state struct{ T, X, Y weft.Array }
			s := weft.While(func(s state) weft.Array { return s.T.Lt(100) }, func(s state) state {
				return state{s.T.Mul(1.5).Add(0.25), s.X.Mul(s.T.AsType(s.X.DType())), s.Y.Add(s.X)}
			}, state{weft.Scalar(float32(0.5)), x, y})
			return as{s.T, s.X, s.Y}
		},
	}
}

// Loops whose elements run side by side have the reference's bits, those of NaNs included,
// also where no iteration runs or several launches do.
func TestElementLoops(t *testing.T) {
	for name, f := range elementLoops() {
		for _, dt := range []weft.DType{weft.Float32, weft.Float64, weft.BFloat16, weft.Complex64}[:race.Few(4)] {
			if dt == weft.Complex64 && (name == "selected" || name == "with bools") {
				continue
			}
			for _, n := range []int{6, 8, 16, 24, 72, 328} {
				if n > 24 && (name == "counted" || dt != weft.Float32) {
					continue
				}
				x, y := make([]float32, n), make([]float32, n)
				for i := range x {
					x[i], y[i] = float32(i%13)*0.25-1, float32(i%7)*0.125
				}
				x[1], x[2], y[3], y[4] = math.Float32frombits(0x7fc01234), float32(math.Inf(1)), math.Float32frombits(0xffc00001), float32(math.Inf(-1))
				g := func(in []weft.Array) []weft.Array {
					return f(in[0].AsType(dt).Reshape(2, -1), in[1].AsType(dt).Reshape(2, -1))
				}
				j, args := traced(t, g, []weft.Array{weft.FromSlice(x), weft.FromSlice(y)})
				want, err := runtime.Evaluate(context.Background(), runtime.Reference, j, args)
				if err != nil {
					t.Fatal(err)
				}
				t.Run(fmt.Sprint(name, dt, n), func(t *testing.T) {
					onNative(t, func(t *testing.T, e runtime.Executor) {
						c, err := runtime.Compile(e, &runtime.Request{Jaxpr: j})
						if err != nil {
							t.Fatal(err)
						}
						if a := c.Account(); len(a.Fallbacks) > 0 {
							t.Errorf("fallbacks: got %v, want none", a.Fallbacks)
						}
						got, err := c.Run(context.Background(), args)
						if err != nil {
							t.Fatal(err)
						}
						for i := range want {
							same(t, name, got[i], want[i])
						}
					})
				})
			}
		}
	}
}
