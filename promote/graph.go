package promote

import (
	"fmt"
	"strings"

	"github.com/weft-go/weft/core"
)

// Graph is a directed graph of named nodes. An edge a → b means that a promotes to b.
// [CheckGraph] reports whether a graph is a promotion system.
type Graph struct {
	names []string
	index map[string]int
	up    [][]int // direct successors, each once, in the order given
	has   map[[2]int]bool
	again []Edge // edges that were given more than once
}

// Edge is a pair of nodes by name.
type Edge struct{ From, To string }

// MaxNodes is the largest number of nodes of a graph or table that is read from text.
const MaxNodes = 2048

// NewGraph returns a graph without nodes.
func NewGraph() *Graph { return &Graph{index: map[string]int{}, has: map[[2]int]bool{}} }

// Chains returns the graph of the chains in text; it panics if text is malformed, and
// is for graphs that are written in programs. See [ParseChains].
func Chains(text string) *Graph {
	g, err := ParseChains(text)
	if err != nil {
		panic("promote: " + err.Error())
	}
	return g
}

// ParseChains reads a graph that is written as chains: "a < b < c" has the edges a → b and b → c.
// Chains stand on lines or between semicolons; a single name is a node without edges.
func ParseChains(text string) (*Graph, error) {
	g := NewGraph()
	for _, chain := range strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == ';' || r == '\r' }) {
		if strings.TrimSpace(chain) == "" {
			continue
		}
		last := -1
		for _, name := range strings.Split(chain, "<") {
			name = strings.TrimSpace(name)
			if undefinedName(name) || strings.ContainsAny(name, " \t") {
				return nil, fmt.Errorf("malformed chain %q; write a < b < c", chain)
			}
			n := g.Add(name)
			if last >= 0 {
				g.connect(last, n)
			}
			last = n
		}
	}
	if g.Len() > MaxNodes {
		return nil, tooMany(g.Len())
	}
	return g, nil
}

func tooMany(n int) error {
	return fmt.Errorf("%d nodes; %d are the most that is looked at", n, MaxNodes)
}

// Add returns the number of the node of this name, which it adds if there is none.
func (g *Graph) Add(name string) int {
	core.RequireReceiver("promote.Graph.Add", g == nil || g.index == nil)
	if i, ok := g.index[name]; ok {
		return i
	}
	i := len(g.names)
	g.index[name] = i
	g.names = append(g.names, name)
	g.up = append(g.up, nil)
	return i
}

// Connect adds the edge from → to, and the two nodes where they are missing.
func (g *Graph) Connect(from, to string) {
	core.RequireReceiver("promote.Graph.Connect", g == nil || g.index == nil)
	g.connect(g.Add(from), g.Add(to))
}

func (g *Graph) connect(i, j int) {
	e := [2]int{i, j}
	if g.has[e] {
		g.again = append(g.again, Edge{g.names[i], g.names[j]})
		return
	}
	g.has[e] = true
	g.up[i] = append(g.up[i], j)
}

// With returns a copy of g with the nodes and edges of the chains in text added.
func (g *Graph) With(text string) *Graph {
	core.RequireReceiver("promote.Graph.With", g == nil)
	h := g.clone()
	more := Chains(text)
	for _, n := range more.names {
		h.Add(n)
	}
	for _, e := range more.Edges() {
		h.Connect(e.From, e.To)
	}
	return h
}

// Without returns a copy of g that lacks the named nodes and, for each "a < b", the
// edge from a to b.
func (g *Graph) Without(items ...string) *Graph {
	core.RequireReceiver("promote.Graph.Without", g == nil)
	nodes, edges := map[string]bool{}, map[Edge]bool{}
	for _, it := range items {
		if a, b, ok := strings.Cut(it, "<"); ok {
			edges[Edge{strings.TrimSpace(a), strings.TrimSpace(b)}] = true
		} else {
			nodes[it] = true
		}
	}
	h := NewGraph()
	for _, n := range g.names {
		if !nodes[n] {
			h.Add(n)
		}
	}
	for _, e := range g.Edges() {
		if !nodes[e.From] && !nodes[e.To] && !edges[e] {
			h.Connect(e.From, e.To)
		}
	}
	return h
}

func (g *Graph) clone() *Graph { return g.Without() }

// Len returns the number of nodes.
func (g *Graph) Len() int {
	core.RequireReceiver("promote.Graph.Len", g == nil)
	return len(g.names)
}

// Nodes lists the nodes in the order in which they were added.
func (g *Graph) Nodes() []string {
	core.RequireReceiver("promote.Graph.Nodes", g == nil)
	return append([]string(nil), g.names...)
}

// Edges lists the edges, node by node.
func (g *Graph) Edges() []Edge {
	core.RequireReceiver("promote.Graph.Edges", g == nil)
	var out []Edge
	for i, up := range g.up {
		for _, j := range up {
			out = append(out, Edge{g.names[i], g.names[j]})
		}
	}
	return out
}

// Successors lists the nodes that an edge leads to from the named one; nil if there is no such node.
func (g *Graph) Successors(name string) []string {
	core.RequireReceiver("promote.Graph.Successors", g == nil)
	i, ok := g.index[name]
	if !ok {
		return nil
	}
	out := make([]string, len(g.up[i]))
	for k, j := range g.up[i] {
		out[k] = g.names[j]
	}
	return out
}
