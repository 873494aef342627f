package product

import (
	"github.com/weft-go/weft/lower/reference/internal/block"
	"unsafe"
)

// LowerTiles32 and LowerTiles64 are the machine's code, nil if it has none.
var (
	LowerTiles32 *lowerTiles[float32]
	LowerTiles64 *lowerTiles[float64]
)

// lowerTiles subtract a[m, k]·w[k, n] from c[m, n] in tiles of rows × cols numbers. run subtracts one tile of a·b,
// where b is k dense rows of cols numbers; its steps ldc and lda are in bytes.
type lowerTiles[A block.Float] struct {
	rows, cols int
	run        func(c unsafe.Pointer, ldc int, a unsafe.Pointer, lda int, b unsafe.Pointer, k int)
}

func (t *lowerTiles[A]) Lower(c []A, ldc int, a []A, lda int, w []A, ldw, m, n, k int) {
	size := block.ElementBytes[A]()
	_, _ = c[(m-1)*ldc+n-1], a[(m-1)*lda+k-1] // whole tiles are not checked one by one
	panel, lp := block.Borrow[A](k * t.cols)
	tile, lt := block.Borrow[A](t.rows * (t.cols + k))
	rest := tile[t.rows*t.cols:]
	whole := m / t.rows * t.rows
	if whole < m {
		clear(rest)
		for i := whole; i < m; i++ {
			copy(rest[(i-whole)*k:], a[i*lda:i*lda+k])
		}
	}
	for j := 0; j < n; j += t.cols {
		cols := min(t.cols, n-j)
		for l := range k {
			row := panel[l*t.cols : (l+1)*t.cols]
			copy(row, w[l*ldw+j:l*ldw+j+cols])
			if cols < t.cols {
				clear(row[cols:])
			}
		}
		for i := 0; i < m; i += t.rows {
			if i < whole && cols == t.cols {
				t.run(unsafe.Pointer(&c[i*ldc+j]), ldc*size, unsafe.Pointer(&a[i*lda]), lda*size, unsafe.Pointer(&panel[0]), k)
				continue
			}
			rows := min(t.rows, m-i)
			for r := range rows {
				copy(tile[r*t.cols:], c[(i+r)*ldc+j:(i+r)*ldc+j+cols])
			}
			from, step := a[i*lda:], lda
			if i >= whole {
				from, step = rest, k
			}
			t.run(unsafe.Pointer(&tile[0]), t.cols*size, unsafe.Pointer(&from[0]), step*size, unsafe.Pointer(&panel[0]), k)
			for r := range rows {
				copy(c[(i+r)*ldc+j:(i+r)*ldc+j+cols], tile[r*t.cols:])
			}
		}
	}
	lt.Back()
	lp.Back()
}
