package jaxpr

import (
	"github.com/weft-go/weft/core"
)

// Eval runs j, equation by equation, by core.Bind: what the equations mean is up to the operands'
// owners and the interpreters of this goroutine. consts are the values of j.Consts; nil means
// those that j carries. A value is released after its last use, so that only live values take
// memory.
func Eval(j *Jaxpr, consts, args []core.Value) []core.Value {
	if consts == nil {
		consts = j.ConstVals
	}
	if consts == nil && len(j.Consts) > 0 {
		core.Failf(core.ErrCheck, "the program was read from text, which does not contain the values of its %s; make them inputs", core.Count(len(j.Consts), "constant"))
	}
	if len(consts) != len(j.Consts) {
		core.Failf(core.ErrCheck, "the program has %s (got values for %d); pass one for each", core.Count(len(j.Consts), "constant"), len(consts))
	}
	if len(args) != len(j.Ins) {
		core.Failf(core.ErrCheck, "the program takes %s (got %d); pass one for each input", core.Count(len(j.Ins), "argument"), len(args))
	}
	if j.Closureful() {
		var outs []core.Value
		Within([]*Frame{{j: j, consts: consts, args: args}}, func() { outs = evaluate(j, consts, args) })
		return outs
	}
	return evaluate(j, consts, args)
}

func evaluate(j *Jaxpr, consts, args []core.Value) []core.Value {
	plan := j.Slots()
	env := make([]core.Value, plan.Count)
	copy(env, consts)
	copy(env[len(consts):], args)
	for _, s := range plan.Unread {
		env[s] = nil
	}
	replay := core.StartReplay()
	defer replay.End()
	slots := plan.Refs
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
			for _, s := range plan.DeadAfter(i) {
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
