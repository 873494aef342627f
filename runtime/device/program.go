package device

import (
	"context"
	"fmt"
	goruntime "runtime"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lower/fuse"
	"github.com/weft-go/weft/lower/scalar"
	"github.com/weft-go/weft/lower/simt"
	"github.com/weft-go/weft/runtime"
)

// program is a plan with the device's code for its kernels.
type program struct {
	e       *executor
	plan    *fuse.Plan
	steps   []step
	consts  []view // by constant of the jaxpr
	lits    []view // by value id
	account runtime.Account
}

// step is a launch, a spin, a call or a loop.
type step interface {
	run(x *execution, f *frame) error
}

// builder makes the programs of a plan and of the plans in its loops.
type builder struct {
	e       *executor
	request *runtime.Request
	funcs   map[any]int // by *ir.Kernel, *fuse.Product or *fuse.Turn
	list    []*simt.Func
	code    Code
	account runtime.Account
}

func newProgram(e *executor, r *runtime.Request, plan *fuse.Plan) (*program, error) {
	b := &builder{e: e, request: r, funcs: map[any]int{}}
	b.functions(plan)
	if len(b.list) > 0 {
		var err error
		if b.code, err = e.driver.Build(b.list); err != nil {
			return nil, err
		}
	}
	p, err := b.program(plan)
	if err != nil {
		return nil, err
	}
	p.account = b.account
	p.account.Kernels, p.account.CodeBytes, p.account.ArenaBytes = len(b.list), b.code.Bytes, plan.Arena
	return p, nil
}

// Functions returns the functions that a device compiles for a plan.
func Functions(plan *fuse.Plan) []*simt.Func {
	b := &builder{funcs: map[any]int{}}
	b.functions(plan)
	return b.list
}

// functions lowers the kernels and products of a plan and of the plans in its loops.
func (b *builder) functions(plan *fuse.Plan) {
	add := func(key any, f func() *simt.Func) {
		if _, known := b.funcs[key]; !known {
			b.funcs[key] = len(b.list)
			b.list = append(b.list, f())
		}
	}
	for _, s := range plan.Steps {
		switch s := s.(type) {
		case *fuse.Launch:
			add(s.Kernel, func() *simt.Func { return simt.Lower(s.Kernel, simt.Options{}) })
		case *fuse.Spin:
			add(s.Kernel, func() *simt.Func { return simt.Lower(s.Kernel, simt.Options{}) })
		case *fuse.Turn:
			add(s, func() *simt.Func { return simt.Lower(plan.TurnKernel(s), simt.Options{}) })
		case *fuse.Product:
			add(s, func() *simt.Func { return simt.LowerProduct(productOf(plan, s)) })
		case *fuse.Conv:
			add(s, func() *simt.Func { return simt.LowerConv(convOf(plan, s)) })
		case *fuse.Loop:
			if !batched(s) {
				for _, q := range s.Plans {
					b.functions(q)
				}
			}
		}
	}
}

// productOf describes a product of a plan.
func productOf(plan *fuse.Plan, s *fuse.Product) *simt.Product {
	p := &simt.Product{
		Name: "product", Type: scalar.Stored(s.Type), Chunk: s.Chunk, M: s.M, N: s.N, K: s.K,
		A: simt.Operand(s.A), B: simt.Operand(s.B),
	}
	for _, a := range s.Batch {
		p.Batch = append(p.Batch, simt.BatchAxis(a))
	}
	for i, id := range []int{s.In[0], s.In[1], s.Out} {
		p.Lens[i] = int64(plan.Values[id].Type.Size())
	}
	return p
}

// convOf describes a convolution of a plan.
func convOf(plan *fuse.Plan, s *fuse.Conv) *simt.Conv {
	p := &simt.Conv{
		Name: "convolution", Type: scalar.Stored(s.Type), Chunk: s.Chunk, Batch: s.Batch, Features: s.Features, Channels: s.Channels,
		Outputs: s.Outputs, Groups: s.Groups, BatchGroup: s.BatchGroup, B: simt.Operand(s.B),
	}
	for _, a := range s.Axes {
		p.Axes = append(p.Axes, simt.ConvAxis(a))
	}
	for i, id := range []int{s.In[0], s.In[1], s.Out} {
		p.Lens[i] = int64(plan.Values[id].Type.Size())
	}
	return p
}

func (b *builder) program(plan *fuse.Plan) (*program, error) {
	p := &program{e: b.e, plan: plan, lits: make([]view, len(plan.Values))}
	if n := len(plan.Program.Consts); len(plan.Program.ConstVals) != n {
		return nil, &core.Error{Kind: core.ErrCheck, Msg: fmt.Sprintf("a program within the program was read from text, without the values of its %s: make them arguments", core.Count(n, "constant"))}
	}
	for i, v := range plan.Program.ConstVals {
		a, ok := v.(*runtime.Array)
		if !ok {
			return nil, fmt.Errorf("constant %d is a %T, want an array", i, v)
		}
		at, err := b.e.at(context.Background(), a)
		if err != nil {
			return nil, err
		}
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
		st, err := b.step(p, s)
		if err != nil {
			return nil, err
		}
		p.steps = append(p.steps, st)
	}
	return p, nil
}

