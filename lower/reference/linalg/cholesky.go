package linalg

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lower/reference/internal/block"
)

// cholesky writes the lower triangular root of each matrix, with the operand's elements above the diagonal. Column
// by column from the left: the diagonal element is the root of the real part of the pivot, the elements below
// are divided by it, and the column times conj y[k, j] is subtracted from every later column k, by fused
// multiply-adds. If a pivot is not positive the matrix is NaN.
func cholesky(y, x *block.Tensor) {
	switch f := fieldOf(x.DType).(type) {
	case *field[float32]:
		choleskyIn(f, y, x)
	case *field[float64]:
		choleskyIn(f, y, x)
	case *field[complex64]:
		choleskyIn(f, y, x)
	case *field[complex128]:
		choleskyIn(f, y, x)
	default:
		block.Refuse(x.DType)
	}
}

func choleskyIn[A any](f *field[A], y, x *block.Tensor) {
	e, le := block.ElementsAs[A](x)
	to, l := f.results(y)
	choleskyInto(f, to, e, x.Shape)
	f.finish(y, to)
	l.Back()
	le.Back()
}

func choleskyInto[A any](f *field[A], y, x []A, shape core.Dims) {
	n := shape.At(-1)
	if n == 0 {
		return
	}
	panel, l := block.Borrow[A](blockWidth(n) * n)
	for len(x) > 0 {
		choleskyOne(f, y[:n*n], x[:n*n], panel, n)
		y, x = y[n*n:], x[n*n:]
	}
	l.Back()
}

// blockWidth is how many columns a blocked factorization of n columns works on at a time. It
// changes no bits.
func blockWidth(n int) int {
	if n < 128 {
		return 16
	}
	return 32
}

// choleskyOne factors a matrix in blocks of columns. A block is factored in the panel, where its columns are
// contiguous; then all columns behind it are updated at once.
func choleskyOne[A any](f *field[A], y, x, panel []A, n int) {
	for i := range n {
		copy(y[i*n:i*n+i+1], x[i*n:i*n+i+1])
	}
	ok := true
	for j0, width := 0, blockWidth(n); j0 < n && ok; j0 += width {
		w, rows := min(width, n-j0), n-j0
		for i := range rows {
			for p, v := range y[(j0+i)*n+j0:][:min(i+1, w)] {
				panel[p*rows+i] = v
			}
		}
		if ok = choleskyPanel(f, panel, rows, w); !ok {
			break
		}
		for i := range rows {
			row := y[(j0+i)*n+j0:][:min(i+1, w)]
			for p := range row {
				row[p] = panel[p*rows+i]
			}
		}
		if f.dt.IsComplex() {
			f.conjAll(panel[:w*rows])
		}
		const columns = 64
		for j := w; j < rows; j += columns {
			at := (j0 + j) * n
			f.lower(y[at+j0+j:], n, y[at+j0:], n, panel[j:], rows, rows-j, min(columns, rows-j), w)
		}
	}
	if !ok {
		block.FillRun(y, f.nan)
		return
	}
	for i := range n {
		block.Canon(y[i*n : i*n+i+1])
		copy(y[i*n+i+1:(i+1)*n], x[i*n+i+1:(i+1)*n])
	}
}

// choleskyPanel factors the first w columns, each a row of the panel; false if a pivot is not
// positive.
func choleskyPanel[A any](f *field[A], panel []A, rows, w int) bool {
	for p := range w {
		col := panel[p*rows : (p+1)*rows]
		d, ok := f.root(col[p])
		if !ok {
			return false
		}
		col[p] = d
		f.divide(col[p+1:], d)
		for q := p + 1; q < w; q++ {
			f.each(panel[q*rows+q:(q+1)*rows], col[q:], f.conj(col[q]))
		}
	}
	return true
}
