package cpu

import (
	goruntime "runtime"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/pages"
	"github.com/weft-go/weft/runtime"
)

// Large arrays of users lie in blocks, small ones on the Go heap; both keep what is written.
func TestDataInBlocks(t *testing.T) {
	resultBytes := func() int {
		memory.mu.Lock()
		defer memory.mu.Unlock()
		return memory.results
	}
	for range 2 { // cleanups of earlier results run
		pages.Collect()
	}
	for _, c := range []struct {
		n     int
		block bool
	}{{1 << 10, false}, {2<<20 - 1, false}, {2 << 20, true}, {5 << 20, true}} {
		before := resultBytes()
		a := runtime.NewData(core.Aval(core.Uint8, c.n))
		data := a.Tensor().Data
		if got := resultBytes() > before; len(data) != c.n || got != c.block {
			t.Errorf("NewData(u8[%d]): got %d bytes, in a block: %t, want %t", c.n, len(data), got, c.block)
		}
		for i := range data {
			data[i] = byte(i * 7)
		}
		goruntime.GC()
		for i, b := range a.Tensor().Data {
			if b != byte(i*7) {
				t.Fatalf("NewData(u8[%d]): element %d is %d, want %d", c.n, i, b, byte(i*7))
			}
		}
		goruntime.KeepAlive(a)
	}
}
