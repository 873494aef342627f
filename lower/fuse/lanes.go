package fuse

import (
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/expand"
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/irpass"
	"github.com/weft-go/weft/lower/scalar"
)

// Bounds of the arrays of a loop whose elements lie side by side. A shorter array would
// not fill a vector, a longer one is better shared among threads.
const (
	leastLanes = 8
	mostLanes  = 1 << 13
	mostEqns   = 256 // equations of a program
)

// An elementLoop is a loop that carries numbers and arrays of one length, and computes
// each element of an array from numbers and from the same element of other arrays. So the
// elements run the loop independently of each other: on a device, in a vector loop around the loop.
// On a processor, each vector would wait for its own results, iteration by iteration: there all of
// them run an iteration together, over arrays in memory.
type elementLoop struct {
	cond, body *jaxpr.Jaxpr // cond: nil if the number of iterations is known
	lanes      int          // elements of an array
	needed     []bool       // by carry: the test or an array depends on it
}

// elementLoopOf returns the loop of the given programs if it is an elementLoop, else nil. The first
// conds operands of cond, and the first consts operands of body, are constants of the loop.
func elementLoopOf(cond *jaxpr.Jaxpr, conds int, body *jaxpr.Jaxpr, consts int) *elementLoop {
	l := &elementLoop{cond: cond, body: body}
	if len(body.Consts) > 0 || !l.fits(body.Ins) || !l.computes(body) {
		return nil
	}
	if cond != nil && (len(cond.Consts) > 0 || !l.fits(cond.Ins) || !l.computes(cond) || cond.OutAvals()[0].Rank() > 0) {
		return nil
	}
	if l.lanes < leastLanes || l.lanes%leastLanes != 0 || l.lanes > mostLanes {
		return nil
	}
	carries := body.Ins[consts:]
	l.needed = make([]bool, len(carries))
	for i, v := range carries {
		l.needed[i] = v.Type.Size() > 1
	}
	if cond != nil {
		for i, used := range inputsRead(cond, []bool{true})[conds:] {
			l.needed[i] = l.needed[i] || used
		}
	}
	for {
		before := slices.Clone(l.needed)
		for i, used := range inputsRead(body, l.needed)[consts:] {
			l.needed[i] = l.needed[i] || used
		}
		if slices.Equal(before, l.needed) {
			return l
		}
	}
}

func inputsRead(j *jaxpr.Jaxpr, wanted []bool) []bool {
	used := usedBy(j, wanted)
	out := make([]bool, len(j.Ins))
	for i, v := range j.Ins {
		out[i] = used[v]
	}
	return out
}

// usedBy returns the variables that the requested results of a program depend on.
func usedBy(j *jaxpr.Jaxpr, wanted []bool) map[*jaxpr.Var]bool {
	used := map[*jaxpr.Var]bool{}
	use := func(as ...jaxpr.Atom) {
		for _, a := range as {
			if v, ok := a.(*jaxpr.Var); ok {
				used[v] = true
			}
		}
	}
	for i, a := range j.Outs {
		if wanted[i] {
			use(a)
		}
	}
	for i := len(j.Eqns) - 1; i >= 0; i-- {
		if slices.ContainsFunc(j.Eqns[i].Outs, func(v *jaxpr.Var) bool { return used[v] }) {
			use(j.Eqns[i].Ins...)
		}
	}
	return used
}

// fits reports whether values are numbers or arrays of the loop's length, which the first
// array determines.
func (l *elementLoop) fits(vs []*jaxpr.Var) bool {
	for _, v := range vs {
		if unfit(v.Type) != "" {
			return false
		}
		switch n := v.Type.Size(); {
		case n == 1:
		case l.lanes == 0 || n == l.lanes:
			l.lanes = n
		default:
			return false
		}
	}
	return true
}

