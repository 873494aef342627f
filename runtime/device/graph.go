package device

import (
	"context"
	"errors"
	"slices"

	"github.com/weft-go/weft/runtime"
)

// Grapher is a driver that submits several launches to the device at once.
type Grapher interface {
	// Graph prepares launches that run one after the other. If that is never possible, its
	// error is an [errors.ErrUnsupported].
	Graph(ls []Launch) (Graph, error)
}

// A Looper is a Grapher whose graphs may contain loops and branches.
type Looper interface {
	Grapher

	// Loops reports whether the device has such graphs.
	Loops() bool
}

// A Launch is a kernel with its operands, a copy, or a mark of launches that run conditionally. A copy has neither a kernel nor
// a Control, and copies Symbols[0] bytes from Buffers[0] to Buffers[1]; graphs contain none.
type Launch struct {
	Kernel  Kernel
	Groups  int
	Buffers []Place
	Symbols []int64
	Control Control
}

// Control is what a launch without a kernel means for those that follow it.
type Control uint8

// The launches between a Repeat or an If and its End run if the bytes of the buffers of the Repeat or If are all 1. Those after a
// Repeat run again as long as the bytes of the buffers of its End are all 1. Kernels and copies have Always.
const (
	Always Control = iota
	Repeat
	If
	End
)

// A Graph is a sequence of launches that are prepared. Only one goroutine may use it at a time.
type Graph interface {
	// Set replaces the operands of launch i.
	Set(i int, l Launch) error

	// Run submits the launches to the device.
	Run() error

	// Stop ends the loops of the latest run, and of earlier ones that are not over. Their results are lost. Later runs are not affected.
	Stop() error
}

// The least and the greatest number of launches of a graph.
const (
	leastGraph = 4
	mostGraph  = 4096
)

// replay is what a program keeps from run to run: the script that the first run records,
// and the graph that this run or the next one makes of the script.
type replay struct {
	fits   bool // the host takes no part in a run, and the launches are few enough for a script
	graphs bool // the launches are submitted as a graph: the driver makes graphs, and the number of launches suits one
	loops  bool // among the launches are loops or branches, so that the first run makes the graph

	turn   chan struct{} // holds its one element while a call uses the fields below
	script *script
	graph  Graph
	ran    Mark // after the latest run of loops whose context cannot end; 0: there was none, or it is over
	same   []int
	taken  []taken // by slot that a run allocates
}

// wait waits for the calls of other goroutines, until the context ends: the call of one with loops may be long.
func (g *replay) wait(ctx context.Context) error {
	select {
	case g.turn <- struct{}{}:
		return nil
	case <-ctx.Done():
	}
	if err := runtime.Ended(ctx); err != nil {
		return err
	}
	g.turn <- struct{}{} // a context without an error has not ended
	return nil
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
	if err := g.wait(x.ctx); err != nil {
		return nil, err
	}
	defer func() { <-g.turn }()
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
	s := g.script
	defer s.settle()
	if err := g.give(x.ctx, p.e.driver, s.launches, s.changed); err != nil {
		return nil, err
	}
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
	g.graph = nil
	switch {
	case err != nil:
	case g.loops:
		err = g.give(x.ctx, p.e.driver, r.launches, nil)
	default:
		err = launchAll(x.ctx, p.e.driver, r.launches)
	}
	if err != nil {
		r.drop(nil)
		g.script, g.graph = nil, nil
		return nil, err
	}
	for _, v := range out {
		got = append(got, r.original(v))
	}
	g.script = r.finish(out)
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

// give submits launches to the device. Those that have changed since the run before are given by number. If there are loops
// among them and the context can end, give waits until the device has run them, or the context ends.
func (g *replay) give(ctx context.Context, d Driver, ls []Launch, changed []int) error {
	if !g.graphs {
		return launchAll(ctx, d, ls)
	}
	for _, i := range changed {
		if g.graph == nil {
			break
		}
		if err := g.graph.Set(i, ls[i]); err != nil {
			g.graph = nil // made anew: now if there are loops, whose nodes a driver may be unable to change, else by the next run
			if g.loops {
				break
			}
			return err
		}
	}
	if g.graph == nil {
		graph, err := d.(Grapher).Graph(ls)
		switch {
		case errors.Is(err, errors.ErrUnsupported):
			g.graphs = false
			return launchAll(ctx, d, ls)
		case err != nil:
			return err
		}
		g.graph = graph
	}
	ends := g.loops && ctx.Done() != nil
	if ran := g.ran; ends && ran > 0 { // Stop would end the loops of that run, too
		if err := until(ctx, func() error { return d.Wait(ran) }); err != nil {
			return err
		}
		g.ran = 0
	}
	if err := g.graph.Run(); err != nil || !g.loops {
		return err
	}
	mark, err := d.Mark()
	switch {
	case err != nil:
	case ends:
		err = until(ctx, func() error { return d.Wait(mark) })
	default:
		g.ran = mark
	}
	if err != nil && ctx.Err() != nil {
		err = errors.Join(err, g.graph.Stop())
	}
	return err
}

// launchAll submits launches to the device one by one, until the context ends. The host asks whether conditions hold.
func launchAll(ctx context.Context, d Driver, ls []Launch) error {
	for i := 0; i < len(ls); i++ {
		if err := runtime.Ended(ctx); err != nil {
			return err
		}
		l := &ls[i]
		var err error
		switch {
		case l.Control != Always:
			end := i + endOf(ls[i:])
			err = l.conditionally(ctx, d, ls[i+1:end], &ls[end])
			i = end
		case l.Kernel == nil:
			err = d.Copy(l.Buffers[1].Memory, l.Buffers[1].Offset, l.Buffers[0].Memory, l.Buffers[0].Offset, int(l.Symbols[0]))
		default:
			err = d.Launch(l.Kernel, l.Groups, l.Buffers, l.Symbols)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// endOf returns the number of the End of the Repeat or If that launch 0 is.
func endOf(ls []Launch) int {
	open := 0
	for i, l := range ls {
		switch l.Control {
		case Repeat, If:
			open++
		case End:
			open--
		}
		if open == 0 {
			return i
		}
	}
	panic("BUG: a loop has no end")
}

// conditionally submits the launches between l, a Repeat or an If, and its end.
func (l *Launch) conditionally(ctx context.Context, d Driver, ls []Launch, end *Launch) error {
	for asked := l; ; asked = end {
		is, err := asked.holds(ctx, d)
		if err != nil || !is {
			return err
		}
		if err := launchAll(ctx, d, ls); err != nil || l.Control == If {
			return err
		}
	}
}

// holds reports whether the bytes of the buffers are all 1. It waits for the commands that compute them.
func (l *Launch) holds(ctx context.Context, d Driver) (bool, error) {
	mark, err := d.Mark()
	if err != nil {
		return false, err
	}
	if err := until(ctx, func() error { return d.Wait(mark) }); err != nil {
		return false, err
	}
	for _, b := range l.Buffers {
		var flag [1]byte
		if err := d.Read(flag[:], b.Memory, b.Offset); err != nil || flag[0] == 0 {
			return false, err
		}
	}
	return true, nil
}
