package reference

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim/indexed"
	"github.com/weft-go/weft/core/prim/windows"
	"github.com/weft-go/weft/lower/reference/internal/block"
	"github.com/weft-go/weft/lower/reference/internal/product"
	"github.com/weft-go/weft/lower/scalar"
)

// arithmetic contains the loops that compute in accumulators of one type: see fold.
type arithmetic interface {
	reduce(op foldOp, y, x *block.Tensor, axes core.Dims, lanes bool)
	cumulate(op foldOp, y, x *block.Tensor, axis int, reverse bool)
	window(op foldOp, y, x *block.Tensor, w windows.Window)
	addAt(y, source *block.Tensor, at []int)
	// wrap wraps integers of fewer than 8 bits, which were computed in y with 8, to their own
	// width.
	wrap(y *block.Tensor)
}

// products contains the products of a dtype in accumulators of its own type, of f32 or of i64;
// there is no code for other accumulators.
type products interface {
	dot(y, a, b *block.Tensor, ac, bc, ab, bb core.Dims, stop block.Stopper)
	convolve(y, x, w *block.Tensor, p windows.ConvP, stop block.Stopper)
}

type numeric struct {
	arithmetic // nil if there is none
	products
	// arg is argTo.
	arg func(greatest bool, y, x *block.Tensor, axis int)
	// keys is sortKeys.
	keys func(dst []uint64, x *block.Tensor, off, stride int, imaginary, total bool) int
	// count writes 0 … n−1 to y, each inner times; nil if elements are written as bytes.
	count func(y *block.Tensor, n, inner int)
	// update returns the updater of a scatter of u into y.
	update func(op indexed.Combiner, y, u *block.Tensor) func(d, step, u, n int)
	elements
}

var numerics [core.NumDTypes]numeric

// numericOf returns the loops of a dtype. It panics for dtypes without arithmetic.
func numericOf(dt core.DType) *numeric {
	n := &numerics[dt]
	if n.arithmetic == nil {
		block.Refuse(dt)
	}
	return n
}

type arith[A any] struct {
	folds *folds[A]
	sum   foldOp                                   // the operation that sums products
	mul   product.DotKernel[A]                     // nil for integers of fewer than 64 bits
	add   func(y, source []A, at []int)            // nil for bool and complex numbers
	rows  func(x *block.Tensor) block.Rows[A]      // x as accumulators
	begin func(y *block.Tensor) ([]A, *block.Loan) // accumulators for y
	end   func(op foldOp, y *block.Tensor, v []A)  // converts them to y
}

func (a *arith[A]) reduce(op foldOp, y, x *block.Tensor, axes core.Dims, lanes bool) {
	acc, l := a.begin(y)
	reduceInto(&a.folds[op], acc, a.rows(x), x.Shape, axes, lanes)
	a.end(op, y, acc)
	l.Back()
}

func (a *arith[A]) cumulate(op foldOp, y, x *block.Tensor, axis int, reverse bool) {
	acc, l := a.begin(y)
	cumulateInto(&a.folds[op], acc, a.rows(x), x.Shape, axis, reverse)
	a.end(op, y, acc)
	l.Back()
}

func (a *arith[A]) window(op foldOp, y, x *block.Tensor, w windows.Window) {
	acc, l := a.begin(y)
	reduceWindowInto(&a.folds[op], acc, y, x, w)
	a.end(op, y, acc)
	l.Back()
}

func (a *arith[A]) addAt(y, source *block.Tensor, at []int) {
	if a.add == nil {
		block.Refuse(y.DType)
	}
	acc, l := a.begin(y)
	e, le := block.ElementsAs[A](source)
	a.add(acc, e, at)
	a.end(foldSum, y, acc)
	le.Back()
	l.Back()
}

func (a *arith[A]) wrap(y *block.Tensor) { a.end(foldSum, y, nil) }

type productsOf[A any] struct{ *arith[A] }

func (p productsOf[A]) dot(y, x, w *block.Tensor, xc, wc, xb, wb core.Dims, stop block.Stopper) {
	acc, l := p.begin(y)
	product.DotInto(p.mul, acc, x, w, xc, wc, xb, wb, stop)
	p.end(foldSum, y, acc)
	l.Back()
}

func (p productsOf[A]) convolve(y, x, w *block.Tensor, c windows.ConvP, stop block.Stopper) {
	acc, l := p.begin(y)
	convolveInto(p.mul, &p.folds[p.sum], acc, y.Shape, x, w, c, stop)
	p.end(foldSum, y, acc)
	l.Back()
}

// wideProducts are products in i64; their low bits are those of products in fewer bits.
func wideProducts(a arith[int64]) productsOf[int64] {
	a.folds = &foldsI64
	a.begin = func(y *block.Tensor) ([]int64, *block.Loan) { return block.Borrow[int64](y.Size()) }
	a.end = func(op foldOp, y *block.Tensor, v []int64) {
		switch y.DType.Size() {
		case 1:
			lastBits[int8](y, v)
		case 2:
			lastBits[int16](y, v)
		default:
			lastBits[int32](y, v)
		}
		numericOf(y.DType).wrap(y)
	}
	return productsOf[int64]{&a}
}

func lastBits[A block.Signed](y *block.Tensor, x []int64) {
	to := block.View[A](y)
	for i, v := range x {
		to[i] = A(v)
	}
}