// computes reports whether each equation of a program computes elements from elements at the same
// position or from numbers, and whether the program has at most mostEqns equations.
func (l *elementLoop) computes(j *jaxpr.Jaxpr) bool {
	if len(j.Eqns) > mostEqns {
		return false
	}
	for _, e := range j.Eqns {
		if !l.fits(e.Outs) || len(e.Outs) != 1 {
			return false
		}
		n := e.Outs[0].Type.Size()
		for _, a := range e.Ins {
			if m := a.Aval().Size(); m != 1 && m != n {
				return false
			}
		}
		switch c, _ := classOf(e); c {
		case movement:
			switch e.Prim.(type) {
			case prim.ReshapeP, prim.SqueezeP:
			case prim.BroadcastInDimP: // an array keeps its length, so its order, too
			default:
				return false
			}
		case pointwise:
			if !expand.Has(e.Prim) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// lane computes one element of the requested results of a program, and returns nil for the other results.
func (u unroller) lane(j *jaxpr.Jaxpr, args [][]ir.Ref, wanted []bool) [][]ir.Ref {
	used := usedBy(j, wanted)
	env := make(map[*jaxpr.Var][]ir.Ref, len(j.Ins)+len(j.Eqns))
	for i, v := range j.Ins {
		env[v] = args[i]
	}
	read := func(a jaxpr.Atom) []ir.Ref {
		if l, ok := a.(core.Literal); ok {
			return u.literal(l)
		}
		return env[a.(*jaxpr.Var)]
	}
	for _, e := range j.Eqns {
		if !used[e.Outs[0]] {
			continue
		}
		in := make([][]ir.Ref, len(e.Ins))
		for i, a := range e.Ins {
			in[i] = read(a)
		}
		if isMove(e.Prim) {
			env[e.Outs[0]] = in[0]
		} else {
			env[e.Outs[0]] = u.b.Inline(programOf(e), in)
		}
	}
	out := make([][]ir.Ref, len(j.Outs))
	for i, a := range j.Outs {
		if wanted[i] {
			out[i] = read(a)
		}
	}
	return out
}

// each writes an element loop: one loop for the elements side by side, one for the numbers
// that it carries. length is the number of iterations, −1 if the loop has a test.
func (s *registerWriter) each(l *elementLoop, e *jaxpr.Eqn, conds, consts, inits []jaxpr.Atom, outs []int, length int) {
	b := s.u.b
	condArgs, bodyArgs := s.operandsOf(conds), s.operandsOf(consts)
	vars := e.Outs[:len(inits)]
	state := make([]int, len(inits))
	numbers := make([][]ir.Ref, len(inits)) // at the start of the launch
	for i, a := range inits {
		s.loop.Copies = append(s.loop.Copies, [2]int{outs[i], s.p.memory(a)})
		state[i] = s.buffer(outs[i], ir.InOut)
		if vars[i].Type.Size() == 1 {
			numbers[i] = s.load(state[i], vars[i].Type, 1, ir.NoRef)[0]
		}
	}
	n := s.counted(opsOf(l.body)/leastLanes, length)
	loop := func(wanted []bool, args func(o loopOperand) []ir.Ref, start [][]ir.Ref) (k ir.Ref, results [][]ir.Ref) {
		carried := []ir.Ref{n.first}
		for i := range start {
			if wanted[i] {
				carried = append(carried, start[i]...)
			}
		}
		unpack := func(rs []ir.Ref) [][]ir.Ref {
			out := make([][]ir.Ref, len(start))
			for i := range start {
				if wanted[i] {
					c := scalar.Components(vars[i].Type.DType)
					out[i], rs = rs[:c:c], rs[c:]
				}
			}
			return out
		}
		operands := func(os []loopOperand, carry []ir.Ref) [][]ir.Ref {
			var in [][]ir.Ref
			for _, o := range os {
				in = append(in, args(o))
			}
			return append(in, unpack(carry)...)
		}
		rs := b.While(carried, func(c []ir.Ref) ir.Ref {
			more := s.u.op(scalar.OpLt, scalar.Bool, c[0], n.end)
			if l.cond == nil {
				return more
			}
			return s.u.op(scalar.OpAnd, scalar.Bool, more, s.u.lane(l.cond, operands(condArgs, c[1:]), []bool{true})[0][0])
		}, func(c []ir.Ref) []ir.Ref {
			next := []ir.Ref{s.u.op(scalar.OpAdd, scalar.I64, c[0], n.one)}
			for i, r := range s.u.lane(l.body, operands(bodyArgs, c[1:]), wanted) {
				if wanted[i] {
					next = append(next, r...)
				}
			}
			return next
		})
		return rs[0], unpack(rs[1:])
	}
	isArray := func(i int) bool { return vars[i].Type.Size() > 1 }
	b.Vector(ir.Const(int64(l.lanes)), nil, func(a ir.Axis) {
		start := slices.Clone(numbers)
		for i := range start {
			if isArray(i) {
				start[i] = s.loadLane(state[i], vars[i].Type, a)
			}
		}
		consts := map[int][]ir.Ref{} // arrays, by buffer
		for _, o := range slices.Concat(condArgs, bodyArgs) {
			if o.number == nil && consts[o.buffer] == nil {
				consts[o.buffer] = s.loadLane(o.buffer, o.t, a)
			}
		}
		_, rs := loop(l.needed, func(o loopOperand) []ir.Ref {
			if o.number != nil {
				return o.number
			}
			return consts[o.buffer]
		}, start)
		for i, r := range rs {
			if isArray(i) {
				s.storeLane(state[i], vars[i].Type, a, r)
			}
		}
	})
	only := make([]bool, len(inits))
	for i := range only {
		only[i] = !isArray(i)
	}
	k, rs := loop(only, func(o loopOperand) []ir.Ref { return o.number }, numbers)
	for i, r := range rs {
		if only[i] {
			s.store(state[i], vars[i].Type, 1, ir.NoRef, small{r})
		}
	}
	s.ends(n, k, length)
	s.loop.Kernel, s.loop.Buffers = irpass.DropCanon(irpass.Hoist(b.Finish())), s.buffers
	s.p.made(e, s.p.add(s.loop))
}

// A loopOperand is an operand that no iteration changes: a number, or an array in a buffer.
type loopOperand struct {
	number []ir.Ref
	buffer int
	t      core.ShapedArray
}

func (s *registerWriter) operandsOf(atoms []jaxpr.Atom) []loopOperand {
	var out []loopOperand
	for _, a := range atoms {
		t := a.Aval()
		if l, ok := a.(core.Literal); ok {
			out = append(out, loopOperand{number: s.u.literal(l), t: t})
			continue
		}
		b := s.buffer(s.p.memory(a), ir.In)
		o := loopOperand{buffer: b, t: t}
		if t.Size() == 1 {
			o.number = s.load(b, t, 1, ir.NoRef)[0]
		}
		out = append(out, o)
	}
	return out
}

// lanePlace returns the access to component c of element a of an array of type t.
func lanePlace(buffer, c int, t core.ShapedArray, a ir.Axis) ir.Access {
	comps, n := int64(scalar.Components(t.DType)), int64(t.Size())
	return ir.Access{Buffer: buffer, Offset: ir.Const(int64(c)), Coords: []ir.Coord{{Stride: ir.Const(comps), Bound: ir.Const(n),
		Terms: []ir.Term{{Axis: a, Coeff: ir.Const(1)}}, Value: ir.NoRef}}}
}

func (s *registerWriter) loadLane(buffer int, t core.ShapedArray, a ir.Axis) []ir.Ref {
	out := make([]ir.Ref, scalar.Components(t.DType))
	for c := range out {
		out[c] = s.u.b.Load(lanePlace(buffer, c, t, a))
	}
	return out
}

func (s *registerWriter) storeLane(buffer int, t core.ShapedArray, a ir.Axis, r []ir.Ref) {
	for c, v := range r {
		s.u.b.Store(lanePlace(buffer, c, t, a), v)
	}
}
