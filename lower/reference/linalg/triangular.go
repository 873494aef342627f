package linalg

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim/matrices"
	"github.com/weft-go/weft/lower/reference/internal/block"
)

// triangularSolve finds the unknowns of triangular systems one after the other, beginning with the equation
// that has only one. Each unknown is divided by its diagonal element, unless UnitDiagonal is set, and eliminated
// from the equations that follow, by fused multiply-adds.
func triangularSolve(y, a, b *block.Tensor, p matrices.TriangularSolveP) {
	switch f := fieldOf(a.DType).(type) {
	case *field[float32]:
		solveIn(f, y, a, b, p)
	case *field[float64]:
		solveIn(f, y, a, b, p)
	case *field[complex64]:
		solveIn(f, y, a, b, p)
	case *field[complex128]:
		solveIn(f, y, a, b, p)
	default:
		block.Refuse(a.DType)
	}
}

func solveIn[A any](f *field[A], y, a, b *block.Tensor, p matrices.TriangularSolveP) {
	ea, la := block.ElementsAs[A](a)
	eb, lb := block.ElementsAs[A](b)
	to, l := f.results(y)
	solveInto(f, to, ea, eb, b.Shape, p)
	f.finish(y, to)
	l.Back()
	lb.Back()
	la.Back()
}

// A triangularSystem is op(A)·X = B with n unknowns and m right sides, as a loop reads it: the
// equations are numbered in the order in which they are solved, so that A is lower triangular.
type triangularSystem struct {
	n, m                      int
	transposed, forward, conj bool
	onRight, unit             bool
}

func systemOf(shape core.Dims, p matrices.TriangularSolveP) triangularSystem {
	s := triangularSystem{n: shape.At(-2), m: shape.At(-1), conj: p.ConjugateA, onRight: !p.LeftSide, unit: p.UnitDiagonal}
	if s.onRight {
		s.n, s.m = s.m, s.n // X·op(A) = B is op(A)ᵀ·Xᵀ = Bᵀ
	}
	s.transposed = p.TransposeA != s.onRight
	s.forward = p.Lower != s.transposed
	return s
}

// equation returns which row of op(A) comes at a step.
func (s triangularSystem) equation(step int) int {
	if s.forward {
		return step
	}
	return s.n - 1 - step
}

func solveInto[A any](f *field[A], y, a, b []A, shape core.Dims, p matrices.TriangularSolveP) {
	if len(y) == 0 {
		return
	}
	s := systemOf(shape, p)
	n, m := s.n, s.m
	if m == 1 {
		panel, l := block.Borrow[A](blockWidth(n) * n)
		for ; len(b) > 0; a, b, y = a[n*n:], b[n:], y[n:] {
			copy(y[:n], b[:n])
			solveVector(f, a, y[:n], panel, s)
			block.Canon(y[:n])
		}
		l.Back()
		return
	}
	mat, lm := block.Borrow[A](n * n)
	x, lx := block.Borrow[A](n * m)
	for len(b) > 0 {
		rows := a[:n*n]
		if !s.forward || s.transposed || s.conj && f.dt.IsComplex() {
			rows = mat
			loadTriangle(f, mat, a, s)
		}
		for i := range n {
			row := x[i*m : (i+1)*m]
			if e := s.equation(i); s.onRight {
				for j := range row {
					row[j] = b[j*n+e]
				}
			} else {
				copy(row, b[e*m:(e+1)*m])
			}
		}
		solveLower(f, rows, x, n, m, s.unit)
		block.Canon(x)
		for i := range n {
			row := x[i*m : (i+1)*m]
			if e := s.equation(i); s.onRight {
				for j, v := range row {
					y[j*n+e] = v
				}
			} else {
				copy(y[e*m:(e+1)*m], row)
			}
		}
		a, b, y = a[n*n:], b[n*m:], y[n*m:]
	}
	lx.Back()
	lm.Back()
}

// loadTriangle copies the lower triangle of op(A), its rows and columns in the order of the
// equations.
func loadTriangle[A any](f *field[A], mat, a []A, s triangularSystem) {
	n := s.n
	for i := range n {
		row, e := mat[i*n:i*n+i+1], s.equation(i)
		switch {
		case s.transposed && s.forward:
			for k := range row {
				row[k] = a[k*n+e]
			}
		case s.transposed:
			for k := range row {
				row[k] = a[(n-1-k)*n+e]
			}
		case s.forward:
			copy(row, a[e*n:])
		default:
			from := a[e*n+n-len(row) : (e+1)*n]
			for k := range row {
				row[k] = from[len(row)-1-k]
			}
		}
		if s.conj && f.dt.IsComplex() {
			f.conjAll(row)
		}
	}
}

// solveLower replaces x[n, m] by the solution of A·X = x, A lower triangular: a block of equations at a time,
// whose unknowns are then eliminated from all equations that follow.
func solveLower[A any](f *field[A], a, x []A, n, m int, unit bool) {
	width := blockWidth(n)
	for k0 := 0; k0 < n; k0 += width {
		end := min(k0+width, n)
		for k := k0; k < end; k++ {
			row := x[k*m : (k+1)*m]
			if !unit {
				f.divide(row, a[k*n+k])
			}
			for i := k + 1; i < end; i++ {
				f.less(x[i*m:(i+1)*m], a[i*n+k], row)
			}
		}
		if end < n {
			f.lower(x[end*m:], m, a[end*n+k0:], n, x[k0*m:], m, n-end, m, end-k0)
		}
	}
}

// solveVector replaces x by the solution of op(A)·X = x. A panel has some columns of op(A) side
// by side, each of which is eliminated from all of x at once.
func solveVector[A any](f *field[A], a, x, panel []A, s triangularSystem) {
	n, width := s.n, blockWidth(s.n)
	for done := 0; done < n; done += width {
		w := min(width, n-done)
		lo, first, rows := done, done, n-done // the panel is columns lo to lo+w−1 of rows first to first+rows−1
		if !s.forward {
			lo, first, rows = n-done-w, 0, n-done
		}
		if s.transposed {
			for p := range w {
				copy(panel[p*rows:(p+1)*rows], a[(lo+p)*n+first:])
			}
		} else {
			transpose(panel, rows, a[first*n+lo:], n, rows, w)
		}
		if s.conj && f.dt.IsComplex() {
			f.conjAll(panel[:w*rows])
		}
		for i := range w {
			k := lo + i
			if !s.forward {
				k = lo + w - 1 - i
			}
			col := panel[(k-lo)*rows : (k-lo+1)*rows]
			if !s.unit {
				f.divide(x[k:k+1], col[k-first])
			}
			if s.forward {
				f.each(x[k+1:], col[k+1-first:], x[k])
			} else {
				f.each(x[:k], col[:k], x[k])
			}
		}
	}
}
