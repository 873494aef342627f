package device

import (
	"errors"
	"slices"
	"sync"
)

// Grapher is a driver that submits several launches to the device at once.
type Grapher interface {
	// Graph prepares launches that run one after the other. Its error is an
	// [errors.ErrUnsupported] where that is never possible.
	Graph(ls []Launch) (Graph, error)
}

// A Launch is a kernel with its operands.
type Launch struct {
	Kernel  Kernel
	Groups  int
	Buffers []Place
	Symbols []int64
}

// A Graph is launches that are prepared. One goroutine uses it at once.
type Graph interface {
	// Set replaces the operands of launch i.
	Set(i int, l Launch) error

	// Run submits the launches to the device.
	Run() error
}

// The least and the greatest number of launches of a graph.
const (
	leastGraph = 4
	mostGraph  = 4096
)

// graphs is what a program that is called again keeps prepared. A run records its
// launches; those whose memory is not that of the run before are replaced.
type graphs struct {
	mu       sync.Mutex
	fits     bool // the host takes no part in a run
	calls    int
	launches []Launch // of graph, as they are
	graph    Graph
}

// recording is the launches of a run.
type recording struct{ launches []Launch }

func (r *recording) add(k Kernel, groups int, places []Place, symbols []int64) {
	r.launches = append(r.launches, Launch{k, groups, slices.Clone(places), slices.Clone(symbols)})
}

// run runs a program: by a graph from the second call on, if the driver has graphs and
// the program fits.
func (g *graphs) run(p *program, x *execution, in, want []view) ([]view, error) {
	d, ok := p.e.driver.(Grapher)
	if !ok {
		return p.into(x, in, want)
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.calls++; g.calls == 1 || !g.fits {
		return p.into(x, in, want)
	}
	x.record = &recording{}
	got, err := p.into(x, in, want)
	if err != nil {
		return nil, err
	}
	now := x.record.launches
	x.record = nil
	if g.graph == nil {
		g.graph, err = d.Graph(now)
		if errors.Is(err, errors.ErrUnsupported) {
			g.fits = false
			return got, give(p.e.driver, now)
		}
		if err != nil {
			return nil, err
		}
	} else {
		for i, l := range now {
			if !slices.Equal(l.Buffers, g.launches[i].Buffers) {
				if err := g.graph.Set(i, l); err != nil {
					g.graph = nil
					return nil, err
				}
			}
		}
	}
	g.launches = now
	return got, g.graph.Run()
}

// give submits launches to the device one by one.
func give(d Driver, ls []Launch) error {
	for _, l := range ls {
		if err := d.Launch(l.Kernel, l.Groups, l.Buffers, l.Symbols); err != nil {
			return err
		}
	}
	return nil
}
