//go:build (linux || darwin || windows) && (amd64 || arm64)

package opencl

import (
	goruntime "runtime"
	"sync"

	"github.com/weft-go/weft/runtime/opencl/internal/cl"
)

// garbage contains the driver's objects that the collector found. The next command
// releases them: the collector's goroutine would do it beside running commands, and there are
// drivers (Oclgrind) that count references without a lock.
type garbage struct {
	mu      sync.Mutex
	kernels []cl.Handle
	events  []cl.Handle
	memory  []cl.Handle
}

// watchKernel arranges that a kernel that nothing refers to is released.
func (g *garbage) watchKernel(k *kernel) {
	goruntime.AddCleanup(k, func(h cl.Handle) { g.add(&g.kernels, h) }, k.handle)
}

// watchEvent arranges that an event that nothing refers to is released.
func (g *garbage) watchEvent(e *event) {
	goruntime.AddCleanup(e, func(h cl.Handle) { g.add(&g.events, h) }, e.handle)
}

func (g *garbage) add(list *[]cl.Handle, h cl.Handle) {
	g.mu.Lock()
	*list = append(*list, h)
	g.mu.Unlock()
}

// release releases what the collector found. The caller has locked the driver.
func (g *garbage) release() {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, h := range g.kernels {
		cl.ReleaseKernel(h)
	}
	for _, h := range g.events {
		cl.ReleaseEvent(h)
	}
	for _, h := range g.memory {
		cl.Release(h)
	}
	g.kernels, g.events, g.memory = g.kernels[:0], g.events[:0], g.memory[:0]
}
