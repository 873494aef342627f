package promote

import (
	"fmt"
	"strings"

	"github.com/weft-go/weft/core"
)

// Verdict is the judgment on a graph or a table as a promotion system.
type Verdict int

// The verdicts. A lattice here is what the documents call one: every two
// elements have a least upper bound. It is partial if some pairs have no upper
// bound at all, and not even that if some pair has several minimal ones.
const (
	Malformed  Verdict = iota // no order: a cycle
	NotPartial                // some join is ambiguous, or a table is not a join
	Partial                   // some pairs have no join; all others have one
	Lattice                   // every pair has exactly one join
)

// String returns the verdict in words.
func (v Verdict) String() string {
	return [...]string{"no order", "not even a partial lattice", "not a lattice, only a partial one", "true lattice"}[v]
}

// Pair is two elements by name.
type Pair struct{ A, B string }

// Report is what the checker found, each verdict with its counterexamples.
type Report struct {
	Name    string
	Verdict Verdict
	Faults  []string // what makes the input malformed
	Notes   []string // what is odd without being wrong

	Elements int
	Edges    int // of a graph
	Table    bool

	Pairs      int    // unordered, of different elements
	NoJoin     []Pair // without an upper bound
	Ambiguous  []Pair // with several minimal upper bounds: see Candidates
	Components []Component

	Laws  *Laws
	Order *OrderReport // of a table: the order that it defines
	Score *Score       // nil if the elements are not types, or the graph has a cycle

	order *Order
}

// Component is a part of a graph that no edge connects with the rest.
type Component struct {
	Nodes   []string
	Verdict Verdict
}

// CheckGraph checks whether g is a lattice, and the laws of its joins.
func CheckGraph(name string, g *Graph) *Report {
	r := &Report{Name: name, Elements: g.Len(), Edges: len(g.has), Pairs: g.Len() * (g.Len() - 1) / 2}
	if g.Len() == 0 {
		r.Notes = append(r.Notes, "no nodes: every statement about them holds")
	}
	for i, e := range g.again {
		if i == maxNotes {
			r.Notes = append(r.Notes, fmt.Sprintf("and %d more edges given twice", len(g.again)-i))
			break
		}
		r.Notes = append(r.Notes, fmt.Sprintf("edge %s → %s is given twice", e.From, e.To))
	}
	o, err := g.Order()
	if err != nil {
		r.Faults = append(r.Faults, err.Error())
		return r
	}
	r.order = o
	for _, e := range redundant(g, o) {
		r.Notes = append(r.Notes, fmt.Sprintf("edge %s → %s adds nothing: a longer path leads there", e.From, e.To))
	}
	a := o.Joins()
	r.pairs(a)
	r.Verdict = verdict(len(r.NoJoin), len(r.Ambiguous))
	r.Components = components(g, a)
	if len(r.Ambiguous) == 0 {
		r.Laws = lawsOfJoins(a)
	} else {
		r.Laws = CheckLaws(a)
	}
	r.Score = ScoreOf(a)
	return r
}

const maxNotes = 20

// redundant lists edges of g that its transitive reduction leaves out, at most maxNotes.
func redundant(g *Graph, o *Order) []Edge {
	h := o.Reduction()
	var out []Edge
	for i, up := range g.up {
		for _, j := range up {
			if !h.has[[2]int{i, j}] && len(out) < maxNotes {
				out = append(out, Edge{g.names[i], g.names[j]})
			}
		}
	}
	return out
}

func verdict(none, ambiguous int) Verdict {
	switch {
	case ambiguous > 0:
		return NotPartial
	case none > 0:
		return Partial
	}
	return Lattice
}

func (r *Report) pairs(a *Algebra) {
	for i := range a.n {
		for j := i + 1; j < a.n; j++ {
			switch a.at(i, j) {
			case undefined:
				r.NoJoin = append(r.NoJoin, Pair{a.names[i], a.names[j]})
			case ambiguous:
				r.Ambiguous = append(r.Ambiguous, Pair{a.names[i], a.names[j]})
			}
		}
	}
}

// Candidates returns the names of the minimal upper bounds of a pair; nil if it has none, if the graph has a cycle,
// or for a table.
func (r *Report) Candidates(p Pair) []string {
	core.RequireReceiver("promote.Report.Candidates", r == nil)
	if r.order == nil {
		return nil
	}
	g := r.order.g
	i, ok := g.index[p.A]
	j, ok2 := g.index[p.B]
	if !ok || !ok2 {
		return nil
	}
	var out []string
	for _, k := range r.order.MinimalUpper(i, j) {
		out = append(out, g.names[k])
	}
	return out
}

// components finds the connected parts of g and judges each.
func components(g *Graph, a *Algebra) []Component {
	root := make([]int, g.Len())
	for i := range root {
		root[i] = i
	}
	find := func(i int) int {
		for root[i] != i {
			root[i] = root[root[i]]
			i = root[i]
		}
		return i
	}
	for i, up := range g.up {
		for _, j := range up {
			root[find(i)] = find(j)
		}
	}
	members := map[int][]int{}
	var roots []int
	for row := range a.n {
		r := find(g.index[a.names[row]])
		if members[r] == nil {
			roots = append(roots, r)
		}
		members[r] = append(members[r], row)
	}
	var out []Component
	for _, r := range roots {
		var c Component
		none, amb := 0, 0
		for x, i := range members[r] {
			c.Nodes = append(c.Nodes, a.names[i])
			for _, j := range members[r][x+1:] {
				switch a.at(i, j) {
				case undefined:
					none++
				case ambiguous:
					amb++
				}
			}
		}
		c.Verdict = verdict(none, amb)
		out = append(out, c)
	}
	return out
}

// CheckTable checks the laws of a table, reads off its order, and reports whether
// the table is the joins of that order.
func CheckTable(name string, a *Algebra) *Report {
	r := &Report{Name: name, Table: true, Elements: a.n, Pairs: a.n * (a.n - 1) / 2}
	if a.n == 0 {
		r.Notes = append(r.Notes, "no elements: every statement about them holds")
	}
	if out := a.Outside(); len(out) > 0 {
		r.Notes = append(r.Notes, fmt.Sprintf("results that are no elements, and meet nothing: %s", strings.Join(out[:min(len(out), maxNotes)], " ")))
	}
	r.Laws = CheckLaws(a)
	r.Order = ReadOrder(a)
	r.Score = ScoreOf(a)
	switch {
	case r.Order.Cycle != nil:
		r.Faults = append(r.Faults, (&CycleError{r.Order.Cycle}).Error())
	case len(r.Order.NotTransitive) > 0 || len(r.Order.Differ) > 0:
		r.Verdict = NotPartial
	case r.Laws.Undefined > 0 || len(r.Laws.NonIdempotent) > 0:
		r.Verdict = Partial
	default:
		r.Verdict = Lattice
	}
	if r.Laws.Undefined > 0 {
		for i := range a.n {
			for j := i + 1; j < a.n; j++ {
				if a.at(i, j) < 0 && a.at(j, i) < 0 {
					r.NoJoin = append(r.NoJoin, Pair{a.names[i], a.names[j]})
				}
			}
		}
	}
	return r
}

// Check checks a system: its graph if it has one, else its table.
func Check(s System) *Report {
	if g := GraphOf(s); g != nil {
		return CheckGraph(s.Name(), g)
	}
	return CheckTable(s.Name(), s.Algebra())
}
