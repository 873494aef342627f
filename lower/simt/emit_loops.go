package simt

import (
	"github.com/weft-go/weft/lower/ir"
)

// kernelLoop emits a loop of the kernel. Threads that work together share the iterations
// of a loop whose iterations are independent.
func (e *emitter) kernelLoop(s *ir.Loop) {
	n := e.extent(s.Extent, s.Tail)
	loads, stores := accesses(s.Body)
	if s.Kind == ir.Vector {
		e.before(loads, stores)
		from, step := e.num(0), e.num(1)
		if e.together || e.striped {
			from, step = e.tid, e.num(int64(e.f.Threads))
		}
		e.apart(func() {
			e.loop(from, n, step, func(i Reg) {
				e.axes[s.Axis] = i
				e.stmts(s.Body)
			})
		})
		return
	}
	params := e.start(s.Carry)
	e.loop(e.num(0), n, e.num(1), func(i Reg) {
		e.axes[s.Axis] = i
		e.again(loads, stores)
		e.stmts(s.Body)
		e.step(s.Carry, params)
	})
	e.finish(s.Carry, params)
}

// again makes accesses pending, such as those of the iteration before at the start of the next one.
func (e *emitter) again(loads, stores bool) {
	e.access.loads = e.access.loads || loads
	e.access.stores = e.access.stores || stores
}

func (e *emitter) start(cs []ir.Carry) []Reg {
	params := make([]Reg, len(cs))
	for i, c := range cs {
		params[i] = e.copied(e.regs[c.Init])
	}
	for i, c := range cs {
		e.regs[c.Param] = params[i]
	}
	return params
}

// step hands the values of an iteration to the next one, all at once.
func (e *emitter) step(cs []ir.Carry, params []Reg) {
	next := make([]Reg, len(cs))
	for i, c := range cs {
		next[i] = e.regs[c.Next]
		if len(cs) > 1 {
			next[i] = e.copied(next[i])
		}
	}
	for i := range cs {
		e.move(params[i], next[i])
	}
}

func (e *emitter) finish(cs []ir.Carry, params []Reg) {
	for i, c := range cs {
		e.regs[c.Result] = params[i]
	}
}

func (e *emitter) while(s *ir.While) {
	params := e.start(s.Carry)
	loads, stores := accesses(s.Cond, s.Body)
	w := &While{}
	e.again(loads, stores)
	w.Cond = e.block(func() { e.stmts(s.Cond) })
	w.Test = e.regs[s.Test]
	w.Body = e.block(func() {
		e.stmts(s.Body)
		e.step(s.Carry, params)
	})
	e.add(w)
	e.again(loads, stores)
	e.finish(s.Carry, params)
}

func (e *emitter) branch(s *ir.If) {
	results := make([]Reg, len(s.Merge))
	for i, m := range s.Merge {
		results[i] = e.reg(e.k.Types[m.Result])
	}
	was := e.access
	b := &If{Cond: e.regs[s.Cond]}
	b.Then = e.block(func() {
		e.stmts(s.Then)
		for i, m := range s.Merge {
			e.move(results[i], e.regs[m.Then])
		}
	})
	then := e.access
	e.access = was
	b.Else = e.block(func() {
		e.stmts(s.Else)
		for i, m := range s.Merge {
			e.move(results[i], e.regs[m.Else])
		}
	})
	e.again(then.loads, then.stores)
	e.add(b)
	for i, m := range s.Merge {
		e.regs[m.Result] = results[i]
	}
}
