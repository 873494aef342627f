package main

import (
	"fmt"
	"testing"

	"github.com/weft-go/weft"
)

// BenchmarkElements measures operations on many elements. They are eager, except for the
// last, a chain of sixteen operations that is jitted.
func BenchmarkElements(b *testing.B) {
	for _, size := range []struct {
		tag string
		n   int
	}{{"16K", 1 << 14}, {"1M", 1 << 20}} {
		n := size.n
		x, y := waves(n, n), waves(n, n).Add(1)
		index := weft.From(indices(n))
		rows := x.Reshape(-1, 64)
		chain := weft.Jit(func(x weft.Array) weft.Array {
			for range 8 {
				x = x.Mul(1.5).Add(x)
			}
			return x
		})
		for _, op := range []struct {
			name string
			f    func()
		}{
			{"Add", func() { x.Add(y) }},
			{"Div", func() { x.Div(y) }},
			{"Exp", func() { weft.Exp(x) }},
			{"Log", func() { weft.Log(y) }},
			{"Tanh", func() { weft.Tanh(x) }},
			{"Sin", func() { weft.Sin(x) }},
			{"Where", func() { weft.Where(x.Gt(0), x, y) }},
			{"Sum", func() { x.Sum() }},
			{"SumRows", func() { rows.Sum(0) }},
			{"Max", func() { x.Max() }},
			{"CumSum", func() { x.CumSum() }},
			{"Sort", func() { x.Sort() }},
			{"ArgSort", func() { x.ArgSort() }},
			{"Take", func() { weft.Take(x, index) }},
			{"Transpose", func() { rows.T() }},
			{"Chain16", func() { chain(x) }},
		} {
			b.Run(op.name+size.tag, func(b *testing.B) { measure(b, op.f) })
		}
	}
}

// indices returns the numbers 0 … n−1, those that are neighbours far apart.
func indices(n int) []int32 {
	v := make([]int32, n)
	for i := range v {
		v[i] = int32(i * 7919 % n)
	}
	return v
}

func BenchmarkProducts(b *testing.B) {
	for _, n := range []int{64, 256, 512} {
		x, y := waves(n*n, n, n), waves(n*n, n, n)
		b.Run(fmt.Sprint("MatMul", n), func(b *testing.B) { measure(b, func() { x.MatMul(y) }) })
	}
	a, v := waves(1<<20, 1024, 1024), waves(1024, 1024)
	b.Run("MatVec1024", func(b *testing.B) { measure(b, func() { a.MatMul(v) }) })
	w := waves(1<<20, 1<<20)
	b.Run("Vdot1M", func(b *testing.B) { measure(b, func() { weft.Vdot(w, w) }) })
}
