package device

import (
	"context"
	goruntime "runtime"
	"slices"
	"sync"

	"github.com/weft-go/weft/lower/fuse"
	"github.com/weft-go/weft/lower/simt"
	"github.com/weft-go/weft/runtime"
)

// execution is one run of a program and of the programs in its loops.
type execution struct {
	ctx  context.Context
	e    *executor
	name []byte // for a profiler, with a zero at the end

	clock   *clock // measures steps; nil: they are not measured
	entered bool
	ranges  Ranger    // nil: no profiler runs
	guard   view      // of kernels in guarded programs; without memory elsewhere
	held    []*piece  // memory that goes back when all commands have been given
	record  *recorder // records commands, which are not given then; nil: they are given
	places  []Place
}

// release gives back the pieces that the run holds beyond the first n. Commands that use them
// have been given.
func (x *execution) release(n int) {
	for _, p := range x.held[n:] {
		if x.record != nil {
			x.record.free(p)
		} else {
			p.release()
		}
	}
	x.held = x.held[:n]
}

// alloc returns memory that goes back to the pool, or to the recorder, once it is released or garbage.
func (x *execution) alloc(bytes int) (view, error) {
	var p *piece
	var err error
	if x.record != nil {
		p, err = x.record.alloc(&x.e.pool, bytes)
	} else {
		p, err = x.e.pool.alloc(bytes)
	}
	return view{p: p}, err
}

// scratch returns memory for as long as the run lasts, unless it is released before.
func (x *execution) scratch(bytes int) (view, error) {
	v, err := x.alloc(bytes)
	if err == nil {
		x.held = append(x.held, v.p)
	}
	return v, err
}

type launch struct {
	kernel Kernel
	groups int
	most   int64 // the greatest number of groups
	f      *simt.Func
}

// launch launches a kernel on memory. A guarded kernel takes the guard as its last buffer.
func (x *execution) launch(l *launch, guarded bool, views []view, symbols ...int64) error {
	groups := l.groups
	if len(symbols) > 0 && len(l.f.Values) > 0 {
		symbols = slices.Concat(symbols, l.f.Values)
	}
	if len(symbols) == 0 {
		symbols = l.f.Values
	} else {
		groups = int(min(l.f.Groups(symbols), l.most))
	}
	if groups == 0 {
		return nil
	}
	if guarded {
		views = append(views, x.guard)
	}
	if x.record != nil {
		x.record.add(l.kernel, groups, views, symbols)
		return nil
	}
	x.places = x.places[:0]
	for _, v := range views {
		x.places = append(x.places, v.place())
	}
	return x.e.driver.Launch(l.kernel, groups, x.places, symbols)
}

