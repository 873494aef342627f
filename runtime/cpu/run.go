package cpu

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lower/fuse"
	"github.com/weft-go/weft/runtime"
)

// execution is one run of a program and of the programs in its loops.
type execution struct {
	ctx   context.Context
	done  <-chan struct{} // of ctx
	stop  func() bool     // reports whether done is closed; products call it while they run
	space *space
	clock *clock // nil unless the steps are measured
}

var executions = sync.Pool{New: func() any {
	x := &execution{space: newSpace(1)}
	x.stop = func() bool { return runtime.Closed(x.done) }
	return x
}}

// begin returns an execution for a number of threads. The caller must end it.
func begin(ctx context.Context, threads int) *execution {
	x := executions.Get().(*execution)
	x.ctx, x.done = ctx, ctx.Done()
	if threads > 1 {
		threads = defaultThreads() // any thread of the pool may take a chunk
	}
	if len(x.space.workers) < threads {
		x.space = newSpace(threads)
	}
	return x
}

// end takes an execution back. An execution that panicked is left to the garbage collector.
func (x *execution) end() {
	x.ctx, x.done, x.clock = nil, nil, nil
	x.space.job, x.space.product, x.space.conv, x.space.transpose, x.space.rowTile = launchJob{}, productJob{}, convJob{}, transposeJob{}, rowTileJob{}
	executions.Put(x)
}

// ended returns the error of the context and its cause if it has ended.
func (x *execution) ended() error {
	if x.done == nil {
		return nil
	}
	runtime.Closed(x.done) // lets others run; a context may end before it closes its channel
	return runtime.Ended(x.ctx)
}

func (p *program) Run(ctx context.Context, args, outs []*runtime.Array) error {
	if err := runtime.CheckCounts(len(p.plan.Ins), len(p.plan.Outs), args, outs); err != nil {
		return err
	}
	x := begin(ctx, p.threads)
	err := p.guarded(x, args, outs)
	x.end()
	return err
}

// guarded runs the program and returns a memory fault of machine code as an error.
func (p *program) guarded(x *execution, args, outs []*runtime.Array) (err error) {
	defer x.space.recoverFault(debug.SetPanicOnFault(true), &err)
	f := p.frame()
	defer p.done(f)
	for _, v := range p.inputs {
		p.bind(f, v.id, args[v.at])
	}
	slab := runtime.Slab{Small: p.small}
	for _, v := range p.results {
		a := f.results[v.at]
		if a == nil {
			a = outs[v.at]
			if a == nil && p.reuse != nil && p.reuse[v.at] >= 0 {
				a = args[p.reuse[v.at]]
			}
			if a == nil || a.Buffer() != nil {
				a = newResult(&slab, p.types[v.at])
			}
			f.results[v.at] = a
		}
		p.bind(f, v.id, a)
	}
	if err := p.run(x, f); err != nil {
		return err
	}
	for i, id := range p.plan.Outs {
		switch v := &p.plan.Values[id]; {
		case v.Place == fuse.Result && v.Index == i:
			outs[i] = f.results[i]
		case outs[i] != nil: // memory of the caller's
			copy(outs[i].Tensor().Data, f.refs[id].data)
		case v.Place == fuse.Literal || f.refs[id].array == nil:
			outs[i] = newResult(&slab, p.types[i])
			copy(outs[i].Tensor().Data, f.refs[id].data)
		default: // an argument, a constant, or a result that occurs twice
			outs[i] = f.refs[id].array
			if t := p.types[i]; outs[i].Aval() != t && !outs[i].Dead() {
				outs[i] = outs[i].WithType(t)
			}
		}
	}
	keepAlive(args)
	return nil
}

// run performs the steps. From the first step that overwrites a donated input on, the end of the
// context is ignored.
func (p *program) run(x *execution, f *frame) error {
	for i, s := range p.steps {
		if i == p.commit {
			x.done = nil
		}
		if err := x.ended(); err != nil {
			return err
		}
		if x.clock != nil {
			if err := x.clock.run(p, i, x, f); err != nil {
				return err
			}
		} else if err := s.run(x, f); err != nil {
			return err
		}
	}
	return nil
}

