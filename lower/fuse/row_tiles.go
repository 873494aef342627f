package fuse

import (
	"fmt"
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lower/ir"
)

// RowTiles runs steps on tiles of neighbouring rows: all steps on one tile, then all of them on
// the next. The rows that a step writes are in the cache when the next step reads them, and values
// that no other step reads have memory for one tile only.
//
// Row r of a value is the r-th of Items·Rows equal parts of its elements. A tile has rows of one
// item, a multiple of Unit of them, or the last ones of the item. Items are independent of
// each other, and so are the tiles of an item unless Sums is set: then they run in order.
type RowTiles struct {
	step
	Steps             []Step // *Launch and *Product, in order
	Parts             []RowTilePart
	Items, Rows, Unit int
	Sums              bool  // a part sums over rows
	Local             []int // values that lie in memory for one tile
}

// RowTilePart describes what a step does for a tile.
type RowTilePart struct {
	// For a Launch: the Points points of its grid from r·Points on compute row r. If Points is 0,
	// point p computes the Share rows from p·Share on.
	Points, Share int
	// If Sum is set, a product's contracted elements are the rows of an item: a tile adds its
	// terms to the sums of the tiles before. Otherwise the rows of an item are rows of the product.
	Sum bool
}

func (s *RowTiles) Reads() []int {
	var ids []int
	for _, q := range s.Steps {
		ids = append(ids, q.Reads()...)
	}
	return ids
}

func (s *RowTiles) Writes() []int {
	var ids []int
	for _, q := range s.Steps {
		ids = append(ids, q.Writes()...)
	}
	return ids
}

func (s *RowTiles) Kernels() []*ir.Kernel {
	var ks []*ir.Kernel
	for _, q := range s.Steps {
		ks = append(ks, q.Kernels()...)
	}
	return ks
}

func (s *RowTiles) launches() []*Launch {
	var ls []*Launch
	for _, q := range s.Steps {
		ls = append(ls, q.launches()...)
	}
	return ls
}

func (s *RowTiles) reusing() []int {
	var ids []int
	for _, q := range s.Steps {
		ids = append(ids, q.reusing()...)
	}
	return ids
}

// overwrites returns an operand of the launch that writes out. Nothing else in the tiles may touch
// that operand.
func (s *RowTiles) overwrites(u *memoryUse, out int, candidate func(root int) bool) int {
	for _, l := range s.launches() {
		if slices.Contains(l.Buffers, out) {
			return l.overwrites(u, out, func(x int) bool {
				return u.once(slices.Concat(s.Reads(), s.Writes()), x) && candidate(x)
			})
		}
	}
	return -1
}

func (s *RowTiles) write(w *planWriter) {
	w.line("row tiles %v", s)
	w.within().steps(s.Steps)
}

func (s *RowTiles) String() string {
	t := fmt.Sprintf("of %s", core.Count(s.Rows, "row"))
	if s.Unit > 1 {
		t = fmt.Sprintf("of %d rows by %ds", s.Rows, s.Unit)
	}
	if s.Items > 1 {
		t += fmt.Sprintf(" ×%d", s.Items)
	}
	if s.Sums {
		t += " in order"
	}
	return t
}
