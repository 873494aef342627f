package cpu

import (
	"fmt"
	"sync"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/fuse"
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/irpass"
	codegen "github.com/weft-go/weft/lower/native"
	lowered "github.com/weft-go/weft/lower/reference"
	"github.com/weft-go/weft/lower/schedule"
	"github.com/weft-go/weft/runtime"
	"github.com/weft-go/weft/runtime/cpu/internal/native"
)

type program struct {
	plan    *fuse.Plan
	steps   []step
	threads int
	account runtime.Account

	consts  []*runtime.Array // by constant of the jaxpr
	fixed   []binding        // values that are the same in each run: constants and literals
	inputs  []place          // values that are inputs
	results []place          // values that are results
	arena   []place          // values in the arena, with their offsets
	types   []core.ShapedArray
	small   int // number of results that [runtime.IsSmall] reports

	reuse  []int // by result: the donated input whose memory it takes, −1 for none; nil: none does
	commit int   // steps from here on overwrite donated inputs, and cannot fail; −1: none does

	calls, loops int // numbers of steps of these kinds
	packs        int // number of operands that the loop around the program packs once
	memory       int // bytes of the arena and of the memory behind it that a loop or another step needs while it runs

	// onlyAddresses is set where no step and no result needs more of the arguments and the results
	// than their addresses. Storing less spares the garbage collector's write barriers.
	onlyAddresses bool

	frames sync.Pool // of *frame
}

// place is a value with the index of its input or result, or with its offset in the arena.
type place struct{ id, at int }

type binding struct {
	id int
	a  *runtime.Array
}

// step is *launchStep, constantStep, boxesStep, *registerLoopStep, *callStep, *productStep, *convStep,
// *transposeStep, *updateStep, *sortStep, *rowTileStep or *loopStep.
type step interface {
	run(x *execution, f *frame) error
}

// temporaryStep is a step that needs memory behind the arena while it runs: temporary returns its bytes.
type temporaryStep interface {
	step
	temporary() int
}

// finish completes the outermost program.
func (p *program) finish(r *runtime.Request, account runtime.Account) {
	p.donate(r.Donated)
	p.onlyAddresses = p.needsOnlyAddresses()
	for _, v := range p.results {
		if runtime.IsSmall(p.types[v.at]) {
			p.small++
		}
	}
	p.account = account
	p.account.ArenaBytes = p.memory
	scratch, tile := p.perThread()
	p.account.ThreadBytes = p.threads * (scratch + tile)
	all, _ := p.plan.ResultBytes()
	p.account.ResultBytes = all
	for i, k := range p.reuse {
		if k >= 0 {
			p.account.ResultBytes -= p.plan.Values[p.plan.Outs[i]].Bytes()
		}
	}
}

// perThread returns the bytes that a thread needs for scratch memory and for a row tile.
func (p *program) perThread() (scratch, tile int) {
	for _, s := range p.steps {
		var n, m int
		switch s := s.(type) {
		case *launchStep:
			n = s.launch.scratch
		case constantStep:
			n = s.launch.scratch
		case *registerLoopStep:
			n = s.launch.scratch
		case *updateStep:
			n = s.launch.scratch
		case boxesStep:
			for i := range s {
				n = max(n, s[i].launch.scratch)
			}
		case *productStep:
			n = s.plan.Scratch
		case *convStep:
			n = s.plan.Scratch
		case *rowTileStep:
			n, m = s.scratch(), s.plan.Bytes
		case *loopStep:
			for _, q := range s.programs {
				a, b := q.perThread()
				n, m = max(n, a), max(m, b)
			}
		}
		scratch, tile = max(scratch, n), max(tile, m)
	}
	return scratch, tile
}

// needsOnlyAddresses reports whether the steps use the addresses of values only, and each
// result is memory of its own.
func (p *program) needsOnlyAddresses() bool {
	for _, s := range p.steps {
		switch s.(type) {
		case *launchStep, constantStep, boxesStep, *productStep, *transposeStep, *rowTileStep:
		default:
			return false
		}
	}
	for i, id := range p.plan.Outs {
		if v := &p.plan.Values[id]; v.Place != fuse.Result || v.Index != i {
			return false
		}
	}
	return true
}

