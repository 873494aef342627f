package device

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lower/fuse"
	"github.com/weft-go/weft/lower/scalar"
	"github.com/weft-go/weft/lower/schedule"
	"github.com/weft-go/weft/lower/simt"
	"github.com/weft-go/weft/runtime"
)

type program struct {
	e       *executor
	plan    *fuse.Plan
	steps   []step
	consts  []view             // by constant of the jaxpr
	lits    []view             // by value id
	types   []core.ShapedArray // of the results
	origins []*origin          // of the results
	donated []bool             // by input; nil: none
	replay  replay
	name    []byte     // for a profiler, with a zero at the end
	copies  [2]*launch // kernels that copy bytes and words; nil: the driver's command
	account runtime.Account
}

// step is a kernel, a register loop, a sequence, a call, a branch or a loop.
type step interface {
	run(x *execution, f *frame) error
}

// builder makes the programs of a plan and of the plans in its loops.
type builder struct {
	e       *executor
	request *runtime.Request
	eager   bool // calls at many lines share the kernels, whose labels have no line
	unsized bool // operations on arrays of other shapes share the kernels
	loops   bool // loops that end by a condition, and branches, are parts of a graph
	device  schedule.Device
	tasks   map[fuse.Step]task
	funcs   map[any]int // index in list by key, such as an *ir.Kernel or a step of a plan
	list    []*simt.Func
	code    Code
	account runtime.Account
}

// newProgram compiles a plan of a program, or of an eager operation.
func newProgram(e *executor, r *runtime.Request, plan *fuse.Plan, eager, unsized bool) (p *program, err error) {
	if err := e.Available(); err != nil { // which opens the device
		return nil, err
	}
	err = within(e.machine(), func(d schedule.Device) (err error) {
		p, err = programOn(d, e, r, plan, eager, unsized)
		return err
	})
	return p, err
}

// A GroupError is the error of [Driver.Build] if a kernel needs so many registers that its groups may have at most Threads threads.
type GroupError struct{ Threads int }

// Error states the limit.
func (e *GroupError) Error() string {
	return fmt.Sprintf("a group of the kernel may have %s", core.Count(e.Threads, "thread"))
}

// within calls build for a device, and again with smaller groups as long as it returns that a kernel needs these.
func within(d schedule.Device, build func(schedule.Device) error) error {
	for {
		var small *GroupError
		err := build(d)
		if !errors.As(err, &small) || small.Threads < 1 || small.Threads >= d.GroupThreads() {
			return err
		}
		d.Group = small.Threads
	}
}

// programOn is newProgram for a device.
func programOn(d schedule.Device, e *executor, r *runtime.Request, plan *fuse.Plan, eager, unsized bool) (*program, error) {
	b := newBuilder(e, r)
	b.eager, b.unsized, b.device = eager, unsized, d
	n, quiet := b.quiet(plan)
	if l, ok := e.driver.(Looper); ok && conditional(plan) && l.Loops() {
		b.loops = true
		if most, all := b.quiet(plan); all && most <= mostGraph {
			n, quiet = most, true
		} else {
			b.loops = false
		}
	}
	b.functions(plan, false)
	_, graphs := e.driver.(Grapher)
	if graphs = b.loops || graphs && quiet && n >= leastGraph && n <= mostGraph; graphs {
		b.copies(false)
	}
	if err := b.build(); err != nil {
		return nil, err
	}
	p, err := b.program(plan, false)
	if err != nil {
		return nil, err
	}
	p.donated = r.Donated
	p.types = plan.Program.OutAvals()
	p.name = append([]byte(cmp.Or(r.Label, "weft")), 0)
	p.origins = originsOf(plan.Program, eager)
	p.replay.fits, p.replay.graphs, p.replay.loops, p.replay.turn = quiet && n <= mostGraph, graphs, b.loops, make(chan struct{}, 1)
	p.account = b.account
	p.account.Notes = b.notes(plan)
	p.account.Kernels, p.account.CodeBytes, p.account.ArenaBytes = len(b.list), b.code.Bytes, plan.Arena
	return p, nil
}

// build builds the functions of the list. Of functions that shapes share it builds those that are not known.
func (b *builder) build() (err error) {
	if len(b.list) == 0 {
		return nil
	}
	if !b.unsized {
		b.code, err = b.e.driver.Build(b.list)
		return err
	}
	var fresh []*simt.Func
	keys, at := make([]string, len(b.list)), map[string]int{} // at: of the fresh ones
	for i, f := range b.list {
		keys[i] = f.Key()
		k := b.e.code.Get(unsized{}, keys[i], func() (Kernel, bool) { return nil, false })
		b.code.Kernels = append(b.code.Kernels, k)
		if _, ok := at[keys[i]]; k == nil && !ok {
			at[keys[i]] = len(fresh)
			fresh = append(fresh, f)
		}
	}
	if len(fresh) == 0 {
		return nil
	}
	c, err := b.e.driver.Build(fresh)
	if err != nil {
		return err
	}
	b.code.Bytes = c.Bytes
	for i, key := range keys {
		if b.code.Kernels[i] == nil {
			b.code.Kernels[i] = b.e.code.Get(unsized{}, key, func() (Kernel, bool) { return c.Kernels[at[key]], true })
		}
	}
	return nil
}

