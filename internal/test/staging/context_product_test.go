package staging_test

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/internal/test/testcheck"
	wruntime "github.com/weft-go/weft/runtime"
)

// products counts the arrays of TestContextStopsProducts.
var products int

// Products and convolutions look at the context while they run, eager and staged, on every
// executor, and return no part of a result. On a device with memory of its own they look before each
// kernel, which then runs to its end. The channel of this test's context is closed from the
// start, its error is nil: what looks at the channel while it runs stops, and nothing else fails.
// The error that comes at the last look, after the product, is that of the call.
func TestContextStopsProducts(t *testing.T) {
	// full returns an array of one number, another at each call on any executor and in any run of
	// the test: memory that was used before contains no result of the product that finds it.
	full := func(dt weft.DType, dims ...int) weft.Array {
		products++
		number := (128 + products%128) << (products / 128 % 16) // 2,048 numbers of 8 bits, which bf16 distinguishes
		return weft.Ones(dims...).Mul(number).AsType(dt)
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
				ctx := testcheck.Stopping(math.MaxInt)
				weft.With(weft.Context(ctx), func() { part = f() })
				whole := f()
				if whole.Value().(*wruntime.Array).Memory() == wruntime.Host && part.Eq(whole).All().Bool() {
					t.Errorf("%s on %v: everything was computed", name, d)
				}
				looks, err := ctx.Looks(), error(nil)
				for looked, round := int64(0), 0; looked < looks; round++ { // calls are divided by the time of earlier ones
					if round == 100 {
						t.Fatalf("%s on %v: the number of looks changes with each call, last from %d to %d", name, d, looks, looked)
					}
					counted := testcheck.Stopping(math.MaxInt)
					weft.With(weft.Context(counted), func() { f() })
					looks = counted.Looks()
					last := testcheck.Stopping(looks - 1)
					_, err = weft.Try(func() int { weft.With(weft.Context(last), func() { f() }); return 0 })
					looked = last.Looks()
				}
				if looks < 2 || !errors.Is(err, context.Canceled) {
					t.Errorf("%s on %v: got %v at the last of %d looks, want the error of the context", name, d, err, looks)
				}
			}
		})
	}
}
