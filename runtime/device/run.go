package device

import (
	"context"
	"fmt"
	goruntime "runtime"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lower/fuse"
	"github.com/weft-go/weft/lower/simt"
	"github.com/weft-go/weft/runtime"
)

// execution is one run of a program with those in its loops.
type execution struct {
	ctx    context.Context
	e      *executor
	guard  view       // of kernels in guarded programs; without memory where there is none
	held   []*piece   // memory that goes back when all commands have been given
	record *recording // commands are recorded, not given; nil: they are given
	places []Place
}

// release returns back what the run needs no more. Commands that use it have been given.
func (x *execution) release() {
	for _, p := range x.held {
		p.release()
	}
	x.held = nil
}

// scratch returns memory for as long as the run lasts.
func (x *execution) scratch(bytes int) (view, error) {
	p, err := x.e.pool.alloc(max(bytes, 1))
	if err != nil {
		return view{}, err
	}
	x.held = append(x.held, p)
	return view{p: p}, nil
}

// launch is a kernel with its number of groups.
type launch struct {
	kernel Kernel
	groups int
	f      *simt.Func
}

// launch launches a kernel on memory. A guarded one takes the guard behind.
func (x *execution) launch(l *launch, guarded bool, views []view, symbols ...int64) error {
	groups := l.groups
	if len(symbols) > 0 {
		groups = int(min(l.f.Groups(symbols), maxGroups))
	}
	if groups == 0 {
		return nil
	}
	x.places = x.places[:0]
	for _, v := range views {
		x.places = append(x.places, v.place())
	}
	if guarded {
		x.places = append(x.places, x.guard.place())
	}
	if x.record != nil {
		x.record.add(l.kernel, groups, x.places, symbols)
		return nil
	}
	return x.e.driver.Launch(l.kernel, groups, x.places, symbols)
}

// copy copies n bytes: by the driver's command or, where that would run without regard to
// a guard, by a kernel.
func (p *program) copy(x *execution, dst, src view, n int) error {
	if n == 0 || dst == src {
		return nil
	}
	guarded := x.guard.p != nil
	if !guarded && x.record == nil {
		return x.e.driver.Copy(dst.p.m, dst.offset, src.p.m, src.offset, n)
	}
	if (n|dst.offset|src.offset)%4 == 0 {
		return x.launch(p.copies[1], guarded, []view{src, dst}, int64(n/4))
	}
	return x.launch(p.copies[0], guarded, []view{src, dst}, int64(n))
}

// frame is the memory of one run of one plan.
type frame struct {
	p     *program
	views []view // by value id
}

// Run runs the program. Results are ready some time after it returns.
func (p *program) Run(ctx context.Context, args, outs []*runtime.Array) error {
	if len(args) != len(p.plan.Ins) || len(outs) != len(p.plan.Outs) {
		return fmt.Errorf("the program takes %s and has %s (got %d and %d)",
			core.Count(len(p.plan.Ins), "argument"), core.Count(len(p.plan.Outs), "result"), len(args), len(outs))
	}
	in := make([]view, len(args))
	for i, a := range args {
		var err error
		if in[i], err = p.e.at(ctx, a); err != nil {
			return err
		}
	}
	want := make([]view, len(outs))
	for i, a := range outs {
		if a != nil {
			if b, ok := a.Buffer().(*buffer); ok && b.e == p.e {
				want[i] = b.at
			}
		}
	}
	got, event, err := p.give(ctx, in, want)
	if err != nil {
		return err
	}
	types := p.plan.Program.OutAvals()
	for i, v := range got {
		switch {
		case outs[i] == nil:
			outs[i] = p.e.array(types[i], v, event)
		case want[i].p == nil: // memory of the host
			if data := outs[i].Tensor().Data; len(data) > 0 {
				if err := p.e.driver.Read(data, v.p.m, v.offset); err != nil {
					return err
				}
			}
		}
	}
	p.releaseDonated(in, got)
	goruntime.KeepAlive(args)
	return nil
}

// give submits all commands of a run to the device. It returns where the results will be, and
// the event after which they are.
func (p *program) give(ctx context.Context, in, want []view) ([]view, Event, error) {
	d := p.e.driver
	if err := d.Enter(); err != nil {
		return nil, nil, err
	}
	defer d.Leave()
	x := &execution{ctx: ctx, e: p.e}
	defer x.release()
	got, err := p.graphs.run(p, x, in, want)
	if err != nil {
		return nil, nil, err
	}
	event, err := d.Mark()
	return got, event, err
}

