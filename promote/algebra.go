package promote

import (
	"sort"

	"github.com/weft-go/weft/core"
)

// Algebra is a partial binary operation on named elements: the table of a
// promotion system. It is what tables are printed from, what systems are
// compared by, and what the laws are checked on.
type Algebra struct {
	n       int      // elements
	names   []string // of the elements, then of results that are not elements
	index   map[string]int
	outside map[string]int16 // the results that are not elements
	cells   []int16          // n×n, by rows: the number of a result, undefined or ambiguous
}

// What a cell contains where there is no result.
const (
	undefined = -1 // nothing that both promote to
	ambiguous = -2 // several minimal candidates, none of them least
)

func newAlgebra(names []string) *Algebra {
	n := len(names)
	a := &Algebra{n: n, names: append([]string(nil), names...), index: make(map[string]int, n), cells: make([]int16, n*n)}
	for i, name := range names {
		a.index[name] = i
	}
	for i := range a.cells {
		a.cells[i] = undefined
	}
	return a
}

// Len returns the number of elements.
func (a *Algebra) Len() int {
	core.RequireReceiver("promote.Algebra.Len", a == nil)
	return a.n
}

// Names lists the elements.
func (a *Algebra) Names() []string {
	core.RequireReceiver("promote.Algebra.Names", a == nil)
	return append([]string(nil), a.names[:a.n]...)
}

// Outside lists the results that are not elements and therefore promote with nothing.
func (a *Algebra) Outside() []string {
	core.RequireReceiver("promote.Algebra.Outside", a == nil)
	return append([]string(nil), a.names[a.n:]...)
}

// Find returns the number of the element of this name.
func (a *Algebra) Find(name string) (i int, ok bool) {
	core.RequireReceiver("promote.Algebra.Find", a == nil)
	i, ok = a.index[name]
	return i, ok
}

// Cell returns the result of two elements by name, "-" where there is none or a name is unknown.
func (a *Algebra) Cell(x, y string) string {
	core.RequireReceiver("promote.Algebra.Cell", a == nil)
	i, ok := a.index[x]
	j, ok2 := a.index[y]
	if !ok || !ok2 {
		return "-"
	}
	return a.name(a.at(i, j))
}

func (a *Algebra) name(k int) string {
	if k < 0 {
		return "-"
	}
	return a.names[k]
}

// at returns what the cell of two results contains, undefined if one of them is no element.
func (a *Algebra) at(i, j int) int {
	if uint(i) >= uint(a.n) || uint(j) >= uint(a.n) {
		return undefined
	}
	return int(a.cells[i*a.n+j])
}

func (a *Algebra) set(i, j int, k int16) { a.cells[i*a.n+j] = k }

// Joins computes the join of every pair of nodes: their least common upper
// bound, undefined if they have no upper bound, ambiguous if none is the least.
func (o *Order) Joins() *Algebra {
	core.RequireReceiver("promote.Order.Joins", o == nil || o.g == nil)
	names, perm := canonical(o.g.names)
	a := newAlgebra(names)
	place := make([]int16, len(names)) // node → row
	for row, node := range perm {
		place[node] = int16(row)
	}
	common := newBitset(len(names))
	for i, x := range perm {
		for j := i; j < len(perm); j++ {
			k := int16(undefined)
			if p := common.meet(o.above[o.pos[x]], o.above[o.pos[perm[j]]]); p >= 0 {
				if k = ambiguous; common.equal(o.above[p]) {
					k = place[o.at[p]]
				}
			}
			a.set(i, j, k)
			a.set(j, i, k)
		}
	}
	return a
}

// canonical sorts names that are all types as the documents list types: bool,
// unsigned, signed, floats by width, complex, weak. Other names keep their
// order. perm[row] is the index of names[row] in the input.
func canonical(in []string) (names []string, perm []int) {
	perm = make([]int, len(in))
	ranks := make([]int, len(in))
	types := true
	for i, n := range in {
		perm[i] = i
		t, ok := ParseType(n)
		types = types && ok
		ranks[i] = rank(t)
	}
	if types {
		sort.SliceStable(perm, func(i, j int) bool { return ranks[perm[i]] < ranks[perm[j]] })
	}
	names = make([]string, len(in))
	for row, i := range perm {
		names[row] = in[i]
	}
	return names, perm
}
