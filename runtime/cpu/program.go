package cpu

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"sync"
	"unsafe"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/elem"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/fuse"
	lowered "github.com/weft-go/weft/lower/kernel"
	"github.com/weft-go/weft/lower/kernel/ir"
	"github.com/weft-go/weft/runtime"
)

// program is a plan with machine code for its kernels.
type program struct {
	plan    *fuse.Plan
	steps   []step
	consts  []*runtime.Array // by constant of the jaxpr
	lits    []*runtime.Array // by value id, nil but for literals
	threads int
	account runtime.Account

	frames sync.Pool // of *frame
}

// step is *launchStep, *spinStep, *callStep, *productStep or *loopStep.
type step interface {
	run(x *execution, f *frame) error
}

// newProgram compiles the kernels of a plan.
func newProgram(e *executor, r *runtime.Request, plan *fuse.Plan) (*program, error) {
	b := &programBuilder{executor: e, request: r, kernels: map[*ir.Kernel]*kernel{}}
	p, err := b.program(plan)
	if err != nil {
		return nil, err
	}
	p.account = b.account
	p.account.ArenaBytes = plan.Arena
	return p, nil
}

// programBuilder makes the programs of a plan and of the plans in its loops.
type programBuilder struct {
	executor *executor
	request  *runtime.Request
	kernels  map[*ir.Kernel]*kernel
	account  runtime.Account
}

func (b *programBuilder) program(plan *fuse.Plan) (*program, error) {
	p := &program{plan: plan, threads: threads(b.request.Options), lits: make([]*runtime.Array, len(plan.Values))}
	if n := len(plan.Program.Consts); len(plan.Program.ConstVals) != n {
		return nil, &core.Error{Kind: core.ErrCheck, Msg: fmt.Sprintf("a program within the program was read from text, without the values of its %s: make them arguments", core.Count(n, "constant"))}
	}
	for i, v := range plan.Program.ConstVals {
		a, ok := v.(*runtime.Array)
		if !ok {
			return nil, fmt.Errorf("constant %d is a %T, want an array", i, v)
		}
		p.consts = append(p.consts, a)
		b.account.ConstantBytes += a.Aval().Size() * a.Aval().DType.Size()
	}
	for i := range plan.Values {
		if v := &plan.Values[i]; v.Place == fuse.Literal {
			p.lits[i] = runtime.FromLiteral(v.Lit)
		}
	}
	for _, s := range plan.Steps {
		st, err := b.step(p, s)
		if err != nil {
			return nil, err
		}
		p.steps = append(p.steps, st)
	}
	return p, nil
}

func (b *programBuilder) step(p *program, s fuse.Step) (step, error) {
	switch s := s.(type) {
	case *fuse.Launch:
		k, err := b.kernel(s.Kernel)
		if err != nil {
			return nil, err
		}
		return &launchStep{launch: newLaunch(k, nil, p.threads), buffers: s.Buffers}, nil
	case *fuse.Spin:
		k, err := b.kernel(s.Kernel)
		if err != nil {
			return nil, err
		}
		return &spinStep{launchStep{launch: newLaunch(k, nil, 1), buffers: s.Buffers}, p, s}, nil
	case *fuse.Call:
		b.account.Fallbacks = append(b.account.Fallbacks, runtime.Fallback{Op: s.Eqn.Prim.Name(), Pos: s.Eqn.Site.String(), Reason: s.Reason})
		return b.call(p, s.Eqn, s.In, s.Out)
	case *fuse.Product:
		plan, err := planProduct(s, b.executor.isa, p.threads)
		return &productStep{s, plan}, err
	case *fuse.Loop:
		if s.Kind == fuse.WhileLoop && s.Eqn.Prim.(*jaxpr.While).Cond.Outs[0].Aval().Rank() > 0 {
			// Each lane of a batch ends on its own.
			b.account.Fallbacks = append(b.account.Fallbacks, runtime.Fallback{Op: "while", Pos: s.Eqn.Site.String(), Reason: "its lanes end at different times"})
			return b.call(p, s.Eqn, s.In, s.Out)
		}
		before := b.account
		l, err := b.loop(p, s)
		var none *noCode
		if errors.As(err, &none) {
			b.account = before
			b.account.Fallbacks = append(slices.Clip(b.account.Fallbacks), runtime.Fallback{Op: s.Eqn.Prim.Name(), Pos: s.Eqn.Site.String(), Reason: none.reason})
			return b.call(p, s.Eqn, s.In, s.Out)
		}
		return l, err
	}
	return nil, fmt.Errorf("unknown step %T", s)
}

