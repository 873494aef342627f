package reference

import (
	"math"

	"github.com/weft-go/weft/lower/reference/internal/block"
	"github.com/weft-go/weft/lower/scalar"
)

// foldOp is the operation by which a reduction, a running reduction, a window or a scatter combines two
// elements.
type foldOp uint8

const (
	foldSum foldOp = iota
	foldProd
	foldMax
	foldMin
	foldAnd
	foldOr
	foldXor
	numFolds int = iota
)

// A fold is an operation on accumulators of one type: f32 for floats of 32 bits
// and fewer, i8 for bool and for integers of fewer than 8 bits, the signed integer of
// the same width for an unsigned one, which wraps to the same bits, else the type itself.
// It has a loop for each layout of the operands; each computes the same numbers.
type fold[A any] struct {
	id   A
	two  func(acc, x A) A
	into func(acc, x []A)                       // acc[i] = acc[i] ∘ x[i]
	run  func(acc A, x []A) A                   // ((acc ∘ x[0]) ∘ x[1]) ∘ …
	scan func(acc A, y, x []A, at, step, n int) // run, which stores each of n results in y: from position `at` on, step apart
	onto func(acc A, y []A)                     // y[i] = acc ∘ y[i]
}

type folds[A any] [numFolds]fold[A]

var (
	foldsI8   = intFolds[int8](math.MinInt8, math.MaxInt8)
	foldsI16  = intFolds[int16](math.MinInt16, math.MaxInt16)
	foldsI32  = intFolds[int32](math.MinInt32, math.MaxInt32)
	foldsI64  = intFolds[int64](math.MinInt64, math.MaxInt64)
	foldsU8   = unsignedFolds[int8, uint8](foldsI8)
	foldsU16  = unsignedFolds[int16, uint16](foldsI16)
	foldsU32  = unsignedFolds[int32, uint32](foldsI32)
	foldsU64  = unsignedFolds[int64, uint64](foldsI64)
	foldsBool = folds[int8]{
		foldMax: foldOf(0, or2[int8]),
		foldMin: foldOf(1, and2[int8]),
		foldAnd: foldOf(1, and2[int8]),
		foldOr:  foldOf(0, or2[int8]),
		foldXor: foldOf(0, xor2[int8]),
	}
	foldsF32 = folds[float32]{
		foldSum:  sumOf(add32Into),
		foldProd: foldOf(1, mul2[float32]),
		foldMax:  {float32(math.Inf(-1)), scalar.Max32, max32Into, chain(scalar.Max32), scanOf(scalar.Max32), ontoOf(scalar.Max32)},
		foldMin:  {float32(math.Inf(1)), scalar.Min32, min32Into, chain(scalar.Min32), scanOf(scalar.Min32), ontoOf(scalar.Min32)},
	}
	foldsF64 = folds[float64]{
		foldSum:  sumOf(add64Into),
		foldProd: foldOf(1, mul2[float64]),
		foldMax:  {math.Inf(-1), scalar.Max64, max64Into, chain(scalar.Max64), scanOf(scalar.Max64), ontoOf(scalar.Max64)},
		foldMin:  {math.Inf(1), scalar.Min64, min64Into, chain(scalar.Min64), scanOf(scalar.Min64), ontoOf(scalar.Min64)},
	}
	foldsC64 = folds[complex64]{
		foldSum:  sumOf(addInto[complex64]),
		foldProd: foldOf(1, mulC64),
		foldMax:  foldOf(complex(float32(math.Inf(-1)), float32(math.Inf(-1))), maxC64),
		foldMin:  foldOf(complex(float32(math.Inf(1)), float32(math.Inf(1))), minC64),
	}
	foldsC128 = folds[complex128]{
		foldSum:  sumOf(addInto[complex128]),
		foldProd: foldOf(1, mulC128),
		foldMax:  foldOf(complex(math.Inf(-1), math.Inf(-1)), maxC128),
		foldMin:  foldOf(complex(math.Inf(1), math.Inf(1)), minC128),
	}
)

func intFolds[A block.Integer](least, most A) folds[A] {
	var zero A
	return folds[A]{
		foldSum:  sumOf(addInto[A]),
		foldProd: foldOf(1, mul2[A]),
		foldMax:  foldOf(least, func(a, x A) A { return max(a, x) }),
		foldMin:  foldOf(most, func(a, x A) A { return min(a, x) }),
		foldAnd:  foldOf(^zero, and2[A]),
		foldOr:   foldOf(0, or2[A]),
		foldXor:  foldOf(0, xor2[A]),
	}
}

// unsignedFolds returns the folds of unsigned integers of type U, which lie in signed ones of
// type A: only their order differs.
func unsignedFolds[A, U block.Integer](f folds[A]) folds[A] {
	var zero A
	f[foldMax] = foldOf(0, func(a, x A) A { return A(max(U(a), U(x))) })
	f[foldMin] = foldOf(^zero, func(a, x A) A { return A(min(U(a), U(x))) })
	return f
}

