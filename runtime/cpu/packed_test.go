//go:build linux

package cpu_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/runtime"
)

// Operands that do not change are packed once: constants of a program for all of its
// calls, constants of a loop for all iterations. The bits are those of the reference, also
// where later calls have other arguments.
func TestPackedConstants(t *testing.T) {
	type as = []weft.Array
	r := rand.New(rand.NewPCG(13, 16))
	array := func(shape ...int) weft.Array {
		n := 1
		for _, d := range shape {
			n *= d
		}
		x := make([]float32, n)
		for i := range x {
			x[i] = r.Float32()*2 - 1
		}
		return weft.FromSlice(x).Reshape(shape...)
	}
	for range rounds(40) {
		m, h := 1+r.IntN(70), 1+r.IntN(200)
		transposed, dt := r.IntN(2) == 0, []weft.DType{weft.Float32, weft.Float32, weft.Float64}[r.IntN(3)]
		captured := array(h, h).AsType(dt)
		product := func(x, w weft.Array) weft.Array {
			if transposed {
				return x.MatMul(w.T())
			}
			return x.MatMul(w)
		}
		cell := func(h, x, w weft.Array) weft.Array {
			return weft.Tanh(product(h, w).Add(product(x, captured)).Mul(0.3))
		}
		programs := map[string]func(x as) as{
			"constant": func(x as) as { return as{product(x[0].Index(0), captured)} },
			"constant of another type": func(x as) as {
				return as{product(x[0].Index(0), captured.AsType(weft.Float16).AsType(dt))}
			},
			"constant of another type, used twice": func(x as) as {
				w := captured.Mul(0.5)
				y := product(x[0].Index(0), w).Sub(product(x[0].Index(1), w))
				return as{product(product(y, captured), captured)} // later values overwrite w
			},
			"row tiles": func(x as) as {
				y := weft.Tanh(product(x[0].Reshape(-1, h), captured))
				return as{product(y.Mul(weft.Exp(y.Neg())), captured).Add(y)}
			},
			"scan": func(x as) as {
				c, ys := weft.Scan(func(c, xt weft.Array) (weft.Array, weft.Array) {
					c = cell(c, xt, x[1])
					return c, c
				}, x[0].Index(1), x[0])
				return as{c, ys}
			},
			"gradient": func(x as) as {
				return weft.Grad(func(x as) weft.Array {
					_, ys := weft.Scan(func(c, xt weft.Array) (weft.Array, weft.Array) {
						c = cell(c, xt, x[1])
						return c, c
					}, x[0].Index(1), x[0])
					return weft.Square(ys).Sum()
				})(x)
			},
			"while": func(x as) as {
				type state struct{ I, C weft.Array }
				s := weft.While(func(s state) weft.Array { return s.I.Lt(3) }, func(s state) state {
					return state{s.I.Add(1), cell(s.C, x[0].Index(1), x[1])}
				}, state{weft.Scalar(int32(0)), x[0].Index(0)})
				return as{s.C}
			},
		}
		for name, f := range programs {
			first := as{array(3, m, h).AsType(dt), array(h, h).AsType(dt)}
			j, args := traced(t, f, first)
			_, others := traced(t, f, as{array(3, m, h).AsType(dt), array(h, h).AsType(dt)})
			onNative(t, func(t *testing.T, e runtime.Executor) {
				c, err := runtime.Compile(e, &runtime.Request{Jaxpr: j, Options: runtime.Options{Threads: 1 + r.IntN(2)*2}})
				if err != nil {
					t.Fatal(err)
				}
				sameEachTime(t, name, c, j, args, others)
			})
		}
	}
}

// Constants that products on row tiles read are packed for all calls.
func TestPackedConstantsOnRowTiles(t *testing.T) {
	r := rand.New(rand.NewPCG(14, 16))
	array := func(rows, cols int) weft.Array {
		x := make([]float32, rows*cols)
		for i := range x {
			x[i] = r.Float32()*2 - 1
		}
		return weft.FromSlice(x, rows, cols)
	}
	const rows, width = 700, 400
	w, v := array(width, width), array(width, width)
	f := func(x []weft.Array) []weft.Array {
		y := weft.Tanh(x[0].MatMul(w))
		return []weft.Array{weft.Exp(y.MatMul(v.T())).Sum(-1)}
	}
	j, args := traced(t, f, []weft.Array{array(rows, width)})
	_, others := traced(t, f, []weft.Array{array(rows, width)})
	onNative(t, func(t *testing.T, e runtime.Executor) {
		for _, threads := range []int{1, 3} {
			c, err := runtime.Compile(e, &runtime.Request{Jaxpr: j, Options: runtime.Options{Threads: threads}})
			if err != nil {
				t.Fatal(err)
			}
			sameEachTime(t, "row tiles", c, j, args, others)
		}
	})
}

// sameEachTime fails if calls with arguments, with others and with the first ones again differ from
// the reference.
func sameEachTime(t *testing.T, name string, c *runtime.Compiled, j *jaxpr.Jaxpr, args, others []*runtime.Array) {
	t.Helper()
	for _, in := range [][]*runtime.Array{args, others, args} {
		want, err := runtime.Evaluate(context.Background(), runtime.Reference, j, in)
		if err != nil {
			t.Fatal(err)
		}
		got, err := c.Run(context.Background(), in)
		if err != nil {
			t.Fatal(err)
		}
		for i := range got {
			same(t, name, got[i], want[i])
		}
	}
}
