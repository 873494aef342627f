// Package pages keeps the process alive when memory runs out. A Go program ends if its heap cannot
// grow. So memory that grows with a user's data is either mapped outside of the heap, where
// running out is an error, or taken from the heap after [Need] has found that it is there.
package pages

import (
	"math"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"time"

	"github.com/weft-go/weft/core"
)

// Least is the size of slices from which [Need] must be called. Smaller ones fit in the memory
// that Map and Need leave free.
const Least = 1 << 20

// arena is the number of bytes by which the Go heap grows.
const arena = 64 << 20

// headroom is left free for the program's other allocations: one more arena and its bookkeeping.
const headroom = arena + 16<<20

// Need returns if the Go heap can hold a slice of n bytes, else it fails.
func Need(n int) {
	if n < Least || grows(n) {
		return
	}
	Relieve()
	if grows(n) || idle() >= uint64(n)+uint64(n)/8+4<<20 {
		return
	}
	core.Failf(core.ErrDevice, "%d MB do not fit in memory; make arrays smaller, or use fewer at once", n>>20)
}

// grows reports whether the system would let the heap grow by n bytes.
func grows(n int) bool {
	return n < math.MaxInt-2*headroom && free((n+arena-1)/arena*arena+headroom)
}

// idle returns the bytes of the heap that nothing uses. After a collection most of them usually lie together, but nothing guarantees it.
func idle() uint64 {
	s := []metrics.Sample{{Name: "/memory/classes/heap/free:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64() + s[1].Value.Uint64()
}

var relief struct {
	sync.Mutex
	list []func()
}

// OnShortage registers f to be called when memory runs out. f releases memory whose contents can
// be made again.
func OnShortage(f func()) {
	relief.Lock()
	defer relief.Unlock()
	relief.list = append(relief.list, f)
}

// Relieve collects garbage, calls the functions that were registered with OnShortage, and returns
// free memory to the system.
func Relieve() {
	Collect()
	relief.Lock()
	list := relief.list
	relief.Unlock()
	for _, f := range list {
		f()
	}
	debug.FreeOSMemory()
}

// A witness is an object whose cleanup shows that cleanups of garbage run.
type witness struct{ _ [64]byte }

// cleanupTime is how long Collect waits for cleanups, which other goroutines run.
const cleanupTime = time.Millisecond

// Collect runs the garbage collector and lets the cleanups of garbage run.
func Collect() {
	done := make(chan struct{})
	runtime.AddCleanup(new(witness), func(c chan struct{}) { close(c) }, done)
	runtime.GC()
	select {
	case <-done:
	case <-time.After(cleanupTime):
	}
	runtime.Gosched()
}
