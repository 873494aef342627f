package linalg

import (
	"math"

	"github.com/weft-go/weft/core/prim/matrices"
	"github.com/weft-go/weft/lower/reference/internal/block"
)

// luFactors factors each matrix: see matrices.LUP.
func luFactors(in, out []*block.Tensor) {
	l := matrixLoop{in, out, 2}
	m, n := in[0].Shape.At(-2), in[0].Shape.At(-1)
	inOwnType(l, luOf(m, n, pivotF32), luOf(m, n, pivotF64),
		luOf[complex64](m, n, nil), luOf[complex128](m, n, nil))
}

// luOf returns the function that factors a matrix of m rows and n columns. pivot finds the largest element; if it is
// nil, elements are compared by |re| + |im|.
//
//go:noinline
func luOf[A any](m, n int, pivot func([]A) (at int, zero bool)) func(f *field[A], in, out [][]A, ints [][]int32) {
	return func(f *field[A], in, out [][]A, ints [][]int32) {
		copy(out[0], in[0])
		e := &elimination[A]{field: f, a: out[0], m: m, n: n, pivots: ints[1], perm: ints[2], pivot: pivot}
		if pivot == nil {
			e.pivot = f.largestPivot
		}
		panel, l := block.Borrow[A](blockWidth(n) * m)
		e.factor(panel)
		l.Back()
	}
}

// An elimination is the factorization of one matrix, m × n, in place.
type elimination[A any] struct {
	*field[A]
	a            []A
	m, n         int
	pivots, perm []int32
	pivot        func([]A) (at int, zero bool)
}

// factor eliminates a block of columns at a time, in a transposed copy, in which the elements of a
// column are contiguous. Then it subtracts the block's products from the columns behind the block.
func (e *elimination[A]) factor(panel []A) {
	for i := range e.perm {
		e.perm[i] = int32(i)
	}
	m, n, k, a := e.m, e.n, min(e.m, e.n), e.a
	for j0, width := 0, blockWidth(n); j0 < k; j0 += width {
		w, rows := min(width, k-j0), m-j0
		transpose(panel, rows, a[j0*n+j0:], n, rows, w)
		var zero [32]bool
		some := e.block(panel, j0, rows, w, &zero)
		transpose(a[j0*n+j0:], n, panel, rows, w, rows)
		end, behind := j0+w, n-j0-w
		for p := j0; p < end; p++ {
			if q := int(e.pivots[p]); q != p {
				swapRuns(a[p*n:p*n+j0], a[q*n:q*n+j0])
				swapRuns(a[p*n+end:p*n+n], a[q*n+end:q*n+n])
			}
		}
		if behind == 0 {
			continue
		}
		for p := j0; p < end; p++ {
			last := end
			if some {
				last = m // all rows, here, since lower would not leave out the columns that are zero
			}
			for i := p + 1; i < last && !zero[p-j0]; i++ {
				e.less(a[i*n+end:(i+1)*n], a[i*n+p], a[p*n+end:(p+1)*n])
			}
		}
		if !some && end < m {
			e.lower(a[end*n+end:], n, a[end*n+j0:], n, a[j0*n+end:], n, m-end, behind, w)
		}
	}
}

// block eliminates w columns, each a row of the panel, and exchanges their rows. It sets zero for the columns that
// are left as they are, because they are zero, and reports whether there are any.
func (e *elimination[A]) block(panel []A, j0, rows, w int, zero *[32]bool) (some bool) {
	for p := range w {
		col := panel[p*rows : (p+1)*rows]
		at, none := e.pivot(col[p:])
		at += p
		e.pivots[j0+p] = int32(j0 + at)
		if at != p {
			e.perm[j0+p], e.perm[j0+at] = e.perm[j0+at], e.perm[j0+p]
			for q := range w {
				panel[q*rows+p], panel[q*rows+at] = panel[q*rows+at], panel[q*rows+p]
			}
		}
		if none {
			zero[p], some = true, true
			continue
		}
		e.divide(col[p+1:], col[p])
		for q := p + 1; q < w; q++ {
			e.each(panel[q*rows+p+1:(q+1)*rows], col[p+1:], panel[q*rows+p])
		}
	}
	return some
}

// transpose writes the transpose of rows × cols elements: the elements of a row of src are ldd apart in dst.
func transpose[A any](dst []A, ldd int, src []A, lds, rows, cols int) {
	for i := range rows {
		for j, v := range src[i*lds : i*lds+cols] {
			dst[j*ldd+i] = v
		}
	}
}

func swapRuns[A any](x, y []A) {
	for i, v := range x {
		x[i], y[i] = y[i], v
	}
}

// pivotF32 returns where the largest |v| is, the first of equals, or the first NaN, and whether
// it is 0. Without their signs numbers are ordered as their bits are, and NaN is behind ∞.
func pivotF32(x []float32) (at int, zero bool) {
	const sign, inf = 1 << 31, 0xff << 23
	var even, odd uint32
	i := 0
	for ; i+2 <= len(x); i += 2 {
		even = max(even, math.Float32bits(x[i])&^sign)
		odd = max(odd, math.Float32bits(x[i+1])&^sign)
	}
	if i < len(x) {
		even = max(even, math.Float32bits(x[i])&^sign)
	}
	most := max(even, odd)
	for i, v := range x {
		if b := math.Float32bits(v) &^ sign; b == most || b > inf {
			return i, most == 0
		}
	}
	return 0, false
}