// loop compiles the plans within a loop.
func (b *programBuilder) loop(p *program, s *fuse.Loop) (step, error) {
	l := &loopStep{outer: p, loop: s}
	for _, q := range s.Plans {
		sub, err := b.program(q)
		if err != nil {
			return nil, err
		}
		l.programs = append(l.programs, sub)
	}
	return l, nil
}

// kernel returns the machine code of a kernel, which it compiles once.
func (b *programBuilder) kernel(k *ir.Kernel) (*kernel, error) {
	if known := b.kernels[k]; known != nil {
		return known, nil
	}
	compiled, err := b.executor.newKernel(k)
	if err != nil {
		return nil, err
	}
	b.kernels[k] = compiled
	b.account.Kernels++
	b.account.CodeBytes += compiled.code.Size()
	return compiled, nil
}

func (b *programBuilder) call(p *program, e *jaxpr.Eqn, in, out []int) (step, error) {
	st, err := b.request.Step(e)
	if err != nil {
		return nil, err
	}
	_, pure := lowered.Lookup(e.Prim)
	return &callStep{program: p, step: st, in: in, out: out, keeps: !pure}, nil
}

// Account reports what was made.
func (p *program) Account() runtime.Account { return p.account }

// execution is one run of a program with those in its loops.
type execution struct {
	ctx   context.Context
	space *space
}

// ended returns the error of the context and its cause if it has ended.
func (x *execution) ended() error {
	err := x.ctx.Err()
	if err == nil {
		return nil
	}
	if cause := context.Cause(x.ctx); !errors.Is(cause, err) {
		err = fmt.Errorf("%w: %w", err, cause)
	}
	return err
}

// frame is the memory of one run of one plan: the address of each value.
type frame struct {
	addr    []uint64         // by value id
	arrays  []*runtime.Array // by value id, nil where the value lies in the arena; the type may be another one
	results []*runtime.Array // by result
	arena   *block
	bufs    []uint64 // of the launch that runs
}

// Run runs the program.
func (p *program) Run(ctx context.Context, args, outs []*runtime.Array) error {
	if len(args) != len(p.plan.Ins) || len(outs) != len(p.plan.Outs) {
		return fmt.Errorf("the program takes %s and has %s (got %d and %d)",
			core.Count(len(p.plan.Ins), "argument"), core.Count(len(p.plan.Outs), "result"), len(args), len(outs))
	}
	x := executions.Get().(*execution)
	x.ctx = ctx
	n := p.threads
	if n > 1 {
		n = defaultThreads() // any thread of the pool may take a chunk
	}
	if len(x.space.workers) < n {
		x.space = newSpace(n)
	}
	err := p.guarded(x, args, outs)
	x.ctx = nil
	executions.Put(x)
	return err
}

var executions = sync.Pool{New: func() any { return &execution{space: newSpace(1)} }}

// guarded runs the program and returns a memory fault of machine code as an error.
func (p *program) guarded(x *execution, args, outs []*runtime.Array) (err error) {
	defer x.space.recoverFault(debug.SetPanicOnFault(true), &err)
	return p.into(x, args, outs)
}

// into runs the program on arguments and puts the results into outs, whose elements are
// arrays to write or nil.
func (p *program) into(x *execution, args, outs []*runtime.Array) error {
	f := p.frame()
	defer p.done(f)
	for i := range outs {
		f.results[i] = nil
	}
	for id := range p.plan.Values {
		switch v := &p.plan.Values[id]; v.Place {
		case fuse.Input:
			f.set(id, args[v.Index])
		case fuse.Const:
			f.set(id, p.consts[v.Index])
		case fuse.Literal:
			f.set(id, p.lits[id])
		case fuse.Result:
			f.set(id, f.result(v, outs))
		}
	}
	for _, s := range p.steps {
		if err := x.ended(); err != nil {
			return err
		}
		if err := s.run(x, f); err != nil {
			return err
		}
	}
	for i, id := range p.plan.Outs {
		a := p.array(f, id, false)
		if outs[i] != nil && outs[i] != a { // memory of the caller's
			copy(outs[i].Tensor().Data, a.Tensor().Data)
			continue
		}
		outs[i] = a
	}
	return nil
}

