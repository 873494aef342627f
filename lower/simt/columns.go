package simt

import (
	"slices"

	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
)

// A columnKernel is a kernel each of whose points reduces elements that lie across lines:
// neighbouring points use neighbouring elements. A thread takes neighbouring points, in
// accesses of up to VecBytes, and has the loads of a chunk of lines in flight. Chunks are
// combined in registers, columnChunks at a time, and their results by a counter.
type columnKernel struct {
	*stream
	head   ir.Block // before the reduction
	reduce *ir.Reduce
	tail   ir.Block // after it
}

const (
	columnChunks  = 8   // a power of two
	columnOps     = 40  // most operations for an element
	columnThreads = 256 // of a group
	leastColumns  = 1 << 14
	leastLines    = 64
)

// columnsOf returns a kernel as a column kernel, nil if it has another form or too few points.
func columnsOf(k *ir.Kernel) *columnKernel {
	c := columnsLike(k)
	if c == nil || c.points() < leastColumns {
		return nil
	}
	return c
}

// columnsLike returns a kernel of one or more points as a column kernel, nil if it has another form.
func columnsLike(k *ir.Kernel) *columnKernel {
	if len(k.Symbols) > 0 {
		return nil
	}
	c := &columnKernel{stream: &stream{k: k, dims: append([]ir.Dim(nil), k.Grid...), body: k.Body, beside: map[ir.Stmt]bool{}, same: map[ir.Stmt]bool{}}}
	s := c.stream
	var tail *ir.Tail
	if n := len(k.Body); n > 0 {
		if l, ok := k.Body[n-1].(*ir.Loop); ok && l.Kind == ir.Vector {
			s.prefix, s.body, tail = k.Body[:n-1], l.Body, l.Tail
			s.dims = append(s.dims, ir.Dim{Axis: l.Axis, Extent: l.Extent})
		}
	}
	if len(s.dims) == 0 {
		return nil
	}
	at := -1
	for i, st := range s.body {
		if r, ok := st.(*ir.Reduce); ok {
			if at >= 0 {
				return nil
			}
			at, c.reduce = i, r
		}
	}
	if at < 0 {
		return nil
	}
	c.head, c.tail = sinkLoads(s.body, at)
	r := c.reduce
	switch {
	case r.Order != ir.Chunks && r.Order != ir.Any, !r.Extent.IsConst(), r.Extent.Value < leastLines, !elementwise(r.Body, false), !elementwise(c.tail, true):
		return nil
	}
	for _, st := range append(append(ir.Block(nil), s.prefix...), c.head...) {
		l, ok := st.(*ir.Let)
		if _, index := st.(*ir.Index); !index && (!ok || l.Inst.Op != scalar.OpConst) {
			return nil
		}
	}
	for _, f := range r.Folds {
		if f.Second != ir.NoRef || f.Other != ir.NoRef {
			return nil
		}
	}
	s.body = append(append(append(ir.Block(nil), c.head...), r.Body...), c.tail...)
	if !s.simple() || !s.merge(tail) || len(s.gone) > 0 && r.Tail != nil && !c.outerStays() {
		return nil
	}
	s.vectors()
	ops, loads := 0, 0
	for _, st := range r.Body {
		switch st := st.(type) {
		case *ir.Let:
			ops += weight(st.Inst.Op)
		case *ir.Load:
			if n, ok := stride(&st.At, r.Axis); !ok || !s.beside[st] && !s.same[st] {
				return nil
			} else if s.beside[st] {
				for n%s.vec != 0 {
					s.vec /= 2
				}
			}
			loads++
		}
	}
	if ops > columnOps || loads > 2 || s.axis {
		return nil
	}
	return c
}

