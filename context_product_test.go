package weft_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/weft-go/weft"
)

// A product and a convolution end while they run, eager and staged, on every executor: those
// that did not would return results.
func TestContextStopsProducts(t *testing.T) {
	x := weft.Ones(3000, 3000)
	small := weft.Ones(1600, 1600)
	img, w := weft.Ones(8, 64, 128, 128), weft.Ones(64, 64, 3, 3)
	product := func(x weft.Array) func() { return func() { x.MatMul(x) } }
	for _, d := range weft.Devices() {
		weft.With(weft.DefaultDevice(d), func() {
			for name, f := range map[string]func(){
				"f32": product(x), "f64": product(x.AsType(weft.Float64)), "i64": product(small.AsType(weft.Int64)), "c64": product(small.AsType(weft.Complex64)),
				"bf16": product(x.AsType(weft.BFloat16)), "batch": product(small.Reshape(4, 800, 800)),
				"jit":         func() { weft.Jit(func(x weft.Array) weft.Array { return x.MatMul(x) })(x) },
				"gradient":    func() { weft.Grad(func(x weft.Array) weft.Array { return x.MatMul(x).Sum() })(x) },
				"convolution": func() { weft.Conv(img, w, weft.ConvConfig{}) },
			} {
				ctx, cancel := context.WithCancel(context.Background())
				time.AfterFunc(time.Millisecond, cancel)
				_, err := weft.Try(func() int { weft.With(weft.Context(ctx), f); return 0 })
				if !errors.Is(err, context.Canceled) {
					t.Errorf("%s on %v: got %v, want the error of the context", name, d, err)
				}
			}
		})
	}
}

// Products and convolutions look at the context while they run, eager and staged, on every
// executor. The context of this test ends for those who wait for it and not for those who ask
// for its error: what looks while it runs stops, and nothing else fails.
func TestProductsLookAtTheirContext(t *testing.T) {
	ended := make(chan struct{})
	close(ended)
	waits := endless{context.Background(), ended}
	// full returns an array of one number, another at each call on any executor: memory that was
	// used before contains no result of the product that finds it.
	scale := 50
	full := func(dt weft.DType, dims ...int) weft.Array {
		scale++
		return weft.Ones(dims...).Mul(scale).AsType(dt)
	}
	for _, d := range weft.Devices() {
		weft.With(weft.DefaultDevice(d), func() {
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
				"vectors": func() func() weft.Array {
					x, y := full(weft.Float32, 100000), full(weft.Float32, 100000)
					return func() weft.Array { return x.Dot(y) }
				},
				"depthwise convolution": func() func() weft.Array {
					x, w := full(weft.Float32, 2, 16, 64, 64), full(weft.Float32, 16, 1, 3, 3)
					return func() weft.Array { return weft.Conv(x, w, weft.ConvConfig{Groups: 16}) }
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
