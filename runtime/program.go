package runtime

import (
	"context"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
)

// program is a jaxpr made ready for the reference executor: variables are slots of
// a frame, which are used again when what was in them has been read for the last
// time; every equation has its action.
type program struct {
	slots  int
	consts []*Array
	ins    []int32 // slots of constants and inputs; −1 where nobody reads
	steps  []step
	outs   []operand
	types  []core.ShapedArray // of the results
}

// operand is a slot, or a constant if the slot is −1.
type operand struct {
	slot int32
	lit  *Array
}

type step struct {
	act  action
	in   []operand
	out  []int32 // −1: nobody reads it
	dead []int32 // read for the last time
}

type programKey struct{}

func programOf(j *jaxpr.Jaxpr) *program {
	return j.Memo(programKey{}, func() any { return newProgram(j) }).(*program)
}

func newProgram(j *jaxpr.Jaxpr) *program {
	p := &program{types: j.OutAvals()}
	if len(j.ConstVals) != len(j.Consts) {
		core.Failf(core.ErrCheck, "the program was read from text and its %d constants have no values: make them arguments", len(j.Consts))
	}
	last := map[*jaxpr.Var]int{}
	use := func(i int, as []jaxpr.Atom) {
		for _, a := range as {
			if v, ok := a.(*jaxpr.Var); ok {
				last[v] = i
			}
		}
	}
	for i, e := range j.Eqns {
		use(i, e.Ins)
	}
	use(len(j.Eqns), j.Outs)

	slot := map[*jaxpr.Var]int32{}
	var free []int32
	bind := func(v *jaxpr.Var) int32 {
		if _, used := last[v]; !used {
			return -1
		}
		var s int32
		if n := len(free); n > 0 {
			s, free = free[n-1], free[:n-1]
		} else {
			s = int32(p.slots)
			p.slots++
		}
		slot[v] = s
		return s
	}
	read := func(as []jaxpr.Atom) []operand {
		ops := make([]operand, len(as))
		for i, a := range as {
			switch a := a.(type) {
			case *jaxpr.Var:
				s, ok := slot[a]
				if !ok {
					core.Failf(core.ErrCheck, "a variable of type %v is used before it is bound", a.Type.Full())
				}
				ops[i].slot = s
			case core.Literal:
				ops[i] = operand{-1, FromLiteral(a)}
			default:
				core.Failf(core.ErrCheck, "an operand is neither a variable nor a literal but a %T", a)
			}
		}
		return ops
	}

	for i, v := range j.Consts {
		if _, ok := j.ConstVals[i].(core.Tracer); ok {
			panic("BUG: a program with a traced constant reached an executor")
		}
		p.consts = append(p.consts, concrete(&jaxpr.Jit{}, j.ConstVals[i]))
		p.ins = append(p.ins, bind(v))
	}
	for _, v := range j.Ins {
		p.ins = append(p.ins, bind(v))
	}
	for i, e := range j.Eqns {
		s := step{act: eqnAction(e), in: read(e.Ins)}
		for _, a := range e.Ins {
			if v, ok := a.(*jaxpr.Var); ok && last[v] == i {
				s.dead = append(s.dead, slot[v])
				free = append(free, slot[v])
				last[v] = -1 // it may stand here twice
			}
		}
		for _, v := range e.Outs {
			s.out = append(s.out, bind(v))
		}
		p.steps = append(p.steps, s)
	}
	p.outs = read(j.Outs)
	return p
}

// eqnAction is the action of an equation whose types are those that its operation
// gives: kernels trust them.
func eqnAction(e *jaxpr.Eqn) action {
	avals := core.AvalsOf(e.Ins)
	if why, out := jaxpr.Outside(e.Prim); out {
		core.FailOp(core.ErrNoRule, e.Prim.Name(), avals, "cannot be run: %s", why)
	}
	types := core.AbstractOf(e.Prim, avals)
	if len(types) != len(e.Outs) {
		core.FailOp(core.ErrCheck, e.Prim.Name(), avals, "gives %d results, the program binds %d", len(types), len(e.Outs))
	}
	for i, v := range e.Outs {
		if !v.Type.SameType(types[i]) {
			core.FailOp(core.ErrCheck, e.Prim.Name(), avals, "result %d is %v, the program says %v", i, types[i].Full(), v.Type.Full())
		}
	}
	return actionOf(e.Prim, avals, types)
}

// Run runs the program on arrays.
func (p *program) Run(ctx context.Context, args []*Array) []*Array {
	if len(args) != len(p.ins)-len(p.consts) {
		core.Failf(core.ErrCheck, "the program takes %d arguments, got %d", len(p.ins)-len(p.consts), len(args))
	}
	x := run{ctx: ctx, done: ctx.Done()}
	return p.call(&x, make([]*Array, p.slots), args)
}

// run is what one run of a program carries through its calls.
type run struct {
	ctx  context.Context
	done <-chan struct{} // nil if ctx cannot end
}

// ask stops the run if its context has ended.
func (x *run) ask() {
	if x.done == nil {
		return
	}
	select {
	case <-x.done:
		panic(&core.Error{Op: "jit", Msg: "the call was cancelled", Err: context.Cause(x.ctx)})
	default:
	}
}

// call runs the program in the given frame, which it leaves empty.
func (p *program) call(x *run, frame []*Array, args []*Array) []*Array {
	n := len(p.consts)
	for i, s := range p.ins {
		if s < 0 {
			continue
		}
		if i < n {
			frame[s] = p.consts[i]
		} else {
			frame[s] = args[i-n]
		}
	}
	var inBuf [8]*Array
	for i := range p.steps {
		s := &p.steps[i]
		x.ask()
		in := inBuf[:0]
		for _, o := range s.in {
			in = append(in, o.get(frame))
		}
		for _, d := range s.dead {
			frame[d] = nil
		}
		for k, a := range s.act.run(x, in) {
			if o := s.out[k]; o >= 0 {
				frame[o] = a
			}
		}
	}
	outs := make([]*Array, len(p.outs))
	for i, o := range p.outs {
		outs[i] = o.get(frame)
	}
	clear(frame)
	return outs
}

func (o operand) get(frame []*Array) *Array {
	if o.slot < 0 {
		return o.lit
	}
	return frame[o.slot]
}
