package cpu

import (
	"iter"

	"github.com/weft-go/weft/lower/native/amd64"
)

// A schedule is what the plan of a product or of a convolution may choose freely: numbers do
// not depend on it. The zero value leaves every choice to the plan.
type schedule struct {
	Rows  int    // of the register tile
	Vecs  int    // of the register tile
	Few   choice // few vectors: rows of the matrix are lanes, not a tile
	Sweep choice // a row times a matrix: whole rows of the matrix are read, not a tile's columns
	Left  choice // A is copied first so that its contracted elements are neighbours
	Right choice // panels of B are copied, not read where they lie
	Lines choice // of a convolution: lines of the input are copied, not whole windows
	Deep  int    // contracted elements of a call
	Panel int    // columns of an item
}

// choice is a decision of a schedule.
type choice string

const (
	yes choice = "yes"
	no  choice = "no"
)

// or returns the decision, or what the plan would choose where there is none.
func (c choice) or(chosen bool) bool {
	switch c {
	case yes:
		return true
	case no:
		return false
	}
	return chosen
}

// tile returns a register tile of the plan's type without its size.
func (p *productPlan) tile() amd64.Tile { return amd64.Tile{ISA: p.isa, Elem: p.elem} }

// deepFrom returns the contracted elements of a call: those that the schedule states, as far
// as a call may take them, else chosen. Both are multiples of the chains' length or at least
// all contracted elements.
func (p *productPlan) deepFrom(chunk, chosen int) int {
	if p.want.Deep == 0 {
		return chosen
	}
	most := int(p.callWork()) / (p.rows * p.vecs * p.lanes)
	return max(chunk, min(p.want.Deep, most)/chunk*chunk)
}

// mostPanelBytes is the size of the largest panel that a schedule may state.
const mostPanelBytes = 1 << 20

// panelFrom returns the columns of an item: those that the schedule states, within limits,
// else chosen.
func (p *productPlan) panelFrom(chosen int) int {
	if p.want.Panel == 0 {
		return chosen
	}
	width := p.vecs * p.lanes
	most := mostPanelBytes / (min(p.k, p.deep) * p.size)
	return min(p.n, max(width, min(p.want.Panel, most)/width*width))
}

// mostVecs returns the most vectors of a register tile for products of m rows: a single row
// multiplies by B in memory, so that vectors cost no registers for B.
func mostVecs(m int) int {
	if m == 1 {
		return 16
	}
	return 4
}

// registerTiles returns the rows and vectors of register tiles for products of m rows, large
// ones first.
func (p *productPlan) registerTiles(m int) iter.Seq2[int, int] {
	return func(yield func(rows, vecs int) bool) {
		for v := mostVecs(m); v >= 1; v-- {
			if v > 1 && (v-1)*p.lanes >= p.n {
				continue
			}
			for r := min(p.tile().MaxRows(v), m); r >= 1; r-- {
				if !yield(r, v) {
					return
				}
			}
		}
	}
}

// each returns the schedule with both decisions where there are two, else itself.
func (c schedule) each(both bool, set func(*schedule, choice)) []schedule {
	if !both {
		return []schedule{c}
	}
	a, b := c, c
	set(&a, yes)
	set(&b, no)
	return []schedule{a, b}
}