// copy copies n bytes: by the driver's command or, where a guard decides whether it runs or it is part
// of a graph, by a kernel.
func (p *program) copy(x *execution, dst, src view, n int) error {
	if n == 0 || dst == src {
		return nil
	}
	guarded := x.guard.p != nil
	switch {
	case guarded || x.record != nil && p.copies[0] != nil:
	case x.record != nil:
		x.record.add(nil, 0, []view{src, dst}, []int64{int64(n)})
		return nil
	default:
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
	if err := runtime.CheckCounts(len(p.plan.Ins), len(p.plan.Outs), args, outs); err != nil {
		return err
	}
	c := invocations.Get().(*invocation)
	defer c.end()
	for _, a := range args {
		v, err := p.e.at(ctx, a)
		if err != nil {
			return err
		}
		c.in = append(c.in, v)
	}
	mark, err := c.give(ctx, p, outs)
	if err != nil {
		return err
	}
	for i, v := range c.got {
		if outs[i] == nil {
			outs[i] = p.e.array(p.types[i], v, mark)
			p.e.pool.describe(v.p.block, p.origins[i])
		} else if err := p.deliver(ctx, outs[i], v, mark); err != nil {
			return err
		}
	}
	p.releaseDonated(c.in)
	goruntime.KeepAlive(args)
	return nil
}

// deliver copies a result, which is there after the mark, to an array that the caller has.
func (p *program) deliver(ctx context.Context, to *runtime.Array, v view, mark Mark) error {
	if b, ok := to.Buffer().(*buffer); ok && b.e == p.e {
		return nil // the elements are there
	}
	if data := to.Tensor().Data; len(data) > 0 {
		return p.e.read(ctx, data, v, mark)
	}
	return nil
}

// read waits for a mark and copies from the device. The caller keeps the memory until it
// returns; if the context ends first, nothing is copied.
func (e *executor) read(ctx context.Context, data []byte, v view, mark Mark) error {
	if err := until(ctx, func() error { return e.driver.Wait(mark) }); err != nil {
		return err
	}
	return e.driver.Read(data, v.p.m, v.offset)
}

// read waits for the commands given so far and copies from the device.
func (x *execution) read(data []byte, v view) error {
	mark, err := x.e.driver.Mark()
	if err != nil {
		return err
	}
	return x.e.read(x.ctx, data, v, mark)
}

// invocation is the memory of a call. Calls reuse it.
type invocation struct {
	x             execution
	in, want, got []view
}

var invocations = sync.Pool{New: func() any { return new(invocation) }}

func (c *invocation) end() {
	clear(c.in)
	clear(c.want)
	clear(c.got)
	c.in, c.want, c.got = c.in[:0], c.want[:0], c.got[:0]
	c.x = execution{held: c.x.held[:0], places: c.x.places[:0]}
	invocations.Put(c)
}

// give submits all commands of a run to the device. It sets got to the memory of the results,
// and returns the mark after which they are there.
func (c *invocation) give(ctx context.Context, p *program, outs []*runtime.Array) (Mark, error) {
	x := &c.x
	x.ctx, x.e, x.name = ctx, p.e, p.name
	if err := x.enter(); err != nil {
		return 0, err
	}
	defer x.leave()
	defer x.release(0)
	wanted := false
	for _, a := range outs {
		var v view
		if a != nil {
			if b, ok := a.Buffer().(*buffer); ok && b.e == p.e {
				var err error
				if v, err = b.use(); err != nil {
					return 0, err
				}
				wanted = true
			}
		}
		c.want = append(c.want, v)
	}
	var err error
	if wanted {
		c.got, err = p.into(x, c.in, c.want)
	} else {
		c.got, err = p.replay.run(p, x, c.in, c.got)
	}
	if err != nil {
		return 0, err
	}
	return p.e.driver.Mark()
}

// releaseDonated gives back the memory of donated arguments in which no other array lies, not
// even a result. Later commands may use it, since commands run in order.
func (p *program) releaseDonated(in []view) {
	for i, is := range p.donated {
		if is && in[i].p.users.CompareAndSwap(1, 0) {
			in[i].p.release()
		}
	}
}

// into runs the program on arguments. A result lies in the view of want if that has memory,
// else in new memory, or where an argument, a constant or a literal lies.
func (p *program) into(x *execution, args, want []view) ([]view, error) {
	f := &frame{p: p, views: make([]view, len(p.plan.Values))}
	results := make([]view, len(want))
	var arena view
	if p.plan.Arena > 0 {
		var err error
		defer x.release(len(x.held)) // later commands may use it
		if arena, err = x.scratch(p.plan.Arena); err != nil {
			return nil, err
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
					if results[v.Index], err = x.alloc(v.Bytes()); err != nil {
						return nil, err
					}
				}
			}
			f.views[id] = results[v.Index]
		}
	}
	for i, s := range p.steps {
		err := runtime.Ended(x.ctx)
		switch {
		case err != nil:
		case x.clock != nil:
			err = x.clock.run(p, i, x, f)
		default:
			err = s.run(x, f)
		}
		if err != nil {
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

// registerLoop runs a loop whose arrays are in registers, in one or more launches, so that it
// can be cancelled between them.
type registerLoop struct {
	*kernelStep
	loop  *fuse.RegisterLoop
	zeros view // zero bytes, as many as the largest value of loop.Zero has; without memory if there is none
}

// record records the loop: its launches repeat until the first byte of more is 0.
func (s *registerLoop) record(x *execution, f *frame, more view) error {
	if err := s.kernelStep.run(x, f); err != nil {
		return err
	}
	x.record.append(Launch{Control: Repeat}, more)
	if err := s.kernelStep.run(x, f); err != nil {
		return err
	}
	x.record.append(Launch{Control: End}, more)
	return nil
}

func (s *registerLoop) run(x *execution, f *frame) error {
	for _, c := range s.loop.Copies {
		if err := f.p.copy(x, f.views[c[0]], f.views[c[1]], f.p.plan.Values[c[0]].Bytes()); err != nil {
			return err
		}
	}
	for _, id := range s.loop.Zero {
		if err := f.p.copy(x, f.views[id], s.zeros, f.p.plan.Values[id].Bytes()); err != nil {
			return err
		}
	}
	if isCounted(s.loop) {
		for range s.loop.Launches {
			if err := s.kernelStep.run(x, f); err != nil {
				return err
			}
			if err := runtime.Ended(x.ctx); err != nil {
				return err
			}
		}
		return nil
	}
	more := f.views[s.loop.More]
	if x.record != nil {
		return s.record(x, f, more)
	}
	var flag [1]byte
	for {
		if err := s.kernelStep.run(x, f); err != nil {
			return err
		}
		if err := x.read(flag[:], more); err != nil {
			return err
		}
		if flag[0] == 0 {
			return nil
		}
		if err := runtime.Ended(x.ctx); err != nil {
			return err
		}
	}
}

// enter enters the driver and begins the range of the call, if a profiler runs.
func (x *execution) enter() error {
	if err := x.e.driver.Enter(); err != nil {
		return err
	}
	x.entered = true
	if r, ok := x.e.driver.(interface{ Ranges() Ranger }); ok {
		if x.ranges = r.Ranges(); x.ranges != nil {
			x.ranges.Begin(x.name)
		}
	}
	return nil
}

// leave ends what enter began, unless it failed.
func (x *execution) leave() {
	if !x.entered {
		return
	}
	x.entered = false
	if x.ranges != nil {
		x.ranges.End()
	}
	x.e.driver.Leave()
}

// outside calls f, which runs the user's code, between leave and another enter: user code may use other devices, change
// the thread's state in drivers, panic, and take any time.
func (x *execution) outside(f func() error) (err error) {
	x.leave()
	defer func() {
		if entered := x.enter(); err == nil {
			err = entered
		}
	}()
	return f()
}

// call runs an equation on the reference executor.
type call struct {
	step runtime.Step
	call *fuse.Call
}

func (c *call) run(x *execution, f *frame) error {
	in, outs := make([]*runtime.Array, len(c.call.In)), make([]*runtime.Array, len(c.call.Out))
	mark, err := x.e.driver.Mark()
	if err != nil {
		return err
	}
	for i, id := range c.call.In {
		in[i] = x.e.array(f.p.plan.Values[id].Type, f.views[id], mark)
	}
	err = x.outside(func() error {
		if err := c.step.Run(x.ctx, in, outs); err != nil {
			return err
		}
		for i, id := range c.call.Out {
			if id < 0 {
				continue
			}
			if outs[i], err = runtime.Reference.Place(x.ctx, outs[i]); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	for i, id := range c.call.Out {
		if id < 0 {
			continue
		}
		h := outs[i]
		if data := h.Tensor().Data; len(data) > 0 {
			if err := x.e.driver.Write(f.views[id].p.m, f.views[id].offset, data); err != nil {
				return err
			}
		}
	}
	return nil
}
