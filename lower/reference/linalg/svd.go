package linalg

import (
	"math"
	"unsafe"

	"github.com/weft-go/weft/core/prim/matrices"
	"github.com/weft-go/weft/lower/reference/internal/block"
)

// bidiagonalForm brings a[m, n], m ≥ n, to upper bidiagonal form by reflectors: A = Q·B·Pᴴ. It writes the
// diagonal to d and the superdiagonal to e. Unless pt is nil, it writes the reflectors of Q below the
// diagonal of a and those of P to pt, row by row, and their factors to tauq and taup. After each panel, the
// rest of A becomes A − V·Yᴴ − X·Uᴴ, where the columns of V and U are the panel's reflectors of Q and P.
func bidiagonalForm[A any](f *field[A], a []A, m, n int, d, e []float64, tauq, taup, pt []A) {
	col, row := make([]A, m), make([]A, n)
	vectors := pt != nil
	var packed []A
	if vectors {
		packed = make([]A, m*n)
	}
	conjugated, dots, more := make([]A, m), make([]A, PanelWidth), make([]A, PanelWidth)
	reflectors, l := block.Borrow[A](2 * PanelWidth * (m + n))
	defer l.Back()
	vt, xt := reflectors[:PanelWidth*m], reflectors[PanelWidth*m:2*PanelWidth*m]
	yt, ut := reflectors[2*PanelWidth*m:][:PanelWidth*n], reflectors[2*PanelWidth*m+PanelWidth*n:]
	for j0 := 0; j0 < n; j0 += PanelWidth {
		end := min(j0+PanelWidth, n)
		w := end - j0
		clear(reflectors)
		for j := j0; j < end; j++ {
			p := j - j0
			for i := j; i < m; i++ {
				col[i] = a[i*n+j]
			}
			f.lessPairs(col[j:], yt[j:], vt[j:], ut[j:], xt[j:], n, m, p)
			v := col[j:m]
			beta, tau := reflector(f, v)
			d[j], tauq[j] = beta, tau
			for i := 1; vectors && i < len(v); i++ {
				packed[(j+i)*n+j] = v[i]
			}
			copy(vt[p*m+j:(p+1)*m], v)
			if j == n-1 {
				break
			}
			// y = τ·(Aᴴ·v − Y·(Vᴴ·v) − U·(Xᴴ·v)): conj y is a sum of rows.
			y := yt[p*n+j+1 : (p+1)*n]
			f.addRows(y, v, a[j*n+j+1:], n)
			f.conjAll(y)
			cv := conjugated[:len(v)]
			copy(cv, v)
			f.conjAll(cv)
			f.innerEach(dots, p, vt[j:], m, cv)
			f.innerEach(more, p, xt[j:], m, cv)
			f.lessPairs(y, dots, yt[j+1:], more, ut[j+1:], 1, n, p)
			f.mulAll(y, f.c(tau))
			// Row j behind the diagonal, conjugated.
			r := row[j+1 : n]
			copy(r, a[j*n+j+1:(j+1)*n])
			f.conjAll(r)
			f.lessPairs(r, vt[j:], yt[j+1:], xt[j:], ut[j+1:], m, n, p)
			f.less(r, f.conj(vt[p*m+j]), y)
			beta, tau = reflector(f, r)
			e[j], taup[j] = beta, tau
			if vectors {
				copy(pt[j*n+j+1:(j+1)*n], r)
			}
			copy(ut[p*n+j+1:(p+1)*n], r)
			// x = τ·(A·u − V·(Yᴴ·u) − X·(Uᴴ·u)).
			x := xt[p*m+j+1 : (p+1)*m]
			f.times(x, a[(j+1)*n+j+1:], n, r)
			cu := conjugated[:len(r)]
			copy(cu, r)
			f.conjAll(cu)
			f.innerEach(dots, p+1, yt[j+1:], n, cu)
			f.innerEach(more, p, ut[j+1:], n, cu)
			f.lessPairs(x, dots, vt[j+1:], more, xt[j+1:], 1, m, p)
			f.less(x, f.conj(dots[p]), vt[p*m+j+1:(p+1)*m])
			f.mulAll(x, f.c(tau))
		}
		if end == n {
			break
		}
		rows, cols := m-end, n-end
		left, right := make([]A, rows*2*w), make([]A, 2*w*cols)
		for p := range w {
			for i := range rows {
				left[i*2*w+p], left[i*2*w+w+p] = vt[p*m+end+i], xt[p*m+end+i]
			}
			for i := range cols {
				right[p*cols+i], right[(w+p)*cols+i] = f.conj(yt[p*n+end+i]), f.conj(ut[p*n+end+i])
			}
		}
		sum := make([]A, rows*cols)
		f.product(sum, left, right, rows, cols, 2*w)
		for i := range rows {
			f.lessScaled(a[(end+i)*n+end:(end+i+1)*n], block.Complex{Re: 1, Im: 0}, sum[i*cols:(i+1)*cols])
		}
	}
	copy(a, packed)
}

