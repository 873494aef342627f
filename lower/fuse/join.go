package fuse

import (
	"slices"

	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/expand"
)

// materialize makes a virtual node a member of a group that writes it, or writes it piece by piece.
func (p *planner) materialize(n *node) {
	n.kind, n.cheap = inMemory, true // no longer virtual for the group that it joins
	if p.inPieces(n) {
		n.mem = true
		n.value = p.newValue(Value{Type: n.v.Type})
		p.writePieces(n.eqn, n.value)
		n.seq = len(p.items) - 1
		return
	}
	p.join([]*node{n}, int64(n.v.Type.Size()))
	p.inMemory(n, false)
}

// join makes the nodes of one equation, each of size elements, members of a group.
func (p *planner) join(ns []*node, size int64) {
	p.joinWith(ns, size, func(d *dry, x index) bool { return d.uses(ns[0].eqn, ns[0].out, x) })
}

// joinAlike makes n a member of a group where no index has to be found: each operand has
// its shape, or is a number, and lies in memory or in that group. It reports whether it did.
func (p *planner) joinAlike(n *node) bool {
	e := n.eqn
	if !expand.Has(e.Prim) {
		return false
	}
	shape := n.v.Type.Shape
	for _, a := range e.Ins {
		if v, ok := a.(*jaxpr.Var); ok {
			if x := p.of(v); x.kind == virtual || v.Type.Shape != shape && (x.kind != inMemory || v.Type.Rank() > 0) {
				return false
			}
		}
	}
	size := int64(n.v.Type.Size())
	for _, g := range p.candidates(e, n.seq, size) {
		if p.joins(n, g, g.size != size) {
			return true
		}
	}
	g := newGroup(size)
	g.seq = len(p.items)
	if !p.joins(n, g, false) {
		return false
	}
	p.add(g)
	p.latest[size] = g
	return true
}

// joins makes n a member of g, a row if row is set, if g can compute all operands of n. It reports
// whether it did.
func (p *planner) joins(n *node, g *group, row bool) bool {
	level := 0
	for _, a := range n.eqn.Ins {
		v, ok := a.(*jaxpr.Var)
		if !ok {
			continue
		}
		switch x := p.of(v); {
		case x.kind == member && x.group == g:
			if x.row != row {
				return false
			}
			level = max(level, x.level)
		case x.seq >= g.seq:
			return false
		}
	}
	for _, a := range n.eqn.Ins {
		if v, ok := a.(*jaxpr.Var); ok {
			if x := p.of(v); x.kind == member && x.group != g && !p.again(x) {
				p.inMemory(x, false)
			}
		}
	}
	n.kind, n.group, n.row, n.seq, n.level = member, g, row, g.seq, level
	p.addMember(g, n)
	return true
}

// joinWith makes nodes members of a group that has size elements, or size rows, and in which reach succeeds for
// the index of an element or a row. It begins a group if there is none.
func (p *planner) joinWith(ns []*node, size int64, reach func(d *dry, x index) bool) {
	for {
		seq, _, _, _ := p.deps(ns[0].eqn)
		for _, g := range p.candidates(ns[0].eqn, seq, size) {
			row := g.size != size
			d := &dry{p: p, g: g}
			if d.try(func(full, r index) bool {
				if row {
					full = r
				}
				return reach(d, full)
			}) {
				p.commit(d, ns, row)
				return
			}
		}
		g := newGroup(size)
		g.seq = len(p.items)
		d := &dry{p: p, g: g}
		if d.try(func(full, _ index) bool { return reach(d, full) }) {
			p.add(g)
			p.latest[size] = g
			p.commit(d, ns, false)
			return
		}
		p.cut(d)
	}
}