// result returns the memory of a result: the caller's, or new memory. Values of one result
// share it.
func (f *frame) result(v *fuse.Value, outs []*runtime.Array) *runtime.Array {
	a := f.results[v.Index]
	if a == nil {
		if a = outs[v.Index]; a == nil || a.Buffer() != nil {
			a = newResult(v.Type)
		}
		f.results[v.Index] = a
	}
	return a
}

// frame returns a frame with the arena's addresses.
func (p *program) frame() *frame {
	f, _ := p.frames.Get().(*frame)
	if f == nil {
		n := len(p.plan.Values)
		f = &frame{addr: make([]uint64, n), arrays: make([]*runtime.Array, n), results: make([]*runtime.Array, len(p.plan.Outs))}
	}
	if p.plan.Arena > 0 {
		f.arena = memory.alloc(p.plan.Arena)
		base := address(f.arena.data)
		for id := range p.plan.Values {
			if v := &p.plan.Values[id]; v.Place == fuse.Arena {
				f.addr[id] = base + uint64(v.Offset)
			}
		}
	}
	return f
}

func (p *program) done(f *frame) {
	clear(f.arrays)
	clear(f.results)
	if f.arena != nil {
		memory.release(f.arena)
		f.arena = nil
	}
	p.frames.Put(f)
}

// nothing is what a value without elements lies at.
var nothing [64]byte

func address(b []byte) uint64 {
	if len(b) == 0 {
		return uint64(uintptr(unsafe.Pointer(&nothing)))
	}
	return uint64(uintptr(unsafe.Pointer(unsafe.SliceData(b))))
}

// set binds a value to an array in host memory.
func (f *frame) set(id int, a *runtime.Array) {
	f.arrays[id] = a
	f.addr[id] = address(a.Tensor().Data)
}

// bytes returns the memory of a value.
func (p *program) bytes(f *frame, id int) []byte {
	if a := f.arrays[id]; a != nil {
		return a.Tensor().Data
	}
	v := &p.plan.Values[id]
	return f.arena.data[v.Offset:][:v.Bytes():v.Bytes()]
}

// launchStep runs a kernel.
type launchStep struct {
	launch  launch
	buffers []int
}

func (s *launchStep) run(x *execution, f *frame) error {
	f.bufs = f.bufs[:0]
	for _, id := range s.buffers {
		if id < 0 {
			return fmt.Errorf("kernel %s needs scratch buffers, which the plan does not size", s.launch.ir.Name)
		}
		f.bufs = append(f.bufs, f.addr[id])
	}
	s.launch.run(f.bufs, nil, x.space)
	return nil
}

// callStep runs an equation on the reference executor.
type callStep struct {
	program *program
	step    runtime.Step
	in, out []int
	keeps   bool // it may keep its operands, which then are copies
}

func (s *callStep) run(x *execution, f *frame) error {
	in, outs := make([]*runtime.Array, len(s.in)), make([]*runtime.Array, len(s.out))
	for i, id := range s.in {
		in[i] = s.program.array(f, id, s.keeps)
	}
	for i, id := range s.out {
		if id >= 0 {
			outs[i] = s.program.array(f, id, false)
		}
	}
	return s.step.Run(x.ctx, in, outs)
}

// array returns a value as an array: a copy of what lies in the arena, if copied.
func (p *program) array(f *frame, id int, copied bool) *runtime.Array {
	t := p.plan.Values[id].Type
	if a := f.arrays[id]; a != nil {
		if a.Aval() == t {
			return a
		}
		return a.WithType(t)
	}
	if copied {
		a := runtime.New(t)
		copy(a.Tensor().Data, p.bytes(f, id))
		return a
	}
	return runtime.Made(t, p.bytes(f, id), nil)
}

// index returns the branch that a value selects, clamped to n.
func (p *program) index(f *frame, id, n int) int {
	t := p.plan.Values[id].Type
	k, _ := elem.Get(p.bytes(f, id), t.DType)
	return int(min(max(k.Int64(), 0), int64(n-1)))
}
