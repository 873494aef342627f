// Package bench measures Weft on the programs on which run.sh measures JAX.
package bench

import (
	"testing"

	"github.com/weft-go/weft"
)

func small() (x, y weft.Array) {
	return weft.Of[float32](1, 2, 3, 4), weft.Of[float32](4, 3, 2, 1)
}

func BenchmarkEagerAdd(b *testing.B) {
	x, y := small()
	b.ReportAllocs()
	for b.Loop() {
		x.Add(y)
	}
}

func BenchmarkEagerMul(b *testing.B) {
	x, y := small()
	b.ReportAllocs()
	for b.Loop() {
		x.Mul(y)
	}
}

func BenchmarkEagerExp(b *testing.B) {
	x, _ := small()
	b.ReportAllocs()
	for b.Loop() {
		weft.Exp(x)
	}
}

// layers is n times tanh(x·x) + 1, and the sum: 3 operations each time.
func layers(n int) func(x weft.Array) weft.Array {
	return func(x weft.Array) weft.Array {
		for range n {
			x = weft.Tanh(x.Mul(x)).Add(1)
		}
		return x.Sum()
	}
}

func trace(b *testing.B, f any) {
	x, _ := small()
	for b.Loop() {
		if _, err := weft.Jaxpr(f, x); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkTrace300(b *testing.B)     { trace(b, layers(100)) }
func BenchmarkTraceGrad300(b *testing.B) { trace(b, weft.Grad(layers(100))) }
func BenchmarkTraceVmapGrad300(b *testing.B) {
	g := weft.Vmap(weft.Grad(func(x weft.Array) weft.Array { return layers(100)(x) }))
	trace(b, g)
}

func BenchmarkJitDispatch(b *testing.B) {
	f := weft.Jit(func(x weft.Array) weft.Array { return x.Add(1) })
	x, _ := small()
	b.ReportAllocs()
	for b.Loop() {
		f(x)
	}
}
