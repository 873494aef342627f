package device

import (
	"context"
	"fmt"
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/fuse"
	"github.com/weft-go/weft/lower/reference"
	"github.com/weft-go/weft/lower/scalar"
	"github.com/weft-go/weft/lower/schedule"
	"github.com/weft-go/weft/lower/simt"
	"github.com/weft-go/weft/runtime"
)

// program is a plan with the device's code for its kernels.
type program struct {
	e       *executor
	plan    *fuse.Plan
	steps   []step
	consts  []view             // by constant of the jaxpr
	lits    []view             // by value id
	types   []core.ShapedArray // of the results
	donated []bool             // by input; nil: none
	replay  replay
	copies  [2]*launch // kernels that copy bytes and words; nil: the driver's command
	account runtime.Account
}

// step is a kernel, a register loop, a sequence, a call, a branch or a loop.
type step interface {
	run(x *execution, f *frame) error
}

// builder makes the programs of a plan and of the plans in its loops.
type builder struct {
	e         *executor
	request   *runtime.Request
	eager     bool // calls at many lines share the kernels, which are labelled with none
	device    schedule.Device
	funcs     map[any]int                       // by *ir.Kernel, step of a plan, or *simt.Func
	sequences map[*fuse.Call]*schedule.Sequence // nil: the reference executor runs it
	updates   map[*fuse.Update]*schedule.Sequence
	sorts     map[*fuse.Sort]*fuse.Call
	divisions map[*fuse.Launch]*schedule.Sequence // nil: it is one kernel
	splits    map[fuse.Step]*schedule.Sequence    // of products and convolutions; nil: it is one kernel
	list      []*simt.Func
	code      Code
	account   runtime.Account
}

// newProgram compiles a plan of a program, or of an eager operation.
func newProgram(e *executor, r *runtime.Request, plan *fuse.Plan, eager bool) (*program, error) {
	if err := e.Available(); err != nil { // which opens the device
		return nil, err
	}
	b := newBuilder(e, r)
	b.eager = eager
	b.functions(plan, false)
	n, quiet := b.quiet(plan)
	_, graphs := e.driver.(Grapher)
	if graphs = graphs && quiet && n >= leastGraph && n <= mostGraph; graphs {
		b.copies(false)
	}
	if len(b.list) > 0 {
		var err error
		if b.code, err = e.driver.Build(b.list); err != nil {
			return nil, err
		}
	}
	p, err := b.program(plan, false)
	if err != nil {
		return nil, err
	}
	p.donated = r.Donated
	p.types = plan.Program.OutAvals()
	p.replay.fits, p.replay.graphs = quiet && n <= mostGraph, graphs
	p.account = b.account
	p.account.Kernels, p.account.CodeBytes, p.account.ArenaBytes = len(b.list), b.code.Bytes, plan.Arena
	return p, nil
}

func newBuilder(e *executor, r *runtime.Request) *builder {
	b := &builder{e: e, request: r, funcs: map[any]int{}, sequences: map[*fuse.Call]*schedule.Sequence{}, updates: map[*fuse.Update]*schedule.Sequence{}, sorts: map[*fuse.Sort]*fuse.Call{}, divisions: map[*fuse.Launch]*schedule.Sequence{}, splits: map[fuse.Step]*schedule.Sequence{}}
	if e != nil {
		if d, ok := e.driver.(Measurer); ok {
			b.device = d.Machine()
		}
	}
	return b
}

// Functions returns the functions that a device compiles for a plan.
func Functions(plan *fuse.Plan, d schedule.Device) []*simt.Func {
	b := newBuilder(nil, nil)
	b.device = d
	b.functions(plan, false)
	return b.list
}

// add lowers a function, unless it is known by its key.
func (b *builder) add(key any, guarded bool, pos string, f func() *simt.Func) {
	if _, known := b.funcs[key]; known {
		return
	}
	b.funcs[key] = len(b.list)
	x := f()
	if x.Pos == "" && !b.eager {
		x.Pos = pos
	}
	if guarded {
		x = x.Guarded()
	}
	b.list = append(b.list, x)
}

