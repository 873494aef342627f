package weft_test

import (
	"context"
	"testing"

	"github.com/weft-go/weft"
)

// Products and convolutions look at the context while they run, eager and staged, on every
// executor. The context of this test ends for those who wait for it and not for those who ask
// for its error: what looks while it runs stops, and nothing else fails.
func TestContextStopsProducts(t *testing.T) {
	ended := make(chan struct{})
	close(ended)
	waits := endless{context.Background(), ended}
	for _, d := range weft.Devices() {
		weft.With(weft.DefaultDevice(d), func() {
			scale := 1
			// full returns an array of one number, another at each call, so that no case finds results of another in memory.
			full := func(dt weft.DType, dims ...int) weft.Array {
				scale++
				return weft.Ones(dims...).Mul(scale).AsType(dt)
			}
			square := func(dt weft.DType) func() func() weft.Array {
				return func() func() weft.Array {
					x := full(dt, 300, 300)
					return func() weft.Array { return x.MatMul(x) }
				}
			}
			for name, program := range map[string]func() func() weft.Array{
				"f32": square(weft.Float32), "f64": square(weft.Float64), "i64": square(weft.Int64), "c64": square(weft.Complex64), "bf16": square(weft.BFloat16),
				"batch": func() func() weft.Array {
					x := full(weft.Float32, 4, 300, 300)
					return func() weft.Array { return x.MatMul(x) }
				},
				"matrix and vector": func() func() weft.Array {
					x, v := full(weft.Float32, 2000, 1000), full(weft.Float32, 1000)
					return func() weft.Array { return x.MatMul(v) }
				},
				"jit": func() func() weft.Array {
					x := full(weft.Float32, 300, 300)
					return func() weft.Array {
						return weft.Jit(func(x weft.Array) weft.Array { return x.MatMul(x) })(x)
					}
				},
				"gradient": func() func() weft.Array {
					x, y := full(weft.Float32, 300, 300), full(weft.Float32, 300, 300)
					return func() weft.Array {
						return weft.Grad(func(x weft.Array) weft.Array { return x.MatMul(y).Sum() })(x)
					}
				},
				"convolution": func() func() weft.Array {
					x, w := full(weft.Float32, 2, 16, 64, 64), full(weft.Float32, 16, 16, 3, 3)
					return func() weft.Array { return weft.Conv(x, w, weft.ConvConfig{}) }
				},
			} {
				f := program()
				var part weft.Array
				weft.With(weft.Context(waits), func() { part = f() })
				if whole := f(); part.Eq(whole).All().Bool() {
					t.Errorf("%s on %v: everything was computed", name, d)
				}
			}
		})
	}
}

// An endless context has ended for those who wait for it, and has no error.
type endless struct {
	context.Context
	done chan struct{}
}

// Done returns a channel that is closed.
func (e endless) Done() <-chan struct{} { return e.done }
