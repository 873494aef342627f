package fuse

import (
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/irpass"
	"github.com/weft-go/weft/lower/scalar"
)

// RegisterLoop runs the iterations of a loop within a kernel, which keeps small arrays in registers
// where it can. Before the first launch, Copies are made and the values of Zero are filled with
// zeros. The kernel is launched until the first byte of More is 0, so that a call can be cancelled
// between launches. A launch runs iterations for about 100 µs at most, or 16 iterations if they take
// longer.
type RegisterLoop struct {
	step
	Kernel  *ir.Kernel
	Buffers []int    // ids of values, by buffer of the kernel
	Copies  [][2]int // destination and source, of one size
	Zero    []int
	More    int
	// Launches is a number of launches that suffices for all iterations; 0: none is known.
	Launches int
	ops      int        // estimated operations of a launch, at most
	Eqn      *jaxpr.Eqn // the loop, for messages
}

// Reads returns the values that the loop reads. Buffers that the kernel reads and writes are filled
// before the first launch.
func (s *RegisterLoop) Reads() []int {
	var in []int
	for i, id := range s.Buffers {
		if s.Kernel.Buffers[i].Role == ir.In {
			in = append(in, id)
		}
	}
	for _, c := range s.Copies {
		in = append(in, c[1])
	}
	return in
}

func (s *RegisterLoop) Writes() []int {
	out := without(ir.In, s.Kernel, s.Buffers)
	for _, c := range s.Copies {
		out = append(out, c[0])
	}
	return out
}

func (s *RegisterLoop) Kernels() []*ir.Kernel { return []*ir.Kernel{s.Kernel} }
func (*RegisterLoop) MayFail() bool           { return true }

func (s *RegisterLoop) write(w *planWriter) {
	for _, c := range s.Copies {
		w.line("copy %s → %s", w.p.name(c[1]), w.p.name(c[0]))
	}
	w.kernel("register loop", s.Kernel, s.Buffers)
}

func elementWhile(q *jaxpr.While) *elementLoop {
	return elementLoopOf(q.Cond, q.CondConsts, q.Body, q.BodyConsts)
}

func elementScan(q *jaxpr.Scan) *elementLoop {
	if q.Length <= 0 || q.NumConsts+q.NumCarry < len(q.Jaxpr.Ins) || q.NumCarry < len(q.Jaxpr.Outs) {
		return nil
	}
	return elementLoopOf(nil, 0, q.Jaxpr, q.NumConsts)
}

func (p *planner) smallWhile(q *jaxpr.While) bool {
	carries := len(q.Body.Outs)
	return q.Cond.OutAvals()[0].Rank() == 0 && p.isSmall(q.Cond, 0, 0) && p.isSmall(q.Body, q.BodyConsts, carries)
}

func (p *planner) smallScan(q *jaxpr.Scan) bool {
	return q.Length > 0 && p.isSmall(q.Jaxpr, q.NumConsts, q.NumCarry) && fitAll(q.Jaxpr.Ins[q.NumConsts+q.NumCarry:])
}

// launchOps is about how many operations one launch of a loop performs, in some 100 µs, unless 16 iterations
// have more.
const launchOps = 100_000

type registerWriter struct {
	p       *planner
	u       unroller
	buffers []int
	loop    *RegisterLoop
	trips   int // iterations of a while, at most; unbounded: that is not known
}

func (p *planner) registerWriter(e *jaxpr.Eqn) *registerWriter {
	s := &registerWriter{p: p, u: newUnroller(ir.NewBuilder("k" + itoa(len(p.items)) + "_" + e.Prim.Name())), loop: &RegisterLoop{Eqn: e}, trips: unbounded}
	if q, ok := e.Prim.(*jaxpr.While); ok {
		s.trips = mostTrips(q, e.Ins)
	}
	return s
}

func (s *registerWriter) buffer(value int, role ir.Role) int {
	t := s.p.plan.Values[value].Type
	n := int64(t.Size() * scalar.Components(t.DType))
	s.buffers = append(s.buffers, value)
	return s.u.b.Buffer("b"+itoa(len(s.buffers)-1), role, scalar.Stored(t.DType), ir.Const(n))
}

// place returns the access to component c of element k of a row of a buffer. `at` is the number of the row, NoRef if
// the buffer has no rows.
func (s *registerWriter) place(buffer, k, c, comps int, rows, row int64, at ir.Ref) ir.Access {
	a := ir.Access{Buffer: buffer, Offset: ir.Const(int64(k*comps + c))}
	if at != ir.NoRef {
		a.Coords = []ir.Coord{{Stride: ir.Const(row * int64(comps)), Bound: ir.Const(rows), Mode: ir.Clamp, Value: at}}
	}
	return a
}