// functions lowers the kernels and products of a plan and of the plans in its loops. Those
// of a guarded plan run where a byte of memory is not 0.
func (b *builder) functions(plan *fuse.Plan, guarded bool) {
	add := func(key any, e *jaxpr.Eqn, f func() *simt.Func) {
		pos := ""
		if e != nil {
			pos = e.Site.String()
		}
		b.add(key, guarded, pos, f)
	}
	for _, s := range plan.Steps {
		if q, ok := s.(*fuse.Product); ok && q.Tensor != core.Invalid {
			add(q, q.Eqn, func() *simt.Func { return b.tensorFunc(plan, q) })
			continue
		}
		switch s := s.(type) {
		case *fuse.Launch:
			if n := b.divided(s); n != nil {
				b.sequenceFuncs(n, s.Eqn, guarded)
				continue
			}
			add(s.Kernel, s.Eqn, func() *simt.Func { return simt.Lower(s.Kernel, simt.Options{}) })
		case *fuse.RegisterLoop:
			add(s.Kernel, s.Eqn, func() *simt.Func { return simt.Lower(s.Kernel, simt.Options{}) })
		case *fuse.Attention:
			add(s, s.Eqn, func() *simt.Func { return attentionFunc(plan, s) })
		case *fuse.Transpose:
			add(s, s.Eqn, func() *simt.Func { return simt.LowerTranspose(transposeOf(plan, s)) })
		case *fuse.Product:
			if n := b.split(plan, s); n != nil {
				b.sequenceFuncs(n, s.Eqn, guarded)
				continue
			}
			add(s, s.Eqn, func() *simt.Func { return simt.LowerProduct(b.productOf(plan, s)) })
		case *fuse.Conv:
			if n := b.split(plan, s); n != nil {
				b.sequenceFuncs(n, s.Eqn, guarded)
				continue
			}
			add(s, s.Eqn, func() *simt.Func { return simt.LowerConv(b.convOf(plan, s)) })
		case *fuse.Call:
			if n := b.sequence(s); n != nil {
				b.sequenceFuncs(n, s.Eqn, guarded)
			}
		case *fuse.Sort:
			if n := b.sequence(b.sortCall(s)); n != nil {
				b.sequenceFuncs(n, s.Eqn, guarded)
			}
		case *fuse.Update:
			b.sequenceFuncs(b.update(s), s.Eqn, guarded)
		case *fuse.Loop:
			if s.EndsByLane() {
				continue
			}
			inside := guarded || b.onDevice(s)
			if inside {
				b.copies(true)
			}
			switch {
			case !inside || s.Kind == fuse.ScanLoop:
			case s.Kind == fuse.WhileLoop:
				b.add(advanceKey{}, false, s.Eqn.Site.String(), func() *simt.Func { return simt.Lower(schedule.AdvanceKernel(), onOne) })
			default:
				b.add(choiceKey{s}, false, s.Eqn.Site.String(), func() *simt.Func {
					return simt.Lower(schedule.ChoiceKernel(s.Eqn.Ins[0].Aval().DType, len(s.Plans)), onOne)
				})
			}
			for _, q := range s.Plans {
				b.functions(q, inside)
			}
		}
	}
}

// sortCall returns a sort as a call of its equation.
func (b *builder) sortCall(s *fuse.Sort) *fuse.Call {
	c, known := b.sorts[s]
	if !known {
		c = &fuse.Call{Eqn: s.Eqn, In: s.In, Out: s.Out, Reason: "rows of more than 2³¹ elements"}
		b.sorts[s] = c
	}
	return c
}

// sequenceFuncs adds the functions of a sequence.
func (b *builder) sequenceFuncs(n *schedule.Sequence, e *jaxpr.Eqn, guarded bool) {
	for _, w := range n.Work {
		if w.Kernel != nil {
			pos := ""
			if e != nil {
				pos = e.Site.String()
			}
			b.add(w.Kernel, guarded, pos, func() *simt.Func { return simt.FuncOf(w.Kernel) })
		}
	}
	if guarded {
		b.copies(true)
	}
}

