package linalg

import (
	"slices"

	"github.com/weft-go/weft/core/prim/matrices"
	"github.com/weft-go/weft/lower/reference/internal/block"
)

// tridiagonalForm brings the Hermitian matrix a[n, n], which has both triangles, to tridiagonal form in place.
// It writes the diagonal to d and the elements beside it to e. If vectors is set, it leaves the reflectors
// below these and writes their factors to taus. See matrices.TridiagonalP.
func tridiagonalForm[A any](f *field[A], a []A, n int, d, e []float64, taus []A, vectors bool) {
	var packed []A
	if vectors {
		packed = make([]A, n*n)
	}
	col, y, dotsV, dotsW := make([]A, n), make([]A, n), make([]A, PanelWidth), make([]A, PanelWidth)
	conjugated := make([]A, n)
	// Rows of vt and wt are the vectors v and w of a panel.
	vt, wt := make([]A, PanelWidth*n), make([]A, PanelWidth*n)
	for j0 := 0; j0 < n; j0 += PanelWidth {
		end := min(j0+PanelWidth, n)
		w := end - j0
		clear(vt)
		clear(wt)
		for j := j0; j < end; j++ {
			for i := j; i < n; i++ {
				col[i] = f.conj(a[j*n+i])
			}
			for p := range j - j0 {
				v, u := vt[p*n:(p+1)*n], wt[p*n:(p+1)*n]
				f.lessScaled(col[j:], f.c(u[j]).Conj(), v[j:])
				f.lessScaled(col[j:], f.c(v[j]).Conj(), u[j:])
			}
			d[j], _ = f.parts(col[j])
			if j == n-1 {
				break
			}
			x := col[j+1:]
			beta, tau := reflector(f, x)
			e[j], taus[j] = beta, tau
			for i := 2; vectors && j+i < n; i++ {
				packed[(j+i)*n+j] = x[i-1]
			}
			p := j - j0
			v, u := vt[p*n:(p+1)*n], wt[p*n:(p+1)*n]
			copy(v[j+1:], x)
			t := f.c(tau)
			if t == (block.Complex{}) {
				continue
			}
			// y = A·v: its conjugate is the sum of A's rows times conj v.
			s := y[:n-j-1]
			clear(s)
			for i, c := range x {
				f.addScaled(s, f.c(c).Conj(), a[(j+1+i)*n+j+1:(j+2+i)*n])
			}
			f.conjAll(s)
			cx := conjugated[:len(x)]
			copy(cx, x)
			f.conjAll(cx)
			f.innerEach(dotsW, p, wt[j+1:], n, cx)
			f.innerEach(dotsV, p, vt[j+1:], n, cx)
			for q := range p {
				f.less(s, f.conj(dotsW[q]), vt[q*n+j+1:(q+1)*n])
				f.less(s, f.conj(dotsV[q]), wt[q*n+j+1:(q+1)*n])
			}
			f.mulAll(s, t)
			f.conjAll(s)
			half := f.inner(s, x).Mul(t).Scale(-0.5)
			f.conjAll(s)
			f.addScaled(s, half, x)
			copy(u[j+1:], s)
		}
		if end == n {
			break
		}
		// A − V·Wᴴ − W·Vᴴ.
		m := n - end
		left, right := make([]A, m*2*w), make([]A, 2*w*m)
		for p := range w {
			for i := range m {
				left[i*2*w+p], left[i*2*w+w+p] = vt[p*n+end+i], wt[p*n+end+i]
				right[p*m+i], right[(w+p)*m+i] = f.conj(wt[p*n+end+i]), f.conj(vt[p*n+end+i])
			}
		}
		sum := make([]A, m*m)
		f.product(sum, left, right, m, m, 2*w)
		for i := range m {
			f.lessScaled(a[(end+i)*n+end:(end+i+1)*n], block.Complex{Re: 1, Im: 0}, sum[i*m:(i+1)*m])
		}
	}
	for i := 0; vectors && i < n; i++ {
		copy(a[i*n:i*n+max(i-1, 0)], packed[i*n:])
	}
}

// hermitian returns the Hermitian matrix with the given lower triangle and the real parts of the given
// diagonal.
func hermitian[A any](f *field[A], x []A, n int) []A {
	a := make([]A, n*n)
	for i := range n {
		re, _ := f.parts(x[i*n+i])
		a[i*n+i] = f.of(re, 0)
		for j := range i {
			v := x[i*n+j]
			a[i*n+j], a[j*n+i] = v, f.conj(v)
		}
	}
	return a
}

func tridiagonal(in, out []*block.Tensor, p matrices.TridiagonalP) {
	l := matrixLoop{in, out, 2}
	n := in[0].Shape.At(-1)
	inWideType(l, tridiagonalFormOf[float64](n, p.Lower), tridiagonalFormOf[complex128](n, p.Lower))
}

func tridiagonalFormOf[A any](n int, lower bool) func(f *field[A], in, out [][]A) {
	return func(f *field[A], in, out [][]A) {
		x := in[0]
		if !lower {
			x = append([]A(nil), x...)
			slices.Reverse(x)
		}
		a := hermitian(f, x, n)
		d, e, taus := make([]float64, n), make([]float64, max(n-1, 0)), make([]A, max(n-1, 0))
		tridiagonalForm(f, a, n, d, e, taus, true)
		for i := range n {
			a[i*n+i] = f.of(d[i], 0)
			copy(a[i*n+i+1:(i+1)*n], x[i*n+i+1:])
			if i > 0 {
				a[i*n+i-1] = f.of(e[i-1], 0)
			}
		}
		if !lower {
			slices.Reverse(a)
			slices.Reverse(d)
			slices.Reverse(e)
			slices.Reverse(taus)
		}
		copy(out[0], a)
		for i, v := range d {
			out[1][i] = f.of(v, 0)
		}
		for i, v := range e {
			out[2][i] = f.of(v, 0)
		}
		copy(out[3], taus)
	}
}
