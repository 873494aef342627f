package linalg

import (
	"math"

	"github.com/weft-go/weft/lower/reference/internal/block"
)

// A rotation turns two rows by the angle whose cosine is c and whose sine is s: see rotate.
type rotation struct{ c, s float64 }

// rotate is (x, y) = (c·x + s·y, c·y − s·x): a product and an fma each.
func rotate(x, y []float64, c, s float64) {
	for i, a := range x {
		b := y[i]
		x[i] = math.FMA(c, a, block.Times(s, b))
		y[i] = math.FMA(c, b, -block.Times(s, a))
	}
}

// rotateStrip applies rotations to neighbouring rows of a strip of a matrix, the first rotation
// first or, if backward is set, the last one first: rotation k to rows k and k + 1.
var rotateStrip = func(z []float64, ld, cols int, rots []rotation, backward bool) {
	for i := range rots {
		k := i
		if backward {
			k = len(rots) - 1 - i
		}
		rotate(z[k*ld:k*ld+cols], z[(k+1)*ld:(k+1)*ld+cols], rots[k].c, rots[k].s)
	}
}

// A rotator collects rotations of neighbouring rows of a square matrix and applies many at a
// time, to a strip of columns that stays in the cache. The numbers of a column do not depend on
// the other columns. A nil rotator does nothing.
type rotator struct {
	z      []float64
	n      int
	rots   []rotation
	sweeps []sweep
}

// A sweep is rotations `first` to `end`−1 of a rotator, which rotateStrip applies. Rotation `first` turns rows `row`
// and `row`+1.
type sweep struct {
	row, first, end int
	backward        bool
}

// stripWidth is how many columns rotations are applied to at a time.
const stripWidth = 32

// add appends rotations of the rows from row r on.
func (t *rotator) add(r int, backward bool, rots ...rotation) {
	if t == nil {
		return
	}
	first := len(t.rots)
	t.rots = append(t.rots, rots...)
	t.sweeps = append(t.sweeps, sweep{r, first, len(t.rots), backward})
	if len(t.rots) > 16*t.n+256 {
		t.flush()
	}
}

// flush applies the rotations. Large matrices are copied strip by strip, so that the rows of a strip lie side
// by side.
func (t *rotator) flush() {
	if t == nil {
		return
	}
	n := t.n
	if n <= stripWidth {
		for _, s := range t.sweeps {
			rotateStrip(t.z[s.row*n:n*n], n, n, t.rots[s.first:s.end], s.backward)
		}
		t.rots, t.sweeps = t.rots[:0], t.sweeps[:0]
		return
	}
	strip, l := block.Borrow[float64](n * stripWidth)
	for j := 0; j < n && len(t.sweeps) > 0; j += stripWidth {
		cols := min(stripWidth, n-j)
		for i := range n {
			copy(strip[i*cols:], t.z[i*n+j:i*n+j+cols])
		}
		for _, s := range t.sweeps {
			rotateStrip(strip[s.row*cols:n*cols], cols, cols, t.rots[s.first:s.end], s.backward)
		}
		for i := range n {
			copy(t.z[i*n+j:], strip[i*cols:(i+1)*cols])
		}
	}
	l.Back()
	t.rots, t.sweeps = t.rots[:0], t.sweeps[:0]
}

// swapRows exchanges two rows. No rotations may be pending.
func (t *rotator) swapRows(i, k int) {
	if t == nil {
		return
	}
	swapRuns(t.z[i*t.n:(i+1)*t.n], t.z[k*t.n:(k+1)*t.n])
}

func (t *rotator) negateRow(i int) {
	if t == nil {
		return
	}
	negate(t.z[i*t.n : (i+1)*t.n])
}
