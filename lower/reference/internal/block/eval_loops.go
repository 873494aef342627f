package block

import (
	"math"
	"math/bits"
	"unsafe"

	"github.com/weft-go/weft/lower/scalar"
)

// A loop does one operation on a block of n elements: d = op(a, b, c). d may be
// any of the operands when the element sizes agree. The loops are the reference:
// with one operation each, Go finds no multiplication and addition to fuse.
type loop func(d, a, b, c unsafe.Pointer, n int)

type Integer interface {
	~int8 | ~int16 | ~int32 | ~int64 | ~uint8 | ~uint16 | ~uint32 | ~uint64
}

type Signed interface {
	~int8 | ~int16 | ~int32 | ~int64
}

type Unsigned interface {
	~uint8 | ~uint16 | ~uint32 | ~uint64
}

type Float interface{ ~float32 | ~float64 }

type Number interface{ Integer | Float }

func vec[T any](p unsafe.Pointer, n int) []T { return unsafe.Slice((*T)(p), n) }

func copyLoop[T any](d, a, _, _ unsafe.Pointer, n int) {
	if d != a {
		copy(vec[T](d, n), vec[T](a, n))
	}
}

func addLoop[T Number](d, a, b, _ unsafe.Pointer, n int) {
	D, A, B := vec[T](d, n), vec[T](a, n), vec[T](b, n)
	for i := range D {
		D[i] = A[i] + B[i]
	}
}

func subLoop[T Number](d, a, b, _ unsafe.Pointer, n int) {
	D, A, B := vec[T](d, n), vec[T](a, n), vec[T](b, n)
	for i := range D {
		D[i] = A[i] - B[i]
	}
}

func mulLoop[T Number](d, a, b, _ unsafe.Pointer, n int) {
	D, A, B := vec[T](d, n), vec[T](a, n), vec[T](b, n)
	for i := range D {
		D[i] = A[i] * B[i]
	}
}

func divFloat[T Float](d, a, b, _ unsafe.Pointer, n int) {
	D, A, B := vec[T](d, n), vec[T](a, n), vec[T](b, n)
	for i := range D {
		D[i] = A[i] / B[i]
	}
}

func divInt[T Integer](d, a, b, _ unsafe.Pointer, n int) {
	D, A, B := vec[T](d, n), vec[T](a, n), vec[T](b, n)
	for i := range D {
		if B[i] == 0 {
			D[i] = ^T(0)
		} else {
			D[i] = A[i] / B[i] // Go wraps MIN / −1
		}
	}
}

func remInt[T Integer](d, a, b, _ unsafe.Pointer, n int) {
	D, A, B := vec[T](d, n), vec[T](a, n), vec[T](b, n)
	for i := range D {
		if B[i] == 0 {
			D[i] = A[i]
		} else {
			D[i] = A[i] % B[i]
		}
	}
}

func mulHiSmall[T Integer](d, a, b, _ unsafe.Pointer, n int) {
	D, A, B := vec[T](d, n), vec[T](a, n), vec[T](b, n)
	w := 8 * unsafe.Sizeof(D[0])
	for i := range D {
		// The product of two integers of at most 32 bits fits an int64, unsigned
		// ones as bits; a shift by the width leaves the high half either way.
		D[i] = T(uint64(int64(A[i])) * uint64(int64(B[i])) >> w)
	}
}

func mulHiU64(d, a, b, _ unsafe.Pointer, n int) {
	D, A, B := vec[uint64](d, n), vec[uint64](a, n), vec[uint64](b, n)
	for i := range D {
		D[i], _ = bits.Mul64(A[i], B[i])
	}
}

func mulHiI64(d, a, b, _ unsafe.Pointer, n int) {
	D, A, B := vec[int64](d, n), vec[int64](a, n), vec[int64](b, n)
	for i := range D {
		x, y := A[i], B[i]
		hi, _ := bits.Mul64(uint64(x), uint64(y))
		D[i] = int64(hi) - x>>63&y - y>>63&x
	}
}

func negInt[T Integer](d, a, _, _ unsafe.Pointer, n int) {
	D, A := vec[T](d, n), vec[T](a, n)
	for i := range D {
		D[i] = -A[i]
	}
}

