package promote

import (
	"fmt"
	"sort"
)

// layered is a graph laid out in layers, the lowest first, so that every edge
// goes up. An edge that passes layers has a bend in each of them, which takes
// space like a node, so that no edge runs through a node.
type layered struct {
	g      *Graph
	at     []place
	down   []int   // number of edges from below, by node
	layers [][]int // places, from left to right
	chains [][]int // of each edge: places from the lower node to the upper
}

// place is a node or a bend.
type place struct {
	node     int // -1 for a bend
	layer    int
	index    int     // in its layer
	x        float64 // of the middle
	width    float64
	up, down []int
}

// The limits of a drawing: a larger one would be unreadable.
const (
	maxDrawnNodes  = 200
	maxDrawnPlaces = 2000
)

// layers lays g out. width returns the width of a node, bend is the width of a bend, and gap the
// space between two neighbours.
func layers(g *Graph, width func(node int) float64, bend, gap float64) (*layered, error) {
	o, err := g.Order()
	if err != nil {
		return nil, err
	}
	if g.Len() > maxDrawnNodes {
		return nil, fmt.Errorf("%d nodes are too many to draw; %d are the most", g.Len(), maxDrawnNodes)
	}
	l := &layered{g: g}
	rank, down := ranks(g, o)
	l.down = down
	of := make([]int, g.Len()) // node → place, plus one
	_, perm := canonical(g.names)
	var visit func(i int) error
	visit = func(i int) error { // depth first: connected nodes are neighbours
		for _, j := range l.outward(i) {
			chain := []int{of[i] - 1}
			for k := rank[i] + 1; k < rank[j]; k++ {
				if len(l.at) >= maxDrawnPlaces {
					return fmt.Errorf("%d edges are too many to draw; leave out those that a longer path makes superfluous", len(g.has))
				}
				chain = append(chain, l.add(place{node: -1, layer: k, width: bend}))
			}
			seen := of[j] > 0
			if !seen {
				of[j] = l.add(place{node: j, layer: rank[j], width: width(j)}) + 1
			}
			chain = append(chain, of[j]-1)
			for k := 1; k < len(chain); k++ {
				l.at[chain[k-1]].up = append(l.at[chain[k-1]].up, chain[k])
				l.at[chain[k]].down = append(l.at[chain[k]].down, chain[k-1])
			}
			l.chains = append(l.chains, chain)
			if !seen {
				if err := visit(j); err != nil {
					return err
				}
			}
		}
		return nil
	}
	for _, i := range perm { // types from left to right as tables list them
		if down[i] == 0 {
			of[i] = l.add(place{node: i, layer: rank[i], width: width(i)}) + 1
			if err := visit(i); err != nil {
				return nil, err
			}
		}
	}
	l.untangle()
	l.position(gap)
	return l, nil
}

// outward lists the successors of node i. Half of its leaves, which have no other edge, are on the
// left and half on the right, so that the other successors stand in the middle.
func (l *layered) outward(i int) []int {
	var ends, on []int
	for _, j := range l.g.up[i] {
		if len(l.g.up[j]) == 0 && l.down[j] == 1 {
			ends = append(ends, j)
		} else {
			on = append(on, j)
		}
	}
	for _, part := range [][]int{ends, on} {
		sort.SliceStable(part, func(x, y int) bool { return l.g.less(part[x], part[y]) })
	}
	if len(on) == 0 {
		return ends
	}
	half := len(ends) / 2
	return append(append(append([]int(nil), ends[:half]...), on...), ends[half:]...)
}

// less orders nodes that are types as tables list them.
func (g *Graph) less(i, j int) bool {
	x, ok := ParseType(g.names[i])
	y, ok2 := ParseType(g.names[j])
	return ok && ok2 && rank(x) < rank(y)
}

func (l *layered) add(p place) int {
	for len(l.layers) <= p.layer {
		l.layers = append(l.layers, nil)
	}
	p.index = len(l.layers[p.layer])
	l.at = append(l.at, p)
	l.layers[p.layer] = append(l.layers[p.layer], len(l.at)-1)
	return len(l.at) - 1
}

