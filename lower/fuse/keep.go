package fuse

import (
	"slices"

	"github.com/weft-go/weft/jaxpr"
)

// keepCost is the cost from which an element is kept in memory rather than computed again
// in a later loop over the row.
const keepCost = 100

// keep chooses members whose elements several loops over a row use, and for each an output of the
// same type, whose memory contains them until the last loop writes the output. In a softmax the
// sum and the quotient read one exponential. keeps[stage] are stored in front of the loops
// of a stage. Each level of reductions is a stage, and the outputs are the last one.
func (e *emitter) keep(outs []*node, top int) (keeps [][]*node) {
	var free []*node // outputs without a kept member
	for _, n := range outs {
		if !n.row && n.group == e.g {
			free = append(free, n)
		}
	}
	if len(free) == 0 {
		return nil
	}
	k := &keeper{e: e, first: map[*node]int{}, cost: map[*node]int{}, kept: map[*node]bool{}}
	keeps = make([][]*node, top+2)
	for stage := 0; stage <= top+1; stage++ {
		for _, n := range k.again(stage, outs) {
			i := slices.Index(free, n) // the memory of n itself, if n is an output
			if i < 0 {
				i = slices.IndexFunc(free, func(o *node) bool { return o.v.Type.DType == n.v.Type.DType })
			}
			if i < 0 {
				continue
			}
			at := k.first[n]
			keeps[at] = append(keeps[at], n)
			if e.keptAt == nil {
				e.keptAt, e.keptIn = map[*node]int{}, map[int]bool{}
			}
			e.keptAt[n] = free[i].value
			e.keptIn[free[i].value] = true
			k.kept[n] = true
			free = slices.Delete(free, i, i+1)
		}
	}
	return keeps
}

// A keeper finds the members that several stages compute.
type keeper struct {
	e     *emitter
	first map[*node]int // the first stage that computes a member
	cost  map[*node]int // of the elementwise operations from which an element is computed
	kept  map[*node]bool
	seen  map[*node]bool
}

// again returns the costly members that both this stage and an earlier one compute: the first one on
// each path of operands back from what the stage reduces or, if it is the last, stores.
func (k *keeper) again(stage int, outs []*node) (found []*node) {
	k.seen = map[*node]bool{}
	walk := func(n *node) { found = k.walk(n, stage, found) }
	for _, n := range k.e.g.members {
		if k.e.needed(n) && n.folds && n.level == stage {
			if v, ok := n.eqn.Ins[0].(*jaxpr.Var); ok {
				walk(k.e.p.of(v))
			}
		}
	}
	if stage == k.last() {
		for _, n := range outs {
			if !n.row {
				walk(n)
			}
		}
	}
	return found
}

func (k *keeper) last() int { return k.e.topLevel() + 1 }

// walk follows the paths of operands back from n for again: it appends what again returns to found, and notes
// the members that this stage is the first to compute.
func (k *keeper) walk(n *node, stage int, found []*node) []*node {
	if k.seen[n] || k.kept[n] || n.row || n.kind != virtual && n.group != k.e.g {
		return found
	}
	k.seen[n] = true
	if n.kind == member {
		at, known := k.first[n]
		switch {
		case !known:
			k.first[n] = stage
		case at < stage && k.costOf(n) >= keepCost:
			return append(found, n)
		}
	}
	for _, a := range n.eqn.Ins {
		if v, ok := a.(*jaxpr.Var); ok {
			found = k.walk(k.e.p.of(v), stage, found)
		}
	}
	return found
}

// costOf returns the cost of computing an element from values in memory.
func (k *keeper) costOf(n *node) int {
	if c, ok := k.cost[n]; ok {
		return c
	}
	c := 0
	if !n.row && n.eqn != nil && (n.kind == virtual || n.group == k.e.g) {
		k.cost[n] = 0
		c = weightOf(n.eqn)
		if isMove(n.eqn.Prim) {
			c = 1
		}
		for _, a := range n.eqn.Ins {
			if v, ok := a.(*jaxpr.Var); ok {
				c = min(c+k.costOf(k.e.p.of(v)), 1<<20)
			}
		}
	}
	k.cost[n] = c
	return c
}
