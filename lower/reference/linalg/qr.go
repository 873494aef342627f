package linalg

import (
	"math"

	"github.com/weft-go/weft/core/prim/matrices"
	"github.com/weft-go/weft/lower/reference/internal/block"
)

// PanelWidth is how many reflectors are applied to the rest of a matrix at once.
const PanelWidth = 32

// reflector makes H = I − τ·v·vᴴ with Hᴴ·x = β·e₀ of x, which becomes v: see matrices.GeqrfP.
func reflector[A any](f *field[A], x []A) (beta float64, tau A) {
	alpha := f.c(x[0])
	if largest(f, x[1:]) == 0 && alpha.Im == 0 {
		x[0] = f.of(1, 0)
		return alpha.Re, f.of(0, 0)
	}
	beta, _ = f.parts(f.of(-math.Copysign(norm(f, x), alpha.Re), 0))
	tau = f.of((beta-alpha.Re)/beta, -alpha.Im/beta)
	f.divide(x[1:], f.of(alpha.Re-beta, alpha.Im))
	x[0] = f.of(1, 0)
	return beta, tau
}

// factorQR reduces a[m, n] to R with the reflectors below it, panel by panel.
func factorQR[A any](f *field[A], a []A, m, n int, taus []A) {
	k := min(m, n)
	v := make([]A, m+n)
	v, sums := v[:m], v[m:]
	for j0 := 0; j0 < k; j0 += PanelWidth {
		end := min(j0+PanelWidth, k)
		for j := j0; j < end; j++ {
			x := v[:m-j]
			for i := range x {
				x[i] = a[(j+i)*n+j]
			}
			beta, tau := reflector(f, x)
			taus[j] = tau
			a[j*n+j] = f.of(beta, 0)
			for i := 1; i < len(x); i++ {
				a[(j+i)*n+j] = x[i]
			}
			f.reflectRows(a, n, j, j+1, end, x, f.c(tau).Conj(), sums)
		}
		if end < n {
			panel, t := f.panel(a, n, m, j0, end-j0, taus[j0:end])
			f.applyPanel(panel, t, a, n, j0, end, m-j0, n-end, end-j0, true)
		}
	}
}

// reflectRows subtracts τ·v·(vᴴ·a) from the rows of a from r0 on, in the columns from c0 up to, not including, c1.
func (f *field[A]) reflectRows(a []A, ld, r0, c0, c1 int, v []A, tau block.Complex, sums []A) {
	if c0 >= c1 || tau == (block.Complex{}) {
		return
	}
	s := sums[:c1-c0]
	if f.reflect != nil && len(s) <= PanelWidth {
		f.reflect(a[r0*ld+c0:], ld, len(s), v, f.a(tau))
		return
	}
	clear(s)
	for i, e := range v {
		f.addScaled(s, f.c(e).Conj(), a[(r0+i)*ld+c0:(r0+i)*ld+c1])
	}
	for j, e := range s {
		s[j] = f.a(f.c(e).Mul(tau))
	}
	for i, e := range v {
		f.less(a[(r0+i)*ld+c0:(r0+i)*ld+c1], e, s)
	}
}

// panel returns the vectors v of w reflectors, packed in columns j0 … of a, as a matrix V of m − j0
// rows, and T with H₀·H₁·… = I − V·T·Vᴴ.
func (f *field[A]) panel(a []A, ld, m, j0, w int, taus []A) (v, t []A) {
	rows := m - j0
	all := make([]A, rows*w+2*w*w)
	v, all = all[:rows*w], all[rows*w:]
	for i := range rows {
		for j := range min(i, w) {
			v[i*w+j] = a[(j0+i)*ld+j0+j]
		}
		if i < w {
			v[i*w+i] = f.of(1, 0)
		}
	}
	return v, f.panelFactor(all[:w*w], all[w*w:], v, rows, w, taus)
}

// panelFactor writes T into t, which must be zeros, column by column: −τ·T·(Vᴴ·v) above the diagonal. It writes Vᴴ·V into
// gram.
func (f *field[A]) panelFactor(t, gram, v []A, rows, w int, taus []A) []A {
	vh, l := block.Borrow[A](rows * w)
	f.adjointInto(vh, v, rows, w)
	f.product(gram, vh, v, w, w, rows)
	l.Back()
	if !f.dt.IsComplex() && f.realPanelFactor(t, gram, w, taus) {
		return t
	}
	for j := range w {
		tau := f.c(taus[j])
		t[j*w+j] = taus[j]
		for i := range j {
			var s block.Complex
			for l := i; l < j; l++ {
				s = s.Add(f.c(t[i*w+l]).Mul(f.c(gram[l*w+j])))
			}
			t[i*w+j] = f.a(s.Mul(tau).Neg())
		}
	}
	return t
}

