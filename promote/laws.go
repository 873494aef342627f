package promote

// Triple is a counterexample to associativity: (A∘B)∘C is Left and A∘(B∘C) is
// Right, "-" where it is undefined.
type Triple struct{ A, B, C, Left, Right string }

// Laws tells how far a table obeys the laws of a join. An undefined cell absorbs:
// whatever contains it is undefined.
type Laws struct {
	Undefined      int      // cells
	NonCommutative []Pair   // a∘b and b∘a differ
	NonIdempotent  []string // x∘x is not x

	Counted       bool // the triples below: not if there are too many
	Triples       int
	Equal         int // both sides defined and equal
	BothUndefined int
	BothDefined   int      // both sides defined and different
	OneSide       int      // one side defined
	Bad           []Triple // of the last two kinds, the first MaxListed
}

// Associative reports that no triple is known to break associativity.
func (l *Laws) Associative() bool { return l.Counted && l.BothDefined+l.OneSide == 0 }

// MaxListed is the largest number of bad triples that are listed. All are
// counted.
const MaxListed = 10000

const maxTriples = 1 << 31

// CheckLaws counts and lists what breaks the laws in a.
func CheckLaws(a *Algebra) *Laws {
	l := &Laws{Triples: a.n * a.n * a.n}
	for i := range a.n {
		if a.at(i, i) != i {
			l.NonIdempotent = append(l.NonIdempotent, a.names[i])
		}
		for j := range a.n {
			x, y := a.at(i, j), a.at(j, i)
			if x < 0 {
				l.Undefined++
			}
			if j > i && max(x, undefined) != max(y, undefined) {
				l.NonCommutative = append(l.NonCommutative, Pair{a.names[i], a.names[j]})
			}
		}
	}
	if l.Triples <= maxTriples {
		l.associativity(a)
	}
	return l
}

// associativity looks at every triple. Rows have one more cell, which stands for
// the undefined element and is undefined itself.
func (l *Laws) associativity(a *Algebra) {
	n, dead := a.n, int16(a.n)
	rows := make([][]int16, n+1)
	for i := range rows {
		rows[i] = make([]int16, n+1)
		for j := range rows[i] {
			rows[i][j] = dead
			if k := a.at(i, j); k >= 0 && k < n {
				rows[i][j] = int16(k)
			}
		}
	}
	out := a.names[n:] // results that are no elements are compared by name
	for i := range n {
		ri := rows[i]
		for j := range n {
			left, rj := rows[ri[j]], rows[j]
			if len(out) > 0 {
				l.triples(a, i, j)
				continue
			}
			for k := range n {
				x, y := left[k], ri[rj[k]]
				switch {
				case x == y && x != dead:
					l.Equal++
				case x == y:
					l.BothUndefined++
				default:
					l.bad(a, i, j, k, int(x), int(y))
				}
			}
		}
	}
	l.Counted = true
}

// triples is the inner loop for a table whose results are not all elements.
func (l *Laws) triples(a *Algebra, i, j int) {
	for k := range a.n {
		x, y := a.at(a.at(i, j), k), a.at(i, a.at(j, k))
		switch {
		case x >= 0 && x == y:
			l.Equal++
		case x < 0 && y < 0:
			l.BothUndefined++
		default:
			l.bad(a, i, j, k, x, y)
		}
	}
}

func (l *Laws) bad(a *Algebra, i, j, k, x, y int) {
	name := func(r int) string {
		if r < 0 || r == a.n && len(a.names) == a.n {
			return "-"
		}
		return a.names[r]
	}
	t := Triple{a.names[i], a.names[j], a.names[k], name(x), name(y)}
	if t.Left == "-" || t.Right == "-" {
		l.OneSide++
	} else {
		l.BothDefined++
	}
	if len(l.Bad) < MaxListed {
		l.Bad = append(l.Bad, t)
	}
}