// sinkLoads splits a block at its reduction, statement number `at`, into the statements before and
// after it. Loads that neither the reduction nor the statements left before it need move to those
// after it, in their order.
func sinkLoads(b ir.Block, at int) (head, tail ir.Block) {
	needed := map[ir.Ref]bool{}
	note := func(r ir.Ref) { needed[r] = true }
	ir.Block{b[at]}.Walk(func(s ir.Stmt) { ir.Reads(s, note) })
	for _, s := range slices.Backward(b[:at]) {
		l, ok := s.(*ir.Load)
		if ok && !needed[l.Dst] {
			tail = append(tail, s)
			continue
		}
		ir.Reads(s, note)
		head = append(head, s)
	}
	slices.Reverse(head)
	slices.Reverse(tail)
	return head, append(tail, b[at+1:]...)
}

// outerStays reports whether the axis on which the length of the reduction depends is one
// of the merged kernel, and not its innermost one.
func (c *columnKernel) outerStays() bool {
	for _, a := range c.gone {
		if a == c.reduce.Tail.Outer {
			return false
		}
	}
	return c.dims[len(c.dims)-1].Axis != c.reduce.Tail.Outer
}

// points returns the number of points of the kernel, where vec neighbours count as one.
func (c *columnKernel) points() int64 {
	n := int64(1)
	for _, d := range c.dims {
		n *= d.Extent.Value
	}
	return (n + c.vec - 1) / c.vec
}

func (c *columnKernel) lower(e *emitter) {
	c.unroll = 1
	e.f.Threads = columnThreads
	s := *c.stream
	s.work = func(e *emitter, first Reg, n int, vec int64) { c.column(e, first, vec) }
	s.lower(e)
}

// column emits the work of a thread: vec neighbouring points.
func (c *columnKernel) column(e *emitter, first Reg, vec int64) {
	outer := append([]Reg(nil), e.regs...)
	x := &columnEmitter{emitter: e, c: c, v: int(vec)}
	axes := c.place(e, first, vec)
	for d, dim := range c.dims {
		e.axes[dim.Axis] = axes[d]
	}
	e.stmts(c.prefix)
	e.stmts(c.head)
	x.n = e.extent(c.reduce.Extent, c.reduce.Tail)
	base := e.foldsOf(c.reduce)
	x.folds = folds{e: e}
	for range x.v {
		x.folds.fs = append(x.folds.fs, base.fs...)
	}
	total := x.total()
	// The statements after the reduction run once for each point. Stores of neighbouring points are joined to one.
	stores := map[ir.Stmt][]Reg{}
	j := 0
	e.hook.store = func(s *ir.Store) bool {
		if !c.beside[s] || x.v == 1 {
			return false
		}
		stores[s] = append(stores[s], e.regs[s.Value])
		return true
	}
	inner := c.dims[len(c.dims)-1].Axis
	e.packed(c.tail, x.v, func(i int) {
		j = i
		for q, f := range c.reduce.Folds {
			e.regs[f.Result] = total[j*len(c.reduce.Folds)+q][0]
		}
		e.axes[inner] = e.plus(axes[len(axes)-1], int64(i))
	})
	e.hook = hook{}
	e.axes[inner] = axes[len(axes)-1]
	for _, s := range c.tail {
		if xs, ok := stores[s]; ok {
			a := &s.(*ir.Store).At
			at, _ := e.place(a)
			e.add(&StoreVec{Buffer: a.Buffer, At: at, Values: xs})
		}
	}
	copy(e.regs, outer)
}

// A columnEmitter emits the reduction of neighbouring points. Its folds are those of the
// first point, of the second, and so on.
type columnEmitter struct {
	*emitter
	c     *columnKernel
	folds folds
	v     int
	n     Reg // lines
}

func (x *columnEmitter) total() []element {
	block := int64(columnChunks * ir.ChunkSize)
	r := x.c.reduce
	fixed := r.Tail == nil && r.Extent.Value%block == 0
	if n := r.Extent.Value / ir.ChunkSize; r.Tail == nil && r.Extent.Value%ir.ChunkSize == 0 && n <= columnChunks && n&(n-1) == 0 {
		return x.chunks(x.num(0), n)
	}
	result := x.folds.hold(x.folds.identity())
	general := func() {
		c := x.folds.newCounter(x.folds.private(levels))
		blocks := x.over(x.n, block)
		x.loop(x.num(0), blocks, x.num(1), func(b Reg) { c.push(b, x.chunks(x.times(b, block), columnChunks)) })
		if !fixed {
			from := x.times(blocks, block)
			x.when(x.less(from, x.n), func() { c.push(blocks, x.rest(from)) })
		}
		x.folds.set(result, c.total())
	}
	if r.Tail != nil && r.Extent.Value == block {
		x.add(&If{x.same(x.n, x.num(block)),
			x.block(func() { x.folds.set(result, x.chunks(x.num(0), columnChunks)) }), x.block(general)})
	} else {
		general()
	}
	return result
}

