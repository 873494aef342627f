package cpu_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/internal/test/race"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/runtime"
)

// arguments returns n arrays of the given shape with different numbers.
func arguments(n int, shape ...int) []weft.Array {
	var xs []weft.Array
	for k := range n {
		size := 1
		for _, d := range shape {
			size *= d
		}
		x := make([]float32, size)
		for i := range x {
			x[i] = float32((i*7+k*13)%23)*0.1 - 1
		}
		xs = append(xs, weft.FromSlice(x).Reshape(shape...))
	}
	return xs
}

func traced(t testing.TB, f func([]weft.Array) []weft.Array, in []weft.Array) (*jaxpr.Jaxpr, []*runtime.Array) {
	t.Helper()
	j, err := weft.Jaxpr(f, in)
	if err != nil {
		t.Fatal(err)
	}
	var args []*runtime.Array
	for _, x := range in {
		args = append(args, x.Value().(*runtime.Array))
	}
	return j, args
}

// loopPrograms returns loops whose carries go every way, on arrays of a shape: f32[6, …].
func loopPrograms() map[string]func(xs []weft.Array) []weft.Array {
	type as = []weft.Array
	scan := func(f func(c, x as) (as, as), init as, xs as, opts ...weft.ScanOption) as {
		c, ys := weft.Scan(f, init, xs, opts...)
		return append(c, ys...)
	}
	return map[string]func(xs as) as{
		"swapped carries": func(x as) as {
			return scan(func(c, x as) (as, as) { return as{c[1], c[0]}, as{c[0].Add(x[0])} }, as{x[0].Index(0), x[1].Index(1)}, x[:1])
		},
		"carry that stays": func(x as) as {
			return scan(func(c, x as) (as, as) { return as{c[0], c[1].Mul(c[0]).Add(x[0])}, as{c[1]} }, as{x[0].Index(0), x[1].Index(1)}, x[:1])
		},
		"carry twice": func(x as) as {
			return scan(func(c, x as) (as, as) { s := c[0].Sub(c[1]).Add(x[0]); return as{s, s}, as{s, s} }, as{x[0].Index(0), x[1].Index(1)}, x[:1])
		},
		"carry of itself twice": func(x as) as {
			return weft.While(func(c as) weft.Array { return c[2].Lt(3) }, func(c as) as {
				s := c[0].Sub(c[0].Mul(0.5))
				return as{s, s, c[2].Add(1)}
			}, as{x[0], x[1], weft.Scalar(int32(0))})
		},
		"row as a carry": func(x as) as {
			return scan(func(c, x as) (as, as) { return as{x[0], c[0]}, as{x[0], c[1]} }, as{x[0].Index(0), x[1].Index(1)}, x[:1])
		},
		"constant as a carry": func(x as) as {
			k := weft.Full([]int(x[0].Shape()[1:]), 2.5)
			return scan(func(c, x as) (as, as) { return as{k, x[1]}, as{c[0].Add(c[1])} }, as{x[0].Index(0), x[1].Index(1)}, x)
		},
		"unread results": func(x as) as {
			return scan(func(c, x as) (as, as) { return as{c[0].Add(x[0]), c[1].Mul(x[0])}, as{c[0], c[1].Sub(1)} }, as{x[0].Index(0), x[1].Index(1)}, x[:1])[1:3]
		},
		"reverse": func(x as) as {
			return scan(func(c, x as) (as, as) { s := c[0].Mul(0.5).Add(x[0]); return as{s}, as{s} }, as{x[0].Index(0)}, x[:1], weft.Reverse())
		},
		"while": func(x as) as {
			return weft.While(func(c as) weft.Array { return c[0].Sum().Lt(1000) }, func(c as) as { return as{c[0].Add(1.5), c[2], c[1].Add(c[0])} }, as{x[0], x[1], x[0]})
		},
		"while that never runs": func(x as) as {
			return weft.While(func(c as) weft.Array { return c[0].Sum().Lt(-1e9) }, func(c as) as { return as{c[1], c[0]} }, as{x[0], x[1]})
		},
		"loops in a loop": func(x as) as {
			return scan(func(c, x as) (as, as) {
				w := weft.While(func(c as) weft.Array { return c[0].Max().Lt(2) }, func(c as) as { return as{c[0].Mul(1.25).Add(0.5), c[1].Add(x[0])} }, as{x[0], c[0]})
				d := weft.Cond(w[1].Sum().Gt(0), func() weft.Array { return w[1].Mul(0.5) }, func() weft.Array { return c[0] })
				return as{d}, w
			}, as{x[1].Index(2)}, x[:1])
		},
		"lanes that end at different times": func(x as) as {
			c := weft.Vmap(func(r as) as {
				return weft.While(func(c as) weft.Array { return c[0].Sum().Lt(r[1].Max()) }, func(c as) as {
					return as{weft.Abs(c[0]).Mul(1.25).Add(c[0].Max()).Add(0.5), c[1].Add(1)}
				}, as{r[0], weft.Scalar(int32(0))})
			})(as{weft.Abs(x[0]), weft.Abs(x[1]).Add(100)})
			return append(c, weft.Vmap(func(r weft.Array) weft.Array { // condition and body are one program
				return weft.While(func(c weft.Array) weft.Array { return c }, func(c weft.Array) weft.Array { return c.Not() }, r)
			})(x[0].Reshape(-1).Gt(0)))
		},
		"equations without code": func(x as) as {
			return scan(func(c, x as) (as, as) {
				s := c[0].Add(x[0]).Sort()
				return as{s.Mul(0.5)}, as{s, x[0].Sort()}
			}, as{x[0].Index(0)}, x[:1])
		},
	}
}

