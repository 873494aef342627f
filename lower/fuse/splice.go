package fuse

import (
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/irpass"
	"github.com/weft-go/weft/lower/scalar"
)

func (q *Plan) canSplice() bool {
	for i := range q.Values {
		v := &q.Values[i]
		if v.Place == Const || v.Place != Unused && unfit(v.Type) != "" {
			return false
		}
	}
	for _, s := range q.Steps {
		if !canSplice(s) {
			return false
		}
	}
	return true
}

func canSplice(s Step) bool {
	switch s := s.(type) {
	case *Launch:
		return !slices.Contains(s.Buffers, -1)
	case *Update:
		return true
	case *Product:
		return s.isSmall()
	case *RegisterLoop:
		return s.Launches == 1 // else a call could not be cancelled within it
	case *Loop:
		return s.Kind == CondCall && !slices.ContainsFunc(s.Plans, func(b *Plan) bool { return !b.canSplice() })
	}
	return false
}

// A product of at most so many terms is no slower in a kernel with other steps than as a step of its own.
const (
	smallProduct = 2048
	apartProduct = 512 // if a vector's elements lie apart in an operand
)

func (s *Product) isSmall() bool {
	n := s.M * s.N * s.K
	for _, b := range s.Batch {
		n *= b.N
	}
	most := apartProduct
	if s.N >= vectorLanes && s.B.Outer == 1 || s.M >= vectorLanes && s.A.Outer == 1 {
		most = smallProduct
	}
	return n <= most && s.Tensor == core.Invalid && (!s.Type.IsFloat() || s.Chunk == DotChunk)
}

// ops estimates how many operations the steps of a plan perform. The plan can be spliced.
func (q *Plan) ops() int64 {
	n := int64(0)
	for _, s := range q.Steps {
		n += q.opsOf(s)
	}
	return n
}

func (q *Plan) opsOf(s Step) int64 {
	n := int64(1)
	switch s := s.(type) {
	case *Product:
		n += 2 * int64(s.K) * numbers(q.Values[s.Out].Type)
	case *RegisterLoop:
		n += int64(s.ops)
		for _, c := range s.Copies {
			n += numbers(q.Values[c[0]].Type)
		}
		return n
	case *Loop:
		for _, b := range s.Plans {
			n += b.ops()
			for i, id := range b.Outs {
				if !b.writes(i) {
					n += numbers(b.Values[id].Type) // operations of a copy
				}
			}
		}
		return n
	case *Update:
		n += numbers(q.Values[s.Out].Type)
	}
	for _, k := range s.Kernels() {
		n += statements(k)
	}
	return n
}

// statements estimates how many statements a run of a kernel performs, operations of functions included.
func statements(k *ir.Kernel) int64 {
	var block func(b ir.Block, times int64) int64
	block = func(b ir.Block, times int64) int64 {
		n := int64(0)
		for _, s := range b {
			inside := times
			switch s := s.(type) {
			case *ir.Apply:
				n += times * int64(len(k.Funcs[s.Func].Code))
			case *ir.Loop:
				inside *= s.Extent.Value
			case *ir.Reduce:
				inside *= s.Extent.Value
			case *ir.Cumulate:
				inside *= s.Extent.Value
			default:
				n += times
			}
			first, second := ir.Inner(s)
			for _, b := range [2]*ir.Block{first, second} {
				if b != nil {
					n += block(*b, inside)
				}
			}
		}
		return n
	}
	times := int64(1)
	for _, d := range k.Grid {
		times *= d.Extent.Value
	}
	return block(k.Body, times)
}

// memory is where a kernel has a value: in a buffer, or in the row of a buffer that a coordinate
// selects.
type memory struct {
	buffer int
	row    *ir.Coord
}

// A splicer writes the steps of a plan into a kernel, one after the other.
type splicer struct {
	*registerWriter
	q     *Plan
	ins   []memory // by operand of the plan
	outs  []memory // by result
	inner map[innerPlace]memory

	own func(id int) memory // where a value of q is, if the kernel is a step of q itself; nil: q is an inner plan
}

// innerPlace is memory that only the steps of a plan use. Arrays of different types that lie at one
// place of the plan have memory of their own here: no step needs them to share it.
type innerPlace struct {
	place Place
	at    int
	t     scalar.Type
}

