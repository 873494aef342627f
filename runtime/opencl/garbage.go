//go:build (linux || darwin || windows) && (amd64 || arm64)

package opencl

import (
	goruntime "runtime"
	"sync"

	"github.com/weft-go/weft/runtime/internal/codecache"
	"github.com/weft-go/weft/runtime/opencl/internal/cl"
)

// garbage contains the driver's objects whose owners the collector found unreachable. The next launch, mark
// or allocation releases them. The collector's goroutine would release them concurrently with commands, and
// there are drivers (Oclgrind) that count references without a lock.
type garbage struct {
	mu       sync.Mutex
	kernels  []cl.Handle
	programs []cl.Handle
	memory   []cl.Handle
}

// watchKernel arranges that a kernel that nothing refers to is released.
func (g *garbage) watchKernel(k *kernel) {
	goruntime.AddCleanup(k, func(h cl.Handle) { g.add(&g.kernels, h) }, k.handle)
}

// watchModule arranges that a program that no kernel refers to is released and forgotten.
func (d *driver) watchModule(m *module, key codecache.Key) {
	goruntime.AddCleanup(m, func(h cl.Handle) {
		d.modules.Forget(key)
		d.garbage.add(&d.garbage.programs, h)
	}, m.handle)
}

func (g *garbage) add(list *[]cl.Handle, h cl.Handle) {
	g.mu.Lock()
	*list = append(*list, h)
	g.mu.Unlock()
}

// release releases what the collector found. The caller has locked d.mu.
func (d *driver) release() {
	g := &d.garbage
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, h := range g.kernels {
		cl.ReleaseKernel(h)
	}
	for _, h := range g.programs {
		cl.ReleaseProgram(h)
	}
	for _, h := range g.memory {
		cl.Release(h)
	}
	if len(g.memory) > 0 {
		d.epoch++ // other memory may get a handle that is free now
	}
	g.kernels, g.programs, g.memory = g.kernels[:0], g.programs[:0], g.memory[:0]
}
