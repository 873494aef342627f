package fuse

import (
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/indexed"
	"github.com/weft-go/weft/jaxpr"
)

// deps returns the last step that the operands depend on, a group that they are members of or computed from, the
// cost of all operands, where a variable that is not virtual costs 1, and the greatest depth of virtual ones. On targets
// with Tiny, costly virtual operands whose elements a large result would compute again and again go to memory first.
func (p *planner) deps(e *jaxpr.Eqn) (seq int, g *group, cost, depth int) {
	seq = -1
	for _, a := range e.Ins {
		v, ok := a.(*jaxpr.Var)
		if !ok {
			continue
		}
		n := p.of(v)
		if size := v.Type.Size(); n.kind == virtual && n.cost > repeatedCost && size > 1 && p.target.Tiny && e.Outs[0].Type.Size() >= max(manyElements, leastRepeated*size) {
			p.inMemory(n, false)
		}
		seq = max(seq, n.seq)
		if n.kind != inMemory && n.group != nil {
			g = n.group
		}
		if n.kind == virtual {
			cost += n.cost
			depth = max(depth, n.depth)
		} else {
			cost++
		}
	}
	return seq, g, cost, depth
}

// movement makes virtual nodes, unless they would cost too much.
func (p *planner) movement(e *jaxpr.Eqn) {
	seq, g, cost, depth := p.deps(e)
	switch q := e.Prim.(type) {
	case prim.ConcatenateP, prim.StackP:
		if cost += 2 * len(e.Ins); cost > movedCost {
			p.pieces(e)
			return
		}
	case indexed.GatherP:
		if v, ok := e.Ins[1].(*jaxpr.Var); ok && p.of(v).kind == virtual {
			cost += (q.StartIndexMap.Len() - 1) * p.of(v).cost // each coordinate is an element of the index array
		}
		cost += 4
	case prim.PadP, indexed.DynamicSliceP:
		cost += 4
	}
	for i, v := range e.Outs {
		n := p.bind(v, e, i)
		n.kind, n.seq, n.group, n.cost, n.depth = virtual, seq, g, cost, depth+1
		if depth >= movedDepth || cost > indexCost {
			p.materialize(n)
		}
	}
}

// pointwise makes the result of e a virtual node if it is the only one, is cheap, ends no long chain of virtual
// nodes, and depends on memory alone. Otherwise it makes the results members of a group.
func (p *planner) pointwise(e *jaxpr.Eqn) {
	seq, g, cost, depth := p.deps(e)
	cost += weightOf(e)
	cheap := cheapCost
	if e.Outs[0].Type.Size() >= manyElements {
		cheap = cheapMany
	}
	if g == nil && cost <= cheap && depth < movedDepth && len(e.Outs) == 1 {
		n := p.bind(e.Outs[0], e, 0)
		n.kind, n.seq, n.cost, n.depth = virtual, seq, cost, depth+1
		return
	}
	if len(e.Outs) == 1 {
		n := p.bind(e.Outs[0], e, 0)
		n.seq = seq
		if !p.joinAlike(n) {
			p.join([]*node{n}, int64(n.v.Type.Size()))
		}
		return
	}
	nodes := make([]*node, len(e.Outs))
	for i, v := range e.Outs {
		nodes[i] = p.bind(v, e, i)
		nodes[i].seq = seq
	}
	p.join(nodes, int64(e.Outs[0].Type.Size()))
}