// direct completes an arith whose accumulators are the elements themselves.
func direct[A any](a arith[A]) *arith[A] {
	a.rows = func(x *block.Tensor) block.Rows[A] { return block.Rows[A]{Plain: block.View[A](x)} }
	a.begin = func(y *block.Tensor) ([]A, *block.Loan) { return block.View[A](y), nil }
	a.end = func(foldOp, *block.Tensor, []A) {}
	return &a
}

// shortened is direct for integers of fewer than 8 bits, which lie in a T: shorten converts the results to them.
func shortened[T int8 | uint8](a arith[int8]) *arith[int8] {
	d := direct(a)
	d.end = func(op foldOp, y *block.Tensor, _ []int8) { shorten(op, block.View[T](y), uint(y.DType.Bits())) }
	return d
}

// widened computes in f32 and rounds each result once.
func widened(a arith[float32]) *arith[float32] {
	a.rows = func(x *block.Tensor) block.Rows[float32] { return block.Rows[float32]{Small: block.SmallRowsOf(x).At} }
	a.begin = func(y *block.Tensor) ([]float32, *block.Loan) { return block.Borrow[float32](y.Size()) }
	a.end = func(_ foldOp, y *block.Tensor, v []float32) { block.NarrowTo(y, 0, v) }
	return &a
}

// The functions in numerics refer to numerics, so an initial value in its declaration would be a cycle.
func init() {
	bools := arith[int8]{folds: &foldsBool}
	i8 := arith[int8]{folds: &foldsI8, add: addAt[int8]}
	u8 := arith[int8]{folds: &foldsU8, add: addAt[int8]}
	truths, wide := wideProducts(arith[int64]{sum: foldOr, mul: product.DotBool}), wideProducts(arith[int64]{mul: product.DotInt})
	numerics[core.Bool] = numeric{direct(bools), truths, argOf[uint8], unsignedKeysOf[uint8], nil, updatersBool.update, elements{}}
	for _, dt := range []core.DType{core.Int2, core.Int4} {
		numerics[dt] = numeric{shortened[int8](i8), wide, argOf[int8], signedKeysOf[int8], nil, updatersI8.update, signedElements[int8]()}
	}
	for _, dt := range []core.DType{core.Uint2, core.Uint4} {
		numerics[dt] = numeric{shortened[uint8](u8), wide, argOf[uint8], unsignedKeysOf[uint8], nil, updatersU8.update, unsignedElements[uint8]()}
	}
	numerics[core.Int8] = numeric{direct(i8), wide, argOf[int8], signedKeysOf[int8], nil, updatersI8.update, signedElements[int8]()}
	numerics[core.Uint8] = numeric{direct(u8), wide, argOf[uint8], unsignedKeysOf[uint8], nil, updatersU8.update, unsignedElements[uint8]()}
	integers[int16, uint16](wide, core.Int16, core.Uint16, &foldsI16, &foldsU16, &updatersI16, &updatersU16)
	integers[int32, uint32](wide, core.Int32, core.Uint32, &foldsI32, &foldsU32, &updatersI32, &updatersU32)
	integers[int64, uint64](productsOf[int64]{direct(arith[int64]{folds: &foldsI64, mul: product.DotInt})}, core.Int64, core.Uint64, &foldsI64, &foldsU64, &updatersI64, &updatersU64)
	numerics[core.Int32].count, numerics[core.Uint32].count = countAs[uint32], countAs[uint32]
	numerics[core.Int64].count, numerics[core.Uint64].count = countAs[uint64], countAs[uint64]

	f32 := arith[float32]{folds: &foldsF32, mul: product.DotF32, add: addAt[float32]}
	numerics[core.Float32] = numeric{direct(f32), productsOf[float32]{direct(f32)}, argOf[float32], keysF32, countF32, updatersF32.update, elements{choose: chooseOf[float32]}}
	f64 := direct(arith[float64]{folds: &foldsF64, mul: product.DotF64, add: addAt[float64]})
	numerics[core.Float64] = numeric{f64, productsOf[float64]{f64}, argOf[float64], keysF64, countF64, updatersF64.update, elements{choose: chooseOf[float64]}}
	c64 := direct(arith[complex64]{folds: &foldsC64, mul: product.DotC64})
	numerics[core.Complex64] = numeric{c64, productsOf[complex64]{c64}, argOfComplex, keysC64, nil, updatersC64.update, elements{}}
	c128 := direct(arith[complex128]{folds: &foldsC128, mul: product.DotC128})
	numerics[core.Complex128] = numeric{c128, productsOf[complex128]{c128}, argOfComplex, keysC128, nil, updatersC128.update, elements{}}

	small := widened(f32)
	for i := range core.NumDTypes {
		dt := core.DType(i)
		if scalar.IsSmallFloat(dt) {
			u := minorUpdaters(dt)
			numerics[dt] = numeric{small, productsOf[float32]{small}, argOfSmall, keysSmall, nil, u.update, elements{choose: chooseWidened}}
		}
	}
	numerics[core.BFloat16].update = updatersBF16.update
	numerics[core.Float16].update = updatersF16.update
}

// integers sets the loops of a signed and an unsigned type of one width.
func integers[S block.Signed, U block.Unsigned](p products, s, u core.DType, folds, unsignedFolds *folds[S], updates, unsignedUpdates *updaters[S]) {
	a := arith[S]{folds: folds, add: addAt[S]}
	numerics[s] = numeric{direct(a), p, argOf[S], signedKeysOf[S], nil, updates.update, signedElements[S]()}
	a.folds = unsignedFolds
	numerics[u] = numeric{direct(a), p, argOf[U], unsignedKeysOf[U], nil, unsignedUpdates.update, unsignedElements[U]()}
}
