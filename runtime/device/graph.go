package device

import (
	"context"
	"errors"
	"slices"
	"sync"

	"github.com/weft-go/weft/runtime"
)

// Grapher is a driver that submits several launches to the device at once.
type Grapher interface {
	// Graph prepares launches that run one after the other. If that is never possible, its
	// error is an [errors.ErrUnsupported].
	Graph(ls []Launch) (Graph, error)
}

// A Launch is a kernel with its operands.
type Launch struct {
	Kernel  Kernel
	Groups  int
	Buffers []Place
	Symbols []int64
}

// A Graph is a sequence of launches that are prepared. Only one goroutine may use it at a time.
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

// replay is what a program keeps from run to run: the script that the first run records,
// and the graph that the second run makes of the script.
type replay struct {
	fits   bool // the host takes no part in a run, and the launches are few enough for a script
	graphs bool // the launches are submitted as a graph: the driver makes graphs, and the number of launches suits one

	mu     sync.Mutex
	script *script
	graph  Graph
	same   []int
	taken  []taken // by slot that a run allocates
}

// taken is memory of a run. The piece is nil unless a result lies in the block.
type taken struct {
	*piece
	*block
}

// run runs a program on arguments. Results lie in new memory, or where an argument, a constant or a
// literal lies; they are appended to got.
func (g *replay) run(p *program, x *execution, in, got []view) ([]view, error) {
	if !g.fits {
		out, err := p.into(x, in, make([]view, len(p.plan.Outs)))
		return append(got, out...), err
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.same = sameViews(g.same[:0], in)
	if g.script == nil || !slices.Equal(g.same, g.script.same) {
		return g.first(p, x, in, got)
	}
	if err := runtime.Ended(x.ctx); err != nil {
		return nil, err
	}
	defer g.drop(&p.e.pool)
	if err := g.settle(p, in); err != nil {
		return nil, err
	}
	if err := g.give(x.ctx, p.e.driver); err != nil {
		return nil, err
	}
	s := g.script
	for _, o := range s.outs {
		switch k := o.slot - len(in); {
		case o.slot < 0:
			got = append(got, o.fixed)
		case k < 0:
			got = append(got, view{in[o.slot].p, in[o.slot].offset + o.offset})
		default:
			got = append(got, view{g.taken[k].piece, o.offset})
		}
	}
	return got, nil
}

// first runs a program step by step and keeps the script.
func (g *replay) first(p *program, x *execution, in, got []view) ([]view, error) {
	r := record(in)
	x.record = r
	out, err := p.into(x, r.args, make([]view, len(p.plan.Outs)))
	x.release(0) // what an error has left
	x.record = nil
	if err == nil {
		err = launchAll(x.ctx, p.e.driver, r.launches)
	}
	if err != nil {
		r.drop(nil)
		return nil, err
	}
	for _, v := range out {
		got = append(got, r.original(v))
	}
	g.script, g.graph = r.finish(out), nil
	return got, nil
}

// settle sets the memory of the script to that of a run.
func (g *replay) settle(p *program, in []view) error {
	s := g.script
	for i, v := range in {
		if s.same[i] == i {
			s.set(i, v.place())
		}
	}
	for k, o := range s.own {
		var t taken
		var err error
		if o.result {
			if t.piece, err = p.e.pool.alloc(o.bytes); err == nil {
				t.block = t.piece.block
			}
		} else if t.block, err = p.e.pool.lend(o.bytes, o.before); err == nil {
			s.own[k].before = t.block
		}
		if err != nil {
			return err
		}
		g.taken = append(g.taken, t)
		s.set(len(in)+k, Place{Memory: t.block.m})
	}
	return nil
}

// drop puts back the memory that only the run needed.
func (g *replay) drop(p *pool) {
	for _, t := range g.taken {
		if t.piece == nil {
			p.put(t.block)
		}
	}
	clear(g.taken)
	g.taken = g.taken[:0]
}

// give submits the launches of the script to the device.
func (g *replay) give(ctx context.Context, d Driver) error {
	s := g.script
	defer s.settle()
	if g.graphs && g.graph == nil {
		graph, err := d.(Grapher).Graph(s.launches)
		switch {
		case errors.Is(err, errors.ErrUnsupported):
			g.graphs = false
		case err != nil:
			return err
		}
		g.graph = graph
	} else if g.graph != nil {
		for _, i := range s.changed {
			if err := g.graph.Set(i, s.launches[i]); err != nil {
				g.graph = nil // made anew by the next run
				return err
			}
		}
	}
	if g.graph == nil {
		return launchAll(ctx, d, s.launches)
	}
	return g.graph.Run()
}

// launchAll submits launches to the device one by one, until the context ends.
func launchAll(ctx context.Context, d Driver, ls []Launch) error {
	for i := range ls {
		if err := runtime.Ended(ctx); err != nil {
			return err
		}
		l := &ls[i]
		var err error
		if l.Kernel == nil {
			err = d.Copy(l.Buffers[1].Memory, l.Buffers[1].Offset, l.Buffers[0].Memory, l.Buffers[0].Offset, int(l.Symbols[0]))
		} else {
			err = d.Launch(l.Kernel, l.Groups, l.Buffers, l.Symbols)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
