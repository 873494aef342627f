package schedule

import "iter"

// Choices are decisions about a product or a convolution that are not left to the planner.
// The zero value leaves all decisions to it. Tests make choices: each plan computes the same bits.
type Choices struct {
	Rows, Vecs int    // of the register tile
	Few        Choice // few vectors: rows of the matrix are lanes, not a tile
	Sweep      Choice // a row times a matrix: whole rows of the matrix are read, not a tile's columns
	Left       Choice // A is copied first so that its contracted elements are neighbours
	Right      Choice // panels of B are copied, not read where they lie
	Lines      Choice // of a convolution: lines of the input are copied, not whole windows
	Deep       int    // contracted elements of a call, a multiple of the chains' length
	Panel      int    // columns of an item
}

// A Choice is a decision between two ways.
type Choice string

// The choices besides the planner's own, which is "".
const (
	Yes Choice = "yes"
	No  Choice = "no"
)

// or returns the decision, or `chosen` if it is left to the planner.
func (c Choice) or(chosen bool) bool {
	switch c {
	case Yes:
		return true
	case No:
		return false
	}
	return chosen
}

// mostVecs returns the most vectors of a register tile for products of m rows: a single row
// multiplies by B in memory, so that vectors cost no registers for B.
func mostVecs(m int) int {
	if m == 1 {
		return 16
	}
	return 4
}

// Tiles returns the rows and vectors of the register tiles for products of m×k and k×n
// elements, large ones first.
func (p Processor) Tiles(e Element, m, n int) iter.Seq2[int, int] {
	return func(yield func(rows, vecs int) bool) {
		for v := mostVecs(m); v >= 1; v-- {
			if v > 1 && (v-1)*p.lanes(e) >= n {
				continue
			}
			for r := min(p.TileRows(e, v), m); r >= 1; r-- {
				if !yield(r, v) {
					return
				}
			}
		}
	}
}

// cycles estimates the cycles of a tile for each contracted element.
func cycles(rows, vecs int) float64 {
	return max(float64(rows*vecs)/2, float64(rows+vecs)/2, 4)
}

// halves returns the rows of each of two equal tiles that take less time than a tile of the given rows and a tile of
// the rest of m, or 0 if no such tiles do: a tile of few rows waits for its own sums.
func halves(m, rows, vecs int) int {
	rest := m % rows
	half := (rows + rest) / 2
	if m < rows || rest == 0 || (rows+rest)%2 != 0 || 2*cycles(half, vecs) >= cycles(rows, vecs)+cycles(rest, vecs) {
		return 0
	}
	return half
}

// tile returns the rows and vectors of the register tile that takes the fewest cycles, by estimate, for products of
// m×k and k×n elements.
func (p Processor) tile(e Element, m, n int) (rows, vecs int) {
	lanes, best := p.lanes(e), -1.0
	for r, v := range p.Tiles(e, m, n) {
		across := func(r int) float64 {
			c := float64(n/(v*lanes)) * cycles(r, v)
			if rest := n % (v * lanes); rest > 0 {
				c += cycles(r, over(rest, lanes))
			}
			return c
		}
		c := float64(m/r) * across(r)
		if half := halves(m, r, v); half > 0 {
			c += 2*across(half) - across(r)
		} else if rest := m % r; rest > 0 {
			c += across(rest)
		}
		// Large tiles read less for each product.
		if c *= 1 + 0.1*(1/float64(r)+1/float64(v)); best < 0 || c < best {
			best, rows, vecs = c, r, v
		}
	}
	return rows, vecs
}
