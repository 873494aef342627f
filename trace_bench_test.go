package weft_test

import (
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/internal/test/testcheck"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/trace"
)

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
