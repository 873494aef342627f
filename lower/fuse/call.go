package fuse

import (
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
)

// NoKernel is the reason of a call for which planning states no other.
const NoKernel = "no kernel"

// Call runs an equation without a kernel: on the reference executor, unless an executor has another way.
type Call struct {
	step
	Eqn    *jaxpr.Eqn
	In     []int
	Out    []int // −1: nothing reads the result
	Reason string
}

func (s *Call) Reads() []int  { return s.In }
func (s *Call) Writes() []int { return s.Out }
func (*Call) MayFail() bool   { return true }

func (s *Call) write(w *planWriter) {
	w.line("call %s%s → %s: %s", s.Eqn.Prim.Name(), w.p.names(s.In), w.list(s.Out), w.reason(s))
}

// barrier lets the results of an optimization barrier share the memory of its operands. Later
// kernels read them once all operands are computed. It reports whether it did.
func (p *planner) barrier(e *jaxpr.Eqn) bool {
	if _, ok := e.Prim.(prim.OptimizationBarrierP); !ok {
		return false
	}
	for _, a := range e.Ins {
		if _, ok := a.(*jaxpr.Var); !ok {
			return false
		}
	}
	ids := p.operands(e)
	for i, v := range e.Outs {
		n := p.bind(v, e, i)
		n.mem, n.value, n.seq = true, ids[i], len(p.items)-1
	}
	return true
}

// call leaves an equation to the reference executor, unless it is an optimization barrier whose results can
// share the memory of its operands.
func (p *planner) call(e *jaxpr.Eqn, why string) {
	if _, refused := p.refused[e]; !refused && p.barrier(e) {
		return
	}
	c := &Call{Eqn: e, Reason: why}
	c.In, c.Out = p.operands(e), p.outputs(e)
	p.add(c)
	p.made(e, len(p.items)-1)
}
