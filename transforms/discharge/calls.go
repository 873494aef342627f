package discharge

import (
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
)

// call rewrites an equation with programs that have references.
func (f *frame) call(e *jaxpr.Eqn, in []jaxpr.Atom) {
	switch p := e.Prim.(type) {
	case *jaxpr.Jit, *jaxpr.CoreCall, *jaxpr.Remat:
		f.within(e, e.Prim, in)
	case *jaxpr.Cond:
		f.cond(p, e, in)
	case *jaxpr.Scan:
		f.scan(p, e, in)
	case *jaxpr.While:
		f.while(p, e, in)
	case *jaxpr.CustomJVP: // a program read from text has no rules to lose
		f.within(e, &jaxpr.Jit{Fn: p.Fn, Jaxpr: p.Jaxpr}, in)
	case *jaxpr.CustomVJP:
		f.within(e, &jaxpr.Jit{Fn: p.Fn, Jaxpr: p.Jaxpr}, in)
	default:
		if slices.ContainsFunc(e.Ins, isRefAtom) || slices.ContainsFunc(jaxpr.Programs(e.Prim), func(j *jaxpr.Jaxpr) bool { return slices.ContainsFunc(j.Ins, isRef) }) {
			core.FailOp(core.ErrNoRule, e.Prim.Name(), core.AvalsOf(e.Ins), "what it does with a reference is not known; give references to jit, cond, while, scan or checkpoint")
		}
		f.within(e, e.Prim, in)
	}
}

// within rewrites an equation whose program takes the operands as they are, or whose programs take no
// reference.
func (f *frame) within(e *jaxpr.Eqn, p core.Primitive, in []jaxpr.Atom) {
	var js []*jaxpr.Jaxpr
	var written []jaxpr.Atom
	for _, j := range jaxpr.Programs(p) {
		q := f.part(j)
		js = append(js, q.whole())
		if _, at := q.split(0, len(q.ins)); len(at) > 0 {
			written = pick(e.Ins, at)
		}
	}
	q, ok := jaxpr.WithPrograms(p, js)
	if !ok {
		core.FailOp(core.ErrNoRule, p.Name(), core.AvalsOf(e.Ins), "its programs have references, and it cannot be made with others; write them where it stands")
	}
	requireOnce(e, e.Ins, written)
	out := f.do(q, in...)
	f.results(e, out[:len(e.Outs)], written, out[len(e.Outs):])
}

// results binds the results of an equation and the new values of references.
func (f *frame) results(e *jaxpr.Eqn, out, refs, values []jaxpr.Atom) {
	f.bind(e, out)
	for i, a := range refs {
		f.env[a.(*jaxpr.Var)] = values[i]
	}
}

// requireOnce fails if a reference that is written stands twice among the operands: a write to one would have to
// change the other.
func requireOnce(e *jaxpr.Eqn, operands, written []jaxpr.Atom) {
	for _, a := range written {
		if i := slices.Index(operands, a); slices.Contains(operands[i+1:], a) {
			core.FailOp(core.ErrNoRule, e.Prim.Name(), core.AvalsOf(e.Ins), "it writes a reference that it is given twice; give it once")
		}
	}
}

// cond rewrites a choice: all branches return what any of them writes.
func (f *frame) cond(p *jaxpr.Cond, e *jaxpr.Eqn, in []jaxpr.Atom) {
	parts := make([]*part, len(p.Branches))
	for i, j := range p.Branches {
		parts[i] = f.part(j)
	}
	c := *p
	c.Branches = nil
	outs := make([][]jaxpr.Atom, len(parts))
	var refs []jaxpr.Atom
	for i := range parts[0].ins {
		if slices.ContainsFunc(parts, func(q *part) bool { return q.writes(i) }) {
			refs = append(refs, e.Ins[1+i])
			for k, q := range parts {
				outs[k] = append(outs[k], q.last[i])
			}
		}
	}
	for k, q := range parts {
		c.Branches = append(c.Branches, q.program(q.ins, slices.Concat(q.outs, outs[k])))
	}
	requireOnce(e, e.Ins, refs)
	out := f.do(&c, in...)
	f.results(e, out[:len(e.Outs)], refs, out[len(e.Outs):])
}

func requireValues(e *jaxpr.Eqn, carry []jaxpr.Atom) {
	if slices.ContainsFunc(carry, isRefAtom) {
		core.FailOp(core.ErrNoRule, e.Prim.Name(), core.AvalsOf(e.Ins), "a loop that carries a reference is not supported; let its body close over the reference")
	}
}

