package linalg

import (
	"math"
	"unsafe"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lower/reference/internal/block"
	"github.com/weft-go/weft/lower/reference/internal/product"
)

// exponentOf returns the e with |v| = m·2ᵉ and ½ ≤ m < 1; 0 for zero and for numbers that are not finite.
func exponentOf(v float64) int {
	if v == 0 || math.IsInf(v, 0) || math.IsNaN(v) {
		return 0
	}
	_, e := math.Frexp(v)
	return e
}

// largest returns the largest |part| of the elements, NaN if a part is NaN.
func largest[A any](f *field[A], x []A) float64 {
	switch x := any(x).(type) {
	case []float32: // numbers without signs have the order of their bits, NaN behind ∞
		big := uint32(0)
		for _, v := range x {
			big = max(big, math.Float32bits(v)&^(1<<31))
		}
		return float64(math.Float32frombits(big))
	case []float64:
		big := uint64(0)
		for _, v := range x {
			big = max(big, math.Float64bits(v)&^(1<<63))
		}
		return math.Float64frombits(big)
	}
	big := 0.0
	for _, v := range x {
		re, im := f.parts(v)
		for _, part := range [2]float64{math.Abs(re), math.Abs(im)} {
			if part > big {
				big = part
			} else if part != part {
				return part
			}
		}
	}
	return big
}

// norm returns the root of the sum of squares: scaled by a power of two, a chain of fma in
// f64 over real and imaginary parts in order.
func norm[A any](f *field[A], x []A) float64 {
	e := exponentOf(largest(f, x))
	scale := math.Ldexp(1, -e) // exact, but for −e of 1024 and more
	s := 0.0
	if e > -1000 {
		switch x := any(x).(type) {
		case []float32:
			for _, v := range x {
				v := float64(v) * scale
				s = math.FMA(v, v, s)
			}
			return math.Ldexp(math.Sqrt(s), e)
		case []float64:
			for _, v := range x {
				v := v * scale
				s = math.FMA(v, v, s)
			}
			return math.Ldexp(math.Sqrt(s), e)
		}
	}
	for _, v := range x {
		re, im := f.parts(v)
		if e > -1000 {
			re, im = re*scale, im*scale
		} else {
			re, im = math.Ldexp(re, -e), math.Ldexp(im, -e)
		}
		s = math.FMA(re, re, s)
		if im != 0 {
			s = math.FMA(im, im, s)
		}
	}
	return math.Ldexp(math.Sqrt(s), e)
}

func (f *field[A]) c(a A) block.Complex {
	re, im := f.parts(a)
	return block.Complex{Re: re, Im: im}
}

func (f *field[A]) a(z block.Complex) A { return f.of(z.Re, z.Im) }

// addScaled is y[i] = fma(a, x[i], y[i]), computed by less.
func (f *field[A]) addScaled(y []A, a block.Complex, x []A) { f.less(y, f.a(a.Neg()), x) }

func (f *field[A]) lessScaled(y []A, a block.Complex, x []A) { f.less(y, f.a(a), x) }

// inner returns Σ x[i]·y[i] with the bits of dot_general.
func (f *field[A]) inner(x, y []A) block.Complex {
	if t := product.TilerOf[A](); t != nil && len(x) >= product.DotChunk {
		return f.c(t.Inner(f.dot, x, y))
	}
	var c [1]A
	if len(x) > 0 {
		f.dot(c[:], x, y)
	}
	return f.c(c[0])
}

// innerEach is dots[i] = inner(x, rows[i, :]) for the first `count` rows, which are ld apart; the
// machine reads rows and writes numbers up to the next multiple of eight.
func (f *field[A]) innerEach(dots []A, count int, rows []A, ld int, x []A) {
	if t := product.TilerOf[A](); t != nil && count > 0 {
		t.ColumnOf(f.dot, dots[:(count+product.ChainRows-1)/product.ChainRows*product.ChainRows], rows, ld, x, (count+product.ChainRows-1)/product.ChainRows*product.ChainRows, len(x), nil)
		return
	}
	for i := range count {
		dots[i] = f.a(f.inner(x, rows[i*ld:i*ld+len(x)]))
	}
}

// times is y[i] = a[i, :]·x with the bits of dot_general; rows of a are ld apart.
func (f *field[A]) times(y, a []A, ld int, x []A) {
	k := len(x)
	if t := product.TilerOf[A](); t != nil && k > 0 {
		t.ColumnOf(f.dot, y, a, ld, x, len(y), k, nil)
		return
	}
	clear(y)
	for i := range y {
		f.dot(y[i:i+1], x, a[i*ld:i*ld+k])
	}
}

// tensorOf returns the matrix as a tensor over the same memory.
func (f *field[A]) tensorOf(x []A, m, n int) *block.Tensor {
	t := &block.Tensor{ShapedArray: core.Aval(f.dt, m, n)}
	if len(x) > 0 {
		t.Data = unsafe.Slice((*byte)(unsafe.Pointer(&x[0])), len(x)*f.dt.Size())
	}
	return t
}

// fewProducts is a number of products that take less time than making tensors of the matrices does.
const fewProducts = 512

// product is y[m, n] = a[m, k]·b[k, n] with the bits of dot_general.
func (f *field[A]) product(y, a, b []A, m, n, k int) {
	if m == 0 || n == 0 {
		return
	}
	if n == 1 && !f.dt.IsComplex() { // complex products with the operands exchanged have other bits
		f.times(y, a, k, b)
		return
	}
	if k > 0 && !product.Tiled(n, k) && m*n*k <= fewProducts {
		columns, l := block.Borrow[A](k * n)
		for i := range k {
			for j, v := range b[i*n : (i+1)*n] {
				columns[j*k+i] = v
			}
		}
		product.Multiply(f.dot, y, n, a, columns, m, n, k, nil)
		l.Back()
		return
	}
	none := core.Dims{}
	product.DotInto(f.dot, y, f.tensorOf(a, m, k), f.tensorOf(b, k, n), core.MakeDims(1), core.MakeDims(0), none, none, nil)
}

