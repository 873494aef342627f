package product

import (
	"unsafe"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lower/reference/internal/block"
)

// Where the machine fuses multiply and add for many numbers at once, dots go in
// tiles: four or eight rows of the left operand by as many columns of the right one as two
// registers hold, or four of arm64. Each number of a tile is the chain of its chunk as the
// loops in Go compute it, so the bits are the same.

type tiler[A any] interface {
	multiply(y []A, ld int, x, w []A, down, across, m, n, k int, stop block.Stopper)
	Packed(w []A, n, k int) ([]A, *block.Loan)
	MultiplyPacked(y []A, ld int, x, panels []A, m, n, k int, stop block.Stopper)
	column(kernel DotKernel[A], y, x, v []A, m, k int, stop block.Stopper)
	ColumnOf(kernel DotKernel[A], y, x []A, ld int, v []A, m, k int, stop block.Stopper)
	Inner(kernel DotKernel[A], a, b []A) A
}

// tiles computes c[rows][cols] += Σ a[rows][k]·b[k][cols] by Run, c[8] += Σ a[8][k]·b[8][k]
// by chains, each sum a chain from +0. The steps from row to row are in bytes; c is
// dense, and so is b of Run.
type tiles[A block.Float] struct {
	Rows   int
	Cols   int
	chunk  int // length of a chain
	Run    func(c, a unsafe.Pointer, step int, b unsafe.Pointer, k int)
	chains func(c, a unsafe.Pointer, aStep int, b unsafe.Pointer, bStep, k int)
}

// Tiles32 and Tiles64 are the machine's code, nil if it has none.
var (
	Tiles32 *tiles[float32]
	Tiles64 *tiles[float64]
)

// TilerOf returns the machine's tiler of A, nil if it has none.
func TilerOf[A any]() tiler[A] {
	var a A
	switch any(a).(type) {
	case float32:
		if Tiles32 != nil {
			return any(Tiles32).(tiler[A])
		}
	case float64:
		if Tiles64 != nil {
			return any(Tiles64).(tiler[A])
		}
	}
	return nil
}

// Tiled reports whether a product with n columns and k contracted elements repays tiles, which
// have a fixed cost.
func Tiled(n, k int) bool { return n >= 4 && k >= 4 }

// multiply is y[m, n] = x[m, k] · w, where rows of y are ld apart and element k of
// column j of w is at k·down + j·across.
func (t *tiles[A]) multiply(y []A, ld int, x, w []A, down, across, m, n, k int, stop block.Stopper) {
	panel, l := block.Borrow[A](k * t.Cols)
	for j := 0; j < n && !stop.Stopped(); j += t.Cols {
		cols := min(t.Cols, n-j)
		t.pack(panel, w[j*across:], down, across, cols, k)
		t.panel(y[j:], ld, x, panel, m, cols, k, stop)
	}
	l.Back()
}

// Packed returns all of w[n, k], packed panel by panel.
func (t *tiles[A]) Packed(w []A, n, k int) ([]A, *block.Loan) {
	panels, l := block.Borrow[A]((n + t.Cols - 1) / t.Cols * t.Cols * k)
	for j := 0; j < n; j += t.Cols {
		t.pack(panels[j*k:(j+t.Cols)*k], w[j*k:], 1, k, min(t.Cols, n-j), k)
	}
	return panels, l
}

// MultiplyPacked is multiply with panels that Packed made.
func (t *tiles[A]) MultiplyPacked(y []A, ld int, x, panels []A, m, n, k int, stop block.Stopper) {
	for j := 0; j < n; j += t.Cols {
		t.panel(y[j:], ld, x, panels[j*k:], m, min(t.Cols, n-j), k, stop)
	}
}

// deepRun is how many contracted elements of a tile are multiplied between two calls of stop, a
// multiple of the length of every chain.
const deepRun = 1 << 13

func (t *tiles[A]) panel(y []A, ld int, x, panel []A, m, cols, k int, stop block.Stopper) {
	tile, l := block.Borrow[A](t.Rows * t.Cols)
	size := block.ElementBytes[A]()
	var rest []A // the last rows, and zeros
	var lr *block.Loan
	for i := 0; i < m && !stop.Stopped(); {
		rows, from := min(t.Rows, m-i), x[i*k:]
		if rows < t.Rows {
			if rest == nil {
				rest, lr = block.Borrow[A](t.Rows * k)
			}
			clear(rest[copy(rest, from[:rows*k]):])
			from = rest
		}
		clear(tile)
		for lo := 0; lo < k && (lo%deepRun != deepRun-t.chunk || !stop.Stopped()); lo += t.chunk {
			t.Run(unsafe.Pointer(&tile[0]), unsafe.Pointer(&from[lo]), k*size, unsafe.Pointer(&panel[lo*t.Cols]), min(t.chunk, k-lo))
		}
		for r := range rows {
			row := y[(i+r)*ld:][:cols]
			copy(row, tile[r*t.Cols:])
			block.Canon(row)
		}
		i += rows
	}
	lr.Back()
	l.Back()
}

// pack writes some columns of w as the dense rows that tiles read, zeros behind them.
func (t *tiles[A]) pack(panel, w []A, down, across, cols, k int) {
	if across == 1 {
		for i := range k {
			row := panel[i*t.Cols : (i+1)*t.Cols]
			clear(row[copy(row, w[i*down:i*down+cols]):])
		}
		return
	}
	if cols < t.Cols {
		clear(panel)
	}
	for j := range cols {
		column := w[j*across:]
		for i := range k {
			panel[i*t.Cols+j] = column[i*down]
		}
	}
}

// contractedFirst reports whether the axes lie in the order batch, contracted, rest, so that
// columns of tiles can be read as they are.
func contractedFirst(shape, batch, contracted core.Dims) bool {
	next := 0
	for _, list := range []core.Dims{batch, contracted} {
		for _, i := range list.All() {
			if shape.At(i) == 1 {
				continue
			}
			for next < i && shape.At(next) == 1 {
				next++
			}
			if i != next {
				return false
			}
			next++
		}
	}
	return true
}