// realPanelFactor is panelFactor of real numbers, the sums of a column side by side. It reports
// false if a result is not finite: then the imaginary parts, which it leaves out, count.
func (f *field[A]) realPanelFactor(t, gram []A, w int, taus []A) bool {
	columns, l := block.Borrow[float64](w*w + w) // row i is column i of T
	defer l.Back()
	clear(columns)
	sums := columns[w*w:]
	for j := range w {
		tau, _ := f.parts(taus[j])
		s := sums[:j]
		clear(s)
		for l := range j {
			g, _ := f.parts(gram[l*w+j])
			for i, e := range columns[l*w : l*w+l+1] {
				s[i] += block.Times(e, g)
			}
		}
		for i, e := range s {
			t[i*w+j] = f.of(-block.Times(e, tau), 0)
			columns[j*w+i], _ = f.parts(t[i*w+j])
		}
		t[j*w+j], columns[j*w+j] = taus[j], tau
	}
	big := largest(&fieldF64, columns)
	return !math.IsNaN(big) && !math.IsInf(big, 0)
}

// applyPanel subtracts from the m × n block of c at (r0, c0) V·T·Vᴴ times the block, with Tᴴ for T if adjoint is set:
// three products and a subtraction.
func (f *field[A]) applyPanel(v, t, c []A, ld, r0, c0, m, n, w int, adjoint bool) {
	if m <= 0 || n <= 0 {
		return
	}
	vh, lt := block.Borrow[A](max(m, w) * w)
	rest, lr := block.Borrow[A](m * n)
	x, lx := block.Borrow[A](w * n)
	y, ly := block.Borrow[A](w * n)
	rows, cols := m, n
	if n == ld { // the rows lie together
		rows, cols = 1, m*n
	}
	at := c[r0*ld+c0:]
	for i := range rows {
		copy(rest[i*cols:(i+1)*cols], at[i*ld:])
	}
	f.adjointInto(vh, v, m, w)
	f.product(x, vh[:m*w], rest, w, n, m)
	if adjoint {
		f.adjointInto(vh, t, w, w)
		t = vh[:w*w]
	}
	f.product(y, t, x, w, n, w)
	f.product(rest, v, y, m, n, w)
	one := block.Complex{Re: 1, Im: 0}
	for i := range rows {
		f.lessScaled(at[i*ld:i*ld+cols], one, rest[i*cols:(i+1)*cols])
	}
	ly.Back()
	lx.Back()
	lr.Back()
	lt.Back()
}

// formReflectors replaces the identity c, m × n, by the product Q of the reflectors in a. The
// columns before those of a panel are still those of the identity, and stay so if all numbers are
// finite.
func (f *field[A]) formReflectors(a []A, ld, m int, taus, c []A, n int) {
	k := len(taus)
	for j0 := (k - 1) / PanelWidth * PanelWidth; j0 >= 0 && k > 0; j0 -= PanelWidth {
		w := min(PanelWidth, k-j0)
		v, t := f.panel(a, ld, m, j0, w, taus[j0:j0+w])
		c0 := 0
		if big := largest(f, v) + largest(f, t); !math.IsNaN(big) && !math.IsInf(big, 0) {
			c0 = min(j0, n)
		}
		f.applyPanel(v, t, c, n, j0, c0, m-j0, n-c0, w, false)
	}
}

// applyReflectors multiplies c[m, n] from the left by the product Q of the reflectors that are
// packed in the first columns of a, whose rows have ld elements, or by Qᴴ.
func (f *field[A]) applyReflectors(a []A, ld, m int, taus, c []A, n int, adjoint bool) {
	k := len(taus)
	last := (k - 1) / PanelWidth * PanelWidth
	for i := 0; i < k; i += PanelWidth {
		j0 := last - i
		if adjoint {
			j0 = i
		}
		w := min(PanelWidth, k-j0)
		v, t := f.panel(a, ld, m, j0, w, taus[j0:j0+w])
		f.applyPanel(v, t, c, n, j0, 0, m-j0, n, w, adjoint)
	}
}

// geqrf factors each matrix: see matrices.GeqrfP.
func geqrf(in, out []*block.Tensor) {
	l := matrixLoop{in, out, 2}
	m, n := in[0].Shape.At(-2), in[0].Shape.At(-1)
	inOwnType(l, geqrfOf[float32](m, n), geqrfOf[float64](m, n), geqrfOf[complex64](m, n), geqrfOf[complex128](m, n))
}

