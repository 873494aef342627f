package promote

import "sort"

// Algebra is a partial binary operation on named elements: the table of a
// promotion system. It is what tables are printed from, what systems are
// compared by, and what the laws are checked on.
type Algebra struct {
	names []string
	index map[string]int
	cells []int16 // row-major; an element, or one of the two below
}

// What a cell holds where there is no result.
const (
	undefined = -1 // nothing that both promote to
	ambiguous = -2 // several minimal candidates, none of them least
)

func newAlgebra(names []string) *Algebra {
	a := &Algebra{names: names, index: make(map[string]int, len(names)), cells: make([]int16, len(names)*len(names))}
	for i, n := range names {
		a.index[n] = i
	}
	for i := range a.cells {
		a.cells[i] = undefined
	}
	return a
}

// Len is the number of elements.
func (a *Algebra) Len() int { return len(a.names) }

// Names lists the elements.
func (a *Algebra) Names() []string { return append([]string(nil), a.names...) }

// Join is the result of i and j by number; ok is false where it is undefined.
func (a *Algebra) Join(i, j int) (k int, ok bool) {
	k = a.at(i, j)
	return k, k >= 0
}

// Find is the number of the element of this name.
func (a *Algebra) Find(name string) (i int, ok bool) {
	i, ok = a.index[name]
	return i, ok
}

// Cell is the result of two elements by name, "-" where it is undefined.
func (a *Algebra) Cell(x, y string) string {
	i, ok := a.index[x]
	j, ok2 := a.index[y]
	if !ok || !ok2 {
		return "-"
	}
	if k := a.at(i, j); k >= 0 {
		return a.names[k]
	}
	return "-"
}

func (a *Algebra) at(i, j int) int       { return int(a.cells[i*len(a.names)+j]) }
func (a *Algebra) set(i, j int, k int16) { a.cells[i*len(a.names)+j] = k }

// Joins computes the join of every pair of nodes: their least common upper
// bound. No cell is tabulated by hand.
func (o *Order) Joins() *Algebra {
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
// order. perm[row] is the place of names[row] in the input.
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
