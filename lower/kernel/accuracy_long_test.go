//go:build long

package kernel_test

import (
	"runtime"
	"sync"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lower/kernel/internal/accuracy"
)

// All 2³² f32, in as many pieces as there are processors. Some minutes a function.
func TestAllFloat32(t *testing.T) {
	for _, f := range accuracy.Functions() {
		t.Run(f.Name, func(t *testing.T) {
			hold(t, f.Name, core.Float32, allFloat32(f))
		})
	}
}

func allFloat32(f accuracy.Function) accuracy.Result {
	n := runtime.GOMAXPROCS(0)
	parts := make([]accuracy.Result, n)
	var wg sync.WaitGroup
	for k := range n {
		wg.Go(func() { parts[k] = f.Float32(uint64(k), uint64(n), 1<<32) })
	}
	wg.Wait()
	return accuracy.Join(parts...)
}

func TestLongFloat64(t *testing.T) {
	for _, f := range accuracy.Functions() {
		t.Run(f.Name, func(t *testing.T) {
			n := 200000
			if f.Slow {
				n = 10000
			}
			hold(t, f.Name, core.Float64, f.Float64(n, 11))
		})
	}
	for _, f := range accuracy.BinaryFunctions() {
		t.Run(f.Name, func(t *testing.T) {
			hold(t, f.Name, core.Float32, f.Measure(core.Float32, 200000, 11))
			hold(t, f.Name, core.Float64, f.Measure(core.Float64, 200000, 11))
		})
	}
}
