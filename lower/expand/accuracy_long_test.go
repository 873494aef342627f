//go:build long

package expand_test

import (
	"runtime"
	"sync"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/test/accuracy"
)

// All 2³² f32, in as many pieces as there are processors: one to ten minutes a function
// and processor.
func TestAllFloat32(t *testing.T) {
	for _, f := range accuracy.Functions() {
		t.Run(f.Name, func(t *testing.T) {
			r := inPieces(accuracy.Parts, f.Float32Part)
			hold(t, f.Name, core.Float32, r)
			if r.N != 1<<32 {
				t.Errorf("looked at %d arguments", r.N)
			}
			t.Logf("%.4f ulp at %g", r.Max, r.At)
		})
	}
}

// inPieces measures n pieces, each processor one at a time.
func inPieces(n int, measure func(k int) accuracy.Result) accuracy.Result {
	parts := make([]accuracy.Result, n)
	free := make(chan struct{}, runtime.GOMAXPROCS(0))
	var wg sync.WaitGroup
	for k := range n {
		free <- struct{}{}
		wg.Go(func() {
			parts[k] = measure(k)
			<-free
		})
	}
	wg.Wait()
	return accuracy.Join(parts...)
}

// 10⁷ f64.
func TestLongFloat64(t *testing.T) {
	for _, f := range accuracy.Functions() {
		t.Run(f.Name, func(t *testing.T) {
			hold(t, f.Name, core.Float64, inPieces(100, func(k int) accuracy.Result { return f.Float64(1e5, uint64(k)) }))
		})
	}
}

// 10⁸ pairs of f32 and 10⁷ of f64.
func TestLongPairs(t *testing.T) {
	for _, f := range accuracy.BinaryFunctions() {
		t.Run(f.Name, func(t *testing.T) {
			hold(t, f.Name, core.Float32, inPieces(1000, func(k int) accuracy.Result { return f.Measure(core.Float32, 1e5, uint64(k)) }))
			hold(t, f.Name, core.Float64, inPieces(100, func(k int) accuracy.Result { return f.Measure(core.Float64, 1e5, uint64(k)) }))
		})
	}
}
