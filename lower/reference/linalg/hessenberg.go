package linalg

import (
	"math"

	"github.com/weft-go/weft/core/prim/matrices"
	"github.com/weft-go/weft/lower/reference/internal/block"
)

// hessenbergForm brings a[n, n] to Hessenberg form in place, with the reflectors below the subdiagonal: see
// matrices.HessenbergP. Within a panel A is Qᴴ·(A₀ − Y·Vᴴ), where Q is the panel's product I − V·T·Vᴴ and Y =
// A₀·V·T; a column is computed when it is needed.
func hessenbergForm[A any](f *field[A], a []A, n int, taus []A) {
	for j0 := 0; j0 < n-1; j0 += PanelWidth {
		w := min(PanelWidth, n-1-j0)
		first := j0 + 1 // the first row on which the reflectors act
		m := n - first
		vt, yt := make([]A, w*n), make([]A, w*n)
		t := make([]A, w*w)
		packed := make([]A, w*n)
		for p := range w {
			j := j0 + p
			col := make([]A, n)
			for i := range n {
				col[i] = a[i*n+j]
			}
			// Column j of A₀ − Y·Vᴴ, then Qᴴ times that: column − V·Tᴴ·(Vᴴ·column).
			for q := range p {
				f.lessScaled(col, f.c(vt[q*n+j]).Conj(), yt[q*n:(q+1)*n])
			}
			conj := append([]A(nil), col[first:]...)
			f.conjAll(conj)
			dots, sums := make([]block.Complex, p), make([]block.Complex, p)
			for q := range p {
				dots[q] = f.inner(conj, vt[q*n+first:(q+1)*n]).Conj()
			}
			for q := range p {
				for r := range q + 1 {
					sums[q] = sums[q].Add(f.c(t[r*w+q]).Conj().Mul(dots[r]))
				}
			}
			for q := range p {
				f.lessScaled(col[first:], sums[q], vt[q*n+first:(q+1)*n])
			}
			x := col[j+1:]
			beta, tau := reflector(f, x)
			taus[j] = tau
			v := vt[p*n : (p+1)*n]
			copy(v[j+1:], x)
			copy(packed[p*n:], col)
			packed[p*n+j+1] = f.of(beta, 0)
			// y = τ·(A₀·v − Y·(Vᴴ·v)).
			y := yt[p*n : (p+1)*n]
			f.times(y, a[j+1:], n, v[j+1:])
			cv := append([]A(nil), v[first:]...)
			f.conjAll(cv)
			for q := range p {
				g := f.inner(cv, vt[q*n+first:(q+1)*n]).Conj()
				f.lessScaled(y, g, yt[q*n:(q+1)*n])
				dots[q] = g
			}
			z := f.c(tau)
			for i, c := range y {
				y[i] = f.a(f.c(c).Mul(z))
			}
			// T's column: −τ·T·(Vᴴ·v).
			for i := range p {
				var s block.Complex
				for l := i; l < p; l++ {
					s = s.Add(f.c(t[i*w+l]).Mul(dots[l]))
				}
				t[i*w+p] = f.a(s.Mul(z).Neg())
			}
			t[p*w+p] = tau
		}
		// Columns behind the panel: A₀ − Y·Vᴴ, then Qᴴ times that, which changes the rows from `first` on.
		end := j0 + w
		cols := n - end
		y, vh, sum := make([]A, n*w), make([]A, w*cols), make([]A, n*cols)
		v := make([]A, m*w)
		for p := range w {
			for i := range n {
				y[i*w+p] = yt[p*n+i]
			}
			for i := range cols {
				vh[p*cols+i] = f.conj(vt[p*n+end+i])
			}
			for i := range m {
				v[i*w+p] = vt[p*n+first+i]
			}
		}
		f.product(sum, y, vh, n, cols, w)
		for i := range n {
			f.lessScaled(a[i*n+end:(i+1)*n], block.Complex{Re: 1, Im: 0}, sum[i*cols:(i+1)*cols])
		}
		f.applyPanel(v, t, a, n, first, end, m, cols, w, true)
		for p := range w {
			for i := range n {
				a[i*n+j0+p] = packed[p*n+i]
			}
		}
	}
}

func hessenberg(in, out []*block.Tensor) {
	l := matrixLoop{in, out, 2}
	n := in[0].Shape.At(-1)
	inWideType(l, hessenbergOf[float64](n), hessenbergOf[complex128](n))
}

func hessenbergOf[A any](n int) func(f *field[A], in, out [][]A) {
	return func(f *field[A], in, out [][]A) {
		copy(out[0], in[0])
		hessenbergForm(f, out[0], n, out[1])
	}
}

// schurForm returns T, in place of a, and Q with a = Q·T·Qᴴ; false if a is not finite or iterations do not converge.
func schurForm[A any](f *field[A], a []A, n int) (t, q []A, ok bool) {
	if big := largest(f, a); math.IsNaN(big) || math.IsInf(big, 0) {
		return nil, nil, false
	}
	taus := make([]A, max(n-1, 0))
	hessenbergForm(f, a, n, taus)
	q = f.identityOf(n, n)
	if n > 1 {
		f.applyReflectors(a[n:], n, n-1, taus, q[n:], n, false)
	}
	for i := range n {
		block.FillRun(a[i*n:i*n+max(i-1, 0)], f.of(0, 0))
	}
	switch h := any(a).(type) {
	case []float64:
		ok = spacedSchur(h, any(q).([]float64), n, f.grain)
	case []complex128:
		ok = complexSchur(h, any(q).([]complex128), n, f.grain)
	}
	return a, q, ok
}

// schur brings each matrix to Schur form: see matrices.SchurP.
func schur(in, out []*block.Tensor) {
	l := matrixLoop{in, out, 2}
	n := in[0].Shape.At(-1)
	inWideType(l, schurOf[float64](n), schurOf[complex128](n))
}

func schurOf[A any](n int) func(f *field[A], in, out [][]A) {
	return func(f *field[A], in, out [][]A) {
		a := append([]A(nil), in[0]...)
		shift := exponentOf(largest(f, a))
		scaleBy(f, a, -shift)
		t, q, ok := schurForm(f, a, n)
		if !ok {
			for _, o := range out {
				block.FillRun(o, f.nan)
			}
			return
		}
		scaleBy(f, t, shift)
		copy(out[0], t)
		if len(out) > 1 {
			copy(out[1], q)
		}
	}
}

// eig decomposes each matrix: see matrices.EigP.
func eig(in, out []*block.Tensor, p matrices.EigP) {
	l := matrixLoop{in, out, 2}
	n := in[0].Shape.At(-1)
	// The matrix is converted to complex numbers, as all results are complex. If it was real, it is still treated as real.
	realInput := !in[0].DType.IsComplex()
	wide := fieldC128
	wide.grain = grainOf(in[0].DType)
	eachMatrix(l, &wide, func(f *field[complex128], in, out [][]complex128) {
		a := append([]complex128(nil), in[0]...)
		if !eigOne(f, a, n, realInput, p, out) {
			for _, o := range out {
				block.FillRun(o, f.nan)
			}
		}
	})
}
