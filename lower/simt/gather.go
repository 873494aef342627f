package simt

import (
	"github.com/weft-go/weft/lower/ir"
)

// A rowGather is a kernel that computes rows of neighbouring elements from rows that begin at
// positions given by indices. Threads take a few chunks each, of up to VecBytes: first
// they read where all of these begin, then all chunks, then they write.
type rowGather struct {
	*emitter
	k      *ir.Kernel
	prefix ir.Block // values of a row
	body   ir.Block // of an element
	dims   []int64  // extents of the rows
	axes   []ir.Axis
	outer  ir.Axis // axis that numbers the parts of a row; NoAxis: rows are not divided
	part   int64   // elements of a part
	axis   ir.Axis // along a row
	n      int64   // elements of a row
	vec    int64   // elements of a chunk
	unroll int64   // chunks of a thread
	beside map[ir.Stmt]bool
}

const (
	gatherThreads = 256
	gatherBusy    = 1 << 17 // threads that keep a large device busy
)

// rowGatherOf returns a kernel as a gather of rows, nil if it has another form.
func rowGatherOf(k *ir.Kernel) *rowGather {
	g := &rowGather{k: k, outer: ir.NoAxis, vec: 4, unroll: 4, beside: map[ir.Stmt]bool{}}
	last := len(k.Body) - 1
	if len(k.Symbols) > 0 || last < 0 {
		return nil
	}
	l, ok := k.Body[last].(*ir.Loop)
	if !ok || l.Kind != ir.Vector {
		return nil
	}
	g.prefix, g.body, g.axis, g.n = k.Body[:last], l.Body, l.Axis, l.Extent.Value
	for _, d := range k.Grid {
		g.dims, g.axes = append(g.dims, d.Extent.Value), append(g.axes, d.Axis)
	}
	if l.Tail != nil {
		d := len(g.axes) - 1
		if d < 0 || g.axes[d] != l.Tail.Outer {
			return nil
		}
		g.outer, g.part, g.n = l.Tail.Outer, l.Extent.Value, l.Tail.Total.Value
		g.dims, g.axes = g.dims[:d], g.axes[:d]
	}
	if len(g.dims) == 0 || g.n == 0 || !g.simple() {
		return nil
	}
	total := g.n
	for _, d := range g.dims {
		total *= d
	}
	for total > 0 && g.unroll > 1 && total/(g.vec*g.unroll) < gatherBusy {
		g.unroll /= 2
	}
	return g
}

// simple reports whether the statements are operations and accesses, the position of a load depends
// on a computed value, stores write neighbouring elements along the row, and no load reads what a
// store writes. It sets vec and beside.
func (g *rowGather) simple() bool {
	stored := map[int]bool{}
	g.body.Walk(func(s ir.Stmt) {
		if s, ok := s.(*ir.Store); ok {
			stored[s.At.Buffer] = true
		}
	})
	for _, s := range g.prefix {
		switch s := s.(type) {
		case *ir.Let, *ir.Index:
		case *ir.Load:
			if stored[s.At.Buffer] {
				return false
			}
		default:
			return false
		}
	}
	own := map[ir.Ref]bool{} // values of an element
	gathers := false
	g.divide(g.n)
	if g.part != 0 {
		g.divide(g.part)
	}
	for _, s := range g.body {
		switch s := s.(type) {
		case *ir.Let:
			own[s.Dst] = true
		case *ir.Index:
			own[s.Dst] = true
		case *ir.Load:
			own[s.Dst] = true
			if stored[s.At.Buffer] || !g.follows(s, &s.At, own) {
				return false
			}
			for i := range s.At.Coords {
				gathers = gathers || s.At.Coords[i].Value != ir.NoRef
			}
		case *ir.Store:
			if !g.follows(s, &s.At, own) || !g.beside[s] {
				return false
			}
		default:
			return false
		}
	}
	return gathers
}

// divide makes chunks smaller, so that n is a multiple of their size.
func (g *rowGather) divide(n int64) {
	for n%g.vec != 0 {
		g.vec /= 2
	}
}

// follows reports whether an access moves by one element along a row, which it notes in
// beside, or not at all. It reports false for accesses that may be dropped, that are clamped along the
// row, or whose position depends on a value of the element.
func (g *rowGather) follows(s ir.Stmt, a *ir.Access, own map[ir.Ref]bool) bool {
	step := int64(0)
	var others []int64 // its offsets, and its strides along other axes
	others = append(others, a.Offset.Value)
	for i := range a.Coords {
		c := &a.Coords[i]
		if c.Mode == ir.Drop || c.Value != ir.NoRef && own[c.Value] {
			return false
		}
		if c.Mode == ir.Clamp || c.Value != ir.NoRef {
			others = append(others, c.Stride.Value)
		} else {
			others = append(others, c.Stride.Value*c.Base.Value)
		}
		for _, t := range c.Terms {
			switch x := c.Stride.Value * t.Coeff.Value; t.Axis {
			case g.axis:
				if c.Mode != ir.Proved {
					return false
				}
				step += x
			default:
				others = append(others, x)
			}
		}
	}
	if step != 1 {
		return step == 0
	}
	g.beside[s] = true
	for g.vec*int64(g.k.Buffers[a.Buffer].Type.Size()) > VecBytes {
		g.vec /= 2
	}
	for _, n := range others {
		g.divide(n)
	}
	return true
}

