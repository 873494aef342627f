package runtime

import (
	"slices"
	"sync"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
)

// program is a jaxpr prepared for the reference executor: variables are slots of a frame, which
// are reused after the last read, and every equation has its action.
type program struct {
	jaxpr  *jaxpr.Jaxpr
	slots  int
	consts []*Array
	ins    []int32 // slots of constants and inputs; −1 where nothing reads
	steps  []step
	outs   []operand
	types  []core.ShapedArray // of the results
	frames sync.Pool
	widest int // the most operands or results that an equation has
}

// operand is a slot, or a literal if the slot is −1.
type operand struct {
	slot int32
	lit  *Array
}

type step struct {
	act  action
	eqn  *jaxpr.Eqn
	in   []operand
	out  []int32 // −1: nothing reads it
	dead []int32 // read for the last time
	over *update // set where the result may be written over the first operand
	last []int32 // by operand: its index in dead where the action may take it over, else −1; nil: none
}

// frame is the memory of one call of a program.
type frame struct {
	slots          []*Array
	in, out, dying []*Array
	own            []bool // by operand: the action takes it over
}

type programKey struct{}

func programOf(j *jaxpr.Jaxpr) *program {
	return j.Memo(programKey{}, func() any { return newProgram(j) }).(*program)
}

func newProgram(j *jaxpr.Jaxpr) *program {
	p := &program{jaxpr: j, types: j.OutAvals()}
	if len(j.ConstVals) != len(j.Consts) {
		noConstants(j)
	}
	slots := j.Slots()
	p.slots = slots.Count
	refs := slots.Refs
	read := func(as []jaxpr.Atom) []operand {
		ops := make([]operand, len(as))
		for i, a := range as {
			switch a := a.(type) {
			case *jaxpr.Var:
				ops[i].slot = refs[i]
			case core.Literal:
				ops[i] = operand{-1, FromLiteral(a)}
			default:
				core.Failf(core.ErrCheck, "an operand is a %T (want a variable or a literal); check the program", a)
			}
		}
		refs = refs[len(as):]
		return ops
	}

	for _, v := range j.ConstVals {
		if _, ok := v.(core.Tracer); ok {
			core.Failf(core.ErrCheck, "constant %s of the program is traced; pass it as an input", v.Aval().Full())
		}
		p.consts = append(p.consts, concrete(&jaxpr.Jit{}, v).here("jit"))
	}
	p.ins = make([]int32, len(j.Consts)+len(j.Ins))
	for i := range p.ins {
		p.ins[i] = int32(i) // their slots come first
	}
	for _, s := range slots.Unread {
		p.ins[s] = -1
	}
	for i, e := range j.Eqns {
		s := step{act: eqnAction(e), eqn: e, in: read(e.Ins), dead: slots.DeadAfter(i)}
		s.out, refs = refs[:len(e.Outs):len(e.Outs)], refs[len(e.Outs):]
		s.over = updateOf(&s)
		s.last = lastReads(&s)
		p.steps = append(p.steps, s)
		p.widest = max(p.widest, len(s.in), len(s.out))
	}
	p.outs = read(j.Outs)
	return p
}

// eqnAction returns the action of an equation. It checks that the equation's types are those
// that the operation returns: kernels do not check them.
func eqnAction(e *jaxpr.Eqn) action {
	avals := core.AvalsOf(e.Ins)
	if why, out := jaxpr.Outside(e.Prim); out {
		core.FailOp(core.ErrNoRule, e.Prim.Name(), avals, "cannot be run: %s", why)
	}
	types := core.AbstractOf(e.Prim, avals)
	for _, t := range types {
		if why := TooLarge(t); why != "" {
			pos := e.Site.String()
			if pos == "" {
				pos = core.HerePos()
			}
			panic(&core.Error{Kind: core.ErrShape, Op: e.Prim.Name(), Pos: pos, Avals: avals, Msg: "the result cannot be allocated: " + why})
		}
	}
	if len(types) != len(e.Outs) {
		core.FailOp(core.ErrCheck, e.Prim.Name(), avals, "returned %s, but the program binds %d; check the program", core.Count(len(types), "result"), len(e.Outs))
	}
	for i, v := range e.Outs {
		if !v.Type.SameType(types[i]) {
			core.FailOp(core.ErrCheck, e.Prim.Name(), avals, "result %d is %v, but the program declares %v; check the program", i, types[i].Full(), v.Type.Full())
		}
	}
	return actionOf(e.Prim, avals, types)
}