// donate decides which results take the memory of donated inputs: a run that fails must leave
// the inputs as they were, so no step after the first that overwrites one may fail.
func (p *program) donate(donated []bool) {
	sure := p.plan.MayFail()
	for i, r := range p.plan.Reuse {
		if r.Input < 0 || r.Input >= len(donated) || !donated[r.Input] || r.Step < sure {
			continue
		}
		if p.reuse == nil {
			p.reuse = make([]int, len(p.plan.Outs))
			for k := range p.reuse {
				p.reuse[k] = -1
			}
		}
		p.reuse[i] = r.Input
		if p.commit < 0 || r.Step < p.commit {
			p.commit = r.Step
		}
	}
}

// programBuilder makes the programs of a plan and of the plans in its loops.
type programBuilder struct {
	executor *executor
	request  *runtime.Request
	kernels  map[*ir.Kernel]*kernel
	boxes    map[*ir.Kernel][]*ir.Kernel
	codes    map[*native.Code]bool // that the account counts
	account  runtime.Account
	refused  fuse.Refusals // found so far; with any, the program is incomplete
}

func newBuilder(e *executor, r *runtime.Request) *programBuilder {
	return &programBuilder{executor: e, request: r, kernels: map[*ir.Kernel]*kernel{}, boxes: map[*ir.Kernel][]*ir.Kernel{}, codes: map[*native.Code]bool{}}
}

func (b *programBuilder) program(plan *fuse.Plan) (*program, error) {
	p := &program{plan: plan, commit: -1, threads: threads(b.request.Options), types: plan.Program.OutAvals(), memory: aligned(plan.Arena)}
	var err error
	if p.consts, err = runtime.Constants(plan.Program); err != nil {
		return nil, err
	}
	for _, a := range p.consts {
		b.account.ConstantBytes += a.Aval().Size() * a.Aval().DType.Size()
	}
	for id := range plan.Values {
		switch v := &plan.Values[id]; v.Place {
		case fuse.Const:
			p.fixed = append(p.fixed, binding{id, p.consts[v.Index]})
		case fuse.Literal:
			p.fixed = append(p.fixed, binding{id, runtime.FromLiteral(v.Lit)})
		case fuse.Input:
			p.inputs = append(p.inputs, place{id, v.Index})
		case fuse.Result:
			p.results = append(p.results, place{id, v.Index})
		case fuse.Arena:
			p.arena = append(p.arena, place{id, v.Offset})
		}
	}
	for _, s := range plan.Steps {
		st, err := b.step(p, s)
		if err != nil {
			return nil, err
		}
		if st != nil {
			p.steps = append(p.steps, st)
		}
	}
	if len(p.steps) == len(plan.Steps) { // none was refused
		p.packComputed()
	}
	for _, s := range p.steps { // one step runs at a time
		switch s := s.(type) {
		case *loopStep:
			p.memory = max(p.memory, aligned(plan.Arena)+s.memory)
		case temporaryStep:
			p.memory = max(p.memory, aligned(plan.Arena)+aligned(s.temporary()))
		}
	}
	return p, nil
}

func aligned(n int) int { return (n + fuse.Align - 1) &^ (fuse.Align - 1) }

