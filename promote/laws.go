package promote

import "github.com/weft-go/weft/core"

// Triple is a counterexample to associativity: (A∘B)∘C is Left and A∘(B∘C) is
// Right, "-" where it is undefined.
type Triple struct{ A, B, C, Left, Right string }

// Laws reports how far a table obeys the laws of a join. An undefined cell absorbs:
// anything that contains it is undefined.
type Laws struct {
	Undefined      int      // cells
	NonCommutative []Pair   // a∘b and b∘a differ
	NonIdempotent  []string // x∘x is not x

	Counted       bool // whether the triples below are counted: too many are not
	Triples       int
	Equal         int // both sides defined and equal
	BothUndefined int
	BothDefined   int      // both sides defined and different
	OneSide       int      // one side defined
	Bad           []Triple // of the last two kinds, the first MaxListed
}

// Associative reports whether the triples were counted and none breaks associativity.
func (l *Laws) Associative() bool {
	core.RequireReceiver("promote.Laws.Associative", l == nil)
	return l.Counted && l.BothDefined+l.OneSide == 0
}

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
	if int64(a.n)*int64(a.n)*int64(a.n) <= maxTriples {
		l.associativity(a)
	}
	return l
}

// lawsOfJoins returns CheckLaws for the joins of an order in which no pair is
// ambiguous. They are associative: if a, b, c have a common upper bound, both
// sides are their least upper bound; if not, neither side exists. In large tables
// it therefore counts defined cells instead of looking at every triple.
func lawsOfJoins(a *Algebra) *Laws {
	if a.n <= 256 {
		return CheckLaws(a)
	}
	l := &Laws{Triples: a.n * a.n * a.n, Counted: true}
	defined := make([]int, a.n)
	for i := range a.n {
		for j := range a.n {
			if a.at(i, j) >= 0 {
				defined[i]++
			}
		}
		l.Undefined += a.n - defined[i]
	}
	for i := range a.n {
		for j := range a.n {
			if k := a.at(i, j); k >= 0 {
				l.Equal += defined[k]
			}
		}
	}
	l.BothUndefined = l.Triples - l.Equal
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
	defined := make([]int, n+1)
	for i, row := range rows {
		for _, k := range row {
			if k != dead {
				defined[i]++
			}
		}
	}
	for i := range n {
		ri := rows[i]
		for j := range n {
			if len(a.names) > n { // results that are not elements are compared by name
				l.triples(a, i, j)
				continue
			}
			left, rj := rows[ri[j]], rows[j][:n]
			left = left[:len(rj)]
			var differ int16
			for k, m := range rj {
				differ |= left[k] ^ ri[m]
			}
			if differ == 0 {
				l.Equal += defined[ri[j]]
				l.BothUndefined += n - defined[ri[j]]
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

// bad counts a triple whose sides are the results x and y, one of which may be
// undefined.
func (l *Laws) bad(a *Algebra, i, j, k, x, y int) {
	if x >= len(a.names) {
		x = undefined
	}
	if y >= len(a.names) {
		y = undefined
	}
	if x < 0 || y < 0 {
		l.OneSide++
	} else {
		l.BothDefined++
	}
	if len(l.Bad) < MaxListed {
		l.Bad = append(l.Bad, Triple{a.names[i], a.names[j], a.names[k], a.name(x), a.name(y)})
	}
}
