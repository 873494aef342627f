package schedule

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lower/fuse"
)

// A Processor describes a processor to the planners.
type Processor struct {
	Threads   int         // threads that a program may use
	Vector    int         // bytes of a vector register
	Registers int         // vector registers that a register tile may use
	Wide      int         // registers that multiplying vectors of 64-bit integers needs beside the sum
	Dots      bool        // one instruction multiplies pairs of i16, another fours of bytes, and adds the products to i32
	Matrices  func() bool // reports whether one instruction multiplies matrices of fours of bytes; nil: none does
	Early     bool        // the elements of A that a register tile multiplies are all in registers at once
	Rate      float64     // multiplications of f32 that a thread does in a nanosecond
	Statement float64     // nanoseconds of a statement of a kernel, for each four bytes of a vector
}

// On returns the description of the processor for programs on n threads.
func (m Processor) On(n int) Processor {
	m.Threads = n
	return m
}

// A call of machine code takes about CallTime; between calls Go may collect garbage and run other
// goroutines. A call should not take twice as long, since a collection waits for its end.
//
// Work below ParallelTime stays on one thread. The bound lies between the times in which workers
// start: 0.5 µs while they spin, 80 to 110 µs when they sleep (Zen 5 in a virtual machine).
const (
	CallTime     = 100e3 // nanoseconds
	ParallelTime = 30e3
)

// leastParallel is the number of multiplications from which a product is divided among
// threads.
const leastParallel = ParallelTime * 50

// Sizes of data that stays in the caches.
const (
	tileBytes   = 32 << 10  // a register tile's columns of B: the first cache
	sweepBytes  = 16 << 10  // sums beside rows of B: the first cache
	windowBytes = 192 << 10 // windows or lines of a convolution: the second cache
	resultBytes = 512 << 10 // results beside packed columns: the second cache
	deepBytes   = 2 << 10   // a row of A in a call where the results exceed resultBytes: shorter calls would read and write them more often
	panelBytes  = 256 << 10 // columns of B that an item reads: the second cache
	rowBytes    = 512 << 10 // values of a row tile: the second cache, with what its products read
	cachedBytes = 512 << 10 // larger matrices come from memory
	secondBytes = 1 << 20   // the second cache of processors that multiply matrices has room for these
)

// An Element is the type of numbers that a product multiplies.
type Element uint8

// The elements of products. Integers wrap.
const (
	F32 Element = iota
	F64
	I32
	I64
	BF16Pair // two neighbours among the contracted elements; their sums are f32
	I16Pair  // of i16; their sums are i32
	I16Dot   // the same, where one instruction multiplies and adds
	ByteDot  // four neighbours, of A u8 and of B i8, where one instruction multiplies and adds; their sums are i32

	ByteMatrix // the same, where one instruction multiplies matrices of MatrixSide rows and columns
)

// MatrixSide is the number of rows, and of columns of 4 bytes, of a matrix in a register of its own.
const MatrixSide = 16

// Size returns the number of bytes of an element.
func (e Element) Size() int {
	if e == F64 || e == I64 {
		return 8
	}
	return 4
}

func (e Element) String() string {
	return [...]string{"f32", "f64", "i32", "i64", "bf16", "i16", "i16_dot", "byte_dot", "byte_matrix"}[e]
}

// Float reports whether the elements are floating-point numbers.
func (e Element) Float() bool { return e <= F64 || e == BF16Pair }

// Fused reports whether one instruction multiplies two elements and adds the product.
func (e Element) Fused() bool { return e.Float() || e >= I16Dot }

func (m Processor) elementOf(dt core.DType, word int) Element {
	switch {
	case word == 4:
		return ByteDot
	case word == 2 && dt.IsInteger() && m.Dots:
		return I16Dot
	case word == 2 && dt.IsInteger():
		return I16Pair
	case word == 2:
		return BF16Pair
	}
	switch dt {
	case core.Float32:
		return F32
	case core.Float64:
		return F64
	case core.Int32, core.Uint32:
		return I32
	case core.Int64, core.Uint64:
		return I64
	}
	panic("BUG: schedule: product of type " + dt.String())
}

func (m Processor) lanes(e Element) int { return m.Vector / e.Size() }

// mostTileRows is the greatest number of rows that the code of a register tile of vectors can address.
const mostTileRows = 16

// TileRows returns the most rows of a register tile with a number of vectors, 0 if there is
// none.
func (m Processor) TileRows(e Element, vecs int) int {
	temps := 1 // the element of A
	switch {
	case e == ByteMatrix && vecs > 2:
		return 0
	case e == ByteMatrix:
		return 2 * MatrixSide
	case e == I64:
		temps = m.Wide
	case e == I32, e == I16Pair:
		temps = 2
	}
	// A single row multiplies by B in memory; the last vector needs a register.
	if n := m.Registers - temps - 1; e.Fused() && vecs > (n-1)/2 {
		if vecs <= n {
			return 1
		}
		return 0
	}
	row := vecs
	if m.Early {
		row, temps = row+1, temps-1
	}
	return max(0, min(mostTileRows, (m.Registers-temps-vecs)/row))
}

// callWork returns the number of multiplications that a thread does in CallTime.
func (m Processor) callWork(e Element) float64 {
	rate := m.Rate
	if e.Size() == 8 {
		rate /= 2
	}
	switch {
	case e == ByteMatrix:
		rate *= 6
	case e == I16Pair:
		rate /= 2
	case !e.Fused():
		rate /= 4
	}
	return rate * CallTime
}

// aligned rounds a size up to a multiple of the alignment of values.
func aligned(n int) int { return (n + fuse.Align - 1) &^ (fuse.Align - 1) }

// over returns a/b, rounded up.
func over[T int | int64](a, b T) T { return (a + b - 1) / b }