// chunks emits n chunks of lines, the first of which begins at line `from`, and combines their results. n is a power of two.
func (x *columnEmitter) chunks(from Reg, n int64) []element {
	if n > 1 {
		a := x.chunks(from, n/2)
		return x.folds.combine(a, x.chunks(x.plus(from, n/2*ir.ChunkSize), n/2))
	}
	loaded := make([]map[*ir.Load][]Reg, ir.ChunkSize)
	for i := range loaded {
		loaded[i] = map[*ir.Load][]Reg{}
	}
	x.axes[x.c.reduce.Axis] = from
	for _, s := range x.c.reduce.Body {
		l, ok := s.(*ir.Load)
		if !ok {
			continue
		}
		step, _ := stride(&l.At, x.c.reduce.Axis)
		at, _ := x.place(&l.At)
		for i := range loaded {
			loaded[i][l] = x.line(l, at, int64(i)*step)
		}
	}
	acc := x.folds.identity()
	for i := range loaded {
		acc = x.folds.combine(acc, x.values(x.plus(from, int64(i)), loaded[i]))
	}
	return acc
}

// line emits load l of a line: of one element for each point, or of one that all points share.
func (x *columnEmitter) line(l *ir.Load, at Reg, plus int64) []Reg {
	n := x.v
	if x.c.same[l] {
		n = 1
	}
	dst := make([]Reg, n)
	for i := range dst {
		dst[i] = x.reg(x.k.Types[l.Dst])
	}
	if n > 1 {
		x.add(&LoadVec{Dst: dst, Buffer: l.At.Buffer, At: at, Plus: plus})
	} else {
		x.add(&Load{dst[0], l.At.Buffer, x.plus(at, plus)})
	}
	return dst
}

// values emits the body of a line for all points and returns what it yields.
func (x *columnEmitter) values(line Reg, loaded map[*ir.Load][]Reg) []element {
	was := x.hook
	j := 0
	x.hook.load = func(l *ir.Load) (Reg, bool) { return loaded[l][min(j, len(loaded[l])-1)], true }
	all := x.packed(x.c.reduce.Body, x.v, func(i int) {
		j = i
		x.axes[x.c.reduce.Axis] = line
	})
	x.hook = was
	var out []element
	for _, regs := range all {
		for _, f := range x.c.reduce.Folds {
			out = append(out, element{regs[f.Value], NoReg})
		}
	}
	return out
}

// rest emits the lines from line `from` to the last one, fewer than a block: chunk after chunk, the last
// of which may be short.
func (x *columnEmitter) rest(from Reg) []element {
	c := x.folds.newCounter(x.folds.private(levels))
	chunks := x.over(x.plus(x.diff(x.n, from), ir.ChunkSize-1), ir.ChunkSize)
	x.loop(x.num(0), chunks, x.num(1), func(b Reg) {
		lo := x.sum(from, x.times(b, ir.ChunkSize))
		acc := x.folds.hold(x.folds.identity())
		x.loop(lo, x.least(x.plus(lo, ir.ChunkSize), x.n), x.num(1), func(i Reg) {
			x.axes[x.c.reduce.Axis] = i
			loaded := map[*ir.Load][]Reg{}
			for _, s := range x.c.reduce.Body {
				if l, ok := s.(*ir.Load); ok {
					at, _ := x.place(&l.At)
					loaded[l] = x.line(l, at, 0)
				}
			}
			x.folds.set(acc, x.folds.combine(acc, x.values(i, loaded)))
		})
		c.push(b, acc)
	})
	return c.total()
}
