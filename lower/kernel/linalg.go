package kernel

import (
	"math"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/lower/scalar"
)

// A field is what factorizations need of numbers.
type field[A any] struct {
	// less is y[i] = fma(−a, x[i], y[i]); of complex numbers four fused multiply-adds,
	// in the order of dot: re with a.re·x.re, then with a.im·x.im, im with a.re·x.im,
	// then with a.im·x.re.
	less func(y []A, a A, x []A)
	// divide is x[i] / d.
	divide func(x []A, d A)
	conj   func(A) A
	// root is the square root of the real part of a pivot, false if that is not
	// positive.
	root func(A) (A, bool)
	nan  A
	dt   core.DType
	dot  dotKernel[A]
	// parts are the real and imaginary part; of rounds them to an element.
	parts func(A) (re, im float64)
	of    func(re, im float64) A
}

var (
	fieldF32 = field[float32]{
		less: func(y []float32, a float32, x []float32) {
			for i, v := range x {
				y[i] = scalar.FMA32(-a, v, y[i])
			}
		},
		divide: divideAll[float32],
		conj:   func(a float32) float32 { return a },
		root:   func(a float32) (float32, bool) { return float32(math.Sqrt(float64(a))), a > 0 },
		nan:    scalar.NaN32,
		dt:     core.Float32,
		dot:    dotF32,
		parts:  func(a float32) (float64, float64) { return float64(a), 0 },
		of:     func(re, _ float64) float32 { return float32(re) },
	}
	fieldF64 = field[float64]{
		less: func(y []float64, a float64, x []float64) {
			for i, v := range x {
				y[i] = math.FMA(-a, v, y[i])
			}
		},
		divide: divideAll[float64],
		conj:   func(a float64) float64 { return a },
		root:   func(a float64) (float64, bool) { return math.Sqrt(a), a > 0 },
		nan:    scalar.NaN64,
		dt:     core.Float64,
		dot:    dotF64,
		parts:  func(a float64) (float64, float64) { return a, 0 },
		of:     func(re, _ float64) float64 { return re },
	}
	fieldC64 = field[complex64]{
		less: func(y []complex64, a complex64, x []complex64) {
			ar, ai := real(a), imag(a)
			for i, v := range x {
				re, im := real(y[i]), imag(y[i])
				re = scalar.FMA32(-ar, real(v), re)
				re = scalar.FMA32(ai, imag(v), re)
				im = scalar.FMA32(-ar, imag(v), im)
				im = scalar.FMA32(-ai, real(v), im)
				y[i] = complex(re, im)
			}
		},
		divide: func(x []complex64, d complex64) { divideComplex(x, d, core.Complex64) },
		conj:   func(a complex64) complex64 { return complex(real(a), -imag(a)) },
		root: func(a complex64) (complex64, bool) {
			return complex(float32(math.Sqrt(float64(real(a)))), 0), real(a) > 0
		},
		nan:   complex(scalar.NaN32, scalar.NaN32),
		dt:    core.Complex64,
		dot:   dotC64,
		parts: func(a complex64) (float64, float64) { return float64(real(a)), float64(imag(a)) },
		of:    func(re, im float64) complex64 { return complex(float32(re), float32(im)) },
	}
	fieldC128 = field[complex128]{
		less: func(y []complex128, a complex128, x []complex128) {
			ar, ai := real(a), imag(a)
			for i, v := range x {
				re, im := real(y[i]), imag(y[i])
				re = math.FMA(-ar, real(v), re)
				re = math.FMA(ai, imag(v), re)
				im = math.FMA(-ar, imag(v), im)
				im = math.FMA(-ai, real(v), im)
				y[i] = complex(re, im)
			}
		},
		divide: func(x []complex128, d complex128) { divideComplex(x, d, core.Complex128) },
		conj:   func(a complex128) complex128 { return complex(real(a), -imag(a)) },
		root:   func(a complex128) (complex128, bool) { return complex(math.Sqrt(real(a)), 0), real(a) > 0 },
		nan:    complex(scalar.NaN64, scalar.NaN64),
		dt:     core.Complex128,
		dot:    dotC128,
		parts:  func(a complex128) (float64, float64) { return real(a), imag(a) },
		of:     func(re, im float64) complex128 { return complex(re, im) },
	}
)

func divideAll[A float](x []A, d A) {
	for i, v := range x {
		x[i] = v / d
	}
}