// within runs a program of a loop on the memory of its operands and results. A result shares the
// memory of an operand only if it is that operand or may overwrite it.
func (p *program) within(x *execution, f *frame, ins, outs []ref) error {
	for _, v := range p.inputs {
		f.set(v.id, ins[v.at])
	}
	for _, v := range p.results {
		f.set(v.id, outs[v.at])
	}
	if err := p.run(x, f); err != nil {
		return err
	}
	for i, id := range p.plan.Outs {
		if v := &p.plan.Values[id]; v.Place != fuse.Result || v.Index != i {
			move(outs[i].data, f.refs[id].data)
		}
	}
	return nil
}

// move copies elements, unless they lie in the same memory.
func move(to, from []byte) {
	if len(to) > 0 && &to[0] != &from[0] {
		copy(to, from)
	}
}

type launchStep struct {
	launch  launch
	buffers []int
}

func (s *launchStep) run(x *execution, f *frame) error {
	f.bufs = f.bufs[:0]
	for _, id := range s.buffers {
		if id < 0 {
			return fmt.Errorf("BUG: kernel %s needs scratch buffers, which the plan does not size", s.launch.ir.Name)
		}
		f.bufs = append(f.bufs, f.addr[id])
	}
	return s.launch.run(x, f.bufs, nil)
}

// boxesStep runs the kernels that a kernel was divided into.
type boxesStep []launchStep

func (s boxesStep) run(x *execution, f *frame) error {
	for i := range s {
		if err := s[i].run(x, f); err != nil {
			return err
		}
	}
	return nil
}

// callStep runs an equation on the reference executor.
type callStep struct {
	program *program
	step    runtime.Step
	in, out []int
	keeps   bool // the operation may keep its operands: those in memory that is reused are copied
	number  int  // among the calls of the program
}

// callLists are the operands and results of a callStep: arrays that show the memory of
// values, made once for a frame.
type callLists struct {
	in, out []*runtime.Array
	aligned [][]byte // memory for values that are not aligned as arrays must be
}

func (s *callStep) run(x *execution, f *frame) error {
	l := &f.calls[s.number]
	if l.in == nil {
		l.in, l.out = make([]*runtime.Array, len(s.in)), make([]*runtime.Array, len(s.out))
		l.aligned = make([][]byte, len(s.in)+len(s.out))
	}
	in, values := l.in, s.program.plan.Values
	if s.keeps {
		in = make([]*runtime.Array, len(s.in))
	}
	for i, id := range s.in {
		v := &values[id]
		switch r := f.refs[id]; {
		case s.keeps && r.array != nil && v.Place != fuse.Result && r.array.Aval() == v.Type:
			in[i] = r.array // an argument or a constant of the outermost program
		case s.keeps:
			in[i] = runtime.New(v.Type)
			copy(in[i].Tensor().Data, r.data)
		default:
			data := l.memory(i, r.data)
			move(data, r.data)
			show(&in[i], v.Type, data)
		}
	}
	for i, id := range s.out {
		if id >= 0 {
			show(&l.out[i], values[id].Type, l.memory(len(s.in)+i, f.refs[id].data))
		} else {
			l.out[i] = nil
		}
	}
	if err := s.step.Run(x.ctx, in, l.out); err != nil {
		return err
	}
	for i, id := range s.out {
		if id >= 0 {
			move(f.refs[id].data, l.out[i].Tensor().Data)
		}
	}
	return nil
}

const callAlign = 16

// memory returns data if it is aligned, else memory of the same size.
func (l *callLists) memory(i int, data []byte) []byte {
	if address(data)%callAlign == 0 {
		return data
	}
	if l.aligned[i] == nil {
		l.aligned[i] = runtime.New(core.Aval(core.Uint8, len(data))).Tensor().Data
	}
	return l.aligned[i]
}

// show makes the array *a show data. If *a is nil, it makes the array first.
func show(a **runtime.Array, t core.ShapedArray, data []byte) {
	if *a == nil {
		*a = runtime.NewView(t)
	}
	(*a).Show(data)
}
