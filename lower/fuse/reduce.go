package fuse

import (
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/ir"
)

// shortRow is the number of elements up to which rows lie side by side in a kernel's
// vectors, rather than one row along them.
const shortRow = 16

// reduction makes its result a row of a group, or else an element that its group
// computes by a loop of its own.
func (p *planner) reduction(e *jaxpr.Eqn) {
	n := p.bind(e.Outs[0], e, 0)
	spans := spansOf(e.Ins[0].Aval().Shape, foldOf(e).axes)
	if cols, ok := rowFold(spans); ok && p.asRow(n, cols) {
		return
	}
	p.joinWith([]*node{n}, int64(n.v.Type.Size()), func(d *dry, x index) bool { return d.operand(e, spans, x) })
}

// asRow makes n, a reduction of rows of cols elements, a row of a group, if it can.
func (p *planner) asRow(n *node, cols int64) bool {
	e := n.eqn
	size := int64(e.Ins[0].Aval().Size())
	v, _ := e.Ins[0].(*jaxpr.Var)
	if v == nil || cols <= shortRow && p.of(v).kind != member {
		return false
	}
	row := func(g *group) bool {
		chain, ok := g.withRows(cols)
		if !ok || g.size != size {
			return false
		}
		d := &dry{p: p, g: g, chain: chain, cols: cols, eqn: e}
		if !d.try(func(full, _ index) bool { return d.reach(v, full) }) {
			return false
		}
		d.level++
		p.commit(d, []*node{n}, true)
		n.folds = true
		return true
	}
	seq, _, _, _ := p.deps(e)
	for _, g := range p.candidates(e, seq, size) {
		if row(g) {
			return true
		}
	}
	if cols <= shortRow {
		return false
	}
	g := newGroup(size)
	g.seq = len(p.items)
	if !row(g) {
		return false
	}
	p.add(g)
	p.latest[size] = g
	return true
}

// cumulation begins a new group for a running fold.
func (p *planner) cumulation(e *jaxpr.Eqn) {
	n := p.bind(e.Outs[0], e, 0)
	spans, size := cumSpans(e)
	for {
		g := newGroup(size)
		g.seq, g.closed, g.cum = len(p.items), true, spans
		d := &dry{p: p, g: g}
		if d.try(func(full, _ index) bool { return d.operand(e, spans, full) }) {
			p.add(g)
			p.commit(d, []*node{n}, false)
			p.inMemory(n, false)
			return
		}
		p.cut(d)
	}
}

// cumSpans returns the axes of a running fold's operand before, along and after its
// axis, and the number of running folds.
func cumSpans(e *jaxpr.Eqn) ([]span, int64) {
	axis, _ := cumAxis(e)
	outer, inner := int64(1), int64(1)
	s := dims(e.Ins[0].Aval().Shape)
	for i, n := range s {
		if i < axis {
			outer *= n
		} else if i > axis {
			inner *= n
		}
	}
	return []span{{outer, false}, {s[axis], true}, {inner, false}}, outer * inner
}

func cumAxis(e *jaxpr.Eqn) (axis int, reverse bool) {
	switch p := e.Prim.(type) {
	case prim.CumsumP:
		return p.Axis, p.Reverse
	case prim.CumprodP:
		return p.Axis, p.Reverse
	case prim.CummaxP:
		return p.Axis, p.Reverse
	case prim.CumminP:
		return p.Axis, p.Reverse
	}
	panic("BUG: " + e.Prim.Name() + " is no running fold")
}

// pieces writes a concatenation or a stack piece by piece.
func (p *planner) pieces(e *jaxpr.Eqn) {
	p.writePieces(e, p.outputs(e)[0])
	p.made(e, len(p.items)-1)
}

// A concatenation or a stack of at least largePieces elements is written piece by piece
// where a piece lies in runs of at least pieceRun elements.
const (
	largePieces = 1 << 14
	pieceRun    = 16
)

// inPieces reports whether a virtual node is written to memory piece by piece.
func (p *planner) inPieces(n *node) bool {
	shape := n.v.Type.Shape
	axis, piece := 0, 0
	switch q := n.eqn.Prim.(type) {
	case prim.ConcatenateP:
		axis, piece = q.Dimension, shape.At(q.Dimension)/len(n.eqn.Ins)
	case prim.StackP:
		axis, piece = q.Axis, 1
	default:
		return false
	}
	run := piece
	for i := axis + 1; i < shape.Len(); i++ {
		run *= shape.At(i)
	}
	return n.v.Type.Size() >= largePieces && run >= pieceRun
}

func (p *planner) writePieces(e *jaxpr.Eqn, out int) {
	shape := dims(e.Outs[0].Type.Shape)
	lo := int64(0)
	for _, a := range e.Ins {
		in, axis := dims(a.Aval().Shape), 0
		switch q := e.Prim.(type) {
		case prim.ConcatenateP:
			axis = q.Dimension
		case prim.StackP:
			axis = q.Axis
			in = append(append(append([]int64(nil), in[:axis]...), 1), in[axis:]...)
		}
		for {
			g := newGroup(int64(a.Aval().Size()))
			g.seq, g.closed = len(p.items), true
			g.dest = &dest{e, out, shape, a, in, axis, lo}
			d := &dry{p: p, g: g, eqn: e}
			if d.try(func(full, _ index) bool {
				if _, ok := d.m.as(full, in); !ok {
					d.refine = in
					return false
				}
				return d.reach(a, full)
			}) {
				p.add(g)
				p.commit(d, nil, false)
				break
			}
			p.cut(d)
		}
		lo += in[axis]
	}
}

func keptOf(spans []span) []int64 {
	var s []int64
	for _, x := range spans {
		if !x.reduced {
			s = append(s, x.n)
		}
	}
	return s
}

// across returns the index of an element of a reduction's operand: along kept spans it has the coordinates of
// element x of the result, along reduced ones those of the axes. ok is false where that needs a division.
func (m *mapper) across(spans []span, x index, axes []ir.Axis) (y index, ok bool) {
	co := make([]coord, len(axes))
	for i, a := range axes {
		co[i] = along(a)
	}
	return m.acrossAt(spans, x, co)
}

// acrossAt is across where the reduced spans have the given coordinates.
func (m *mapper) acrossAt(spans []span, x index, reduced []coord) (y index, ok bool) {
	if x, ok = m.as(x, keptOf(spans)); !ok {
		return x, false
	}
	y.loose = x.loose
	k := 0
	for _, s := range spans {
		y.shape = append(y.shape, s.n)
		if s.reduced {
			y.co = append(y.co, reduced[0])
			reduced = reduced[1:]
		} else {
			y.co = append(y.co, x.co[k])
			k++
		}
	}
	return y, true
}