func (s *registerWriter) load(buffer int, t core.ShapedArray, rows int64, at ir.Ref) small {
	out := make(small, t.Size())
	comps := scalar.Components(t.DType)
	for k := range out {
		for c := range comps {
			out[k] = append(out[k], s.u.b.Load(s.place(buffer, k, c, comps, rows, int64(t.Size()), at)))
		}
	}
	return out
}

func (s *registerWriter) store(buffer int, t core.ShapedArray, rows int64, at ir.Ref, x small) {
	comps := scalar.Components(t.DType)
	for k, r := range x {
		for c, v := range r {
			s.u.b.Store(s.place(buffer, k, c, comps, rows, int64(t.Size()), at), v)
		}
	}
}

// constants reads operands that no iteration changes. Large operands stay where they are.
func (s *registerWriter) constants(atoms []jaxpr.Atom) []operand {
	out := make([]operand, len(atoms))
	for i, a := range atoms {
		t := a.Aval()
		if l, ok := a.(core.Literal); ok {
			out[i].small = small{s.u.literal(l)}
			continue
		}
		if t.Size() == 0 {
			continue
		}
		buffer := s.buffer(s.p.memory(a), ir.In)
		if fitsSmall(t) {
			out[i].small = s.load(buffer, t, 1, ir.NoRef)
		} else {
			out[i].held = heldIn(buffer, t)
		}
	}
	return out
}

type iterationCount struct {
	first, end, one ir.Ref // end bounds the iterations of the launch
	counter, more   int    // buffers: of the iterations so far, and whether a launch follows
}

// counted starts the count of a loop with the given number of operations an iteration.
// length is the number of iterations, −1 if a test ends the loop.
func (s *registerWriter) counted(ops, length int) iterationCount {
	count := s.p.newValue(Value{Type: core.ShapedArray{DType: core.Int64}})
	s.loop.Zero = append(s.loop.Zero, count)
	n := iterationCount{counter: s.buffer(count, ir.InOut)}
	s.loop.More = s.p.newValue(Value{Type: core.ShapedArray{DType: core.Bool}})
	n.more = s.buffer(s.loop.More, ir.Out)
	b := s.u.b
	n.first = b.Load(s.place(n.counter, 0, 0, 1, 1, 1, ir.NoRef))
	n.one = b.Const(scalar.I64, 1)
	most := max(16, launchOps/max(ops, 1))
	n.end = s.u.op(scalar.OpAdd, scalar.I64, n.first, b.Const(scalar.I64, uint64(most)))
	s.loop.ops = ops * most
	if s.trips != unbounded && s.trips <= most {
		s.loop.Launches, s.loop.ops = 1, ops*s.trips
	}
	if length >= 0 {
		s.loop.Launches, s.loop.ops = max(1, (length+most-1)/most), ops*min(length, most)
		n.end = s.u.op(scalar.OpMin, scalar.I64, n.end, b.Const(scalar.I64, uint64(length)))
	}
	return n
}

// ends stores the number of iterations so far, and whether a launch follows.
func (s *registerWriter) ends(n iterationCount, k ir.Ref, length int) {
	s.u.b.Store(s.place(n.counter, 0, 0, 1, 1, 1, ir.NoRef), k)
	more := s.u.op(scalar.OpEq, scalar.Bool, k, n.end)
	if length >= 0 {
		more = s.u.op(scalar.OpLt, scalar.Bool, k, s.u.b.Const(scalar.I64, uint64(length)))
	}
	s.u.b.Store(s.place(n.more, 0, 0, 1, 1, 1, ir.NoRef), more)
}

