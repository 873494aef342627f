//go:build (linux || windows) && (amd64 || arm64)

package cuda

import (
	"sync"

	"github.com/weft-go/weft/runtime/cuda/internal/cu"
	"github.com/weft-go/weft/runtime/device"
)

// garbage contains objects of the driver whose owners the collector found unreachable. Kernels that use them may still
// run, and the collector's goroutine must not wait. So a later call destroys them, when a mark after the kernels is over.
type garbage struct {
	mu     sync.Mutex
	found  refuse      // since the latest sweep
	doomed refuse      // what is destroyed when mark is over
	mark   device.Mark // 0: nothing is doomed
}

// refuse lists objects that have to be destroyed.
type refuse struct {
	graphs  []objects // destroyed before modules: a graph uses the modules of its kernels
	modules []cu.Handle
	memory  []uintptr
}

func (r *refuse) empty() bool { return len(r.graphs)+len(r.modules)+len(r.memory) == 0 }

// add calls f to append to what was found.
func (g *garbage) add(f func(r *refuse)) {
	g.mu.Lock()
	f(&g.found)
	g.mu.Unlock()
}

// sweep destroys what was doomed if its mark is over, and dooms what was found since: the commands that use it have been given,
// and so precede the next mark. The caller has called Enter.
func (d *driver) sweep() {
	g := &d.garbage
	g.mu.Lock()
	var over refuse
	if g.mark > 0 {
		if is, err := d.marks.done(g.mark); is && err == nil {
			over, g.doomed, g.mark = g.doomed, refuse{}, 0
		}
	}
	if g.mark == 0 && !g.found.empty() {
		g.doomed, g.found, g.mark = g.found, refuse{}, d.Last()+1
	}
	g.mu.Unlock()
	d.destroy(&over)
}

// sweepAll waits for all commands and destroys all garbage. The caller has called Enter.
func (d *driver) sweepAll() error {
	for range 2 { // what was doomed, then what was found
		m, err := d.marks.add()
		if err == nil {
			err = d.marks.wait(m)
		}
		if err != nil {
			return err
		}
		d.sweep()
	}
	return nil
}

// destroy destroys objects that no command uses. Errors mean that the context is lost, and the objects with it.
func (d *driver) destroy(r *refuse) {
	for _, o := range r.graphs {
		_ = d.l.DestroyGraph(o.graph, o.instance)
		if o.stop != 0 {
			d.Free(o.stop)
		}
	}
	for _, m := range r.modules {
		_ = d.l.Unload(m)
	}
	for _, p := range r.memory {
		_ = d.l.Free(p)
	}
}
