package schedule

import (
	"slices"

	"github.com/weft-go/weft/lower/fuse"
)

// local is a value that lies in memory for one row tile: the bytes of a row, the steps from
// the first to the last that touch it, and its offset.
type local struct {
	ids         []int
	row         int
	first, last int
	at          int
}

func localsOf(plan *fuse.Plan, s *fuse.RowTiles) []local {
	locals := make([]local, len(s.Local))
	for i, q := range s.Steps {
		for _, id := range slices.Concat(q.Reads(), q.Writes()) {
			v := &plan.Values[id]
			if v.Place != fuse.Tile {
				continue
			}
			l := &locals[v.Index]
			if len(l.ids) == 0 {
				l.first, l.row = i, v.Bytes()/(s.Items*s.Rows)
			}
			l.ids, l.last = append(l.ids, id), i
		}
	}
	return locals
}

// mostAtOnce returns the greatest number of bytes per row of local values that are in use during
// a step.
func mostAtOnce(locals []local, steps int) (most int) {
	for i := range steps {
		n := 0
		for _, l := range locals {
			if l.first <= i && i <= l.last {
				n += l.row
			}
		}
		most = max(most, n)
	}
	return most
}

// place assigns offsets to local values for tiles of some rows, and returns the size of
// all of them.
func place(locals []local, rows int) (size int) {
	order := make([]*local, len(locals))
	for i := range locals {
		order[i] = &locals[i]
	}
	slices.SortStableFunc(order, func(a, b *local) int { return b.row - a.row })
	for i, l := range order {
		beside := slices.DeleteFunc(slices.Clone(order[:i]), func(o *local) bool { return o.last < l.first || l.last < o.first })
		slices.SortFunc(beside, func(a, b *local) int { return a.at - b.at })
		for _, o := range beside {
			if o.at >= l.at+aligned(l.row*rows) {
				break
			}
			l.at = max(l.at, o.at+aligned(o.row*rows))
		}
		size = max(size, l.at+aligned(l.row*rows))
	}
	return size
}
