package fuse

import (
	"github.com/weft-go/weft/lower/ir"
)

func (e *emitter) axis(a ir.Axis, n int64) ir.Axis {
	for len(e.m.extent) <= int(a) {
		e.m.extent = append(e.m.extent, 1)
	}
	e.m.extent[a] = n
	return a
}

func (e *emitter) grid(n int64) coord {
	if n == 1 {
		return constant(0)
	}
	return along(e.axis(e.b.Grid(ir.Const(n)), n))
}

// vector writes a loop over n elements in a new block. If n is 1, it writes the body alone.
func (e *emitter) vector(n int64, tail *ir.Tail, body func(c coord)) {
	if n == 1 {
		body(constant(0))
		return
	}
	e.b.Vector(ir.Const(n), tail, func(a ir.Axis) {
		e.push()
		body(along(e.axis(a, n)))
		e.pop()
	})
}

// elements writes a kernel without rows.
func (e *emitter) elements(outs []*node) {
	shape := e.full.shape
	k := len(shape) - 1
	for _, n := range shape[:k] {
		e.full.co = append(e.full.co, e.grid(n))
	}
	body := func(c coord) {
		e.full.co = append(e.full.co[:k:k], c)
		e.outputs(outs)
	}
	e.blocks(shape[k], e.block(), body)
}

// blocks writes a loop over n elements. If they are more than size, the loop is over a block of size elements,
// and a new axis of the grid counts the blocks.
func (e *emitter) blocks(n, size int64, body func(c coord)) {
	if n <= size {
		e.vector(n, nil, body)
		return
	}
	blocks := (n + size - 1) / size
	o := e.axis(e.b.Grid(ir.Const(blocks)), blocks)
	e.vector(size, &ir.Tail{Outer: o, Total: ir.Const(n)}, func(c coord) {
		e.m.blocks = append(e.m.blocks, blocked{o, c.terms[0].axis, size, n})
		body(e.m.sum(coord{terms: []term{{o, size}}, value: ir.NoRef}, c))
	})
}

// Where each element computes a reduction by itself, blocks get smaller, down to leastBlock
// elements, until a point of the grid reads at most pointBytes. Reading these from memory takes
// 150 µs, since a core reads 28 GB/s (bench/results/2026-11-24-epyc.md).
const (
	leastBlock = 64
	pointBytes = 1 << 22
)

// block returns the number of elements that a point of the grid computes.
func (e *emitter) block() int64 {
	reads := int64(1) // bytes for an element
	for _, n := range e.g.members {
		if e.needed(n) && n.class == reduction {
			a := n.eqn.Ins[0].Aval()
			reads = max(reads, int64(a.Size()*a.DType.Size()/max(1, n.v.Type.Size())))
		}
	}
	block := int64(blockElems)
	for block > leastBlock && block*reads > pointBytes {
		block /= 2
	}
	return block
}

// topLevel returns the greatest level of a member that is needed.
func (e *emitter) topLevel() int {
	top := 0
	for _, n := range e.g.members {
		if e.needed(n) {
			top = max(top, n.level)
		}
	}
	return top
}

// rows writes a kernel with rows: reductions level by level, then full outputs.
func (e *emitter) rows(outs []*node) {
	shape := e.full.shape
	k := len(shape) - 1
	for _, n := range shape[:k] {
		e.full.co = append(e.full.co, e.grid(n))
	}
	e.full.co = append(e.full.co, constant(0))
	e.row = index{shape: shape[:k], co: e.full.co[:k:k]}
	top := e.topLevel()
	keeps := e.keep(outs, top)
	for level := 0; level <= top; level++ {
		e.storeKept(keeps, level)
		e.reductions(level)
		for _, n := range e.g.members {
			if e.needed(n) && n.row && n.level == level {
				e.member(n)
			}
		}
	}
	var full []*node
	for _, n := range outs {
		if n.row {
			e.store(n.value, e.row, e.member(n))
		} else {
			full = append(full, n)
		}
	}
	if len(full) == 0 {
		return
	}
	e.vector(e.g.cols, nil, func(c coord) {
		e.full.co[k] = c
		e.outputs(full)
	})
}

func (e *emitter) storeKept(keeps [][]*node, stage int) {
	if len(keeps) == 0 || len(keeps[stage]) == 0 {
		return
	}
	k := len(e.full.shape) - 1
	e.vector(e.g.cols, nil, func(c coord) {
		e.full.co[k] = c
		for _, n := range keeps[stage] {
			e.store(e.keptAt[n], e.full, e.member(n))
		}
	})
	if e.stored == nil {
		e.stored = map[*node]bool{}
	}
	for _, n := range keeps[stage] {
		e.stored[n] = true
	}
}

// outputs stores the nodes at the current position, or the element of the piece that the group copies.
func (e *emitter) outputs(outs []*node) {
	if d := e.g.dest; d != nil {
		x, ok := e.m.as(e.full, d.in)
		if !ok {
			panic("BUG: a piece has no index")
		}
		r := e.element(d.piece, e.full)
		x = index{shape: d.shape, co: append([]coord(nil), x.co...)}
		x.co[d.axis] = x.co[d.axis].plus(d.lo)
		e.store(d.value, x, r)
		return
	}
	all := make([][]ir.Ref, len(outs))
	for i, n := range outs {
		all[i] = e.member(n)
	}
	for i, n := range outs { // after all loads: an output may be an operand's memory
		e.store(n.value, e.full, all[i])
	}
}

// reductions writes the reductions of rows of a level: reductions of the same order share a loop.
func (e *emitter) reductions(level int) {
	type loop struct {
		order ir.Order
		lanes int
	}
	by := map[loop][]*node{}
	var loops []loop
	for _, n := range e.g.members {
		if !e.needed(n) || !n.folds || n.level != level {
			continue
		}
		f := foldOf(n.eqn)
		order, lanes := orderOf(n.eqn, f, f.lanes)
		l := loop{order, lanes}
		if by[l] == nil {
			loops = append(loops, l)
		}
		by[l] = append(by[l], n)
	}
	k := len(e.full.shape) - 1
	for _, l := range loops {
		ns := by[l]
		var parts []int // folds of each
		rs := e.b.Reduce(l.order, l.lanes, ir.Const(e.g.cols), nil, func(a ir.Axis) []ir.Elem {
			e.push()
			defer e.pop()
			e.full.co[k] = along(e.axis(a, e.g.cols))
			var elems []ir.Elem
			for _, n := range ns {
				es := e.folded(n.eqn, e.element(n.eqn.Ins[0], e.full), a)
				parts = append(parts, len(es))
				elems = append(elems, es...)
			}
			return elems
		})
		for i, n := range ns {
			m := results(n.eqn, parts[i])
			n.own = known{block: e.open[len(e.open)-1], r: e.reduced(n.eqn, rs[:m])}
			rs = rs[m:]
		}
	}
}
