package fuse

import (
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/ir"
)

// LoopKind distinguishes Loop's forms.
type LoopKind uint8

// The kinds of loops and branches.
const (
	WhileLoop LoopKind = iota // Plans: condition, body
	ScanLoop                  // Plans: body
	CondCall                  // Plans: branches
)

// Loop runs plans within the plan as the equation states: a while, a scan or a cond. In
// and Out are the operands and results of the equation. The operands of a while are the
// constants of the condition, the constants of the body, and the carries; those of a scan are
// constants, carries, and the scanned operands; those of a cond are the index, and the
// operands of the branches.
type Loop struct {
	step
	Kind  LoopKind
	Eqn   *jaxpr.Eqn
	Plans []*Plan
	In    []int
	Out   []int // −1: nothing reads the result
}

func (s *Loop) Reads() []int   { return s.In }
func (s *Loop) Writes() []int  { return s.Out }
func (s *Loop) Inner() []*Plan { return s.Plans }
func (*Loop) MayFail() bool    { return true }

func (s *Loop) Kernels() []*ir.Kernel {
	var ks []*ir.Kernel
	for _, q := range s.Plans {
		ks = append(ks, q.Kernels()...)
	}
	return ks
}

func (s *Loop) write(w *planWriter) {
	w.line("loop %s%s → %s", s.Eqn.Prim.Name(), w.p.names(s.In), w.list(s.Out))
	for _, q := range s.Plans {
		w.within().plan(q)
	}
}

// LanesEndApart is the reason why the reference executor runs a loop for which EndsByLane is
// true.
const LanesEndApart = "its lanes end at different times, and its condition has effects"

// EndsByLane reports whether the lanes of a while loop end at different times. In a plan, only
// loops whose conditions have effects do: others have become loops with one condition.
func (l *Loop) EndsByLane() bool {
	w, ok := l.Eqn.Prim.(*jaxpr.While)
	return ok && w.Cond.Outs[0].Aval().Rank() > 0
}

func (s *Loop) reusing() []int {
	if s.EndsByLane() {
		return nil // the reference executor runs it
	}
	return slices.DeleteFunc(slices.Clone(s.Out), func(id int) bool { return id < 0 })
}

func (s *Loop) overwrites(u *memoryUse, out int, candidate func(root int) bool) int {
	k := slices.Index(s.Out, out)
	for i, id := range s.In {
		if id < 0 || !s.returnsInPlace(i, k) {
			continue
		}
		if x := u.root(id); u.once(s.In, x) && candidate(x) {
			return x
		}
	}
	return -1
}

// returnsInPlace reports whether result k of a loop or of branches may lie in the memory of
// operand i: every branch, or every iteration, returns it there or as it is.
func (s *Loop) returnsInPlace(i, k int) bool {
	plans, first := s.Plans, 1 // after the index
	switch q := s.Eqn.Prim.(type) {
	case *jaxpr.While:
		plans, first = s.Plans[1:], q.CondConsts
		if i != first+q.BodyConsts+k {
			return false
		}
	case *jaxpr.Scan:
		first = 0
		if i != q.NumConsts+k || k >= q.NumCarry {
			return false
		}
	}
	if i < first {
		return false
	}
	for _, q := range plans {
		if !q.keeps(k, i-first) && q.Reuse[k].Input != i-first {
			return false
		}
	}
	return true
}

// loop makes a step of a while, a scan or a cond. A while or a scan may become one kernel: if its arrays fit in registers,
// if an iteration consists of kernels on small arrays, or if it is an [elementLoop] on a device. Otherwise the step runs plans.
func (p *planner) loop(e *jaxpr.Eqn) {
	_, refused := p.refused[e]
	if !refused && core.EffectsOf(e.Prim) == 0 && len(e.Ins)+len(e.Outs) < p.mostBuffers() {
		switch q := e.Prim.(type) {
		case *jaxpr.While:
			switch l := elementWhile(q); {
			case l != nil && !p.target.Tiny:
				cc, bc := q.CondConsts, q.CondConsts+q.BodyConsts
				p.registerWriter(e).each(l, e, e.Ins[:cc], e.Ins[cc:bc], e.Ins[bc:], p.outputs(e), -1)
				return
			case l == nil && p.smallWhile(q):
				p.registerWhile(e, q)
				return
			}
		case *jaxpr.Scan:
			switch l := elementScan(q); {
			case l != nil && !p.target.Tiny:
				p.registerWriter(e).each(l, e, nil, e.Ins[:q.NumConsts], e.Ins[q.NumConsts:], p.outputs(e), q.Length)
				return
			case l == nil && p.smallScan(q):
				p.registerScan(e, q)
				return
			}
		}
	}
	written := e
	if q, ok := e.Prim.(*jaxpr.While); ok {
		e = together(e, q)
	}
	l := &Loop{Eqn: e}
	switch q := e.Prim.(type) {
	case *jaxpr.While:
		l.Kind, l.Plans = WhileLoop, []*Plan{p.within(q.Cond), p.within(q.Body)}
	case *jaxpr.Scan:
		l.Kind, l.Plans = ScanLoop, []*Plan{p.within(q.Jaxpr)}
	case *jaxpr.Cond:
		l.Kind = CondCall
		for _, b := range q.Branches {
			l.Plans = append(l.Plans, p.within(b))
		}
	}
	if !refused && p.wholeLoop(e, l.Plans) {
		return
	}
	programs := 0
	for _, q := range l.Plans {
		programs += q.programs
	}
	if p.plan.programs+programs > mostPrograms {
		p.call(written, "its programs are used too often")
		return
	}
	p.plan.programs += programs
	l.In, l.Out = p.operands(e), p.outputs(e)
	p.made(e, p.add(l))
}

// mostPrograms bounds the programs of a plan, those in loops included, each as often as it is
// used: executors reserve memory for each use. With n levels of branches, each of which uses the
// program of the next level twice, there would be 2ⁿ.
const mostPrograms = 4096

func (p *planner) within(j *jaxpr.Jaxpr) *Plan {
	if len(p.refused) == 0 {
		return j.Memo(p.target, func() any { return translate(j, p.target, nil, nil, true) }).(*Plan)
	}
	if p.inner == nil {
		p.inner = map[*jaxpr.Jaxpr]*Plan{}
	}
	if p.inner[j] == nil {
		p.inner[j] = translate(j, p.target, p.refused, p.inner, true)
	}
	return p.inner[j]
}