// ranks assigns each node its layer: one above the highest below it. A node with
// more edges up than down then rises as far as those above it allow, which
// shortens edges. down counts the edges from below.
func ranks(g *Graph, o *Order) (rank, down []int) {
	rank = make([]int, g.Len())
	down = make([]int, g.Len())
	for _, i := range o.at {
		for _, j := range g.up[i] {
			rank[j] = max(rank[j], rank[i]+1)
			down[j]++
		}
	}
	for p := len(o.at) - 1; p >= 0; p-- {
		i := o.at[p]
		if len(g.up[i]) <= down[i] || len(g.up[i]) == 0 {
			continue
		}
		limit := rank[g.up[i][0]]
		for _, j := range g.up[i] {
			limit = min(limit, rank[j])
		}
		rank[i] = limit - 1
	}
	fan(g, rank, down)
	return rank, down
}

// fan spreads the leaves of a node, which have no other edge, over up to three layers if there are
// many: else they would make one long row.
func fan(g *Graph, rank, down []int) {
	top := 0
	for _, r := range rank {
		top = max(top, r)
	}
	_, perm := canonical(g.names)
	leaves := map[int][]int{}
	for _, i := range perm {
		for _, j := range g.up[i] {
			if len(g.up[j]) == 0 && down[j] == 1 {
				leaves[i] = append(leaves[i], j)
			}
		}
	}
	for i, of := range leaves {
		rows := min(3, top-rank[i])
		if len(of) <= 6 || rows < 2 {
			continue
		}
		for k, j := range of {
			rank[j] = rank[i] + 1 + k%rows
		}
	}
}

// untangle orders each layer so that few edges cross: it sorts layers by the mean
// position of their neighbours, up and down, swaps neighbours where that helps, and
// keeps the best order so far.
func (l *layered) untangle() {
	best, order := l.crossings(), l.snapshot()
	for round := 0; round < 24 && best > 0; round++ {
		up := round%2 == 0
		for k := range l.layers {
			if !up {
				k = len(l.layers) - 1 - k
			}
			l.sortLayer(k, up)
		}
		for l.swap() {
		}
		if c := l.crossings(); c < best {
			best, order = c, l.snapshot()
		}
	}
	for k := range l.layers {
		copy(l.layers[k], order[k])
	}
	l.number()
}

func (l *layered) snapshot() [][]int {
	out := make([][]int, len(l.layers))
	for k := range out {
		out[k] = append([]int(nil), l.layers[k]...)
	}
	return out
}

func (l *layered) number() {
	for _, layer := range l.layers {
		for i, p := range layer {
			l.at[p].index = i
		}
	}
}

func (l *layered) sortLayer(k int, fromBelow bool) {
	mean := map[int]float64{}
	for i, p := range l.layers[k] {
		near := l.at[p].up
		if fromBelow {
			near = l.at[p].down
		}
		mean[p] = float64(i)
		if len(near) > 0 {
			sum := 0
			for _, q := range near {
				sum += l.at[q].index
			}
			mean[p] = float64(sum) / float64(len(near))
		}
	}
	sort.SliceStable(l.layers[k], func(i, j int) bool { return mean[l.layers[k][i]] < mean[l.layers[k][j]] })
	l.number()
}

// swap exchanges neighbours wherever fewer edges cross then, and reports whether
// any were.
func (l *layered) swap() bool {
	swapped := false
	for _, layer := range l.layers {
		for i := 0; i+1 < len(layer); i++ {
			p, q := layer[i], layer[i+1]
			if l.pairCrossings(p, q) > l.pairCrossings(q, p) {
				layer[i], layer[i+1] = q, p
				l.at[p].index, l.at[q].index = i+1, i
				swapped = true
			}
		}
	}
	return swapped
}

// pairCrossings counts crossings between the edges of p and those of q when p is
// left of q.
func (l *layered) pairCrossings(p, q int) int {
	n := 0
	for _, near := range [2][2][]int{{l.at[p].up, l.at[q].up}, {l.at[p].down, l.at[q].down}} {
		for _, a := range near[0] {
			for _, b := range near[1] {
				if l.at[a].index > l.at[b].index {
					n++
				}
			}
		}
	}
	return n
}

// crossings counts all crossings: for each pair of places in a layer those of their edges upwards.
func (l *layered) crossings() int {
	n := 0
	for _, layer := range l.layers {
		for i, p := range layer {
			for _, q := range layer[i+1:] {
				for _, a := range l.at[p].up {
					for _, b := range l.at[q].up {
						if l.at[a].index > l.at[b].index {
							n++
						}
					}
				}
			}
		}
	}
	return n
}
