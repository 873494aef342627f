package trace_test

import (
	goruntime "runtime"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/trace"
)

// chain records n multiplications, ten calls deep.
func chain(n, depth int) *jaxpr.Jaxpr {
	if depth > 0 {
		return chain(n, depth-1)
	}
	return trace.Stage("chain", []core.ShapedArray{f32}, func(in []val) []val {
		x := in[0]
		for range n {
			x = prim.Mul(x, litF(1.5))
		}
		return []val{x}
	})
}

func benchmarkChain(b *testing.B, locations bool) {
	trace.Locations.Store(locations)
	defer trace.Locations.Store(true)
	const n = 1_000_000
	var j *jaxpr.Jaxpr
	for b.Loop() {
		j = nil
		j = chain(n, 10)
	}
	b.StopTimer()
	var before, after goruntime.MemStats
	goruntime.GC()
	goruntime.ReadMemStats(&after)
	goruntime.KeepAlive(j)
	j = nil
	goruntime.GC()
	goruntime.ReadMemStats(&before)
	b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/n, "B/equation")
	b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "equations/s")
}

func BenchmarkTraceWithLocations(b *testing.B)    { benchmarkChain(b, true) }
func BenchmarkTraceWithoutLocations(b *testing.B) { benchmarkChain(b, false) }
