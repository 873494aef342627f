package simt

import (
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
)

func (s *stream) threads() int {
	total := int64(1)
	for _, d := range s.dims {
		total *= d.Extent.Value
	}
	if total/(s.vec*s.unroll) >= streamWave {
		return 256
	}
	return 128
}

func (s *stream) lower(e *emitter) {
	f := e.f
	t := int64(f.Threads)
	inner := s.dims[len(s.dims)-1]
	chunks := int64(1) // accesses along the innermost dimension, of all outer points
	for _, d := range s.dims[:len(s.dims)-1] {
		chunks *= d.Extent.Value
	}
	rest := inner.Extent.Value % s.vec // elements that fill no access; 0 if there are several dimensions
	chunks *= inner.Extent.Value / s.vec
	block := t * s.unroll
	blocks := max((chunks+block-1)/block, 1)
	f.Group = true
	f.extents = []ir.Size{ir.Const(blocks)}
	for _, a := range s.gone {
		e.axes[a] = NoReg
	}
	e.tid = e.reg(e.ix)
	e.add(&Special{e.tid, Thread, 0})
	group, count := e.reg(e.ix), e.reg(e.ix)
	e.add(&Special{group, GroupIndex, 0})
	e.add(&Special{count, GroupCount, 0})
	vector := func() {
		whole, part := chunks/block, chunks%block
		if chunks == 0 {
			blocks = 0
		}
		e.loop(group, e.num(blocks), count, func(g Reg) {
			first := e.sum(e.times(g, block), e.tid)
			all := func() { s.work(e, first, int(s.unroll), s.vec) }
			some := func() {
				for u := range s.unroll {
					c := e.plus(first, u*t)
					e.when(e.less(c, e.num(chunks)), func() { s.work(e, c, 1, s.vec) })
				}
			}
			switch {
			case part == 0:
				all()
			case whole == 0:
				some()
			default:
				e.add(&If{e.less(g, e.num(whole)), e.block(all), e.block(some)})
			}
		})
		if rest > 0 {
			e.when(e.both(e.same(group, e.num(0)), e.less(e.tid, e.num(rest))), func() {
				s.work(e, e.plus(e.tid, inner.Extent.Value-rest), 1, 1)
			})
		}
	}
	aligned := s.aligned(e)
	if aligned == NoReg {
		vector()
		return
	}
	e.add(&If{aligned, e.block(vector), e.block(func() {
		from := e.sum(e.times(group, t), e.tid)
		e.loop(from, e.num(chunks*s.vec+rest), e.times(count, t), func(i Reg) { s.work(e, i, 1, 1) })
	})})
}

// aligned returns whether all memory that is accessed in vectors is aligned, NoReg if there are no such accesses.
func (s *stream) aligned(e *emitter) Reg {
	if s.vec == 1 {
		return NoReg
	}
	return e.alignedOf(s.beside)
}

// alignedOf returns whether the memory of the buffers of all these accesses is aligned, NoReg if
// there are none.
func (e *emitter) alignedOf(accesses map[ir.Stmt]bool) Reg {
	used := make([]bool, len(e.k.Buffers))
	for st := range accesses {
		switch st := st.(type) {
		case *ir.Load:
			used[st.At.Buffer] = true
		case *ir.Store:
			used[st.At.Buffer] = true
		}
	}
	return e.aligned(used)
}

// aligned returns whether the memory of all these buffers is aligned, NoReg if there are none.
func (e *emitter) aligned(buffers []bool) Reg {
	all := NoReg
	for i, u := range buffers {
		if !u {
			continue
		}
		r := e.reg(scalar.Bool)
		e.add(&Special{r, Aligned, i})
		if all == NoReg {
			all = r
		} else {
			all = e.both(all, r)
		}
	}
	return all
}

// place returns the axes' values at the first element of access number c.
func (s *stream) place(e *emitter, c Reg, vec int64) []Reg {
	axes := make([]Reg, len(s.dims))
	for d := len(s.dims) - 1; d >= 0; d-- {
		if d == 0 {
			axes[d] = c
			break
		}
		size := s.dims[d].Extent.Value
		if d == len(s.dims)-1 {
			size /= vec
		}
		c, axes[d] = e.quotient(c, size)
	}
	axes[len(s.dims)-1] = e.times(axes[len(s.dims)-1], vec)
	return axes
}

// chunks emits n chunks, each of vec neighbouring elements of the innermost dimension. Their
// numbers are first and those that follow it at distances of the group's number of threads.
func (s *stream) chunks(e *emitter, first Reg, n int, vec int64) {
	outer := e.regs
	v := int(vec)
	inner := s.dims[len(s.dims)-1]
	axes := make([][]Reg, n) // by chunk: the axes' values at its first element
	regs := make([][]Reg, n) // by chunk: values of the prefix
	once := make([]map[ir.Stmt]Reg, n)
	vectors := map[ir.Stmt][]Reg{} // by element
	for u := range n {
		axes[u] = s.place(e, e.plus(first, int64(u)*int64(e.f.Threads)), vec)
		once[u] = map[ir.Stmt]Reg{}
	}
	enter := func(u int, i int64) {
		for d, dim := range s.dims {
			e.axes[dim.Axis] = axes[u][d]
		}
		if s.axis && i > 0 {
			e.axes[inner.Axis] = e.plus(e.axes[inner.Axis], i)
		}
	}
	for u := range n {
		e.regs = append([]Reg(nil), outer...)
		enter(u, 0)
		e.stmts(s.prefix)
		regs[u] = e.regs
	}
	for _, st := range s.body {
		l, ok := st.(*ir.Load)
		if !ok || !s.beside[st] && !s.same[st] || hasValue(&l.At) {
			continue
		}
		for u := range n {
			e.regs = regs[u]
			enter(u, 0)
			switch {
			case s.same[st]:
				e.load(l)
				once[u][st] = e.regs[l.Dst]
			case v == 1:
				e.load(l)
				vectors[st] = append(vectors[st], e.regs[l.Dst])
			default:
				at, _ := e.place(&l.At)
				dst := make([]Reg, v)
				for i := range dst {
					dst[i] = e.reg(e.k.Types[l.Dst])
				}
				e.add(&LoadVec{Dst: dst, Buffer: l.At.Buffer, At: at})
				vectors[st] = append(vectors[st], dst...)
			}
		}
	}
	j := 0
	stores := map[ir.Stmt][]Reg{}
	e.hook = hook{
		load: func(l *ir.Load) (Reg, bool) {
			if x, ok := vectors[l]; ok {
				return x[j], true
			}
			r, ok := once[j/v][l]
			return r, ok
		},
		store: func(st *ir.Store) bool {
			if !s.beside[st] || v == 1 {
				return false
			}
			stores[st] = append(stores[st], e.regs[st.Value])
			return true
		},
	}
	e.regs = outer
	e.packed(s.body, n*v, func(i int) {
		j = i
		for r, x := range regs[i/v] { // the values of the prefix
			if e.regs[r] == NoReg {
				e.regs[r] = x
			}
		}
		enter(i/v, int64(i%v))
	})
	e.hook = hook{}
	for _, st := range s.body {
		xs, ok := stores[st]
		if !ok {
			continue
		}
		for u := range n {
			enter(u, 0)
			a := &st.(*ir.Store).At
			at, _ := e.place(a)
			e.add(&StoreVec{Buffer: a.Buffer, At: at, Values: xs[u*v : u*v+v]})
		}
	}
	e.regs = outer
}

func hasValue(a *ir.Access) bool {
	for i := range a.Coords {
		if a.Coords[i].Value != ir.NoRef {
			return true
		}
	}
	return false
}
