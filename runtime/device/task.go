package device

import (
	"fmt"
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/fuse"
	"github.com/weft-go/weft/lower/schedule"
	"github.com/weft-go/weft/lower/simt"
)

// A task is how the device runs a step of a plan.
type task interface {
	// functions lowers the kernels of the task. Kernels of a guarded plan do nothing if their
	// guard, a byte of memory, is 0.
	functions(b *builder, guarded bool)

	// launches returns the number of launches of the task; ok is false if the host takes part in
	// its run.
	launches(b *builder) (n int, ok bool)

	// step returns the step that runs the task, whose functions are built.
	step(b *builder, guarded bool) (step, error)
}

// task returns the task of a step, which is made only once.
func (b *builder) task(plan *fuse.Plan, s fuse.Step) task {
	t, known := b.tasks[s]
	if !known {
		t = b.newTask(plan, s)
		b.tasks[s] = t
	}
	return t
}

func (b *builder) newTask(plan *fuse.Plan, s fuse.Step) task {
	switch s := s.(type) {
	case *fuse.Launch:
		if n := divided(s); n != nil && !b.device.Small() {
			return sequenceTask{n, &fuse.Call{Eqn: s.Eqn, In: s.Buffers}}
		}
		return kernelTask{s.Kernel, s.Eqn, s.Buffers, func() *simt.Func { return b.lowered(s.Kernel) }}
	case *fuse.RegisterLoop:
		return registerTask{kernelTask{s.Kernel, s.Eqn, s.Buffers, func() *simt.Func { return b.lowered(s.Kernel) }}, plan, s}
	case *fuse.Product:
		ids := []int{s.In[0], s.In[1], s.Out}
		if s.Tensor != core.Invalid {
			return kernelTask{s, s.Eqn, ids, func() *simt.Func { return b.tensorFunc(plan, s) }}
		}
		p := b.productOf(plan, s)
		if b.unsized {
			k := p.Kernel()
			return kernelTask{k, s.Eqn, ids, func() *simt.Func { return b.lowered(k) }}
		}
		if x := p.Split(); x != nil && !b.device.Small() {
			return sequenceTask{splitOf(x, s.Type), &fuse.Call{Eqn: s.Eqn, In: s.In[:], Out: []int{s.Out}}}
		}
		return kernelTask{s, s.Eqn, ids, func() *simt.Func { return simt.LowerProduct(p) }}
	case *fuse.Conv:
		p := b.convOf(plan, s)
		if x := p.Split(); x != nil && !b.device.Small() {
			return sequenceTask{splitOf(x, s.Type), &fuse.Call{Eqn: s.Eqn, In: []int{s.In[0], s.Kernel}, Out: []int{s.Out}}}
		}
		return kernelTask{s, s.Eqn, []int{s.In[0], s.In[1], s.Out}, func() *simt.Func { return simt.LowerConv(p) }}
	case *fuse.TensorConv:
		return b.tensorConvTask(plan, s)
	case *fuse.Attention:
		return kernelTask{s, s.Eqn, attentionBuffers(s), func() *simt.Func { return b.attentionFunc(plan, s) }}
	case *fuse.AttentionGrad:
		ids := append(attentionBuffers(&s.Attention), s.Rows)
		return kernelTask{s, s.Eqn, append(ids, s.Outs...), func() *simt.Func { return attentionGradFunc(plan, s) }}
	case *fuse.Transpose:
		return kernelTask{s, s.Eqn, []int{s.In, s.Out}, func() *simt.Func { return simt.LowerTranspose(b.transposeOf(plan, s)) }}
	case *fuse.Update:
		return sequenceTask{schedule.UpdateOf(s, b.device), &fuse.Call{Eqn: s.Eqn, In: append(slices.Clone(s.Buffers), s.Args[0]), Out: []int{s.Out}}}
	case *fuse.Sort:
		return b.equation(&fuse.Call{Eqn: s.Eqn, In: s.In, Out: s.Out, Reason: "rows of more than 2³¹ elements"})
	case *fuse.Call:
		return b.equation(s)
	case *fuse.Loop:
		if s.EndsByLane() {
			return hostTask{&fuse.Call{Eqn: s.Eqn, In: s.In, Out: s.Out, Reason: fuse.LanesEndApart}}
		}
		return loopTask{s}
	}
	panic(fmt.Sprintf("BUG: unknown step %T", s))
}

// equation returns the task of an equation, which the device or the reference executor runs.
func (b *builder) equation(c *fuse.Call) task {
	n := schedule.SequenceOf(c, b.device)
	if n != nil && b.runs(n) {
		return sequenceTask{n, c}
	}
	return hostTask{c}
}

// runs reports whether a group of the device has as many threads as the kernels of a sequence need.
func (b *builder) runs(n *schedule.Sequence) bool {
	return !b.device.Small() || !slices.ContainsFunc(n.Work, func(w schedule.Work) bool {
		return w.Kernel != nil && simt.FuncOn(b.device, w.Kernel).Threads > b.device.GroupThreads()
	})
}

// A kernelTask launches one kernel.
type kernelTask struct {
	key   any        // of its function
	eqn   *jaxpr.Eqn // may be nil
	ids   []int      // of its buffers
	lower func() *simt.Func
}

func (t kernelTask) functions(b *builder, guarded bool) {
	b.add(t.key, guarded, siteOf(t.eqn), t.lower)
}
func (t kernelTask) launches(*builder) (n int, ok bool)    { return 1, true }
func (t kernelTask) step(b *builder, _ bool) (step, error) { return b.launch(t.key, t.ids) }

// siteOf returns the line of an equation, "" if there is none.
func siteOf(e *jaxpr.Eqn) string {
	if e == nil {
		return ""
	}
	return e.Site.String()
}

type sequenceTask struct {
	sequence *schedule.Sequence
	call     *fuse.Call
}

func (t sequenceTask) functions(b *builder, guarded bool) {
	for _, w := range t.sequence.Work {
		if w.Kernel != nil {
			b.add(w.Kernel, guarded, siteOf(t.call.Eqn), func() *simt.Func { return b.lowered(w.Kernel) })
		}
	}
	if guarded {
		b.copies(true)
	}
}

func (t sequenceTask) launches(*builder) (n int, ok bool) { return len(t.sequence.Work), true }
func (t sequenceTask) step(b *builder, _ bool) (step, error) {
	return b.sequenceStep(t.sequence, t.call)
}

// A hostTask runs an equation on the reference executor.
type hostTask struct{ call *fuse.Call }

func (t hostTask) functions(*builder, bool)              {}
func (t hostTask) launches(*builder) (n int, ok bool)    { return 0, false }
func (t hostTask) step(b *builder, _ bool) (step, error) { return b.call(t.call) }
