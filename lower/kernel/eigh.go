package kernel

import (
	"math"

	"github.com/weft-go/weft/core/prim"
)

// eigh decomposes each matrix: see prim.EighP.
func eigh(in, out []*Tensor, p prim.EighP) {
	l := matrixLoop{in: in, out: out, baseIn: []int{2}, baseOut: []int{2, 1}}
	n := in[0].Shape.At(-1)
	alone := eighOf[float64](n, p)
	if runs64 == nil || n < 2 || n > laneSize || p.Subset != (prim.Subset{}) || in[0].DType.IsComplex() {
		inWideType(l, alone, eighOf[complex128](n, p))
		return
	}
	l.chunk = laneCount
	inWideType(l, func(f *field[float64], in, out [][]float64) {
		if len(in[0]) == n*n {
			alone(f, in, out)
			return
		}
		eighLanes(f, in, out, n, p.Lower, alone)
	}, nil)
}

func eighOf[A any](n int, p prim.EighP) func(f *field[A], in, out [][]A) {
	return func(f *field[A], in, out [][]A) {
		v, w, ok := eigenvectors(f, hermitian(f, in[0], n, p.Lower), n)
		if !ok {
			fillRun(out[0], f.nan)
			fillRun(out[1], f.nan)
			return
		}
		lo, k := p.Subset.Lo, len(out[1])
		for j := range k {
			out[1][j] = f.of(w[lo+j], 0)
			for i := range n {
				out[0][i*k+j] = v[i*n+lo+j]
			}
		}
	}
}

// eigenvectors returns the eigenvectors of a Hermitian matrix as columns, and the
// eigenvalues; false if it is not finite or iterations do not converge.
func eigenvectors[A any](f *field[A], a []A, n int) (v []A, w []float64, ok bool) {
	big := largest(f, a)
	if math.IsNaN(big) || math.IsInf(big, 0) {
		return nil, nil, false
	}
	shift := exponentOf(big)
	scaleBy(f, a, -shift)
	d, e, taus := make([]float64, n), make([]float64, max(n-1, 0)), make([]A, max(n-1, 0))
	tridiagonalForm(f, a, n, d, e, taus)
	zt := fieldF64.identityOf(n, n)
	if !newTridiagonalQL(d, e, &turner{z: zt, n: n}, n, f.grain).run() {
		return nil, nil, false
	}
	v = make([]A, n*n)
	for i := range n {
		for j := range n {
			v[i*n+j] = f.of(zt[j*n+i], 0)
		}
	}
	if n > 1 {
		// Reflector k acts on the rows from k + 1 on.
		f.applyReflectors(a[n:], n, n-1, taus, v[n:], n, false)
	}
	for i := range d {
		d[i] = math.Ldexp(d[i], shift)
	}
	return v, d, true
}

// scaleBy multiplies the elements by a power of two.
func scaleBy[A any](f *field[A], x []A, e int) {
	if e == 0 {
		return
	}
	for i, v := range x {
		re, im := f.parts(v)
		x[i] = f.of(math.Ldexp(re, e), math.Ldexp(im, e))
	}
}