func (f *field[A]) mulAll(x []A, t block.Complex) {
	if x, ok := any(x).([]float64); ok {
		for i := range x {
			x[i] *= t.Re
		}
		return
	}
	for i, v := range x {
		x[i] = f.a(f.c(v).Mul(t))
	}
}

// singularVectors returns A = U·diag(s)·Vᴴ of a[m, n], s decreasing: if full is set, U as m × m and V as n × n, else
// their first min(m, n) columns; without vectors only s. It returns false if a is not finite or iterations do not converge.
func singularVectors[A any](f *field[A], a []A, m, n int, vectors, full bool) (u []A, s []float64, v []A, ok bool) {
	k := min(m, n)
	if k == 0 {
		if !full {
			m, n = 0, 0
		}
		return f.identityOf(m, m), nil, f.identityOf(n, n), true
	}
	big := largest(f, a)
	if math.IsNaN(big) || math.IsInf(big, 0) {
		return nil, nil, nil, false
	}
	shift := exponentOf(big)
	scaleBy(f, a, -shift)
	long := k * 11 / 6
	cols := k
	if full {
		cols = max(m, n)
	}
	switch {
	case m >= n && m >= long && m > n:
		u, s, v, ok = throughTriangle(f, a, m, n, cols, false, vectors)
	case m >= n:
		u, s, v, ok = throughBidiagonal(f, a, m, n, cols, false, vectors)
	case n >= long:
		// Aᴴ = Q·R, so A = Rᴴ·Qᴴ.
		v, s, u, ok = throughTriangle(f, f.adjointOf(a, m, n), n, m, cols, true, vectors)
	default:
		v, s, u, ok = throughBidiagonal(f, f.adjointOf(a, m, n), n, m, cols, true, vectors)
	}
	for i := range s {
		s[i] = math.Ldexp(s[i], shift)
	}
	return u, s, v, ok
}

// throughTriangle is singularVectors for a matrix with many more rows than columns. It decomposes R of A = Q·R
// or, if adjoint is set, Rᴴ with the vectors of the two sides exchanged. u has cols columns.
func throughTriangle[A any](f *field[A], a []A, m, n, cols int, adjoint, vectors bool) (u []A, s []float64, v []A, ok bool) {
	taus := make([]A, n)
	factorQR(f, a, m, n, taus)
	r := make([]A, n*n)
	for i := range n {
		copy(r[i*n+i:(i+1)*n], a[i*n+i:(i+1)*n])
	}
	var ur []A
	if adjoint {
		v, s, ur, ok = throughBidiagonal(f, f.adjointOf(r, n, n), n, n, n, false, vectors)
	} else {
		ur, s, v, ok = throughBidiagonal(f, r, n, n, n, false, vectors)
	}
	if !ok {
		return nil, nil, nil, false
	}
	if !vectors {
		return nil, s, nil, true
	}
	u = f.identityOf(m, cols)
	for i := range n {
		copy(u[i*cols:i*cols+n], ur[i*n:(i+1)*n])
	}
	f.applyReflectors(a, n, m, taus, u, cols, false)
	return u, s, v, true
}