func pivotF64(x []float64) (at int, zero bool) {
	const sign, inf = 1 << 63, 0x7ff << 52
	var even, odd uint64
	i := 0
	for ; i+2 <= len(x); i += 2 {
		even = max(even, math.Float64bits(x[i])&^sign)
		odd = max(odd, math.Float64bits(x[i+1])&^sign)
	}
	if i < len(x) {
		even = max(even, math.Float64bits(x[i])&^sign)
	}
	most := max(even, odd)
	for i, v := range x {
		if b := math.Float64bits(v) &^ sign; b == most || b > inf {
			return i, most == 0
		}
	}
	return 0, false
}

// largerPivot returns the better of a pivot and element i: the one with the larger |v|, the
// first of equals, or the first NaN.
func largerPivot[A block.Float](best int, big A, i int, v A) (int, A) {
	if v < 0 {
		v = -v
	}
	if v > big || v != v && big == big {
		return i, v
	}
	return best, big
}

// largestPivot is pivotF32 by |re| + |im|.
func (f *field[A]) largestPivot(x []A) (at int, zero bool) {
	big := -1.0
	for i, v := range x {
		at, big = largerPivot(at, big, i, f.c(v).Size())
	}
	return at, big == 0
}

// pivotsToPermutation applies row exchanges in order, number k to row k and row x[k]. Negative rows count from
// the end. As in JAX, if row x[k] is outside, row k gets the nearest row, which itself stays unchanged.
func pivotsToPermutation(y, x *block.Tensor, p matrices.LUPivotsToPermutationP) {
	n := x.Shape.At(-1)
	swaps, perm := block.View[int32](x), block.View[int32](y)
	for len(perm) > 0 {
		row := perm[:p.Size]
		for i := range row {
			row[i] = int32(i)
		}
		for k, s := range swaps[:n] {
			if s < 0 {
				s += int32(p.Size)
			}
			at := min(max(int(s), 0), p.Size-1)
			old := row[k]
			row[k] = row[at]
			if at == int(s) {
				row[at] = old
			}
		}
		perm, swaps = perm[p.Size:], swaps[n:]
	}
}

// tridiagonalSolve solves each system: see matrices.TridiagonalSolveP.
func tridiagonalSolve(in, out []*block.Tensor, p matrices.TridiagonalSolveP) {
	l := matrixLoop{in, out, 1}
	if out[0].Size() == 0 {
		return
	}
	n, m := out[0].Shape.At(-2), out[0].Shape.At(-1)
	inOwnType(l, tridiagonalOf[float32](n, m, p, 0x1p-126), tridiagonalOf[float64](n, m, p, 0x1p-1022),
		tridiagonalOf[complex64](n, m, p, 0x1p-126), tridiagonalOf[complex128](n, m, p, 0x1p-1022))
}

func tridiagonalOf[A any](n, m int, p matrices.TridiagonalSolveP, tiny float64) func(f *field[A], in, out [][]A, _ [][]int32) {
	return func(f *field[A], in, out [][]A, _ [][]int32) {
		zero := f.of(0, 0)
		dl, du2 := make([]A, n), make([]A, n)
		copy(dl, in[0])
		d, du := append([]A(nil), in[1]...), append([]A(nil), in[2]...)
		x := out[0]
		copy(x, in[3])
		row := func(i int) []A { return x[i*m : (i+1)*m] }
		var one [1]A
		for k := range n - 1 {
			du2[k] = zero
			below, pivot := dl[k+1], d[k]
			if f.c(below).Size() > f.c(pivot).Size() {
				// Row k+1 comes first.
				for j, v := range row(k) {
					x[k*m+j], x[(k+1)*m+j] = x[(k+1)*m+j], v
				}
				d[k], dl[k+1] = below, pivot
				du[k], d[k+1] = d[k+1], du[k]
				if k < n-2 {
					du2[k], du[k+1] = du[k+1], zero
				}
			}
			if p.Perturb && f.c(d[k]).Size() == 0 {
				d[k] = f.of(tiny, 0)
			}
			if f.c(dl[k+1]).Size() == 0 {
				continue
			}
			one[0] = dl[k+1]
			f.divide(one[:], d[k])
			f.less(d[k+1:k+2], one[0], du[k:k+1])
			if k < n-2 {
				f.less(du[k+1:k+2], one[0], du2[k:k+1])
			}
			f.less(row(k+1), one[0], row(k))
		}
		if p.Perturb && f.c(d[n-1]).Size() == 0 {
			d[n-1] = f.of(tiny, 0)
		}
		for _, pivot := range d {
			if f.c(pivot).Size() == 0 { // JAX returns NaN where LAPACK's status reports a zero pivot
				block.FillRun(x, f.nan)
				return
			}
		}
		for k := n - 1; k >= 0; k-- {
			if k < n-1 {
				f.less(row(k), du[k], row(k+1))
			}
			if k < n-2 {
				f.less(row(k), du2[k], row(k+2))
			}
			f.divide(row(k), d[k])
		}
	}
}
