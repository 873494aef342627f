package device

import (
	"slices"

	"github.com/weft-go/weft/lower/fuse"
	"github.com/weft-go/weft/lower/schedule"
)

// fallsBack reports whether the reference executor runs an equation of a plan.
func (b *builder) fallsBack(plan *fuse.Plan) bool {
	return slices.ContainsFunc(plan.Steps, func(s fuse.Step) bool {
		_, host := b.task(plan, s).(hostTask)
		return host || slices.ContainsFunc(s.Inner(), b.fallsBack)
	})
}

type sequenceStep struct {
	plan     *schedule.Sequence
	call     *fuse.Call
	launches []*launch // by work; nil for copies
	tables   []view
}

func (s *sequenceStep) run(x *execution, f *frame) error {
	scratch, outs := make([]view, len(s.plan.Scratch)), make([]view, len(s.call.Out))
	held := len(x.held)
	for i, bytes := range s.plan.Scratch {
		var err error
		if scratch[i], err = x.scratch(bytes); err != nil {
			return err
		}
	}
	for i, id := range s.call.Out {
		if id >= 0 {
			outs[i] = f.views[id]
			continue
		}
		var err error // a result that nothing reads
		if outs[i], err = x.scratch(bytesOf(s.call.Eqn.Outs[i].Type)); err != nil {
			return err
		}
	}
	at := func(m schedule.Slot) view {
		switch m.Of {
		case schedule.OperandSlot:
			return f.views[s.call.In[m.I]]
		case schedule.ResultSlot:
			return outs[m.I]
		case schedule.TableSlot:
			return s.tables[m.I]
		}
		return scratch[m.I]
	}
	for i, w := range s.plan.Work {
		if w.Kernel == nil {
			if err := f.p.copy(x, at(w.Memory[1]), at(w.Memory[0]), bytesOf(s.call.Eqn.Outs[w.Memory[1].I].Type)); err != nil {
				return err
			}
			continue
		}
		views := make([]view, len(w.Memory))
		for k, m := range w.Memory {
			views[k] = at(m)
		}
		if err := x.launch(s.launches[i], x.guard.p != nil, views, w.Symbols...); err != nil {
			return err
		}
	}
	x.release(held) // later commands may use the memory
	return nil
}