// step compiles a step of a plan. It returns nil if the step is refused.
func (b *programBuilder) step(p *program, s fuse.Step) (step, error) {
	switch s := s.(type) {
	case *fuse.Launch:
		return b.launch(p, s)
	case *fuse.RegisterLoop:
		k, err := b.kernelOf(p, s.Kernel, s.Eqn)
		if k == nil {
			return nil, err
		}
		return &registerLoopStep{launchStep{launch: newLaunch(k, nil, 1), buffers: s.Buffers}, s}, nil
	case *fuse.Call:
		b.account.Fallbacks = append(b.account.Fallbacks, runtime.Fallback{Op: s.Eqn.Prim.Name(), Pos: s.Eqn.Site.String(), Reason: s.Reason})
		return b.call(p, s.Eqn, s.In, s.Out)
	case *fuse.Product:
		plan, err := coded(func() (*compiledProduct, error) {
			return b.executor.compileProduct(b.executor.product(s, b.executor.processor.On(p.threads)))
		})
		if err != nil {
			return nil, b.refuse(p, err, s.Eqn)
		}
		return p.productStep(s, plan), nil
	case *fuse.RowTiles:
		return b.rowTiles(p, s)
	case *fuse.Sort:
		return newSortStep(s, p.plan, p.threads), nil
	case *fuse.Update:
		k, err := b.kernelOf(p, s.Kernel, s.Eqn)
		if k == nil {
			return nil, err
		}
		n := p.threads
		if s.Ordered {
			n = 1
		}
		return &updateStep{launchStep{launch: newLaunch(k, nil, n), buffers: s.Buffers}, s}, nil
	case *fuse.Transpose:
		move, err := coded(func() (*native.Code, error) {
			return b.executor.micro(codegen.Transpose{Size: s.Size})
		})
		if err != nil {
			return nil, b.refuse(p, err, s.Eqn)
		}
		return &transposeStep{s, schedule.TransposeOf(s, p.threads), move}, nil
	case *fuse.Conv:
		plan, err := coded(func() (*compiledConv, error) {
			return b.executor.compileConv(b.executor.conv(s, b.executor.processor.On(p.threads)))
		})
		if err != nil {
			return nil, b.refuse(p, err, s.Eqn)
		}
		exact, err := b.call(p, s.Eqn, []int{s.In[0], s.Kernel}, []int{s.Out})
		return p.convStep(s, plan, exact), err
	case *fuse.Loop:
		if s.EndsByLane() {
			b.account.Fallbacks = append(b.account.Fallbacks, runtime.Fallback{Op: "while", Pos: s.Eqn.Site.String(), Reason: fuse.LanesEndApart})
			return b.call(p, s.Eqn, s.In, s.Out)
		}
		return b.loop(p, s)
	}
	return nil, fmt.Errorf("BUG: unknown step %T", s)
}

// launch compiles a launch. It returns nil if the kernel is refused.
func (b *programBuilder) launch(p *program, s *fuse.Launch) (step, error) {
	var steps boxesStep
	for _, q := range b.boxesOf(s.Kernel) {
		k, err := b.kernelOf(p, q, s.Eqns...)
		if k == nil {
			return nil, err
		}
		steps = append(steps, launchStep{launch: newLaunch(k, nil, p.threads), buffers: s.Buffers})
	}
	if len(steps) == 1 {
		return &steps[0], nil
	}
	return steps, nil
}

// boxesOf returns the kernels that a kernel is divided into, the same at each request.
func (b *programBuilder) boxesOf(k *ir.Kernel) []*ir.Kernel {
	if b.boxes[k] == nil {
		b.boxes[k] = irpass.Boxes(k)
	}
	return b.boxes[k]
}

func (b *programBuilder) loop(p *program, s *fuse.Loop) (step, error) {
	var programs []*program
	for _, q := range s.Plans {
		sub, err := b.program(q)
		if err != nil {
			return nil, err
		}
		programs = append(programs, sub)
	}
	return newLoopStep(p, s, programs), nil
}

// kernel returns the machine code of a kernel, which it compiles once.
func (b *programBuilder) kernel(k *ir.Kernel) (compiled *kernel, err error) {
	defer recoverNoCode(&err)
	if known := b.kernels[k]; known != nil {
		return known, nil
	}
	compiled, err = b.executor.newKernel(k)
	if err != nil {
		return nil, err
	}
	b.kernels[k] = compiled
	b.account.Kernels++
	if !b.codes[compiled.code] {
		b.codes[compiled.code] = true
		b.account.CodeBytes += compiled.code.Size()
	}
	return compiled, nil
}

func (b *programBuilder) call(p *program, e *jaxpr.Eqn, in, out []int) (step, error) {
	st, err := b.request.Step(e)
	if err != nil {
		return nil, err
	}
	_, pure := lowered.Lookup(e.Prim)
	p.calls++
	return &callStep{program: p, step: st, in: in, out: out, keeps: !pure, number: p.calls - 1}, nil
}

func (p *program) Account() runtime.Account { return p.account }
