package simt

import (
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
	"github.com/weft-go/weft/lower/schedule"
)

// inParts writes one function for kernels that run one after the other on the same groups, and hand numbers on in shared memory.
func inParts(p *schedule.Parts) *Func {
	f := &Func{Name: p.Name, Kernel: &ir.Kernel{Name: p.Name, Buffers: p.Buffers}, Threads: p.Threads, Group: true}
	ix := scalar.I32
	for _, k := range p.Kernels {
		if indexType(k) == scalar.I64 {
			ix = scalar.I64
		}
	}
	w := &partsWriter{emitter: newEmitter(f, ix), p: p}
	for range schedule.SharedArrays {
		w.arrays = append(w.arrays, w.array(true, p.Element, p.Shared))
	}
	var groups []int64
	for _, d := range p.Kernels[0].Grid[:p.Groups] {
		groups = append(groups, d.Extent.Value)
	}
	w.points(groups, func(at []Reg) {
		for i := range p.Kernels {
			if i > 0 {
				w.barrier()
			}
			w.part(i, at)
		}
	})
	return f
}

type partsWriter struct {
	*emitter
	p      *schedule.Parts
	arrays []int
}

// part emits a kernel for a group, whose threads share its points.
func (w *partsWriter) part(i int, group []Reg) {
	k, memory := w.p.Kernels[i].Inlined(), w.p.Memory[i]
	e := newEmitter(w.f, w.ix)
	e.k, e.regs, e.axes = k, make([]Reg, len(k.Types)), make([]Reg, k.Axes)
	e.tid, e.out = w.tid, w.out
	groupAxes := func(at func(d int) Reg) {
		for d := range w.p.Groups {
			e.axes[k.Grid[d].Axis] = at(d)
		}
	}
	// near returns the place of an access in shared memory: that in the group's part of the buffer.
	near := func(a *ir.Access) Reg {
		groupAxes(func(int) Reg { return NoReg })
		at, _ := e.place(a)
		groupAxes(func(d int) Reg { return group[d] })
		return at
	}
	e.hook = hook{
		load: func(s *ir.Load) (Reg, bool) {
			m := memory[s.At.Buffer]
			if m < 0 {
				return e.get(w.arrays[-1-m], near(&s.At)), true
			}
			at, _ := e.place(&s.At)
			r := e.reg(k.Types[s.Dst])
			e.add(&Load{r, m, at})
			return r, true
		},
		store: func(s *ir.Store) bool {
			m := memory[s.At.Buffer]
			if m < 0 {
				e.put(w.arrays[-1-m], near(&s.At), e.regs[s.Value])
				return true
			}
			at, inside := e.place(&s.At)
			put := func() { e.add(&Store{m, at, e.regs[s.Value]}) }
			if inside == NoReg {
				put()
			} else {
				e.when(inside, put)
			}
			return true
		},
	}
	groupAxes(func(d int) Reg { return group[d] })
	points := int64(1)
	rest := k.Grid[w.p.Groups:]
	for _, d := range rest {
		points *= d.Extent.Value
	}
	e.loop(e.tid, e.num(points), e.num(int64(w.f.Threads)), func(i Reg) {
		for d := len(rest) - 1; d > 0; d-- {
			i, e.axes[rest[d].Axis] = e.quotient(i, rest[d].Extent.Value)
		}
		e.axes[rest[0].Axis] = i
		e.stmts(k.Body)
	})
	w.out = e.out
}
