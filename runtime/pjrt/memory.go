package pjrt

import (
	"errors"
	goruntime "runtime"
	"runtime/metrics"
	"sync/atomic"
	"time"

	"github.com/weft-go/weft/runtime/pjrt/internal/capi"
)

// For Go's collector an array whose elements are in a plugin's memory is small, and the collector
// runs only when Go's own heap has grown. So a client counts bytes. It starts a collection when as
// many were added as were in use after the latest one, in Go's heap and by arrays, and at least
// leastGiven. The collector itself would do so if arrays lay in Go's heap. Memory that is freed
// soon is still in the processor's caches when the next result gets it.

// accounting counts the bytes of a client's buffers.
type accounting struct {
	used       atomic.Int64
	given      atomic.Int64 // added since the latest collection, without results in the memory of donated arguments
	live       atomic.Int64 // in use after the latest collection, with Go's heap
	collecting atomic.Bool
}

// leastGiven is the least number of bytes that are added between collections.
const leastGiven = 16 << 20

// heap returns the bytes of Go's heap that were in use after the collector's latest run.
func heap() int64 {
	m := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	if metrics.Read(m); m[0].Value.Kind() != metrics.KindUint64 {
		return 0
	}
	return int64(m[0].Value.Uint64())
}

// add counts bytes that are added, or freed if n is negative. It starts a collection that is due.
func (m *accounting) add(n int) {
	m.used.Add(int64(n))
	if n > 0 && m.given.Add(int64(n)) >= max(m.live.Load(), leastGiven) && m.collecting.CompareAndSwap(false, true) {
		m.given.Store(0)
		go func() {
			collect()
			m.live.Store(m.used.Load() + heap())
			m.collecting.Store(false)
		}()
	}
}

// collect runs the collector, and gives cleanups time to free the buffers that are garbage: cleanups run
// in any order, and collect waits for one of its own, for at most 20 ms.
func collect() {
	done := make(chan struct{})
	goruntime.AddCleanup(new([4]int), func(done chan struct{}) { close(done) }, done)
	goruntime.GC()
	select {
	case <-done:
	case <-time.After(20 * time.Millisecond):
	}
}

// within calls f, which needs memory. If the plugin runs out of memory, f is called again after a
// collection.
func (d *device) within(f func() (capi.Handle, error)) (capi.Handle, error) {
	h, err := f()
	var e *capi.Error
	if errors.As(err, &e) && e.OutOfMemory() {
		collect()
		h, err = f()
	}
	return h, d.explain(err)
}
