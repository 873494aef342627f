package fuse

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
)

// wholeOps is the number of operations of an iteration up to which launching its kernels would
// take a good part of the time.
const wholeOps = 1 << 16

// wholeLoop makes one kernel of a while or a scan, with the given plans, whose iterations are
// kernels on small arrays. It reports whether it did. All arrays lie in memory.
func (p *planner) wholeLoop(e *jaxpr.Eqn, plans []*Plan) bool {
	if !p.target.Tiny || core.EffectsOf(e.Prim) != 0 {
		return false
	}
	for _, a := range e.Ins {
		if unfit(a.Aval()) != "" {
			return false
		}
	}
	for _, v := range e.Outs {
		if unfit(v.Type) != "" {
			return false
		}
	}
	ops := int64(0)
	for _, q := range plans {
		if !q.canSplice() {
			return false
		}
		ops += q.ops()
	}
	body, first, carries := plans[len(plans)-1], 0, len(e.Outs)
	switch q := e.Prim.(type) {
	case *jaxpr.While:
		first = q.BodyConsts
	case *jaxpr.Scan:
		first, carries = q.NumConsts, q.NumCarry
	}
	for i, id := range body.Outs {
		stays := body.writes(i)
		if i < carries {
			stays = body.keeps(i, first+i) || body.Reuse[i].Input == first+i
		}
		if !stays {
			ops += numbers(body.Values[id].Type) // operations of a copy
		}
	}
	if ops > wholeOps {
		return false
	}
	switch q := e.Prim.(type) {
	case *jaxpr.While:
		if q.Cond.OutAvals()[0].Rank() > 0 {
			return false
		}
		cc, bc := q.CondConsts, q.CondConsts+q.BodyConsts
		s := p.registerWriter(e)
		consts := s.operands(e.Ins[:bc])
		test := func(carry []memory) ir.Ref {
			out := s.splice(plans[0], join(consts[:cc], carry), []memory{s.room(core.Aval(core.Bool))})
			return s.u.b.Load(out[0].at(1, ir.Const(0)))
		}
		s.whole(e, e.Ins[bc:], plans[1], consts[cc:], nil, int(ops), -1, test, nil)
	case *jaxpr.Scan:
		if q.Length <= 0 {
			return false
		}
		nk := q.NumConsts + q.NumCarry
		s := p.registerWriter(e)
		consts, xs := s.operands(e.Ins[:q.NumConsts]), s.operands(e.Ins[nk:])
		s.whole(e, e.Ins[q.NumConsts:nk], plans[0], consts, xs, int(ops), q.Length, nil, q)
	default:
		return false
	}
	return true
}

// keeps reports whether result i of a plan is the given input, unchanged.
func (q *Plan) keeps(i, input int) bool {
	v := &q.Values[q.Outs[i]]
	return v.Place == Input && v.Index == input
}

// writes reports whether a plan writes result i where the result belongs.
func (q *Plan) writes(i int) bool {
	v := &q.Values[q.Outs[i]]
	return v.Place == Result && v.Index == i
}

func (s *registerWriter) operands(atoms []jaxpr.Atom) []memory {
	out := make([]memory, len(atoms))
	for i, a := range atoms {
		out[i] = memory{buffer: s.buffer(s.p.memory(a), ir.In)}
	}
	return out
}

func join(lists ...[]memory) []memory {
	var out []memory
	for _, l := range lists {
		out = append(out, l...)
	}
	return out
}

// whole writes the loop: plan is its body, test the condition of a while, q the scan.
func (s *registerWriter) whole(e *jaxpr.Eqn, inits []jaxpr.Atom, plan *Plan, consts, xs []memory, ops, length int, test func(carry []memory) ir.Ref, q *jaxpr.Scan) {
	b, outs := s.u.b, s.p.outputs(e)
	carry, next := make([]memory, len(inits)), make([]memory, len(inits))
	carried := map[memory]bool{}
	for i, a := range inits {
		s.loop.Copies = append(s.loop.Copies, [2]int{outs[i], s.p.memory(a)})
		carry[i] = memory{buffer: s.buffer(outs[i], ir.InOut)}
		carried[carry[i]] = true
		next[i] = carry[i]
		if in := len(consts) + i; plan.Reuse[i].Input != in && !plan.keeps(i, in) {
			next[i] = s.room(e.Outs[i].Type)
		}
	}
	var ys []memory
	for _, id := range outs[len(inits):] {
		ys = append(ys, memory{buffer: s.buffer(id, ir.InOut)})
	}
	n := s.counted(ops, length)
	iteration := func(k ir.Ref) {
		if q != nil && q.Reverse {
			k = s.u.op(scalar.OpSub, scalar.I64, b.Const(scalar.I64, uint64(length-1)), k)
		}
		rows := func(ms []memory, types []core.ShapedArray) []memory {
			out := make([]memory, len(ms))
			for i, m := range ms {
				out[i] = memory{m.buffer, &ir.Coord{Stride: ir.Const(numbers(types[i])), Bound: ir.Const(int64(length)), Mode: ir.Clamp, Value: k}}
			}
			return out
		}
		j := plan.Program
		xs := rows(xs, j.InAvals()[len(consts)+len(carry):])
		results := join(next, rows(ys, j.OutAvals()[len(carry):]))
		from := s.splice(plan, join(consts, carry, xs), results)
		for i, m := range from {
			if i >= len(carry) || carried[m] && m != carry[i] { // before the carries change
				s.copy(results[i], m, j.Outs[i].Aval())
				from[i] = results[i]
			}
		}
		for i := range carry {
			s.copy(carry[i], from[i], e.Outs[i].Type)
		}
	}
	first := []ir.Ref{n.first}
	if test != nil {
		first = append(first, test(carry))
	}
	rs := b.While(first, func(c []ir.Ref) ir.Ref {
		more := s.u.op(scalar.OpLt, scalar.Bool, c[0], n.end)
		if test == nil {
			return more
		}
		return s.u.op(scalar.OpAnd, scalar.Bool, more, c[1])
	}, func(c []ir.Ref) []ir.Ref {
		iteration(c[0])
		after := []ir.Ref{s.u.op(scalar.OpAdd, scalar.I64, c[0], n.one)}
		if test != nil {
			after = append(after, test(carry))
		}
		return after
	})
	s.ends(n, rs[0], length)
	s.loop.Kernel, s.loop.Buffers = b.Finish(), s.buffers
	s.p.made(e, s.p.add(s.loop))
}