// foldOf returns the fold of an operation, with loops that call the function `two`.
func foldOf[A any](id A, two func(a, x A) A) fold[A] {
	return fold[A]{id, two, intoOf(two), chain(two), scanOf(two), ontoOf(two)}
}

// sumOf returns the fold of sums, whose loops are written out.
func sumOf[A block.Integer | block.Float | complex64 | complex128](into func(acc, x []A)) fold[A] {
	return fold[A]{0, add2[A], into, addRun[A], addScan[A], addOnto[A]}
}

// chain makes the function `run` of a fold from the function `two`, which combines two numbers.
func chain[A any](two func(a, x A) A) func(A, []A) A {
	return func(acc A, x []A) A {
		for _, v := range x {
			acc = two(acc, v)
		}
		return acc
	}
}

func intoOf[A any](two func(a, x A) A) func(acc, x []A) {
	return func(acc, x []A) {
		for i, v := range x {
			acc[i] = two(acc[i], v)
		}
	}
}

func scanOf[A any](two func(a, x A) A) func(A, []A, []A, int, int, int) {
	return func(acc A, y, x []A, at, step, n int) {
		for range n {
			acc = two(acc, x[at])
			y[at] = acc
			at += step
		}
	}
}

func ontoOf[A any](two func(a, x A) A) func(A, []A) {
	return func(acc A, y []A) {
		for i, v := range y {
			y[i] = two(acc, v)
		}
	}
}

func add2[A block.Integer | block.Float | complex64 | complex128](a, x A) A { return a + x }

func addInto[A block.Integer | block.Float | complex64 | complex128](acc, x []A) {
	acc = acc[:len(x)]
	for i, v := range x {
		acc[i] += v
	}
}

// add32Into is addInto for f32, eight at a time, so that its speed does not depend on where the
// linker puts a loop of five instructions.
func add32Into(acc, x []float32) {
	acc = acc[:len(x)]
	for len(x) >= 8 && len(acc) >= 8 {
		a, v := (*[8]float32)(acc), (*[8]float32)(x)
		a[0] += v[0]
		a[1] += v[1]
		a[2] += v[2]
		a[3] += v[3]
		a[4] += v[4]
		a[5] += v[5]
		a[6] += v[6]
		a[7] += v[7]
		acc, x = acc[8:], x[8:]
	}
	for i, v := range x {
		acc[i] += v
	}
}

func add64Into(acc, x []float64) {
	acc = acc[:len(x)]
	for len(x) >= 8 && len(acc) >= 8 {
		a, v := (*[8]float64)(acc), (*[8]float64)(x)
		a[0] += v[0]
		a[1] += v[1]
		a[2] += v[2]
		a[3] += v[3]
		a[4] += v[4]
		a[5] += v[5]
		a[6] += v[6]
		a[7] += v[7]
		acc, x = acc[8:], x[8:]
	}
	for i, v := range x {
		acc[i] += v
	}
}

func addRun[A block.Integer | block.Float | complex64 | complex128](acc A, x []A) A {
	for _, v := range x {
		acc += v
	}
	return acc
}

func addScan[A block.Integer | block.Float | complex64 | complex128](acc A, y, x []A, at, step, n int) {
	for range n {
		acc += x[at]
		y[at] = acc
		at += step
	}
}

func addOnto[A block.Integer | block.Float | complex64 | complex128](acc A, y []A) {
	for i, v := range y {
		y[i] = acc + v
	}
}

func mul2[A block.Integer | block.Float](a, x A) A { return a * x }

func and2[A block.Integer](a, x A) A { return a & x }

func or2[A block.Integer](a, x A) A { return a | x }

func xor2[A block.Integer](a, x A) A { return a ^ x }

func max32Into(acc, x []float32) {
	acc = acc[:len(x)]
	for i, v := range x {
		if a := acc[i]; !(a > v) {
			acc[i] = scalar.Max32(a, v)
		}
	}
}

func min32Into(acc, x []float32) {
	acc = acc[:len(x)]
	for i, v := range x {
		if a := acc[i]; !(a < v) {
			acc[i] = scalar.Min32(a, v)
		}
	}
}

func max64Into(acc, x []float64) {
	acc = acc[:len(x)]
	for i, v := range x {
		if a := acc[i]; !(a > v) {
			acc[i] = scalar.Max64(a, v)
		}
	}
}

func min64Into(acc, x []float64) {
	acc = acc[:len(x)]
	for i, v := range x {
		if a := acc[i]; !(a < v) {
			acc[i] = scalar.Min64(a, v)
		}
	}
}

// mulC64 returns (a + bi)(c + di) = (ac − bd) + (ad + bc)i, each of the six operations
// rounded on its own.
func mulC64(x, y complex64) complex64 {
	a, b, c, d := real(x), imag(x), real(y), imag(y)
	return complex(float32(a*c)-float32(b*d), float32(a*d)+float32(b*c))
}

func mulC128(x, y complex128) complex128 {
	a, b, c, d := real(x), imag(x), real(y), imag(y)
	return complex(float64(a*c)-float64(b*d), float64(a*d)+float64(b*c))
}
