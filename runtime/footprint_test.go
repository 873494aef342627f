package runtime_test

import (
	goruntime "runtime"
	"testing"
	"time"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/runtime"
	"github.com/weft-go/weft/trace"
)

// The estimate of a program's memory is within a factor of two of what it occupies on the
// reference executor.
func TestFootprint(t *testing.T) {
	heap := func() int64 {
		var m goruntime.MemStats
		for range 20 { // cleanups run some time after a collection
			before := m.HeapAlloc
			goruntime.GC()
			time.Sleep(time.Millisecond)
			if goruntime.ReadMemStats(&m); m.HeapAlloc == before {
				break
			}
		}
		return int64(m.HeapAlloc)
	}
	x := runtime.New(core.Aval(core.Float32, 8))
	runtime.WithSettings(func(s *runtime.Settings) { s.Executor = runtime.Reference }, func() {
		for _, n := range []int{1, 10, 100, 1000} {
			var programs []*jaxpr.Jaxpr
			before := heap()
			const count = 20
			for range count {
				j := trace.Stage("f", []core.ShapedArray{x.Aval()}, func(in []core.Value) []core.Value {
					for i := range n {
						if i%2 == 0 {
							in = []core.Value{prim.Mul(in[0], in[0])}
						} else {
							in = []core.Value{prim.Neg(in[0])}
						}
					}
					return in
				})
				core.Bind(&jaxpr.Jit{Fn: "f", Jaxpr: j}, x)
				programs = append(programs, j)
			}
			got := (heap() - before) / count
			_, estimate := runtime.Footprint(programs[0])
			if estimate < got/2 || estimate > got*2 {
				t.Errorf("%s: the estimate is %d bytes, the program occupies %d", core.Count(n, "equation"), estimate, got)
			}
			goruntime.KeepAlive(programs)
		}
	})
}
