package weft_test

import (
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/internal/test/executors"
	"github.com/weft-go/weft/internal/test/race"
	"github.com/weft-go/weft/internal/test/testcheck"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/trace"
)

func benchArrays() (x, y weft.Array) { return weft.Of(1., 2, 3, 4), weft.Of(4., 3, 2, 1) }

// onHostExecutor calls f where an executor of the host runs programs.
func onHostExecutor(f func()) {
	weft.With(weft.DefaultDevice(weft.DeviceNamed(executors.Host())), f)
}

// An eager operation on small arrays makes at most 6 allocations on an executor of the host. What a
// call on a device may allocate is tested with its driver.
func TestEagerAllocations(t *testing.T) {
	if race.Enabled {
		t.Skip("the race detector allocates on its own")
	}
	x, y := benchArrays()
	onHostExecutor(func() {
		for name, f := range map[string]func(){
			"Add":             func() { x.Add(y) },
			"Mul":             func() { x.Mul(y) },
			"Mul by a number": func() { x.Mul(0.1) },
			"Exp":             func() { weft.Exp(x) },
		} {
			if n := testing.AllocsPerRun(100, f); n > 6 {
				t.Errorf("an eager %s: got %v allocations, want at most 6", name, n)
			}
		}
	})
}

func BenchmarkEagerAdd(b *testing.B) {
	x, y := benchArrays()
	loop(b, func() { x.Add(y) })
}

// loop runs f as a benchmark. It also reports the processor time per operation, which other work on
// the machine disturbs less than the elapsed time.
func loop(b *testing.B, f func()) {
	b.ReportAllocs()
	start := testcheck.CPUTime()
	for b.Loop() {
		f()
	}
	if used := testcheck.CPUTime() - start; used > 0 {
		b.ReportMetric(float64(used.Nanoseconds())/float64(b.N), "cpu-ns/op")
	}
}

func BenchmarkEagerMul(b *testing.B) {
	x, y := benchArrays()
	loop(b, func() { x.Mul(y) })
}

func BenchmarkEagerExp(b *testing.B) {
	x, _ := benchArrays()
	loop(b, func() { weft.Exp(x) })
}

func BenchmarkEagerMulNumber(b *testing.B) {
	x, _ := benchArrays()
	loop(b, func() { x.Mul(0.1) })
}

func BenchmarkEagerTanh(b *testing.B) {
	x, _ := benchArrays()
	loop(b, func() { weft.Tanh(x) })
}

func BenchmarkEagerSum(b *testing.B) {
	x, _ := benchArrays()
	loop(b, func() { x.Sum() })
}

func BenchmarkEagerIndex(b *testing.B) {
	x, _ := benchArrays()
	loop(b, func() { x.Index(1) })
}

func BenchmarkEagerGrad(b *testing.B) {
	f := weft.Grad(func(x weft.Array) weft.Array { return weft.Sin(x).Mul(x).Sum() })
	x, _ := benchArrays()
	loop(b, func() { f(x) })
}

func BenchmarkCarryUpdate(b *testing.B) {
	f := weft.Jit(func(x weft.Array) weft.Array {
		return weft.ForI(10000, func(i, x weft.Array) weft.Array { return x.At(i).Set(i) }, x)
	})
	x := weft.Zeros(1_000_000)
	loop(b, func() { f(x) })
}

func BenchmarkDonatedUpdate(b *testing.B) {
	f := weft.Jit(func(x, i weft.Array) weft.Array { return x.At(i).Set(1.) }, weft.Donate(0))
	x, i := weft.Zeros(1_000_000).Add(1), weft.Scalar(int32(3))
	loop(b, func() { x = f(x, i) })
}

// BenchmarkTraceToChecked traces a chain of a million multiplications, written
// with the façade's operators ten calls deep, and checks the program.
func BenchmarkTraceToChecked(b *testing.B) {
	const n = 1_000_000
	for name, locations := range map[string]bool{"located": true, "bare": false} {
		b.Run(name, func(b *testing.B) {
			trace.Locations.Store(locations)
			defer trace.Locations.Store(true)
			start := testcheck.CPUTime()
			for b.Loop() {
				ir, err := weft.Jaxpr(deep(n, 10), weft.Zeros(4))
				if err != nil {
					b.Fatal(err)
				}
				if err := jaxpr.Check(ir); err != nil {
					b.Fatal(err)
				}
			}
			total := float64(n) * float64(b.N)
			b.ReportMetric(total/b.Elapsed().Seconds(), "equations/s")
			if used := testcheck.CPUTime() - start; used > 0 {
				b.ReportMetric(total/used.Seconds(), "equations/cpu-s")
			}
		})
	}
}

func deep(n, depth int) func(weft.Array) weft.Array {
	if depth > 0 {
		f := deep(n, depth-1)
		return func(x weft.Array) weft.Array { return f(x) }
	}
	return func(x weft.Array) weft.Array {
		for range n {
			x = x.Mul(1.5)
		}
		return x
	}
}
