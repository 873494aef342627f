package linalg

import (
	"math"
	"unsafe"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/lower/reference/internal/block"
	"github.com/weft-go/weft/lower/reference/internal/product"
	"github.com/weft-go/weft/lower/scalar"
)

// A field is the arithmetic of factorizations on elements of type A.
type field[A any] struct {
	// less is y[i] = fma(−a, x[i], y[i]); of complex numbers four fused multiply-adds,
	// in the order of dot: re with a.re·x.re, then with a.im·x.im, im with a.re·x.im,
	// then with a.im·x.re.
	less func(y []A, a A, x []A)
	// lessEach is y[i] = fma(−x[i], a, y[i]): of complex numbers the bits differ from those of
	// less.
	lessEach func(y, x []A, a A)
	// lowerBlock is the machine's blockLowerer, nil if it has none.
	lowerBlock blockLowerer[A]
	// reflect is the machine's reflectRows, for at most PanelWidth columns.
	reflect func(a []A, ld, cols int, v []A, tau A)
	// pairs and moreRows are the machine's lessPairs and addRows, steps in bytes.
	pairs    func(y unsafe.Pointer, n int, a unsafe.Pointer, aStep int, x, b, z unsafe.Pointer, step, count int)
	moreRows func(y unsafe.Pointer, n int, c, rows unsafe.Pointer, step, count int)
	// divide is x[i] = x[i] / d.
	divide func(x []A, d A)
	conj   func(A) A
	// root is the square root of the real part of a pivot, false if that is not
	// positive.
	root func(A) (A, bool)
	nan  A
	dt   core.DType
	dot  product.DotKernel[A]
	// parts are the real and imaginary part; of rounds them to an element.
	parts func(A) (re, im float64)
	of    func(re, im float64) A
	// grain is the precision with which iterations end.
	grain precision
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
		dot:    product.DotF32,
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
		dot:    product.DotF64,
		parts:  func(a float64) (float64, float64) { return a, 0 },
		of:     func(re, _ float64) float64 { return re },
		grain:  fine,
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
		lessEach: func(y, x []complex64, a complex64) {
			ar, ai := real(a), imag(a)
			for i, v := range x {
				re, im := real(y[i]), imag(y[i])
				re = scalar.FMA32(-real(v), ar, re)
				re = scalar.FMA32(imag(v), ai, re)
				im = scalar.FMA32(-real(v), ai, im)
				im = scalar.FMA32(-imag(v), ar, im)
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
		dot:   product.DotC64,
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
		lessEach: func(y, x []complex128, a complex128) {
			ar, ai := real(a), imag(a)
			for i, v := range x {
				re, im := real(y[i]), imag(y[i])
				re = math.FMA(-real(v), ar, re)
				re = math.FMA(imag(v), ai, re)
				im = math.FMA(-real(v), ai, im)
				im = math.FMA(-imag(v), ar, im)
				y[i] = complex(re, im)
			}
		},
		divide: func(x []complex128, d complex128) { divideComplex(x, d, core.Complex128) },
		conj:   func(a complex128) complex128 { return complex(real(a), -imag(a)) },
		root:   func(a complex128) (complex128, bool) { return complex(math.Sqrt(real(a)), 0), real(a) > 0 },
		nan:    complex(scalar.NaN64, scalar.NaN64),
		dt:     core.Complex128,
		dot:    product.DotC128,
		parts:  func(a complex128) (float64, float64) { return real(a), imag(a) },
		of:     func(re, im float64) complex128 { return complex(re, im) },
		grain:  fine,
	}
)

func divideAll[A block.Float](x []A, d A) {
	for i, v := range x {
		x[i] = v / d
	}
}

// divideComplex is x[i] = x[i] / d with the bits of div, which takes canonical NaN: processors make others.
func divideComplex[A complex64 | complex128](x []A, d A, dt core.DType) {
	if len(x) == 0 {
		return
	}
	a, b, c := block.NewTensor(core.Aval(dt, len(x))), block.NewTensor(core.Aval(dt)), block.NewTensor(core.Aval(dt, len(x)))
	copy(block.View[A](a), x)
	block.View[A](b)[0] = d
	block.Canon(block.View[A](a))
	block.Canon(block.View[A](b))
	block.Elementwise(prim.DivP{}, []*block.Tensor{a, b}, []*block.Tensor{c})
	copy(x, block.View[A](c))
}

// each is lessEach, or less where products commute to the bit.
func (f *field[A]) each(y, x []A, a A) {
	if f.lessEach == nil {
		f.less(y, a, x)
		return
	}
	f.lessEach(y, x, a)
}

// fieldOf returns the *field in which matrices of a dtype are computed, nil if there is none. Small
// floats compute in f32.
func fieldOf(dt core.DType) any {
	switch {
	case dt == core.Float32 || scalar.IsSmallFloat(dt):
		return &fieldF32
	case dt == core.Float64:
		return &fieldF64
	case dt == core.Complex64:
		return &fieldC64
	case dt == core.Complex128:
		return &fieldC128
	}
	return nil
}

// results returns memory for the elements of y, which finish writes to y.
func (f *field[A]) results(y *block.Tensor) ([]A, *block.Loan) {
	if y.DType == f.dt {
		return block.View[A](y), nil
	}
	return block.Borrow[A](y.Size())
}

// finish rounds results into y, unless they lie there.
func (f *field[A]) finish(y *block.Tensor, x []A) {
	if y.DType != f.dt {
		block.ConversionOf(y.DType).FromF32(y, any(x).([]float32))
	}
}
