//go:build drivers

package main

import (
	"fmt"
	"testing"

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
	rows, k := scaled(256), scaled(32768)
	deep := random.Normal(random.New(1), rows, k)
	fastFlops(b, "long sums in tf32", 2*rows*rows*k, func(x weft.Array) weft.Array { return x.MatMul(x.T()) }, deep)
	fastFlops(b, "long sums of bf16", 2*rows*rows*k, func(x weft.Array) weft.Array { return x.MatMul(x.T()) }, deep.AsType(weft.BFloat16))
}

// fast measures a program of one product of n×n.
func fast(b *testing.B, name string, n int, f func(x weft.Array) weft.Array, x weft.Array) {
	fastFlops(b, name, 2*n*n*n, f, x)
}

// fastFlops measures a program under weft.Fast.
func fastFlops(b *testing.B, name string, flops int, f func(x weft.Array) weft.Array, x weft.Array) {
	b.Run(name, func(b *testing.B) {
		weft.With(weft.Precision(weft.Fast), func() { measureCalls(b, 0, flops, f, x) })
	})
}
