package jaxpr

import "github.com/weft-go/weft/core"

// Slots is the liveness of a program: it assigns each variable a slot of a frame. A
// slot is reused after the last use of the variable in it. Evaluators and executors
// share it.
//
// The constants have the first slots, then the inputs, each its own.
type Slots struct {
	Count int // of slots
	// Refs are the slots of operands and results, equation by equation, then those
	// of the program's results; −1 for a literal, and for a result without use.
	Refs   []int32
	Unread []int32 // slots of constants and inputs without use
	dead   []int32 // slots that each equation uses last, equation by equation
	deadAt []int32 // where those of each equation begin in dead
}

// DeadAfter returns the slots whose last use is equation i. Results of the same
// equation may already be in them.
func (p *Slots) DeadAfter(i int) []int32 {
	core.RequireReceiver("jaxpr.Slots.DeadAfter", p == nil)
	if i < 0 || i+1 >= len(p.deadAt) {
		core.FailOp(core.ErrIndex, "jaxpr.Slots.DeadAfter", nil, "the program has no equation %d (got %d of them); name one that it has", i, max(len(p.deadAt)-1, 0))
	}
	return p.dead[p.deadAt[i]:p.deadAt[i+1]]
}

type slotsKey struct{}

// Slots returns the liveness of j, memoized. It panics with *core.Error if j binds a variable twice
// or uses one that is not bound.
func (j *Jaxpr) Slots() *Slots {
	core.RequireReceiver("jaxpr.Jaxpr.Slots", j == nil)
	return j.Memo(slotsKey{}, func() any { return makeSlots(j) }).(*Slots)
}

func makeSlots(j *Jaxpr) *Slots {
	const usual = 3 // operands and results of an equation
	n := len(j.Eqns)
	p := &Slots{Refs: make([]int32, 0, usual*n+len(j.Outs)), dead: make([]int32, 0, n), deadAt: make([]int32, 1, n+1)}
	// Variables are numbered once: a look-up costs more than all the rest.
	number := NumbersFor(j)
	last := make([]int32, 0, len(j.Consts)+len(j.Ins)+n) // the equation that uses a variable last; −1: none
	bind := func(v *Var) int32 {
		n, fresh := number.Bind(v)
		if !fresh {
			core.Failf(core.ErrCheck, "a variable is bound twice, so the program does not pass Check; rename one")
		}
		last = append(last, -1)
		return int32(n)
	}
	use := func(i int, as []Atom) {
		for _, a := range as {
			n := -1
			if v, ok := a.(*Var); ok {
				if n, ok = number.Of(v); !ok {
					core.Failf(core.ErrCheck, "a variable of type %v is used where it is not bound, so the program does not pass Check; bind it first", v.Type.Full())
				}
				last[n] = int32(i)
			}
			p.Refs = append(p.Refs, int32(n))
		}
	}
	for _, v := range j.Consts {
		bind(v)
	}
	for _, v := range j.Ins {
		bind(v)
	}
	for i, e := range j.Eqns {
		use(i, e.Ins)
		for _, v := range e.Outs {
			p.Refs = append(p.Refs, bind(v))
		}
	}
	use(len(j.Eqns), j.Outs)

	// From numbers to slots.
	slot := make([]int32, number.Len())
	var free []int32
	take := func() int32 {
		if n := len(free); n > 0 {
			s := free[n-1]
			free = free[:n-1]
			return s
		}
		p.Count++
		return int32(p.Count - 1)
	}
	for n := range len(j.Consts) + len(j.Ins) {
		slot[n] = take()
		if last[n] < 0 {
			p.Unread = append(p.Unread, slot[n])
		}
	}
	free = append(free, p.Unread...)
	read := func(at []int32) {
		for k, n := range at {
			if n >= 0 {
				at[k] = slot[n]
			}
		}
	}
	rest := p.Refs
	numbers := make([]int32, 0, 8)
	for i, e := range j.Eqns {
		ins, outs := rest[:len(e.Ins)], rest[len(e.Ins):len(e.Ins)+len(e.Outs)]
		rest = rest[len(e.Ins)+len(e.Outs):]
		numbers = append(numbers[:0], ins...)
		read(ins)
		for _, n := range numbers {
			if n >= 0 && last[n] == int32(i) {
				p.dead = append(p.dead, slot[n])
				free = append(free, slot[n])
				last[n] = -1 // it may stand here twice
			}
		}
		p.deadAt = append(p.deadAt, int32(len(p.dead)))
		for k, n := range outs {
			if last[n] < 0 {
				outs[k] = -1
				continue
			}
			slot[n] = take()
			outs[k] = slot[n]
		}
	}
	read(rest)
	return p
}