// divideComplex divides by the expansion of div.
func divideComplex[A complex64 | complex128](x []A, d A, dt core.DType) {
	if len(x) == 0 {
		return
	}
	a, b, c := NewTensor(core.Aval(dt, len(x))), NewTensor(core.Aval(dt)), NewTensor(core.Aval(dt, len(x)))
	copy(View[A](a), x)
	View[A](b)[0] = d
	elementwise(prim.DivP{}, []*Tensor{a, b}, []*Tensor{c})
	copy(x, View[A](c))
}

// cholesky is the lower triangular root of each matrix. Column by column from the
// left: the diagonal element is the root of the real part of the pivot, those below
// are divided by it, and every later column k is lowered by the column times conj
// y[k, j], one fma an element. If a pivot is not positive the lower triangle is NaN.
func cholesky(y, x *Tensor) { numericOf(x.DType).cholesky(y, x) }

func choleskyInto[A any](f *field[A], y, x []A, shape core.Dims) {
	n := shape.At(-1)
	col, l := borrow[A](n)
	for len(x) > 0 {
		choleskyOne(f, y[:n*n], x[:n*n], col, n)
		y, x = y[n*n:], x[n*n:]
	}
	l.back()
}

func choleskyOne[A any](f *field[A], y, x, col []A, n int) {
	var zero A
	for i := range n {
		copy(y[i*n:i*n+i+1], x[i*n:i*n+i+1])
		fillRun(y[i*n+i+1:(i+1)*n], zero)
	}
	for j := range n {
		d, ok := f.root(y[j*n+j])
		if !ok {
			for i := range n {
				fillRun(y[i*n:i*n+i+1], f.nan)
			}
			return
		}
		y[j*n+j] = d
		for i := j + 1; i < n; i++ {
			col[i] = y[i*n+j]
		}
		f.divide(col[j+1:], d)
		for i := j + 1; i < n; i++ {
			y[i*n+j] = col[i]
			col[i] = f.conj(col[i])
		}
		for i := j + 1; i < n; i++ {
			f.less(y[i*n+j+1:i*n+i+1], y[i*n+j], col[j+1:i+1])
		}
	}
	canon(y)
}

// triangularSolve finds the unknowns of triangular systems one after the other, from
// the one whose equation has no others on: each is divided by its diagonal element
// and taken out of the equations that follow by one fma.
func triangularSolve(y, a, b *Tensor, p prim.TriangularSolveP) { numericOf(a.DType).solve(y, a, b, p) }

func solveInto[A any](f *field[A], y, a, b []A, shape core.Dims, p prim.TriangularSolveP) {
	if len(y) == 0 {
		return
	}
	rows, cols := shape.At(-2), shape.At(-1)
	n, m := rows, cols // unknowns, systems
	if !p.LeftSide {
		n, m = cols, rows
	}
	// X·op(A) = B is op(A)ᵀ·Xᵀ = Bᵀ.
	transposed := p.TransposeA != !p.LeftSide
	forward := p.Lower != transposed
	mat, lm := borrow[A](n * n)
	x, lx := borrow[A](n * m)
	for len(b) > 0 {
		for i := range n {
			for k := range n {
				v := a[i*n+k]
				if transposed {
					v = a[k*n+i]
				}
				if p.ConjugateA {
					v = f.conj(v)
				}
				mat[i*n+k] = v
			}
		}
		if p.LeftSide {
			copy(x, b[:n*m])
		} else {
			moveAs(x, b, 0, 0, []axis{{n, m, 1}, {m, 1, n}})
		}
		for step := range n {
			k := step
			if !forward {
				k = n - 1 - step
			}
			row := x[k*m : (k+1)*m]
			if !p.UnitDiagonal {
				f.divide(row, mat[k*n+k])
			}
			for rest := step + 1; rest < n; rest++ {
				i := rest
				if !forward {
					i = n - 1 - rest
				}
				f.less(x[i*m:(i+1)*m], mat[i*n+k], row)
			}
		}
		canon(x)
		if p.LeftSide {
			copy(y, x)
		} else {
			moveAs(y, x, 0, 0, []axis{{m, n, 1}, {n, 1, m}})
		}
		a, b, y = a[n*n:], b[n*m:], y[n*m:]
	}
	lx.back()
	lm.back()
}