// launch returns the launch of a kernel or product.
func (b *builder) launch(key any, ids []int) (*launch, error) {
	i := b.funcs[key]
	for _, id := range ids {
		if id < 0 {
			return nil, fmt.Errorf("kernel %s needs scratch buffers, which the plan does not size", b.list[i].Name)
		}
	}
	groups := min(b.list[i].Groups(nil), maxGroups)
	return &launch{kernel: b.code.Kernels[i], groups: int(groups), buffers: ids}, nil
}

// maxGroups bounds the groups of a launch. Threads take items in strides.
const maxGroups = 4096

func (b *builder) step(p *program, s fuse.Step) (step, error) {
	switch s := s.(type) {
	case *fuse.Launch:
		return b.launch(s.Kernel, s.Buffers)
	case *fuse.Spin:
		l, err := b.launch(s.Kernel, s.Buffers)
		if err != nil {
			return nil, err
		}
		return &spin{l, s}, nil
	case *fuse.Product:
		return b.launch(s, []int{s.In[0], s.In[1], s.Out})
	case *fuse.Turn:
		return b.launch(s, []int{s.In, s.Out})
	case *fuse.Conv:
		return b.launch(s, []int{s.In[0], s.In[1], s.Out})
	case *fuse.Sort:
		return b.call(&fuse.Call{Eqn: s.Eqn, In: s.In, Out: s.Out, Reason: "sorts have no kernel for devices"})
	case *fuse.Update:
		return b.call(&fuse.Call{Eqn: s.Eqn, In: s.Args, Out: []int{s.Out}, Reason: "updates in order have no kernel for devices"})
	case *fuse.Call:
		return b.call(s)
	case *fuse.Loop:
		if batched(s) {
			return b.call(&fuse.Call{Eqn: s.Eqn, In: s.In, Out: s.Out, Reason: "its lanes end at different times"})
		}
		l := &loop{loop: s}
		for _, q := range s.Plans {
			sub, err := b.program(q)
			if err != nil {
				return nil, err
			}
			l.programs = append(l.programs, sub)
		}
		return l, nil
	}
	return nil, fmt.Errorf("unknown step %T", s)
}

// call returns a step that runs an equation on the reference executor.
func (b *builder) call(c *fuse.Call) (step, error) {
	b.account.Fallbacks = append(b.account.Fallbacks, runtime.Fallback{Op: c.Eqn.Prim.Name(), Pos: c.Eqn.Site.String(), Reason: c.Reason})
	st, err := b.request.Step(c.Eqn)
	return &call{st, c}, err
}

// Account reports what was made.
func (p *program) Account() runtime.Account { return p.account }

// execution is one run of a program with those in its loops.
type execution struct {
	ctx context.Context
	e   *executor
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
	if err := p.e.driver.Enter(); err != nil {
		return err
	}
	defer p.e.driver.Leave()
	got, err := p.into(&execution{ctx, p.e}, in, want)
	if err != nil {
		return err
	}
	event, err := p.e.driver.Mark()
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
	goruntime.KeepAlive(args)
	return nil
}

// into runs the program on arguments. Results lie in want where that is memory, else in
// new memory, or where an argument or constant lies.
func (p *program) into(x *execution, args, want []view) ([]view, error) {
	f := &frame{p: p, views: make([]view, len(p.plan.Values))}
	results := make([]view, len(want))
	var arena view
	if p.plan.Arena > 0 {
		piece, err := x.e.pool.alloc(p.plan.Arena)
		if err != nil {
			return nil, err
		}
		arena.p = piece
		defer piece.release() // results lie elsewhere
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
			if n := p.plan.Values[id].Bytes(); n > 0 {
				if err := x.e.driver.Copy(want[i].p.m, want[i].offset, out[i].p.m, out[i].offset, n); err != nil {
					return nil, err
				}
			}
			out[i] = want[i]
		}
	}
	goruntime.KeepAlive(f)
	return out, nil
}

// launch runs a kernel.
type launch struct {
	kernel  Kernel
	groups  int
	buffers []int
}

func (l *launch) run(x *execution, f *frame) error {
	if l.groups == 0 {
		return nil
	}
	at := make([]Place, len(l.buffers))
	for i, id := range l.buffers {
		at[i] = f.views[id].place()
	}
	return x.e.driver.Launch(l.kernel, l.groups, at, nil)
}

// spin runs a loop whose arrays are in registers, in launches that can be cancelled
// between.
type spin struct {
	*launch
	spin *fuse.Spin
}

func (s *spin) run(x *execution, f *frame) error {
	d := x.e.driver
	for _, c := range s.spin.Copies {
		to, from := f.views[c[0]], f.views[c[1]]
		if n := f.p.plan.Values[c[0]].Bytes(); n > 0 {
			if err := d.Copy(to.p.m, to.offset, from.p.m, from.offset, n); err != nil {
				return err
			}
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
		if err := s.launch.run(x, f); err != nil {
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