func geqrfOf[A any](m, n int) func(f *field[A], in, out [][]A, _ [][]int32) {
	return func(f *field[A], in, out [][]A, _ [][]int32) {
		copy(out[0], in[0])
		factorQR(f, out[0], m, n, out[1])
	}
}

// householderProduct multiplies the reflectors of each matrix: see matrices.HouseholderProductP.
func householderProduct(in, out []*block.Tensor) {
	l := matrixLoop{in, out, 2}
	m, n := in[0].Shape.At(-2), in[0].Shape.At(-1)
	inOwnType(l, reflectorsOf[float32](m, n), reflectorsOf[float64](m, n), reflectorsOf[complex64](m, n), reflectorsOf[complex128](m, n))
}

func reflectorsOf[A any](m, n int) func(f *field[A], in, out [][]A, _ [][]int32) {
	return func(f *field[A], in, out [][]A, _ [][]int32) {
		copy(out[0], f.identityOf(m, n))
		f.formReflectors(in[0], n, m, in[1], out[0], n)
	}
}

// ormqr multiplies each matrix by a product of reflectors: see matrices.OrmqrP.
func ormqr(in, out []*block.Tensor, p matrices.OrmqrP) {
	l := matrixLoop{in, out, 2}
	s, c := in[0].Shape, in[2].Shape
	m, ld, rows, cols := s.At(-2), s.At(-1), c.At(-2), c.At(-1)
	inOwnType(l, ormqrOf[float32](m, ld, rows, cols, p), ormqrOf[float64](m, ld, rows, cols, p),
		ormqrOf[complex64](m, ld, rows, cols, p), ormqrOf[complex128](m, ld, rows, cols, p))
}

func ormqrOf[A any](m, ld, rows, cols int, p matrices.OrmqrP) func(f *field[A], in, out [][]A, _ [][]int32) {
	return func(f *field[A], in, out [][]A, _ [][]int32) {
		if p.Left {
			copy(out[0], in[2])
			f.applyReflectors(in[0], ld, m, in[1], out[0], cols, p.Transposed)
			return
		}
		// C·Q is (Qᴴ·Cᴴ)ᴴ.
		c := f.adjointOf(in[2], rows, cols)
		f.applyReflectors(in[0], ld, m, in[1], c, rows, !p.Transposed)
		copy(out[0], f.adjointOf(c, cols, rows))
	}
}

// qrFactors factors each matrix: see matrices.QRP.
func qrFactors(in, out []*block.Tensor, p matrices.QRP) {
	l := matrixLoop{in, out, 2}
	m, n := in[0].Shape.At(-2), in[0].Shape.At(-1)
	inOwnType(l, qrOf[float32](m, n, p), qrOf[float64](m, n, p), qrOf[complex64](m, n, p), qrOf[complex128](m, n, p))
}

func qrOf[A any](m, n int, p matrices.QRP) func(f *field[A], in, out [][]A, ints [][]int32) {
	return func(f *field[A], in, out [][]A, ints [][]int32) {
		a := append([]A(nil), in[0]...)
		k := min(m, n)
		cols := k
		if p.Full {
			cols = m
		}
		taus := make([]A, k)
		if p.Pivoting {
			factorPivoted(f, a, m, n, taus, ints[2])
		} else {
			factorQR(f, a, m, n, taus)
		}
		q, r := out[0], out[1]
		copy(q, f.identityOf(m, cols))
		f.formReflectors(a, n, m, taus, q, cols)
		clear(r)
		for i := range min(k, cols) {
			copy(r[i*n+i:(i+1)*n], a[i*n+i:])
		}
	}
}

// factorPivoted is factorQR one reflector at a time, of the remaining column with the largest
// norm.
func factorPivoted[A any](f *field[A], a []A, m, n int, taus []A, order []int32) {
	for j := range order {
		order[j] = int32(j)
	}
	sums, v := make([]A, n), make([]A, m)
	for j := range min(m, n) {
		x := v[:m-j]
		column := func(c int) {
			for i := range x {
				x[i] = a[(j+i)*n+c]
			}
		}
		best, big := j, -1.0
		for c := j; c < n; c++ {
			column(c)
			if s := norm(f, x); s > big {
				best, big = c, s
			}
		}
		if best != j {
			order[j], order[best] = order[best], order[j]
			for i := range m {
				a[i*n+j], a[i*n+best] = a[i*n+best], a[i*n+j]
			}
		}
		column(j)
		beta, tau := reflector(f, x)
		taus[j] = tau
		a[j*n+j] = f.of(beta, 0)
		for i := 1; i < len(x); i++ {
			a[(j+i)*n+j] = x[i]
		}
		f.reflectRows(a, n, j, j+1, n, x, f.c(tau).Conj(), sums)
	}
}