// copies adds the kernels that copy where the driver's command would not do.
func (b *builder) copies(guarded bool) {
	b.add(copyKey{guarded, false}, guarded, "", func() *simt.Func { return simt.FuncOf(schedule.CopyKernel(scalar.U8)) })
	b.add(copyKey{guarded, true}, guarded, "", func() *simt.Func { return simt.FuncOf(schedule.CopyKernel(scalar.U32)) })
}

// update returns how the device runs an update.
func (b *builder) update(s *fuse.Update) *schedule.Sequence {
	n, known := b.updates[s]
	if !known {
		n = schedule.UpdateOf(s, b.device)
		b.updates[s] = n
	}
	return n
}

// sequence returns how the device runs an equation of a plan, nil if it does not.
func (b *builder) sequence(c *fuse.Call) *schedule.Sequence {
	n, known := b.sequences[c]
	if !known {
		n = schedule.SequenceOf(c, b.device)
		b.sequences[c] = n
	}
	return n
}

// transposeOf describes a transposition of a plan.
func transposeOf(plan *fuse.Plan, s *fuse.Transpose) *simt.Transpose {
	t := &simt.Transpose{Name: "transpose", Type: scalar.U32, Offset: int64(s.Offset), Rows: simt.TransposeAxis(s.Rows), Cols: simt.TransposeAxis(s.Cols)}
	if s.Size == 8 {
		t.Type = scalar.U64
	}
	for _, b := range s.Batch {
		t.Batch = append(t.Batch, simt.TransposeAxis(b))
	}
	for i, id := range []int{s.In, s.Out} {
		t.Lens[i] = int64(plan.Values[id].Bytes() / s.Size)
	}
	return t
}

// program makes the program of a plan, with guards if it is part of a guarded loop.
func (b *builder) program(plan *fuse.Plan, guarded bool) (*program, error) {
	p := &program{e: b.e, plan: plan, lits: make([]view, len(plan.Values))}
	for i := range p.copies {
		key := copyKey{guarded, i == 1}
		if _, ok := b.funcs[key]; ok {
			p.copies[i] = b.kernel(key)
		}
	}
	consts, err := runtime.Constants(plan.Program)
	if err != nil {
		return nil, err
	}
	for _, a := range consts {
		at, err := b.e.at(context.Background(), a)
		if err != nil {
			return nil, err
		}
		at.p.users.Add(1)
		p.consts = append(p.consts, at)
		b.account.ConstantBytes += bytesOf(a.Aval())
	}
	for i := range plan.Values {
		if v := &plan.Values[i]; v.Place == fuse.Literal {
			at, err := b.e.upload(runtime.FromLiteral(v.Lit))
			if err != nil {
				return nil, err
			}
			p.lits[i] = at
		}
	}
	for _, s := range plan.Steps {
		st, err := b.step(plan, s, guarded)
		if err != nil {
			return nil, err
		}
		p.steps = append(p.steps, st)
	}
	return p, nil
}

// kernel returns the launch of a function.
func (b *builder) kernel(key any) *launch {
	i, ok := b.funcs[key]
	if !ok {
		panic(fmt.Sprintf("BUG: no function for %v", key))
	}
	return &launch{kernel: b.code.Kernels[i], groups: int(min(groupsOf(b.list[i], nil), maxGroups)), f: b.list[i]}
}

// groupsOf returns the number of groups of a function, 1 where symbols that are not known
// yet decide.
func groupsOf(f *simt.Func, symbols []int64) int64 {
	if len(f.Kernel.Symbols) > len(symbols) {
		return 1
	}
	return f.Groups(symbols)
}

// launch returns the step of a kernel that reads and writes values.
func (b *builder) launch(key any, ids []int) (*kernelStep, error) {
	l := b.kernel(key)
	for _, id := range ids {
		if id < 0 {
			return nil, fmt.Errorf("BUG: kernel %s needs scratch buffers, which the plan does not size", l.f.Name)
		}
	}
	return &kernelStep{l, ids}, nil
}

// onOne are the options of kernels of one point.
var onOne = simt.Options{Mode: simt.PerThread, Threads: 32}

// maxGroups bounds the groups of a launch. Threads take items in strides.
const maxGroups = 4096