// candidates returns the groups that the nodes of e may join. The nodes have size elements and
// depend on steps up to seq. Large nodes join only groups that they depend on or that have an operand in
// common with them: otherwise the operands of both would be needed at one time.
func (p *planner) candidates(e *jaxpr.Eqn, seq int, size int64) []*group {
	gs := p.few[:0]
	take := func(g *group) {
		if g != nil && !g.closed && g.seq >= seq && len(g.members) < maxMembers && len(g.members)+g.reads < p.mostBuffers() && (g.size == size || g.rows() == size) && (len(gs) == 0 || gs[0] != g) {
			gs = append(gs, g)
		}
	}
	if seq >= 0 {
		if g, ok := p.items[seq].(*group); ok {
			take(g)
		}
	}
	if g := p.latest[size]; g != nil && (size < largeJoin || len(gs) > 0 && gs[0] == g || p.related(e, g)) {
		take(g)
	}
	return gs
}

func (p *planner) addMember(g *group, n *node) {
	g.members = append(g.members, n)
	p.countReads(g, n.eqn)
}

// countReads adds to g.reads the greatest number of further values in memory from which g computes an equation.
func (p *planner) countReads(g *group, e *jaxpr.Eqn) {
	for _, a := range e.Ins {
		v, ok := a.(*jaxpr.Var)
		if !ok {
			continue
		}
		n := p.of(v)
		if n.reader == g || n.kind == member && n.group == g {
			continue
		}
		n.reader = g
		if n.kind == virtual {
			p.countReads(g, n.eqn)
		} else {
			g.reads++
		}
	}
}

// largeJoin is the number of elements from which nodes join related groups only.
const largeJoin = 1 << 15

// related reports whether an equation reads a large array that a member of the group reads
// or computes.
func (p *planner) related(e *jaxpr.Eqn, g *group) bool {
	p.sought = p.sought[:0]
	p.reads(e, func(n *node) bool {
		p.sought = append(p.sought, n)
		return false
	})
	found := func(n *node) bool { return slices.Contains(p.sought, n) }
	for i := len(g.members) - 1; i >= 0; i-- {
		if m := g.members[i]; found(m) || p.reads(m.eqn, found) {
			return true
		}
	}
	return false
}

// reads calls f for each large array that e reads, through virtual nodes, until f returns
// true. It reports whether f did.
func (p *planner) reads(e *jaxpr.Eqn, f func(n *node) bool) bool {
	for _, a := range e.Ins {
		v, ok := a.(*jaxpr.Var)
		if !ok || v.Type.Size() < largeJoin {
			continue
		}
		n := p.of(v)
		if n.kind == virtual && p.reads(n.eqn, f) || n.kind != virtual && f(n) {
			return true
		}
	}
	return false
}

// cut puts into memory the virtual nodes that the group of the dry run cannot compute.
func (p *planner) cut(d *dry) {
	if len(d.cut) == 0 {
		panic("BUG: an equation fits no kernel: " + jaxpr.EquationText(p.j, d.eqn))
	}
	for _, n := range d.cut {
		if n.kind == virtual {
			p.materialize(n)
		}
	}
}

// again makes a member virtual for other groups if it is an array in memory, converted to a larger type: they read the
// smaller array. It reports whether it did.
func (p *planner) again(n *node) bool {
	if n.kind != member || n.value >= 0 || n.row || p.returned(n.v) {
		return false
	}
	v, ok := n.eqn.Ins[0].(*jaxpr.Var)
	if _, converts := n.eqn.Prim.(prim.ConvertElementTypeP); !converts || !ok || v.Type.DType.Size() >= n.v.Type.DType.Size() || p.of(v).value < 0 {
		return false
	}
	n.kind, n.cost, n.depth = virtual, 2, 1
	n.group.members = slices.DeleteFunc(n.group.members, func(m *node) bool { return m == n })
	return true
}

// commit makes nodes members of the group that a dry run found to take them.
func (p *planner) commit(d *dry, ns []*node, row bool) {
	for _, n := range d.mem {
		p.inMemory(n, false)
	}
	d.g.chain, d.g.cols = d.chain, d.cols
	for _, n := range ns {
		n.kind, n.group, n.row, n.seq, n.level = member, d.g, row, d.g.seq, d.level
		p.addMember(d.g, n)
	}
}