func absInt[T Signed](d, a, _, _ unsafe.Pointer, n int) {
	D, A := vec[T](d, n), vec[T](a, n)
	for i := range D {
		x := A[i]
		if x < 0 {
			x = -x
		}
		D[i] = x
	}
}

// flipSign and clearSign are neg and abs of floats, on their bits.
func flipSign[U Unsigned](d, a, _, _ unsafe.Pointer, n int) {
	D, A := vec[U](d, n), vec[U](a, n)
	top := ^(^U(0) >> 1)
	for i := range D {
		D[i] = A[i] ^ top
	}
}

func clearSign[U Unsigned](d, a, _, _ unsafe.Pointer, n int) {
	D, A := vec[U](d, n), vec[U](a, n)
	for i := range D {
		D[i] = A[i] & (^U(0) >> 1)
	}
}

func minInt[T Integer](d, a, b, _ unsafe.Pointer, n int) {
	D, A, B := vec[T](d, n), vec[T](a, n), vec[T](b, n)
	for i := range D {
		D[i] = min(A[i], B[i])
	}
}

func maxInt[T Integer](d, a, b, _ unsafe.Pointer, n int) {
	D, A, B := vec[T](d, n), vec[T](a, n), vec[T](b, n)
	for i := range D {
		D[i] = max(A[i], B[i])
	}
}

func minF32(d, a, b, _ unsafe.Pointer, n int) {
	D, A, B := vec[float32](d, n), vec[float32](a, n), vec[float32](b, n)
	for i := range D {
		D[i] = scalar.Min32(A[i], B[i])
	}
}

func maxF32(d, a, b, _ unsafe.Pointer, n int) {
	D, A, B := vec[float32](d, n), vec[float32](a, n), vec[float32](b, n)
	for i := range D {
		D[i] = scalar.Max32(A[i], B[i])
	}
}

func minF64(d, a, b, _ unsafe.Pointer, n int) {
	D, A, B := vec[float64](d, n), vec[float64](a, n), vec[float64](b, n)
	for i := range D {
		D[i] = scalar.Min64(A[i], B[i])
	}
}

func maxF64(d, a, b, _ unsafe.Pointer, n int) {
	D, A, B := vec[float64](d, n), vec[float64](a, n), vec[float64](b, n)
	for i := range D {
		D[i] = scalar.Max64(A[i], B[i])
	}
}

func FmaF32(d, a, b, c unsafe.Pointer, n int) {
	D, A, B, C := vec[float32](d, n), vec[float32](a, n), vec[float32](b, n), vec[float32](c, n)
	for i := range D {
		// scalar.FMA32, written out: it is too large to be inlined.
		p := float64(float64(A[i]) * float64(B[i]))
		z := float64(C[i])
		s := p + z
		w := math.Float64bits(s)
		if w&(1<<29-1) == 1<<28 || w<<1 < (1023-126)<<53 {
			D[i] = scalar.AddToOdd32(p, z, s)
		} else {
			D[i] = float32(s)
		}
	}
}

func fmaF64(d, a, b, c unsafe.Pointer, n int) {
	D, A, B, C := vec[float64](d, n), vec[float64](a, n), vec[float64](b, n), vec[float64](c, n)
	for i := range D {
		D[i] = math.FMA(A[i], B[i], C[i])
	}
}

func scaleF32(d, a, b, _ unsafe.Pointer, n int) {
	D, A, B := vec[float32](d, n), vec[float32](a, n), vec[float32](b, n)
	for i := range D {
		x := math.Float32bits(A[i])
		// Where neither the operand's nor the result's exponent is at an end, and k is
		// small: add to the exponent.
		if k := B[i]; k >= -254 && k <= 254 {
			e, k := int32(x>>23&0xff), int32(k)
			if uint32(e-1) < 254 && uint32(e+k-1) < 254 {
				D[i] = math.Float32frombits(x + uint32(k)<<23)
				continue
			}
		}
		D[i] = scalar.Scale32(A[i], B[i])
	}
}

func scaleF64(d, a, b, _ unsafe.Pointer, n int) {
	D, A, B := vec[float64](d, n), vec[float64](a, n), vec[float64](b, n)
	for i := range D {
		x := math.Float64bits(A[i])
		if k := B[i]; k >= -2046 && k <= 2046 {
			e, k := int64(x>>52&0x7ff), int64(k)
			if uint64(e-1) < 2046 && uint64(e+k-1) < 2046 {
				D[i] = math.Float64frombits(x + uint64(k)<<52)
				continue
			}
		}
		D[i] = scalar.Scale64(A[i], B[i])
	}
}