// splice writes the steps of a plan. It returns where the plan's results are.
func (s *registerWriter) splice(q *Plan, ins, outs []memory) []memory {
	w := &splicer{registerWriter: s, q: q, ins: ins, outs: outs, inner: map[innerPlace]memory{}}
	for _, st := range q.Steps {
		w.step(st)
	}
	results := make([]memory, len(q.Outs))
	for i, id := range q.Outs {
		results[i] = w.memory(id, stored(q.Values[id].Type))
	}
	return results
}

func stored(t core.ShapedArray) scalar.Type { return scalar.Stored(t.DType) }

// memory returns where a value of the plan is, for a kernel that has it as numbers of type t.
func (w *splicer) memory(id int, t scalar.Type) memory {
	if w.own != nil {
		return w.own(id)
	}
	v := &w.q.Values[id]
	at := innerPlace{v.Place, v.Index, t}
	switch v.Place {
	case Input:
		return w.ins[v.Index]
	case Result:
		if m := w.outs[v.Index]; w.u.b.BufferType(m.buffer) == t {
			return m
		}
	case Arena:
		at.at = v.Offset
	case Literal:
		at.at = id
	}
	m, ok := w.inner[at]
	switch {
	case ok:
	case v.Place == Literal:
		m.buffer = w.buffer(w.p.newValue(Value{Type: v.Type, Place: Literal, Lit: v.Lit}), ir.In)
	default:
		m = w.room(w.largest(at))
	}
	w.inner[at] = m
	return m
}

// room returns memory for an array that only the kernel uses.
func (s *registerWriter) room(t core.ShapedArray) memory {
	return memory{buffer: s.buffer(s.p.newValue(Value{Type: t}), ir.InOut)}
}

// largest returns the type of the largest array at a place of the plan.
func (w *splicer) largest(at innerPlace) (t core.ShapedArray) {
	for i := range w.q.Values {
		v := &w.q.Values[i]
		here := v.Index
		if at.place == Arena {
			here = v.Offset
		}
		if v.Place == at.place && here == at.at && stored(v.Type) == at.t && (t.DType == core.Invalid || numbers(v.Type) > numbers(t)) {
			t = v.Type
		}
	}
	return t
}

func numbers(t core.ShapedArray) int64 { return int64(t.Size() * scalar.Components(t.DType)) }

func (w *splicer) step(st Step) {
	switch st := st.(type) {
	case *Launch:
		w.kernel(st.Kernel, st.Buffers)
	case *Update:
		w.move(st.Out, st.Args[0])
		w.kernel(st.Kernel, st.Buffers)
	case *Product:
		w.product(st)
	case *RegisterLoop:
		for _, c := range st.Copies {
			w.move(c[0], c[1])
		}
		for _, id := range st.Zero {
			t := w.q.Values[id].Type
			m := w.memory(id, stored(t))
			w.u.b.Store(m.at(numbers(t), ir.Const(0)), w.u.b.Const(stored(t), 0))
		}
		w.kernel(st.Kernel, st.Buffers)
	case *Loop:
		w.branches(st)
	}
}

func (w *splicer) kernel(k *ir.Kernel, values []int) {
	buffers, rows := make([]int, len(values)), make([]*ir.Coord, len(values))
	for i, id := range values {
		m := w.memory(id, k.Buffers[i].Type)
		buffers[i], rows[i] = m.buffer, m.row
	}
	w.u.b.Splice(irpass.Segment(k), buffers, func(i int) *ir.Coord { return rows[i] })
}

func (w *splicer) move(to, from int) {
	t := w.q.Values[to].Type
	w.copy(w.memory(to, stored(t)), w.memory(from, stored(t)), t)
}

// copy copies an array, unless it is there already.
func (s *registerWriter) copy(to, from memory, t core.ShapedArray) {
	if to == from {
		return
	}
	n := numbers(t)
	s.u.b.Vector(ir.Const(n), nil, func(a ir.Axis) {
		at := ir.Term{Axis: a, Coeff: ir.Const(1)}
		s.u.b.Store(to.at(n, ir.Const(0), at), s.u.b.Load(from.at(n, ir.Const(0), at)))
	})
}

// at returns the access to the number base + Σ terms of an array of n numbers.
func (m memory) at(n int64, base ir.Size, terms ...ir.Term) ir.Access {
	a := ir.Access{Buffer: m.buffer, Coords: []ir.Coord{{Stride: ir.Const(1), Bound: ir.Const(n), Base: base, Terms: terms, Value: ir.NoRef}}}
	if m.row != nil {
		a.Coords = append(a.Coords, *m.row)
	}
	return a
}