func (b *builder) step(plan *fuse.Plan, s fuse.Step, guarded bool) (step, error) {
	switch s := s.(type) {
	case *fuse.Launch:
		if n := b.divided(s); n != nil {
			return b.sequenceStep(n, &fuse.Call{Eqn: s.Eqn, In: s.Buffers})
		}
		return b.launch(s.Kernel, s.Buffers)
	case *fuse.RegisterLoop:
		l, err := b.launch(s.Kernel, s.Buffers)
		if err != nil {
			return nil, err
		}
		st := &registerLoop{kernelStep: l, loop: s}
		n := 0
		for _, id := range s.Zero {
			n = max(n, plan.Values[id].Bytes())
		}
		if n > 0 {
			st.zeros, err = b.e.upload(runtime.FromTensor(reference.NewTensor(core.Aval(core.Uint8, n))))
		}
		return st, err
	case *fuse.Product:
		if n := b.splits[s]; n != nil {
			return b.sequenceStep(n, &fuse.Call{Eqn: s.Eqn, In: s.In[:], Out: []int{s.Out}})
		}
		return b.launch(s, []int{s.In[0], s.In[1], s.Out})
	case *fuse.Attention:
		return b.launch(s, attentionBuffers(s))
	case *fuse.Transpose:
		return b.launch(s, []int{s.In, s.Out})
	case *fuse.Conv:
		if n := b.splits[s]; n != nil {
			return b.sequenceStep(n, &fuse.Call{Eqn: s.Eqn, In: []int{s.In[0], s.Kernel}, Out: []int{s.Out}})
		}
		return b.launch(s, []int{s.In[0], s.In[1], s.Out})
	case *fuse.Sort:
		return b.step(plan, b.sortCall(s), guarded)
	case *fuse.Update:
		c := &fuse.Call{Eqn: s.Eqn, In: append(slices.Clone(s.Buffers), s.Args[0]), Out: []int{s.Out}}
		return b.sequenceStep(b.update(s), c)
	case *fuse.Call:
		if n := b.sequence(s); n != nil {
			return b.sequenceStep(n, s)
		}
		return b.call(s)
	case *fuse.Loop:
		if s.EndsByLane() {
			return b.call(&fuse.Call{Eqn: s.Eqn, In: s.In, Out: s.Out, Reason: fuse.LanesEndApart})
		}
		l := &loop{loop: s}
		l.guarded = guarded || b.onDevice(s)
		if l.guarded && s.Kind == fuse.WhileLoop {
			l.advance = b.kernel(advanceKey{})
		}
		if l.guarded && s.Kind == fuse.CondCall {
			l.choose = b.kernel(choiceKey{s})
		}
		for _, q := range s.Plans {
			sub, err := b.program(q, l.guarded)
			if err != nil {
				return nil, err
			}
			l.programs = append(l.programs, sub)
		}
		return l, nil
	}
	return nil, fmt.Errorf("BUG: unknown step %T", s)
}

// sequenceStep returns the step of a sequence.
func (b *builder) sequenceStep(n *schedule.Sequence, c *fuse.Call) (*sequenceStep, error) {
	st := &sequenceStep{plan: n, call: c}
	for _, t := range n.Tables {
		v, err := b.e.upload(runtime.FromTensor(t))
		if err != nil {
			return nil, err
		}
		st.tables = append(st.tables, v)
		b.account.ConstantBytes += bytesOf(t.ShapedArray)
	}
	for _, w := range n.Work {
		var l *launch
		if w.Kernel != nil {
			l = b.kernel(w.Kernel)
		}
		st.launches = append(st.launches, l)
	}
	return st, nil
}

// call returns a step that runs an equation on the reference executor.
func (b *builder) call(c *fuse.Call) (step, error) {
	b.account.Fallbacks = append(b.account.Fallbacks, runtime.Fallback{Op: c.Eqn.Prim.Name(), Pos: c.Eqn.Site.String(), Reason: c.Reason})
	st, err := b.request.Step(c.Eqn)
	return &call{st, c}, err
}

// Account reports what was made.
func (p *program) Account() runtime.Account { return p.account }