// scan rewrites a scan. References that are constants of its body and are written become carries; of references
// that it takes row by row, the written rows are stacked.
func (f *frame) scan(p *jaxpr.Scan, e *jaxpr.Eqn, in []jaxpr.Atom) {
	b := f.part(p.Jaxpr)
	nc, nk := p.NumConsts, p.NumConsts+p.NumCarry
	requireValues(e, e.Ins[nc:nk])
	c := *p
	kept, moved := b.split(0, nc)
	operands, carried := pick(in, kept), pick(in, moved)
	c.NumConsts, c.NumCarry = len(kept), len(moved)+p.NumCarry
	_, rows := b.split(nk, len(in))
	c.Jaxpr = b.program(slices.Concat(pick(b.ins, kept), pick(b.ins, moved), b.ins[nc:]), slices.Concat(pick(b.last, moved), b.outs, pick(b.last, rows)))
	refs := pick(e.Ins, slices.Concat(moved, rows))
	requireOnce(e, e.Ins, refs)
	out := f.do(&c, slices.Concat(operands, carried, in[nc:])...)
	w, n := len(moved), len(moved)+len(e.Outs)
	f.results(e, out[w:n], refs, slices.Concat(out[:w], out[n:]))
}

// while rewrites a while loop. References that are constants of its body and are written become carries, which the
// condition may read.
func (f *frame) while(p *jaxpr.While, e *jaxpr.Eqn, in []jaxpr.Atom) {
	t, b := f.part(p.Cond), f.part(p.Body)
	cc, bc := p.CondConsts, p.BodyConsts
	requireValues(e, e.Ins[cc+bc:])
	if _, written := t.split(0, cc); len(written) > 0 {
		core.FailOp(core.ErrNoRule, e.Prim.Name(), core.AvalsOf(e.Ins), "a condition that writes a reference is not supported; write it in the body")
	}
	kept, moved := b.split(0, bc)
	var condKept []int
	condMoved := make([]*jaxpr.Var, len(moved)) // what the condition calls the references that the body writes
	refs := pick(e.Ins[cc:], moved)
	requireOnce(e, e.Ins[:cc], refs)
	requireOnce(e, e.Ins[cc:], refs)
	for k, i := range moved {
		condMoved[k] = jaxpr.NewVar(b.ins[i].Type)
	}
	for i := range cc {
		if k := slices.Index(refs, e.Ins[i]); k >= 0 {
			condMoved[k] = t.ins[i]
		} else {
			condKept = append(condKept, i)
		}
	}
	c := *p
	c.CondConsts, c.BodyConsts = len(condKept), len(kept)
	c.Cond = t.program(slices.Concat(pick(t.ins, condKept), condMoved, t.ins[cc:]), t.outs)
	c.Body = b.program(slices.Concat(pick(b.ins, kept), pick(b.ins, moved), b.ins[bc:]), slices.Concat(pick(b.last, moved), b.outs))
	body := in[cc:]
	out := f.do(&c, slices.Concat(pick(in, condKept), pick(body, kept), pick(body, moved), body[bc:])...)
	f.results(e, out[len(moved):], refs, out[:len(moved)])
}

// runState rewrites a program whose inputs are references: the operands are their first values, and the results their last
// values.
func (f *frame) runState(p *jaxpr.Opaque, e *jaxpr.Eqn, in []jaxpr.Atom) {
	js := p.Programs()
	if len(js) != 1 || len(js[0].Ins) != len(in) || len(js[0].Outs) > 0 {
		core.FailOp(core.ErrNoRule, p.Op, core.AvalsOf(e.Ins), "its program does not take a reference for each operand; initialize all of them")
	}
	q := f.part(js[0])
	for i, a := range in {
		in[i] = f.strong(a)
	}
	_, written := q.split(0, len(in))
	requireOnce(e, e.Ins, pick(e.Ins, written))
	out := f.do(&jaxpr.Jit{Fn: p.Op, Jaxpr: q.program(q.ins, q.last)}, in...)
	f.bind(e, out)
	for i, a := range e.Ins {
		if isRefAtom(a) {
			f.env[a.(*jaxpr.Var)] = out[i]
		}
	}
}

func pick[T any](all []T, at []int) []T {
	some := make([]T, len(at))
	for i, k := range at {
		some[i] = all[k]
	}
	return some
}
