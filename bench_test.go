package weft_test

import (
	"testing"

	"github.com/weft-go/weft"
)

func benchArrays() (x, y weft.Array) { return weft.Of(1., 2, 3, 4), weft.Of(4., 3, 2, 1) }

// An eager operation on small arrays costs at most 6 allocations.
func TestEagerAllocations(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector allocates on its own")
	}
	x, y := benchArrays()
	if n := testing.AllocsPerRun(100, func() { x.Add(y) }); n > 6 {
		t.Errorf("an eager add makes %v allocations", n)
	}
	if n := testing.AllocsPerRun(100, func() { x.Mul(0.1) }); n > 12 {
		t.Errorf("an eager mul by a number makes %v allocations", n)
	}
}

func BenchmarkEagerAdd(b *testing.B) {
	x, y := benchArrays()
	b.ReportAllocs()
	for b.Loop() {
		x.Add(y)
	}
}

func BenchmarkEagerMulNumber(b *testing.B) {
	x, _ := benchArrays()
	b.ReportAllocs()
	for b.Loop() {
		x.Mul(0.1)
	}
}

func BenchmarkEagerTanh(b *testing.B) {
	x, _ := benchArrays()
	b.ReportAllocs()
	for b.Loop() {
		weft.Tanh(x)
	}
}

func BenchmarkEagerSum(b *testing.B) {
	x, _ := benchArrays()
	b.ReportAllocs()
	for b.Loop() {
		x.Sum()
	}
}

func BenchmarkEagerIndex(b *testing.B) {
	x, _ := benchArrays()
	b.ReportAllocs()
	for b.Loop() {
		x.Index(1)
	}
}

func BenchmarkEagerGrad(b *testing.B) {
	f := weft.Grad(func(x weft.Array) weft.Array { return weft.Sin(x).Mul(x).Sum() })
	x, _ := benchArrays()
	b.ReportAllocs()
	for b.Loop() {
		f(x)
	}
}