// lowered returns the code of a kernel.
func (b *builder) lowered(k schedule.Kernel) *simt.Func {
	if b.unsized {
		return simt.UnsizedOn(b.device, k)
	}
	return simt.FuncOn(b.device, k)
}

func newBuilder(e *executor, r *runtime.Request) *builder {
	b := &builder{e: e, request: r, tasks: map[fuse.Step]task{}, funcs: map[any]int{}}
	if e != nil {
		b.device = e.machine()
	}
	return b
}

// Functions returns the functions that a device compiles for the steps of a plan.
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
	if b.unsized {
		x = x.Unsized()
	}
	if x.Pos == "" && !b.eager {
		x.Pos = pos
	}
	if guarded {
		x = x.Guarded()
	}
	b.list = append(b.list, x)
}

// functions lowers the kernels of a plan and of the plans in its loops. Kernels of a guarded plan
// do nothing if their guard, a byte of memory, is 0.
func (b *builder) functions(plan *fuse.Plan, guarded bool) {
	for _, s := range plan.Steps {
		b.task(plan, s).functions(b, guarded)
	}
}

// copies adds the kernels that copy where the driver's command cannot be used.
func (b *builder) copies(guarded bool) {
	b.add(copyKey{guarded, false}, guarded, "", func() *simt.Func { return simt.FuncOn(b.device, schedule.CopyKernel(scalar.U8)) })
	b.add(copyKey{guarded, true}, guarded, "", func() *simt.Func { return simt.FuncOn(b.device, schedule.CopyKernel(scalar.U32)) })
}

func (b *builder) transposeOf(plan *fuse.Plan, s *fuse.Transpose) *simt.Transpose {
	t := &simt.Transpose{Name: "transpose", Device: b.device, Type: scalar.U32, Offset: int64(s.Offset), Rows: simt.TransposeAxis(s.Rows), Cols: simt.TransposeAxis(s.Cols)}
	if s.Size == 8 {
		t.Type = scalar.U64
	}
	for _, a := range s.Batch {
		t.Batch = append(t.Batch, simt.TransposeAxis(a))
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
		st, err := b.task(plan, s).step(b, guarded)
		if err != nil {
			return nil, err
		}
		p.steps = append(p.steps, st)
	}
	return p, nil
}

func (b *builder) kernel(key any) *launch {
	i, ok := b.funcs[key]
	if !ok {
		panic(fmt.Sprintf("BUG: no function for %v", key))
	}
	l := &launch{kernel: b.code.Kernels[i], f: b.list[i], most: mostGroups(b.code.Kernels[i])}
	if n := int64(l.f.Cluster); n > 1 {
		l.most = max(l.most/n, 1) * n
	}
	l.groups = int(min(groupsOf(b.list[i], b.list[i].Values), l.most))
	return l
}

// groupsOf returns the number of groups of a function, 1 if it depends on symbols that are
// not known yet.
func groupsOf(f *simt.Func, symbols []int64) int64 {
	if len(f.Kernel.Symbols) > len(symbols) {
		return 1
	}
	return f.Groups(symbols)
}

func (b *builder) launch(key any, ids []int) (*kernelStep, error) {
	l := b.kernel(key)
	for _, id := range ids {
		if id < 0 {
			return nil, fmt.Errorf("BUG: kernel %s needs scratch buffers, which the plan does not size", l.f.Name)
		}
	}
	return &kernelStep{l, ids}, nil
}

// onOne returns the options of kernels of one point.
func (b *builder) onOne() simt.Options {
	return simt.Options{Mode: simt.PerThread, Threads: b.device.Threads(32), Device: b.device}
}

// maxGroups bounds the groups of a launch, unless the device runs more at once. If there are more items, a thread computes several.
const maxGroups = 4096

// mostGroups returns the bound for a kernel: a multiple of the groups that the device runs at once, if that is known, so
// that the device is busy until the end.
func mostGroups(k Kernel) int64 {
	if r, ok := k.(interface{ Resident() int }); ok && r.Resident() > 0 {
		n := int64(r.Resident())
		return max(maxGroups/n, 1) * n
	}
	return maxGroups
}

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
	b.account.Fallbacks = append(b.account.Fallbacks, runtime.Fallback{Op: c.Eqn.Prim.Name(), Pos: c.Eqn.Site.String(), Reason: schedule.WhyOnHost(c)})
	st, err := b.request.Step(c.Eqn)
	return &call{st, c}, err
}

func (p *program) Account() runtime.Account { return p.account }
