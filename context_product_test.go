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
