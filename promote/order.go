package promote

import (
	"fmt"
	"sort"
	"strings"

	"github.com/weft-go/weft/core"
)

// Order is the partial order that a graph without cycles spans: a ≤ b iff a path leads from a to
// b. Inside, nodes are numbered topologically, so that the first node of any set is a minimal
// one.
type Order struct {
	g     *Graph
	at    []int    // node at a position
	pos   []int    // position of a node
	above []bitset // by position: the positions ≥ it, itself included
}

// CycleError is a cycle in a graph: its nodes in order, the first one again at
// the end.
type CycleError struct{ Path []string }

// Error describes the cycle and the fix.
func (e *CycleError) Error() string {
	if e == nil {
		return "<nil>"
	}
	return fmt.Sprintf("cycle %s: each of these would promote to every other; remove an edge", strings.Join(e.Path, " → "))
}

// Order returns the order that g spans, or a *CycleError.
func (g *Graph) Order() (*Order, error) {
	core.RequireReceiver("promote.Graph.Order", g == nil)
	n := g.Len()
	o := &Order{g: g, at: make([]int, 0, n), pos: make([]int, n), above: make([]bitset, n)}
	in := make([]int, n)
	for _, up := range g.up {
		for _, j := range up {
			in[j]++
		}
	}
	for i := range n {
		if in[i] == 0 {
			o.at = append(o.at, i)
		}
	}
	for k := 0; k < len(o.at); k++ { // o.at grows as nodes become free
		for _, j := range g.up[o.at[k]] {
			if in[j]--; in[j] == 0 {
				o.at = append(o.at, j)
			}
		}
	}
	if len(o.at) < n {
		return nil, &CycleError{g.cycle(in)}
	}
	for p, i := range o.at {
		o.pos[i] = p
	}
	for p := n - 1; p >= 0; p-- {
		o.above[p] = newBitset(n)
		o.above[p].add(p)
		for _, j := range g.up[o.at[p]] {
			o.above[p].or(o.above[o.pos[j]])
		}
	}
	return o, nil
}

// cycle finds a cycle among the nodes that topological sorting has left over:
// those with in > 0. Each of them has a predecessor among them, so walking
// backwards reaches some node twice.
func (g *Graph) cycle(in []int) []string {
	pred := make([]int, g.Len())
	start := -1
	for i, up := range g.up {
		if in[i] == 0 {
			continue
		}
		for _, j := range up {
			if in[j] > 0 {
				pred[j], start = i, j
			}
		}
	}
	seen := make([]bool, g.Len())
	for ; !seen[start]; start = pred[start] {
		seen[start] = true
	}
	path := []string{g.names[start]}
	for i := pred[start]; i != start; i = pred[i] {
		path = append(path, g.names[i])
	}
	path = append(path, g.names[start])
	for i, j := 0, len(path)-1; i < j; i, j = i+1, j-1 {
		path[i], path[j] = path[j], path[i]
	}
	return path
}

// LessEq reports whether a ≤ b for nodes by number.
func (o *Order) LessEq(a, b int) bool {
	o.require("promote.Order.LessEq", a, b)
	return o.above[o.pos[a]].has(o.pos[b])
}

// MinimalUpper lists the minimal upper bounds of nodes a and b: none, the join alone, or several
// if there is no join.
func (o *Order) MinimalUpper(a, b int) []int {
	o.require("promote.Order.MinimalUpper", a, b)
	rest := newBitset(len(o.at))
	var out []int
	for p := rest.meet(o.above[o.pos[a]], o.above[o.pos[b]]); p >= 0; p = rest.least() {
		out = append(out, o.at[p])
		rest.andNot(o.above[p])
	}
	return out
}

// Reduction returns the graph of the same order with the fewest edges: a → b is left
// out where a longer path leads from a to b.
func (o *Order) Reduction() *Graph {
	core.RequireReceiver("promote.Order.Reduction", o == nil || o.g == nil)
	h := NewGraph()
	for _, name := range o.g.names {
		h.Add(name)
	}
	for i, up := range o.g.up {
		near := append([]int(nil), up...)
		sort.Slice(near, func(x, y int) bool { return o.pos[near[x]] < o.pos[near[y]] })
		reached := newBitset(len(o.at)) // by edges that stay; a node before j is looked at before j
		for _, j := range near {
			if p := o.pos[j]; !reached.has(p) {
				h.connect(i, j)
				reached.or(o.above[p])
			}
		}
	}
	return h
}

// Path returns a shortest path from node a to node b along edges, both included, or
// nil if b is not above a.
func (o *Order) Path(a, b int) []int {
	o.require("promote.Order.Path", a, b)
	if !o.LessEq(a, b) {
		return nil
	}
	from := map[int]int{a: -1}
	for queue := []int{a}; len(queue) > 0; queue = queue[1:] {
		i := queue[0]
		if i == b {
			var path []int
			for ; i >= 0; i = from[i] {
				path = append([]int{i}, path...)
			}
			return path
		}
		for _, j := range o.g.up[i] {
			if _, seen := from[j]; !seen {
				from[j] = i
				queue = append(queue, j)
			}
		}
	}
	return nil
}

// require refuses a nil or zero order, and numbers of nodes that it does not have.
func (o *Order) require(op string, nodes ...int) {
	core.RequireReceiver(op, o == nil || o.g == nil)
	for _, n := range nodes {
		if n < 0 || n >= len(o.pos) {
			core.FailOp(core.ErrIndex, op, nil, "there is no node %d; the order has %s", n, core.Count(len(o.pos), "node"))
		}
	}
}