// adjointOf returns the conjugate transpose of x[m, n] as y[n, m].
func (f *field[A]) adjointOf(x []A, m, n int) []A {
	y := make([]A, len(x))
	f.adjointInto(y, x, m, n)
	return y
}

func (f *field[A]) adjointInto(y, x []A, m, n int) {
	for i := range m {
		for j, v := range x[i*n : (i+1)*n] {
			y[j*m+i] = v
		}
	}
	if f.dt.IsComplex() {
		f.conjAll(y[:m*n])
	}
}

// identityOf returns the first n columns of the identity of m rows.
func (f *field[A]) identityOf(m, n int) []A {
	x := make([]A, m*n)
	one := f.of(1, 0)
	for i := range min(m, n) {
		x[i*n+i] = one
	}
	return x
}

func (f *field[A]) conjAll(x []A) {
	for i, v := range x {
		x[i] = f.conj(v)
	}
}

// A matrixLoop is a loop over the matrices in arrays. Functions are called with one slice for each operand and
// result, converted to the type in which they compute.
type matrixLoop struct {
	in, out []*block.Tensor
	rank    int // how many last axes of the first operand are one matrix, or vector
}

// eachMatrix calls run for each position of the leading axes.
func eachMatrix[A any](l matrixLoop, f *field[A], run func(f *field[A], in, out [][]A)) {
	eachMixed(l, f, func(f *field[A], in, out [][]A, _ [][]int32) { run(f, in, out) })
}

// eachMixed is eachMatrix where i32 results are slices of their own.
func eachMixed[A any](l matrixLoop, f *field[A], run func(f *field[A], in, out [][]A, ints [][]int32)) {
	batch := 1
	x := l.in[0]
	lead := x.Rank() - l.rank
	for i := range lead {
		batch *= x.Shape.At(i)
	}
	if batch == 0 {
		return
	}
	ni, no := len(l.in), len(l.out)
	lists := make([][]A, 2*(ni+no)) // whole arrays, then the matrices of one position
	ins, outs, lists := lists[:ni], lists[ni:ni+no], lists[ni+no:]
	in, out := lists[:ni], lists[ni:]
	ints := make([][]int32, 2*no)
	ints, whole := ints[:no], ints[no:]
	loans := make([]*block.Loan, 0, ni+no)
	for i, t := range l.in {
		e, lo := block.ElementsAs[A](t)
		ins[i] = e
		loans = append(loans, lo)
	}
	for i, t := range l.out {
		switch {
		case t.DType == core.Int32:
			ints[i] = block.View[int32](t)
		case t.DType == f.dt:
			outs[i] = block.View[A](t)
		default:
			e, lo := block.Borrow[A](t.Size())
			outs[i] = e
			loans = append(loans, lo)
		}
	}
	for b := range batch {
		for i, e := range ins {
			n := len(e) / batch
			in[i] = e[b*n : (b+1)*n]
		}
		for i := range outs {
			n := l.out[i].Size() / batch
			if ints[i] != nil {
				whole[i] = ints[i][b*n : (b+1)*n]
			} else if n > 0 {
				out[i] = outs[i][b*n : (b+1)*n]
			}
		}
		run(f, in, out, whole)
	}
	for i, t := range l.out {
		if ints[i] == nil {
			block.Store(t, outs[i])
		}
	}
	for _, lo := range loans {
		lo.Back()
	}
}

type ownLoop[A any] = func(f *field[A], in, out [][]A, ints [][]int32)

// inOwnType runs the loop for the dtype of the matrices; small floats compute in f32.
func inOwnType(l matrixLoop, r32 ownLoop[float32], r64 ownLoop[float64], c64 ownLoop[complex64], c128 ownLoop[complex128]) {
	switch f := fieldOf(l.in[0].DType).(type) {
	case *field[float32]:
		eachMixed(l, f, r32)
	case *field[float64]:
		eachMixed(l, f, r64)
	case *field[complex64]:
		eachMixed(l, f, c64)
	case *field[complex128]:
		eachMixed(l, f, c128)
	default:
		block.Refuse(l.in[0].DType)
	}
}

// inWideType runs r64, or c128 for complex elements.
func inWideType(l matrixLoop, r64 func(*field[float64], [][]float64, [][]float64), c128 func(*field[complex128], [][]complex128, [][]complex128)) {
	if l.in[0].DType.IsComplex() {
		f := fieldC128
		f.grain = grainOf(l.in[0].DType)
		eachMatrix(l, &f, c128)
		return
	}
	f := fieldF64
	f.grain = grainOf(l.in[0].DType)
	eachMatrix(l, &f, r64)
}

// A precision determines what an iteration in f64 neglects: eps is half the distance from 1 to the
// next number of the matrix's type, and least that type's smallest normal number. LAPACK iterates
// in the matrix's type. With the same bounds there are as many iterations here; the signs of
// vectors depend on their number.
type precision struct{ eps, least float64 }

var (
	fine   = precision{eps: 0x1p-53, least: 0x1p-1022}
	coarse = precision{eps: 0x1p-24, least: 0x1p-126}
)

// ulp returns the distance from 1 to the next number.
func (p precision) ulp() float64 { return 2 * p.eps }

func grainOf(dt core.DType) precision {
	if dt == core.Float64 || dt == core.Complex128 {
		return fine
	}
	return coarse
}