func lookupLoop(t scalar.Table) loop {
	if t.Type.Size() == 4 {
		return lookupOf[uint32](t)
	}
	return lookupOf[uint64](t)
}

func lookupOf[T uint32 | uint64](t scalar.Table) loop {
	// Repeated to the greatest length, so that the mask is a constant.
	table := new([scalar.MaxTable]T)
	for i := range table {
		table[i] = T(t.At(uint64(i)))
	}
	return func(d, a, _, _ unsafe.Pointer, n int) {
		D, A := vec[T](d, n), vec[T](a, n)
		A = A[:len(D)]
		for i := range D {
			D[i] = table[A[i]%scalar.MaxTable]
		}
	}
}

func sqrtLoop[T Float](d, a, _, _ unsafe.Pointer, n int) {
	D, A := vec[T](d, n), vec[T](a, n)
	for i := range D {
		// For f32, too: 53 bits are enough that rounding twice does no harm.
		D[i] = T(math.Sqrt(float64(A[i])))
	}
}

func floorLoop[T Float](d, a, _, _ unsafe.Pointer, n int) {
	D, A := vec[T](d, n), vec[T](a, n)
	for i := range D {
		D[i] = T(math.Floor(float64(A[i])))
	}
}

func ceilLoop[T Float](d, a, _, _ unsafe.Pointer, n int) {
	D, A := vec[T](d, n), vec[T](a, n)
	for i := range D {
		D[i] = T(math.Ceil(float64(A[i])))
	}
}

func truncLoop[T Float](d, a, _, _ unsafe.Pointer, n int) {
	D, A := vec[T](d, n), vec[T](a, n)
	for i := range D {
		D[i] = T(math.Trunc(float64(A[i])))
	}
}

func rintLoop[T Float](d, a, _, _ unsafe.Pointer, n int) {
	D, A := vec[T](d, n), vec[T](a, n)
	for i := range D {
		D[i] = T(math.RoundToEven(float64(A[i])))
	}
}

func canonLoop[T Float](d, a, _, _ unsafe.Pointer, n int) {
	D, A, nan := vec[T](d, n), vec[T](a, n), nanOf[T]()
	for i := range D {
		x := A[i]
		if x != x {
			x = nan
		}
		D[i] = x
	}
}

func eqLoop[T Number](d, a, b, _ unsafe.Pointer, n int) {
	D, A, B := vec[bool](d, n), vec[T](a, n), vec[T](b, n)
	for i := range D {
		D[i] = A[i] == B[i]
	}
}

func neLoop[T Number](d, a, b, _ unsafe.Pointer, n int) {
	D, A, B := vec[bool](d, n), vec[T](a, n), vec[T](b, n)
	for i := range D {
		D[i] = A[i] != B[i]
	}
}

func ltLoop[T Number](d, a, b, _ unsafe.Pointer, n int) {
	D, A, B := vec[bool](d, n), vec[T](a, n), vec[T](b, n)
	for i := range D {
		D[i] = A[i] < B[i]
	}
}

func leLoop[T Number](d, a, b, _ unsafe.Pointer, n int) {
	D, A, B := vec[bool](d, n), vec[T](a, n), vec[T](b, n)
	for i := range D {
		D[i] = A[i] <= B[i]
	}
}

func selectLoop[U Unsigned](d, c, a, b unsafe.Pointer, n int) {
	D, C, A, B := vec[U](d, n), vec[bool](c, n), vec[U](a, n), vec[U](b, n)
	for i := range D {
		// Both are read, so that nothing need branch.
		x, y := A[i], B[i]
		if C[i] {
			y = x
		}
		D[i] = y
	}
}

func anyTrue(p unsafe.Pointer, n int) bool {
	v := vec[uint8](p, n)
	for len(v) >= 8 {
		if v[0]|v[1]|v[2]|v[3]|v[4]|v[5]|v[6]|v[7] != 0 {
			return true
		}
		v = v[8:]
	}
	for _, x := range v {
		if x != 0 {
			return true
		}
	}
	return false
}
