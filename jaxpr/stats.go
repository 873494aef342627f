package jaxpr

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Statistics counts what a program is made of, programs within it included, each
// once even if it is used often.
type Statistics struct {
	Programs  int            // the program itself and those within
	Equations int            // in all of them
	Depth     int            // of nesting, 1 without programs within; a program counts where it is nested least
	Primitive map[string]int // equations by primitive
}

// Stats returns the statistics of j.
func Stats(j *Jaxpr) Statistics {
	s := Statistics{Primitive: map[string]int{}}
	depth := map[*Jaxpr]int{j: 1}
	for queue := []*Jaxpr{j}; len(queue) > 0; queue = queue[1:] {
		p := queue[0]
		s.Programs++
		s.Equations += len(p.Eqns)
		s.Depth = max(s.Depth, depth[p])
		for _, e := range p.Eqns {
			s.Primitive[e.Prim.Name()]++
			for _, q := range Programs(e.Prim) {
				if depth[q] == 0 {
					depth[q] = depth[p] + 1
					queue = append(queue, q)
				}
			}
		}
	}
	return s
}

// String returns a line for each primitive, the most frequent first, and a line of totals.
func (s Statistics) String() string {
	names := slices.SortedFunc(maps.Keys(s.Primitive), func(a, b string) int {
		return cmp.Or(s.Primitive[b]-s.Primitive[a], strings.Compare(a, b))
	})
	var b strings.Builder
	for _, n := range names {
		fmt.Fprintf(&b, "%7d  %s\n", s.Primitive[n], n)
	}
	fmt.Fprintf(&b, "%7d  equation%s in %d program%s, nested %d deep\n", s.Equations, plural(s.Equations), s.Programs, plural(s.Programs), s.Depth)
	return b.String()
}

func plural(n int) string {
	if n == 1 {
		return ""
	}
	return "s"
}
