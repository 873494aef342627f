//go:build drivers

package main

import (
	"fmt"
	"testing"
	"time"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/random"
)

// Products that may run on tensor cores, of random operands.
func BenchmarkTensorDevice(b *testing.B) {
	for _, n := range []int{1024, 2048, 4096, 8192} {
		if n = scaled(n); n < 16 {
			continue
		}
		x := random.Normal(random.New(uint64(n)), n, n)
		square := func(x weft.Array) weft.Array { return x.MatMul(x) }
		fast(b, fmt.Sprintf("product in tf32 %d", n), n, square, x)
		fast(b, fmt.Sprintf("product in tf32 along k %d", n), n, func(x weft.Array) weft.Array { return x.MatMul(x.T()) }, x)
		fast(b, fmt.Sprintf("product of bf16 %d", n), n, square, x.AsType(weft.BFloat16))
	}
}

// fast measures a program of one product of n×n.
func fast(b *testing.B, name string, n int, f func(x weft.Array) weft.Array, x weft.Array) {
	b.Run(name, func(b *testing.B) {
		weft.With(weft.Precision(weft.Fast), func() {
			d := benched(b)
			g := weft.Jit(f, weft.On(d))
			x := x.To(d)
			for range 3 { // compiled, then prepared as a graph
				finish(g(x))
			}
			b.ResetTimer()
			start := time.Now()
			var y weft.Array
			for range b.N {
				y = g(x)
			}
			finish(y)
			b.ReportMetric(2*float64(n)*float64(n)*float64(n)*float64(b.N)/time.Since(start).Seconds()/1e12, "TFLOP/s")
		})
	})
}
