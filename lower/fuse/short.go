package fuse

import (
	"slices"

	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/irpass"
)

// Where the innermost axes are short (particles in three dimensions, colours, quaternions), a
// vector along them would be mostly empty. Such a kernel computes several rows side by side
// instead, the elements of a row one after the other: the lanes of a vector are rows.
const (
	shortCols   = 8    // elements of a row, at most
	shortCheap  = 16   // … if they have at most cheapOps operations together
	shortOps    = 2048 // operations on all elements of a row, at most
	cheapOps    = 512
	vectorLanes = 8 // of f32 on the narrowest machine that gains: an axis of as many elements fills vectors
)

// shortRows returns how many of the innermost axes of the domain are short and lie within a longer
// axis that fills a vector, and the product of their sizes; 0 if there are no such axes.
func (e *emitter) shortRows() (axes int, cols int64) {
	if !e.lanesMayBeRows() || e.g.dest != nil || e.g.cum != nil || e.g.few != nil {
		return 0, 0
	}
	shape, ops := e.full.shape, e.elementOps()
	cols = 1
	for k := len(shape) - 1; k > 0 && shape[k] < vectorLanes; k-- {
		n := cols * shape[k]
		if n > shortCheap || int(n)*ops > shortOps || n > shortCols && int(n)*ops > cheapOps {
			break
		}
		axes, cols = axes+1, n
		if shape[k-1] >= vectorLanes {
			return axes, cols
		}
	}
	return 0, 0
}

// lanesMayBeRows reports whether the target's vectors have lanes that rows can fill. On a device,
// each thread has a row of its own anyway.
func (e *emitter) lanesMayBeRows() bool {
	_, device := e.p.target.Division.(irpass.Device)
	return !device
}

// elementOps estimates the number of operations that are written for an element of the domain.
func (e *emitter) elementOps() int {
	n := 1
	for _, m := range e.g.members {
		if !e.needed(m) || m.row {
			continue
		}
		n++
		if m.prog != nil && !e.isFunction(m.prog) {
			n += len(m.prog.Code)
		}
	}
	return n
}

// each calls f at all positions along the axes from first to last−1 of the element's index, in
// order. The coordinates are constants.
func (e *emitter) each(first, last int, f func()) {
	if first == last {
		f()
		return
	}
	co := e.full.co
	for c := range e.full.shape[first] {
		e.full.co = slices.Clone(co)
		e.full.co[first] = constant(c)
		e.each(first+1, last, f)
	}
	e.full.co = co
}

// besideEachOther writes a kernel whose innermost axes are short and have cols elements: a loop over
// the axis around them.
func (e *emitter) besideEachOther(outs []*node, axes int, cols int64) {
	n := len(e.full.shape)
	first, last := n-axes, n // the axes of rows, and after them the axis of a row that is reduced
	if e.g.cols != 0 {
		last--
	}
	for _, size := range e.full.shape[:first-1] {
		e.full.co = append(e.full.co, e.grid(size))
	}
	e.unrolled = true
	e.blocks(e.full.shape[first-1], max(leastBlock, e.block()/cols), func(c coord) {
		e.full.co = append(e.full.co[:first-1:first-1], c)
		for range axes {
			e.full.co = append(e.full.co, constant(0))
		}
		type element struct {
			at index
			r  []ir.Ref
		}
		all := make([][]element, len(outs))
		compute := func(row bool, at index) {
			for i, o := range outs {
				if o.row == row {
					all[i] = append(all[i], element{at, e.member(o)})
				}
			}
		}
		e.each(first, last, func() {
			if e.g.cols != 0 {
				e.row = index{shape: e.full.shape[:last], co: e.full.co[:last:last]}
				e.foldRow()
				compute(true, e.row)
			}
			e.each(last, n, func() { compute(false, e.full) })
		})
		for i, o := range outs { // after all loads
			for _, x := range all[i] {
				e.store(o.value, x.at, x.r)
			}
		}
	})
}

// foldRow computes the reductions of the present row in their canonical orders, and the members that
// depend on them.
func (e *emitter) foldRow() {
	last := len(e.full.shape) - 1
	for level := range e.topLevel() + 1 {
		for _, n := range e.g.members {
			switch {
			case !e.needed(n) || n.level != level:
			case n.folds:
				var x small
				e.each(last, last+1, func() { x = append(x, e.element(n.eqn.Ins[0], e.full)) })
				e.noted(n, e.row, unroller{e}.reduceSpans(n.eqn, x, []span{{e.g.cols, true}})[0])
			case n.row:
				e.member(n)
			}
		}
	}
}

// foldsFew reports whether a reduction combines so few and cheap elements that they are written one
// after the other.
func (e *emitter) foldsFew(q *jaxpr.Eqn, reduced []span) bool {
	n := int64(1)
	for _, s := range reduced {
		n *= s.n
	}
	cost := 1
	if v, ok := q.Ins[0].(*jaxpr.Var); ok {
		cost += e.p.of(v).cost
	}
	return n > 1 && n <= shortCols && int(n)*cost <= cheapOps && e.lanesMayBeRows()
}

// foldFew computes element x of a reduction that combines few elements, in the canonical order.
func (e *emitter) foldFew(q *jaxpr.Eqn, spans, reduced []span, x index) []ir.Ref {
	var elems small
	co := make([]coord, len(reduced))
	var along func(i int)
	along = func(i int) {
		if i == len(co) {
			y, ok := e.m.acrossAt(spans, x, co)
			if !ok {
				e.noIndex(q)
			}
			elems = append(elems, e.element(q.Ins[0], y))
			return
		}
		for c := range reduced[i].n {
			co[i] = constant(c)
			along(i + 1)
		}
	}
	along(0)
	return unroller{e}.reduceSpans(q, elems, reduced)[0]
}