func (g *rowGather) lower() *Func {
	k := g.k
	f := &Func{Name: k.Name, Kernel: k, Threads: gatherThreads, Group: true}
	e := newEmitter(f, indexType(k))
	g.emitter = e
	chunks := g.n / g.vec
	for _, d := range g.dims {
		chunks *= d
	}
	block := g.unroll * gatherThreads
	groups := (chunks + block - 1) / block
	f.extents = []ir.Size{ir.Const(groups)}
	group, count := e.launched()
	all := func() {
		e.loop(group, e.num(groups), count, func(i Reg) {
			first := e.sum(e.times(i, block), e.tid)
			every := func() { g.chunks(first, g.unroll, g.vec) }
			some := func() {
				for u := range g.unroll {
					c := e.plus(first, u*gatherThreads)
					e.when(e.less(c, e.num(chunks)), func() { g.chunks(c, 1, g.vec) })
				}
			}
			if chunks%block == 0 {
				every()
				return
			}
			e.add(&If{e.less(e.plus(first, block-gatherThreads), e.num(chunks)), e.block(every), e.block(some)})
		})
	}
	if g.vec == 1 {
		all()
	} else {
		e.add(&If{e.alignedOf(g.beside), e.block(all), e.block(func() {
			from := e.sum(e.times(group, gatherThreads), e.tid)
			e.loop(from, e.num(chunks*g.vec), e.times(count, gatherThreads), func(i Reg) { g.chunks(i, 1, 1) })
		})})
	}
	f.Body = e.out
	return f
}

func (g *rowGather) enter(c Reg, vec, i int64) {
	e := g.emitter
	row, column := g.quotient(c, g.n/vec)
	column = e.plus(e.times(column, vec), i)
	if g.outer != ir.NoAxis {
		e.axes[g.outer], e.axes[g.axis] = g.quotient(column, g.part)
	} else {
		e.axes[g.axis] = column
	}
	for d := len(g.dims) - 1; d > 0; d-- {
		row, e.axes[g.axes[d]] = g.quotient(row, g.dims[d])
	}
	e.axes[g.axes[0]] = row
}

// chunks emits n chunks of vec elements, with the numbers first, first+gatherThreads, ….
func (g *rowGather) chunks(first Reg, n, vec int64) {
	e := g.emitter
	outer := e.regs
	c, regs := make([]Reg, n), make([][]Reg, n) // by chunk
	for u := range c {
		c[u] = e.plus(first, int64(u)*gatherThreads)
		e.regs = append([]Reg(nil), outer...)
		g.enter(c[u], vec, 0)
		e.stmts(g.prefix)
		regs[u] = e.regs
	}
	loaded := make([]map[ir.Stmt][]Reg, n) // by chunk, load and element
	for u := range c {
		loaded[u] = map[ir.Stmt][]Reg{}
		e.regs = regs[u]
		g.enter(c[u], vec, 0)
		for _, s := range g.body {
			l, ok := s.(*ir.Load)
			switch {
			case !ok:
			case g.beside[s] && vec > 1:
				at, _ := e.place(&l.At)
				dst := make([]Reg, vec)
				for i := range dst {
					dst[i] = e.reg(e.k.Types[l.Dst])
				}
				e.add(&LoadVec{Dst: dst, Buffer: l.At.Buffer, At: at})
				loaded[u][s] = dst
			default:
				e.load(l)
				for range vec {
					loaded[u][s] = append(loaded[u][s], e.regs[l.Dst])
				}
			}
		}
	}
	for u := range c {
		stored := map[ir.Stmt][]Reg{}
		for i := range vec {
			e.regs = append([]Reg(nil), regs[u]...)
			g.enter(c[u], vec, i)
			for _, s := range g.body {
				switch s := s.(type) {
				case *ir.Load:
					e.regs[s.Dst] = loaded[u][s][i]
				case *ir.Store:
					stored[s] = append(stored[s], e.regs[s.Value])
				default:
					e.stmt(s)
				}
			}
		}
		e.regs = regs[u]
		g.enter(c[u], vec, 0)
		for _, s := range g.body {
			if s, ok := s.(*ir.Store); ok {
				at, _ := e.place(&s.At)
				if vec == 1 {
					e.add(&Store{s.At.Buffer, at, stored[s][0]})
				} else {
					e.add(&StoreVec{Buffer: s.At.Buffer, At: at, Values: stored[s]})
				}
			}
		}
	}
	e.regs = outer
}