// lastReads returns which operands a step's action may take over: those that are read for the
// last time, and only once.
func lastReads(s *step) []int32 {
	if _, ok := s.act.(taker); !ok {
		return nil
	}
	reads := map[int32]int{}
	for _, o := range s.in {
		reads[o.slot]++
	}
	var last []int32
	for i, o := range s.in {
		k := slices.Index(s.dead, o.slot)
		if o.slot < 0 || k < 0 || reads[o.slot] > 1 {
			continue
		}
		if last == nil {
			last = slices.Repeat([]int32{-1}, len(s.in))
		}
		last[i] = int32(k)
	}
	return last
}

// call runs the program on arguments, which stay the caller's, and puts its
// results, counted for the caller, into outs.
func (p *program) call(x *run, args, outs []*Array) { p.callGiving(x, args, outs, nil) }

// callGiving is call, but the program takes over the caller's hold on the arguments that `own`
// marks. A nil `own` marks none.
func (p *program) callGiving(x *run, args, outs []*Array, own []bool) {
	f, _ := p.frames.Get().(*frame)
	if f == nil {
		lists := make([]*Array, 3*p.widest)
		f = &frame{make([]*Array, p.slots), lists[:p.widest], lists[p.widest : 2*p.widest], lists[2*p.widest:], make([]bool, p.widest)}
	}
	n := len(p.consts)
	for i, s := range p.ins {
		given := i >= n && own != nil && own[i-n]
		switch {
		case s < 0 && given:
			x.release(args[i-n])
		case s < 0:
		case i < n:
			f.slots[s] = p.consts[i]
		default:
			if !given {
				retain(args[i-n])
			}
			f.slots[s] = args[i-n]
		}
	}
	for i := range p.steps {
		p.steps[i].run(x, f)
	}
	for i, o := range p.outs {
		outs[i] = o.get(f.slots)
		retain(outs[i])
	}
	for i, a := range f.slots {
		x.release(a)
		f.slots[i] = nil
	}
	p.frames.Put(f)
}

func (s *step) run(x *run, f *frame) {
	x.ask()
	in, out, dying := f.in[:len(s.in)], f.out[:len(s.out)], f.dying[:len(s.dead)]
	for k, o := range s.in {
		in[k] = o.get(f.slots)
	}
	for k, d := range s.dead {
		dying[k], f.slots[d] = f.slots[d], nil
	}
	switch {
	case s.over != nil && s.over.run(x, in, out, dying):
	case s.last != nil && x.watch == 0: // look reads the operands afterwards
		own := f.own[:len(s.in)]
		for i, k := range s.last {
			if own[i] = k >= 0 && !x.taken.has(in[i]); own[i] {
				dying[k] = nil
			}
		}
		s.act.(taker).taking(x, in, out, own)
	default:
		s.act.run(x, in, out)
	}
	if x.watch != 0 {
		x.look(s.act, s.eqn, in, out)
	}
	for k, o := range s.out {
		if o >= 0 {
			f.slots[o] = out[k]
		} else {
			x.release(out[k])
		}
	}
	for _, a := range dying {
		x.release(a)
	}
	clear(in)
	clear(out)
	clear(dying)
}

func (o operand) get(frame []*Array) *Array {
	if o.slot < 0 {
		return o.lit
	}
	return frame[o.slot]
}
