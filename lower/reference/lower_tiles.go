package reference

import "unsafe"

// A blockLowerer is c[m, n] −= a[m, k]·w[k, n], where each element is one chain of fused multiply-adds from its
// own value over k in order. Rows of c, a and w are ldc, lda and ldw apart.
type blockLowerer[A any] func(c []A, ldc int, a []A, lda int, w []A, ldw, m, n, k int)

// lower is a blockLowerer, by the machine's tiles if it has any.
func (f *field[A]) lower(c []A, ldc int, a []A, lda int, w []A, ldw, m, n, k int) {
	if m <= 0 || n <= 0 || k <= 0 {
		return
	}
	if f.lowerBlock != nil && m >= 4 && k >= 4 {
		f.lowerBlock(c, ldc, a, lda, w, ldw, m, n, k)
		return
	}
	for i := range m {
		row := c[i*ldc : i*ldc+n]
		for l, v := range a[i*lda : i*lda+k] {
			f.less(row, v, w[l*ldw:l*ldw+n])
		}
	}
}

// lowerTiles lower blocks by tiles of rows × cols numbers; steps of run are in bytes, and rows of b are dense.
type lowerTiles[A float] struct {
	rows, cols int
	run        func(c unsafe.Pointer, ldc int, a unsafe.Pointer, lda int, b unsafe.Pointer, k int)
}

func (t *lowerTiles[A]) lower(c []A, ldc int, a []A, lda int, w []A, ldw, m, n, k int) {
	size := elementBytes[A]()
	_, _ = c[(m-1)*ldc+n-1], a[(m-1)*lda+k-1] // whole tiles are not checked one by one
	panel, lp := borrow[A](k * t.cols)
	tile, lt := borrow[A](t.rows * (t.cols + k))
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
	lt.back()
	lp.back()
}