func (w *splicer) branches(l *Loop) {
	var ins, outs []memory
	for i, id := range l.In[1:] {
		ins = append(ins, w.memory(id, stored(l.Eqn.Ins[1+i].Aval())))
	}
	for i, id := range l.Out {
		t := l.Eqn.Outs[i].Type
		if id < 0 {
			outs = append(outs, w.room(t))
			continue
		}
		outs = append(outs, w.memory(id, stored(t)))
	}
	b := w.u.b
	branch := func(k int) []ir.Ref {
		for i, from := range w.splice(l.Plans[k], ins, outs) {
			if l.Out[i] >= 0 {
				w.copy(outs[i], from, l.Eqn.Outs[i].Type)
			}
		}
		return nil
	}
	index := l.Eqn.Ins[0].Aval()
	at := b.Load(w.memory(l.In[0], stored(index)).at(1, ir.Const(0)))
	var pick func(k int) []ir.Ref
	pick = func(k int) []ir.Ref {
		if k == len(l.Plans)-1 {
			return branch(k)
		}
		first := w.u.op(scalar.OpLe, scalar.Bool, at, b.Const(b.TypeOf(at), uint64(k)))
		return b.If(first, func() []ir.Ref { return branch(k) }, func() []ir.Ref { return pick(k + 1) })
	}
	pick(0)
}

// product writes a product: elements of a row of the result side by side, or elements of a column where
// that suits the layout of the operands better.
func (w *splicer) product(s *Product) {
	b := w.u.b
	t := scalar.Stored(s.Type)
	type strided struct {
		n                   int
		left, right, result int
	}
	axes := []strided{}
	size := s.M * s.N
	for _, x := range s.Batch {
		size *= x.N
	}
	step := size
	for _, x := range s.Batch {
		step /= x.N
		axes = append(axes, strided{x.N, x.A, x.B, step})
	}
	rows, cols := strided{s.M, s.A.Outer, 0, s.N}, strided{s.N, 0, s.B.Outer, 1}
	if s.N == 1 || s.M > 1 && s.A.Outer == 1 && (s.B.Outer != 1 || s.N < vectorLanes) {
		rows, cols = cols, rows
	}
	axes = append(axes, rows, cols)
	left, right, out := w.memory(s.In[0], t), w.memory(s.In[1], t), w.memory(s.Out, t)
	lefts, rights := numbers(w.q.Values[s.In[0]].Type), numbers(w.q.Values[s.In[1]].Type)
	var at [3][]ir.Term
	var level func(k int)
	level = func(k int) {
		if k == len(axes) {
			order := ir.Any
			if t.IsFloat() {
				order = ir.Chain
			}
			r := b.Reduce(order, 0, ir.Const(int64(s.K)), nil, func(a ir.Axis) []ir.Elem {
				x := b.Load(left.at(lefts, ir.Const(int64(s.A.Offset)), with(at[0], a, s.A.K)...))
				y := b.Load(right.at(rights, ir.Const(int64(s.B.Offset)), with(at[1], a, s.B.K)...))
				if t.IsFloat() {
					return []ir.Elem{{Op: ir.Sum, Value: x, Second: y}}
				}
				return []ir.Elem{{Op: ir.Sum, Value: w.u.op(scalar.OpMul, t, x, y), Second: ir.NoRef}}
			})[0]
			if t.IsFloat() {
				r = w.u.op(scalar.OpCanon, t, r)
			}
			b.Store(out.at(int64(size), ir.Const(0), at[2]...), r)
			return
		}
		x := axes[k]
		inside := func(a ir.Axis) {
			outer := at
			at = [3][]ir.Term{with(at[0], a, x.left), with(at[1], a, x.right), with(at[2], a, x.result)}
			level(k + 1)
			at = outer
		}
		switch {
		case x.n == 1:
			level(k + 1)
		case k == len(axes)-1:
			b.Vector(ir.Const(int64(x.n)), nil, inside)
		default:
			b.Loop(ir.Const(int64(x.n)), nil, func(a ir.Axis, _ []ir.Ref) []ir.Ref { inside(a); return nil })
		}
	}
	level(0)
}

func with(ts []ir.Term, a ir.Axis, coeff int) []ir.Term {
	if coeff == 0 {
		return ts
	}
	return append(ts[:len(ts):len(ts)], ir.Term{Axis: a, Coeff: ir.Const(int64(coeff))})
}
