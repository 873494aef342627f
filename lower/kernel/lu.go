package kernel

import (
	"math"

	"github.com/weft-go/weft/core/prim"
)

// luFactors factors each matrix: see prim.LUP.
func luFactors(in, out []*Tensor) {
	l := matrixLoop{in: in, out: out, baseIn: []int{2}, baseOut: []int{2, 1, 1}}
	m, n := in[0].Shape.At(-2), in[0].Shape.At(-1)
	inOwnType(l, luOf[float32](m, n), luOf[float64](m, n), luOf[complex64](m, n), luOf[complex128](m, n))
}

func luOf[A any](m, n int) func(f *field[A], in, out [][]A, ints [][]int32) {
	return func(f *field[A], in, out [][]A, ints [][]int32) {
		a, pivots, perm := out[0], ints[1], ints[2]
		copy(a, in[0])
		for i := range perm {
			perm[i] = int32(i)
		}
		col := make([]A, m)
		for k := range min(m, n) {
			p, big := k, -1.0
			for i := k; i < m; i++ {
				v := f.c(a[i*n+k]).size()
				if v > big || math.IsNaN(v) && !math.IsNaN(big) {
					p, big = i, v
				}
			}
			pivots[k] = int32(p)
			if p != k {
				perm[k], perm[p] = perm[p], perm[k]
				for j := range n {
					a[k*n+j], a[p*n+j] = a[p*n+j], a[k*n+j]
				}
			}
			if big == 0 {
				continue
			}
			below := col[:m-k-1]
			for i := range below {
				below[i] = a[(k+1+i)*n+k]
			}
			f.divide(below, a[k*n+k])
			for i, v := range below {
				row := a[(k+1+i)*n : (k+2+i)*n]
				row[k] = v
				f.less(row[k+1:], v, a[k*n+k+1:(k+1)*n])
			}
		}
	}
}

// pivotsToPermutation applies row exchanges to the rows in order. Negative rows count from
// the end; those outside do nothing.
func pivotsToPermutation(y, x *Tensor, p prim.LUPivotsToPermutationP) {
	n := x.Shape.At(-1)
	swaps, perm := View[int32](x), View[int32](y)
	for len(perm) > 0 {
		row := perm[:p.Size]
		for i := range row {
			row[i] = int32(i)
		}
		for k, s := range swaps[:n] {
			if s < 0 {
				s += int32(p.Size)
			}
			if s >= 0 && int(s) < p.Size {
				row[k], row[s] = row[s], row[k]
			}
		}
		perm, swaps = perm[p.Size:], swaps[n:]
	}
}

// tridiagonalSolve solves each system: see prim.TridiagonalSolveP.
func tridiagonalSolve(in, out []*Tensor, p prim.TridiagonalSolveP) {
	l := matrixLoop{in: in, out: out, baseIn: []int{1, 1, 1, 2}, baseOut: []int{2}}
	if out[0].Size() == 0 {
		return
	}
	n, m := out[0].Shape.At(-2), out[0].Shape.At(-1)
	inOwnType(l, tridiagonalOf[float32](n, m, p, 0x1p-126), tridiagonalOf[float64](n, m, p, 0x1p-1022),
		tridiagonalOf[complex64](n, m, p, 0x1p-126), tridiagonalOf[complex128](n, m, p, 0x1p-1022))
}

func tridiagonalOf[A any](n, m int, p prim.TridiagonalSolveP, tiny float64) func(f *field[A], in, out [][]A, _ [][]int32) {
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
			if f.c(below).size() > f.c(pivot).size() {
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
			if p.Perturb && f.c(d[k]).size() == 0 {
				d[k] = f.of(tiny, 0)
			}
			if f.c(dl[k+1]).size() == 0 {
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
		if p.Perturb && f.c(d[n-1]).size() == 0 {
			d[n-1] = f.of(tiny, 0)
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
