package jaxpr

import (
	"github.com/weft-go/weft/core"
)

// Eval runs j, equation by equation, by core.Bind: what the equations mean is up
// to the operands' owners and the interpreters of this goroutine. consts are the
// values of j.Consts; nil means those that j carries. A value is let go after its
// last use, so that memory is what is alive, not what was made.
func Eval(j *Jaxpr, consts, args []core.Value) []core.Value {
	if consts == nil {
		consts = j.ConstVals
	}
	if consts == nil && len(j.Consts) > 0 {
		core.Failf(core.ErrCheck, "the program was read from text, which does not have the values of its %s", core.Count(len(j.Consts), "constant"))
	}
	if len(consts) != len(j.Consts) {
		core.Failf(core.ErrCheck, "the program has %s, got values for %d", core.Count(len(j.Consts), "constant"), len(consts))
	}
	if len(args) != len(j.Ins) {
		core.Failf(core.ErrCheck, "the program takes %s, got %d", core.Count(len(j.Ins), "argument"), len(args))
	}
	plan := j.plan()
	env := make([]core.Value, plan.slots)
	copy(env, consts)
	copy(env[len(consts):], args)
	for _, s := range plan.unread {
		env[s] = nil
	}
	replay := core.StartReplay()
	defer replay.End()
	slots := plan.refs
	for i, e := range j.Eqns {
		replay.At(e.Site)
		if why, out := Outside(e.Prim); out {
			core.FailOp(core.ErrNoRule, e.Prim.Name(), core.AvalsOf(e.Ins), "cannot be evaluated: %s", why)
		}
		operand := func(k int) core.Value {
			if s := slots[k]; s >= 0 {
				return env[s]
			}
			return e.Ins[k]
		}
		drop := func() {
			for _, s := range plan.dead[plan.deadAt[i]:plan.deadAt[i+1]] {
				env[s] = nil
			}
		}
		n := len(e.Ins)
		if len(e.Outs) == 1 && (n == 1 || n == 2) { // the usual case, without slices
			var x, y core.Value
			x = operand(0)
			if n == 2 {
				y = operand(1)
			}
			drop()
			var out core.Value
			if n == 1 {
				out = core.Apply1(e.Prim, x)
			} else {
				out = core.Apply2(e.Prim, x, y)
			}
			if s := slots[n]; s >= 0 {
				env[s] = out
			}
			slots = slots[n+1:]
			continue
		}
		// The operands' slice is the callee's to keep.
		in := make([]core.Value, n)
		for k := range in {
			in[k] = operand(k)
		}
		drop()
		out := core.Bind(e.Prim, in...)
		for k := range e.Outs {
			if s := slots[n+k]; s >= 0 {
				env[s] = out[k]
			}
		}
		slots = slots[n+len(e.Outs):]
	}
	outs := make([]core.Value, len(j.Outs))
	for i, a := range j.Outs {
		if s := slots[i]; s >= 0 {
			outs[i] = env[s]
		} else {
			outs[i] = a
		}
	}
	return outs
}

// evalPlan says in which slot of the environment each variable lives. Slots are
// used again after the last use of what was in them.
type evalPlan struct {
	slots  int
	refs   []int32 // of operands and results, equation by equation, then j.Outs; −1 for literals and results that nobody reads
	dead   []int32 // slots that an equation reads last
	deadAt []int32 // where those of each equation begin in dead
	unread []int32 // slots of constants and inputs that nobody reads
}

type planKey struct{}

func (j *Jaxpr) plan() *evalPlan {
	return j.Memo(planKey{}, func() any { return makePlan(j) }).(*evalPlan)
}

func makePlan(j *Jaxpr) *evalPlan {
	// Variables are numbered once: a look-up costs more than all the rest.
	const usual = 3 // operands and results of an equation
	n := len(j.Eqns)
	p := &evalPlan{refs: make([]int32, 0, usual*n+len(j.Outs)), dead: make([]int32, 0, n), deadAt: make([]int32, 1, n+1)}
	number := NumbersFor(j)
	last := make([]int32, 0, len(j.Consts)+len(j.Ins)+n) // the equation that uses a variable last; −1: none
	bind := func(v *Var) int32 {
		n, fresh := number.Bind(v)
		if !fresh {
			core.Failf(core.ErrCheck, "a variable is bound twice: the program does not pass Check")
		}
		last = append(last, -1)
		return int32(n)
	}
	use := func(i int, as []Atom) {
		for _, a := range as {
			n := -1
			if v, ok := a.(*Var); ok {
				if n, ok = number.Of(v); !ok {
					core.Failf(core.ErrCheck, "a variable of type %v is not bound where it is used: the program does not pass Check", v.Type.Full())
				}
				last[n] = int32(i)
			}
			p.refs = append(p.refs, int32(n))
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
			p.refs = append(p.refs, bind(v))
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
		p.slots++
		return int32(p.slots - 1)
	}
	for n := range len(j.Consts) + len(j.Ins) {
		slot[n] = take()
		if last[n] < 0 {
			p.unread = append(p.unread, slot[n])
		}
	}
	free = append(free, p.unread...)
	read := func(at []int32) {
		for k, n := range at {
			if n >= 0 {
				at[k] = slot[n]
			}
		}
	}
	rest := p.refs
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