// run writes the loop, from the carries that lie in the results' memory, for a bounded
// number of iterations a launch. The loop has length iterations, or goes on while test is true.
// k is the iteration. Large carries are changed where they lie.
func (s *registerWriter) run(e *jaxpr.Eqn, inits []jaxpr.Atom, outs []int, ops, length int, test func(carry []operand) ir.Ref, body func(k ir.Ref, carry []operand) []small) {
	b, u := s.u.b, s.u
	state := make([]int, len(inits))
	carry := make([]operand, len(inits))
	var in []int // the carries that are in registers
	var vars []*jaxpr.Var
	var first []small
	for i, a := range inits {
		t := e.Outs[i].Type
		if t.Size() == 0 {
			continue
		}
		s.loop.Copies = append(s.loop.Copies, [2]int{outs[i], s.p.memory(a)})
		state[i] = s.buffer(outs[i], ir.InOut)
		if !fitsSmall(t) {
			carry[i].held = heldIn(state[i], t)
			continue
		}
		in, vars, first = append(in, i), append(vars, e.Outs[i]), append(first, s.load(state[i], t, 1, ir.NoRef))
	}
	n := s.counted(ops, length)
	carried := func(c []ir.Ref) []operand {
		now := slices.Clone(carry)
		for k, x := range unflat(c[1:], vars) {
			now[in[k]].small = x
		}
		return now
	}
	rs := b.While(append([]ir.Ref{n.first}, flat(first)...), func(c []ir.Ref) ir.Ref {
		more := u.op(scalar.OpLt, scalar.Bool, c[0], n.end)
		if test == nil {
			return more
		}
		return u.op(scalar.OpAnd, scalar.Bool, more, test(carried(c)))
	}, func(c []ir.Ref) []ir.Ref {
		all := body(c[0], carried(c))
		var next []small
		for _, i := range in {
			next = append(next, all[i])
		}
		return append([]ir.Ref{u.op(scalar.OpAdd, scalar.I64, c[0], n.one)}, flat(next)...)
	})
	for k, x := range unflat(rs[1:], vars) {
		s.store(state[in[k]], vars[k].Type, 1, ir.NoRef, x)
	}
	s.ends(n, rs[0], length)
	s.loop.Kernel, s.loop.Buffers = irpass.DropCanon(irpass.Hoist(b.Finish())), s.buffers
	s.p.made(e, s.p.add(s.loop))
}

func (p *planner) registerWhile(e *jaxpr.Eqn, q *jaxpr.While) {
	s := p.registerWriter(e)
	cc, bc := q.CondConsts, q.CondConsts+q.BodyConsts
	consts := s.constants(e.Ins[:bc])
	outs := p.outputs(e)
	s.run(e, e.Ins[bc:], outs, opsOf(q.Cond)+opsOf(q.Body), -1, func(carry []operand) ir.Ref {
		return s.u.program(q.Cond, slices.Concat(consts[:cc], carry))[0][0][0]
	}, func(_ ir.Ref, carry []operand) []small {
		return s.u.program(q.Body, slices.Concat(consts[cc:], carry))
	})
}

func (p *planner) registerScan(e *jaxpr.Eqn, q *jaxpr.Scan) {
	s := p.registerWriter(e)
	nk := q.NumConsts + q.NumCarry
	consts := s.constants(e.Ins[:q.NumConsts])
	const none = -1 // the buffer of an array without elements
	var xs, ys []int
	for _, a := range e.Ins[nk:] {
		if a.Aval().Size() == 0 {
			xs = append(xs, none)
			continue
		}
		xs = append(xs, s.buffer(p.memory(a), ir.In))
	}
	outs := p.outputs(e)
	for _, id := range outs[q.NumCarry:] {
		if p.plan.Values[id].Type.Size() == 0 {
			ys = append(ys, none)
			continue
		}
		ys = append(ys, s.buffer(id, ir.Out))
	}
	n := int64(q.Length)
	s.run(e, e.Ins[q.NumConsts:nk], outs[:q.NumCarry], opsOf(q.Jaxpr), q.Length, nil, func(k ir.Ref, carry []operand) []small {
		at := k
		if q.Reverse {
			at = s.u.op(scalar.OpSub, scalar.I64, s.u.b.Const(scalar.I64, uint64(n-1)), k)
		}
		args := slices.Concat(consts, carry)
		for i, x := range xs {
			var row operand
			if x != none {
				row.small = s.load(x, q.Jaxpr.Ins[nk+i].Type, n, at)
			}
			args = append(args, row)
		}
		out := s.u.program(q.Jaxpr, args)
		for i, y := range ys {
			if y == none {
				continue
			}
			s.store(y, q.Jaxpr.Outs[q.NumCarry+i].Aval(), n, at, out[q.NumCarry+i])
		}
		return out[:q.NumCarry]
	})
}

func opsOf(j *jaxpr.Jaxpr) int {
	n := 4
	for _, e := range j.Eqns {
		size := 0
		for _, v := range e.Outs {
			size += v.Type.Size()
		}
		for _, b := range jaxpr.Programs(e.Prim) {
			k := 1
			if q, ok := e.Prim.(*jaxpr.Scan); ok {
				k = q.Length
			}
			n += k * opsOf(b)
		}
		if q, ok := e.Prim.(prim.DotGeneralP); ok {
			n += size * contracted(q, e)
		}
		if c, _ := classOf(e); c == pointwise {
			n += 2 * size * weightOf(e)
		} else {
			n += size
		}
	}
	return n
}
