package device

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/fuse"
	"github.com/weft-go/weft/lower/reference"
	"github.com/weft-go/weft/lower/schedule"
	"github.com/weft-go/weft/lower/simt"
	"github.com/weft-go/weft/runtime"
)

// A loopTask runs a loop or a branch, whose programs are plans.
type loopTask struct{ loop *fuse.Loop }

func (t loopTask) functions(b *builder, guarded bool) {
	s := t.loop
	inside := guarded || t.onDevice(b)
	if inside {
		b.copies(true)
	}
	switch {
	case !inside && !b.loops || s.Kind == fuse.ScanLoop:
	case s.Kind == fuse.WhileLoop && b.loops:
	case s.Kind == fuse.WhileLoop:
		b.add(advanceKey{}, false, s.Eqn.Site.String(), func() *simt.Func { return simt.Lower(schedule.AdvanceKernel(), b.onOne()) })
	default:
		b.add(choiceKey{s}, false, s.Eqn.Site.String(), func() *simt.Func {
			return simt.Lower(schedule.ChoiceKernel(s.Eqn.Ins[0].Aval().DType, len(s.Plans)), b.onOne())
		})
	}
	for _, q := range s.Plans {
		b.functions(q, inside)
	}
}

// onDevice reports whether a while loop or branches run with guards, in a plan that has none: they
// do if the host takes no part in their programs and the launches are few.
func (t loopTask) onDevice(b *builder) bool {
	if t.loop.Kind == fuse.ScanLoop || b.loops {
		return false // a scan needs no guard: its length is known; in a graph with loops nothing needs one
	}
	n, ok := b.inside(t.loop)
	return ok && n <= mostLaunches
}

// inside returns the number of launches of the programs of a loop, once each; ok is false if the
// host takes part in their runs.
func (b *builder) inside(s *fuse.Loop) (n int, ok bool) {
	for _, q := range s.Plans {
		k, ok := b.quiet(q)
		if !ok {
			return 0, false
		}
		n += k
	}
	return n, true
}

func (t loopTask) launches(b *builder) (n int, ok bool) {
	if t.loop.Kind == fuse.WhileLoop && !b.loops {
		return 0, false
	}
	n, ok = b.inside(t.loop)
	switch {
	case t.loop.Kind == fuse.WhileLoop: // two iterations, the first condition, copies, marks
		return min(2*n, mostQuiet) + n + 2*len(t.loop.Out) + 6, ok
	case t.loop.Kind == fuse.CondCall && b.loops:
		return n + 1 + 2*len(t.loop.Plans), ok
	case t.loop.Kind == fuse.CondCall:
		return n, ok && n <= mostLaunches // else the host chooses
	case n > 0:
		n *= min(t.loop.Eqn.Prim.(*jaxpr.Scan).Length, mostQuiet/n+1)
	}
	return n, ok
}

func (t loopTask) step(b *builder, guarded bool) (step, error) {
	l := &loop{loop: t.loop}
	l.guarded = guarded || t.onDevice(b)
	if l.guarded && t.loop.Kind == fuse.WhileLoop {
		l.advance = b.kernel(advanceKey{})
	}
	if (l.guarded || b.loops) && t.loop.Kind == fuse.CondCall {
		l.choose = b.kernel(choiceKey{t.loop})
	}
	for _, q := range t.loop.Plans {
		sub, err := b.program(q, l.guarded)
		if err != nil {
			return nil, err
		}
		l.programs = append(l.programs, sub)
	}
	return l, nil
}

// A registerTask launches the kernel of a loop in registers, once or more often.
type registerTask struct {
	kernelTask
	plan *fuse.Plan
	loop *fuse.RegisterLoop
}

// isCounted reports whether a loop in registers runs without the host: its launches are known,
// and few.
func isCounted(s *fuse.RegisterLoop) bool { return s.Launches > 0 && s.Launches <= mostLaunches }

func (t registerTask) launches(b *builder) (n int, ok bool) {
	n = len(t.loop.Copies) + len(t.loop.Zero)
	if !isCounted(t.loop) {
		return n + 4, b.loops
	}
	return n + t.loop.Launches, true
}

func (t registerTask) step(b *builder, _ bool) (step, error) {
	l, err := b.launch(t.key, t.ids)
	if err != nil {
		return nil, err
	}
	st := &registerLoop{kernelStep: l, loop: t.loop}
	n := 0
	for _, id := range t.loop.Zero {
		n = max(n, t.plan.Values[id].Bytes())
	}
	if n > 0 {
		st.zeros, err = b.e.upload(runtime.FromTensor(reference.NewTensor(core.Aval(core.Uint8, n))))
	}
	return st, err
}