// throughBidiagonal is singularVectors for a matrix with at least as many rows as columns. If
// adjoint is set, a is the adjoint of the matrix to decompose, whose bidiagonal form is lower. u has cols columns.
func throughBidiagonal[A any](f *field[A], a []A, m, n, cols int, adjoint, vectors bool) (u []A, s []float64, v []A, ok bool) {
	d, e := make([]float64, n), make([]float64, n)
	tauq, taup := make([]A, n), make([]A, n)
	var pt []A
	if vectors {
		pt = make([]A, n*n)
	}
	bidiagonalForm(f, a, m, n, d, e, tauq, taup, pt)
	var ut, vt []float64
	var left, right *rotator
	if vectors {
		ut, vt = fieldF64.identityOf(n, n), fieldF64.identityOf(n, n)
		left, right = &rotator{z: ut, n: n}, &rotator{z: vt, n: n}
	}
	if adjoint {
		left, right = right, left
	}
	ok = bidiagonalQR(d, e[:n-1], left, right, n, adjoint, f.grain)
	if !ok {
		return nil, nil, nil, false
	}
	if !vectors {
		return nil, d, nil, true
	}
	u = f.identityOf(m, cols)
	v = make([]A, n*n)
	for i := range n {
		for j := range n {
			u[i*cols+j] = f.of(ut[j*n+i], 0)
			v[i*n+j] = f.of(vt[j*n+i], 0)
		}
	}
	f.applyReflectors(a, n, m, tauq, u, cols, false)
	if n > 1 {
		// Row k of pt is the reflector that acts from k + 1 on.
		columns := make([]A, n*n)
		for i := range n {
			for j := range i {
				columns[(i-1)*n+j] = pt[j*n+i]
			}
		}
		f.applyReflectors(columns, n, n-1, taup[:n-1], v[n:], n, false)
	}
	return u, d, v, true
}

// lessPairs is y −= conj a[q]·x[q, :], then y −= conj b[q]·z[q, :], for each q below `count` in
// order; numbers are `aStep` apart, rows `step`.
func (f *field[A]) lessPairs(y, a, x, b, z []A, aStep, step, count int) {
	n := len(y)
	if count == 0 || n == 0 {
		return
	}
	if f.pairs != nil {
		_, _, _, _ = a[(count-1)*aStep], b[(count-1)*aStep], x[(count-1)*step+n-1], z[(count-1)*step+n-1]
		size := block.ElementBytes[A]()
		f.pairs(unsafe.Pointer(&y[0]), n, unsafe.Pointer(&a[0]), aStep*size, unsafe.Pointer(&x[0]), unsafe.Pointer(&b[0]), unsafe.Pointer(&z[0]), step*size, count)
		return
	}
	for q := range count {
		f.less(y, f.conj(a[q*aStep]), x[q*step:q*step+n])
		f.less(y, f.conj(b[q*aStep]), z[q*step:q*step+n])
	}
}

// addRows is y += conj c[q]·rows[q, :], in order.
func (f *field[A]) addRows(y, c, rows []A, step int) {
	n, count := len(y), len(c)
	if count == 0 || n == 0 {
		return
	}
	if f.moreRows != nil {
		_ = rows[(count-1)*step+n-1]
		f.moreRows(unsafe.Pointer(&y[0]), n, unsafe.Pointer(&c[0]), unsafe.Pointer(&rows[0]), step*block.ElementBytes[A](), count)
		return
	}
	for q, v := range c {
		f.addScaled(y, f.c(v).Conj(), rows[q*step:q*step+n])
	}
}

// svd decomposes each matrix: see matrices.SVDP.
func svd(in, out []*block.Tensor, p matrices.SVDP) {
	l := matrixLoop{in, out, 2}
	m, n := in[0].Shape.At(-2), in[0].Shape.At(-1)
	inWideType(l, svdOf[float64](m, n, p), svdOf[complex128](m, n, p))
}

func svdOf[A any](m, n int, p matrices.SVDP) func(f *field[A], in, out [][]A) {
	return func(f *field[A], in, out [][]A) {
		u, s, v, ok := singularVectors(f, append([]A(nil), in[0]...), m, n, p.Vectors, p.Full)
		if !ok {
			for _, o := range out {
				block.FillRun(o, f.nan)
			}
			return
		}
		lo, k := p.Subset.Lo, len(out[0])
		for i := range k {
			out[0][i] = f.of(s[lo+i], 0)
		}
		if !p.Vectors {
			return
		}
		cols, rows, ucols, vcols := k, k, min(m, n), min(m, n)
		if p.Full {
			cols, rows, lo, ucols, vcols = m, n, 0, m, n
		}
		for i := range m {
			copy(out[1][i*cols:(i+1)*cols], u[i*ucols+lo:i*ucols+lo+cols])
		}
		for i := range rows {
			for j := range n {
				out[2][i*n+j] = f.conj(v[j*vcols+lo+i])
			}
		}
	}
}
