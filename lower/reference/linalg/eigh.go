package linalg

import (
	"math"
	"slices"

	"github.com/weft-go/weft/core/prim/matrices"
	"github.com/weft-go/weft/lower/reference/internal/block"
)

// eigh decomposes each matrix: see matrices.EighP.
func eigh(in, out []*block.Tensor, p matrices.EighP) {
	l := matrixLoop{in, out, 2}
	n := in[0].Shape.At(-1)
	inWideType(l, eighOf[float64](n, p), eighOf[complex128](n, p))
}

func eighOf[A any](n int, p matrices.EighP) func(f *field[A], in, out [][]A) {
	return func(f *field[A], in, out [][]A) {
		v, w, ok := eigenvectors(f, in[0], n, p.Lower, !p.ValuesOnly)
		if !ok {
			for _, o := range out {
				block.FillRun(o, f.nan)
			}
			return
		}
		values := out[len(out)-1]
		lo, k := p.Subset.Lo, len(values)
		for j := range k {
			values[j] = f.of(w[lo+j], 0)
		}
		if p.ValuesOnly {
			return
		}
		for i := range n {
			copy(out[0][i*k:(i+1)*k], v[i*n+lo:])
		}
	}
}

// eigenvectors returns the eigenvectors, as columns, and the eigenvalues of a Hermitian matrix, of which one
// triangle is read; false if it is not finite or iterations do not converge. Without vectors it returns only the
// eigenvalues. An upper triangle is read as the lower one of the matrix with rows and columns reversed, as in
// TridiagonalP; the tridiagonal matrix is reversed back before the iterations.
func eigenvectors[A any](f *field[A], x []A, n int, lower, vectors bool) (v []A, w []float64, ok bool) {
	if !lower {
		x = append([]A(nil), x...)
		slices.Reverse(x)
	}
	a := hermitian(f, x, n)
	big := largest(f, a)
	if math.IsNaN(big) || math.IsInf(big, 0) {
		return nil, nil, false
	}
	shift := exponentOf(big)
	scaleBy(f, a, -shift)
	d, e, taus := make([]float64, n), make([]float64, max(n-1, 0)), make([]A, max(n-1, 0))
	tridiagonalForm(f, a, n, d, e, taus, vectors)
	if !lower {
		slices.Reverse(d)
		slices.Reverse(e)
	}
	signs := cutSigns(e, n)
	var zt *rotator
	if vectors {
		zt = &rotator{z: fieldF64.identityOf(n, n), n: n}
	}
	if !newTridiagonalQL(d, e, zt, n, f.grain).run() {
		return nil, nil, false
	}
	for i := range d {
		d[i] = math.Ldexp(d[i], shift)
	}
	if !vectors {
		return nil, d, true
	}
	signs(zt.z)
	v = make([]A, n*n)
	row := func(i int) []A { // for an upper triangle, the rows are reversed until the reflectors are applied
		if !lower {
			i = n - 1 - i
		}
		return v[i*n : (i+1)*n]
	}
	for i := range n {
		to := row(i)
		for j := range to {
			to[j] = f.of(zt.z[j*n+i], 0)
		}
	}
	if n > 1 {
		// Reflector k acts on the rows from k + 1 on.
		f.applyReflectors(a[n:], n, n-1, taus, v[n:], n, false)
	}
	for i := range n / 2 {
		if lower {
			break
		}
		at, from := v[i*n:(i+1)*n], v[(n-1-i)*n:(n-i)*n]
		for j := range at {
			at[j], from[j] = from[j], at[j]
		}
	}
	return v, d, true
}

// scaleBy multiplies the elements by a power of two.
func scaleBy[A any](f *field[A], x []A, e int) {
	if e == 0 {
		return
	}
	if e > -1000 && e < 1000 {
		factor := math.Ldexp(1, e)
		if x, ok := any(x).([]float64); ok {
			for i := range x {
				x[i] *= factor
			}
			return
		}
		for i, v := range x {
			re, im := f.parts(v)
			x[i] = f.of(re*factor, im*factor)
		}
		return
	}
	for i, v := range x {
		re, im := f.parts(v)
		x[i] = f.of(math.Ldexp(re, e), math.Ldexp(im, e))
	}
}