// releaseDonated returns back the memory of donated arguments that are no results: it is free
// for what follows, since commands run in order.
func (p *program) releaseDonated(in, got []view) {
	for i, v := range in {
		if i >= len(p.donated) || !p.donated[i] || v.p.kept.Load() {
			continue
		}
		used := false
		for _, g := range got {
			used = used || g.p == v.p
		}
		for k, other := range in {
			used = used || k != i && other.p == v.p
		}
		if !used {
			v.p.release()
		}
	}
}

// into runs the program on arguments. Results lie in want where that is memory, else in
// new memory, or where an argument or constant lies.
func (p *program) into(x *execution, args, want []view) ([]view, error) {
	f := &frame{p: p, views: make([]view, len(p.plan.Values))}
	results := make([]view, len(want))
	var arena view
	if p.plan.Arena > 0 {
		var err error
		if arena, err = x.scratch(p.plan.Arena); err != nil {
			return nil, err
		}
		if x.record == nil { // what follows in the stream may use it
			x.held = x.held[:len(x.held)-1]
			defer arena.p.release()
		}
	}
	for id := range p.plan.Values {
		switch v := &p.plan.Values[id]; v.Place {
		case fuse.Input:
			f.views[id] = args[v.Index]
		case fuse.Const:
			f.views[id] = p.consts[v.Index]
		case fuse.Literal:
			f.views[id] = p.lits[id]
		case fuse.Arena:
			f.views[id] = view{arena.p, v.Offset}
		case fuse.Result:
			if results[v.Index].p == nil {
				if results[v.Index] = want[v.Index]; want[v.Index].p == nil {
					var err error
					if results[v.Index], err = x.e.fresh(v.Type); err != nil {
						return nil, err
					}
				}
			}
			f.views[id] = results[v.Index]
		}
	}
	for _, s := range p.steps {
		if err := ended(x.ctx); err != nil {
			return nil, err
		}
		if err := s.run(x, f); err != nil {
			return nil, err
		}
	}
	out := make([]view, len(want))
	for i, id := range p.plan.Outs {
		out[i] = f.views[id]
		if want[i].p != nil && want[i] != out[i] {
			if err := p.copy(x, want[i], out[i], p.plan.Values[id].Bytes()); err != nil {
				return nil, err
			}
			out[i] = want[i]
		}
	}
	goruntime.KeepAlive(f)
	return out, nil
}

// kernelStep launches a kernel on values.
type kernelStep struct {
	*launch
	buffers []int
}

func (s *kernelStep) run(x *execution, f *frame) error {
	views := make([]view, len(s.buffers), len(s.buffers)+1)
	for i, id := range s.buffers {
		views[i] = f.views[id]
	}
	return x.launch(s.launch, x.guard.p != nil, views)
}

// spin runs a loop whose arrays are in registers, in launches that can be cancelled
// between.
type spin struct {
	*kernelStep
	spin *fuse.Spin
}

func (s *spin) run(x *execution, f *frame) error {
	d := x.e.driver
	for _, c := range s.spin.Copies {
		if err := f.p.copy(x, f.views[c[0]], f.views[c[1]], f.p.plan.Values[c[0]].Bytes()); err != nil {
			return err
		}
	}
	for _, id := range s.spin.Zero {
		v := f.views[id]
		if n := f.p.plan.Values[id].Bytes(); n > 0 {
			if err := d.Write(v.p.m, v.offset, make([]byte, n)); err != nil {
				return err
			}
		}
	}
	more := f.views[s.spin.More]
	var flag [1]byte
	for {
		if err := s.kernelStep.run(x, f); err != nil {
			return err
		}
		if err := d.Read(flag[:], more.p.m, more.offset); err != nil {
			return err
		}
		if flag[0] == 0 {
			return nil
		}
		if err := ended(x.ctx); err != nil {
			return err
		}
	}
}

// call runs an equation on the reference executor.
type call struct {
	step runtime.Step
	call *fuse.Call
}

func (c *call) run(x *execution, f *frame) error {
	in, outs := make([]*runtime.Array, len(c.call.In)), make([]*runtime.Array, len(c.call.Out))
	for i, id := range c.call.In {
		in[i] = x.e.array(f.p.plan.Values[id].Type, f.views[id], nil)
	}
	if err := c.step.Run(x.ctx, in, outs); err != nil {
		return err
	}
	for i, id := range c.call.Out {
		if id < 0 {
			continue
		}
		h, err := runtime.Reference.Place(x.ctx, outs[i])
		if err != nil {
			return err
		}
		if data := h.Tensor().Data; len(data) > 0 {
			if err := x.e.driver.Write(f.views[id].p.m, f.views[id].offset, data); err != nil {
				return err
			}
		}
	}
	return nil
}
