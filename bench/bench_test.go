package main

import (
	"testing"

	"github.com/weft-go/weft"
)

// measure reports f's allocations and its CPU time, which other processes disturb less
// than the clock.
func measure(b *testing.B, f func()) {
	f()
	b.ReportAllocs()
	start := cpuTime()
	for b.Loop() {
		f()
	}
	b.ReportMetric(float64(cpuTime()-start)/float64(b.N), "cpu-ns/op")
}

func small() (x, y weft.Array) {
	return weft.Of[float32](1, 2, 3, 4), weft.Of[float32](4, 3, 2, 1)
}

func BenchmarkEagerAdd(b *testing.B) {
	x, y := small()
	measure(b, func() { x.Add(y) })
}

func BenchmarkEagerMul(b *testing.B) {
	x, y := small()
	measure(b, func() { x.Mul(y) })
}

func BenchmarkEagerExp(b *testing.B) {
	x, _ := small()
	measure(b, func() { weft.Exp(x) })
}

// layers returns a function that applies tanh(x·x) + 1 n times, 3 operations each time, and sums the elements.
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
	measure(b, func() {
		if _, err := weft.Jaxpr(f, x); err != nil {
			b.Fatal(err)
		}
	})
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
	measure(b, func() { f(x) })
}