func TestLoops(t *testing.T) {
	for name, f := range loopPrograms() {
		for _, shape := range [][]int{{6, 1}, {6, 3}, {6, 33}, {6, 5000}, {1, 33}, {2, 8, 9}} {
			j, args := traced(t, f, arguments(2, append([]int{max(shape[0], 3)}, shape[1:]...)...))
			want, err := runtime.Evaluate(context.Background(), runtime.Reference, j, args)
			if err != nil {
				t.Fatal(err)
			}
			t.Run(fmt.Sprint(name, shape), func(t *testing.T) {
				onNative(t, func(t *testing.T, e runtime.Executor) {
					c, err := runtime.Compile(e, &runtime.Request{Jaxpr: j})
					if err != nil {
						t.Fatal(err)
					}
					var kept [][]*runtime.Array
					for range 3 {
						got, err := c.Run(context.Background(), args)
						if err != nil {
							t.Fatal(err)
						}
						kept = append(kept, got)
					}
					for _, got := range kept { // what was returned stays
						for i := range got {
							same(t, name, got[i], want[i])
						}
					}
				})
			})
		}
	}
}

// Loops whose lanes end at different times run as code.
func TestLanesHaveCode(t *testing.T) {
	j, _ := traced(t, loopPrograms()["lanes that end at different times"], arguments(2, 6, 33))
	onNative(t, func(t *testing.T, e runtime.Executor) {
		c, err := runtime.Compile(e, &runtime.Request{Jaxpr: j})
		if err != nil {
			t.Fatal(err)
		}
		if f := c.Account().Fallbacks; len(f) > 0 {
			t.Errorf("the reference runs %v", f)
		}
	})
}

// An iteration allocates nothing.
func TestIterationsAllocateNothing(t *testing.T) {
	for name, f := range loopPrograms() {
		if name == "equations without code" || name == "lanes that end at different times" { // kernels of the reference allocate; n counts lanes
			continue
		}
		t.Run(name, func(t *testing.T) {
			onNative(t, func(t *testing.T, e runtime.Executor) {
				if race.Enabled {
					t.Skip("the race detector allocates on its own")
				}
				allocations := func(n int) float64 {
					j, args := traced(t, f, arguments(2, n, 2))
					c, err := runtime.Compile(e, &runtime.Request{Jaxpr: j})
					if err != nil {
						t.Fatal(err)
					}
					return testing.AllocsPerRun(20, func() {
						if _, err := c.Run(context.Background(), args); err != nil {
							t.Fatal(err)
						}
					})
				}
				if short, long := allocations(10), allocations(500); long > short {
					t.Errorf("%v allocations for 10 iterations, %v for 500", short, long)
				}
			})
		})
	}
}

// A context ends loops of every form, and their programs run again afterwards.
func TestCancelledLoops(t *testing.T) {
	type as = []weft.Array
	cause := errors.New("the user has left")
	for name, f := range map[string]func(x as) as{
		"in registers": func(x as) as {
			return weft.While(func(c as) weft.Array { return c[0].Lt(1e9) }, func(c as) as { return as{c[0].Mul(0.5)} }, as{x[0].Sum()})
		},
		"in memory": func(x as) as {
			return weft.While(func(c as) weft.Array { return c[0].Sum().Lt(1e9) }, func(c as) as { return as{weft.Sin(c[0])} }, as{x[0]})
		},
		"scan": func(x as) as {
			c, _ := weft.ScanN(func(c as) (as, as) { return as{weft.Sin(c[0])}, nil }, as{x[0]}, 1<<40)
			return c
		},
	} {
		j, args := traced(t, f, arguments(1, 100, 10))
		t.Run(name, func(t *testing.T) {
			onNative(t, func(t *testing.T, e runtime.Executor) {
				c, err := runtime.Compile(e, &runtime.Request{Jaxpr: j})
				if err != nil {
					t.Fatal(err)
				}
				for range 3 {
					ctx, cancel := context.WithCancelCause(context.Background())
					time.AfterFunc(5*time.Millisecond, func() { cancel(cause) })
					if _, err := c.Run(ctx, args); !errors.Is(err, context.Canceled) || !errors.Is(err, cause) {
						t.Errorf("got error %v, want the context's with its cause", err)
					}
				}
			})
		})
	}
}
