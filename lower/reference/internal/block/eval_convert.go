package block

import (
	"math"
	"unsafe"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lower/scalar"
)

func intToInt[S, T Integer](d, a, _, _ unsafe.Pointer, n int) {
	D, A := vec[T](d, n), vec[S](a, n)
	for i := range D {
		D[i] = T(A[i])
	}
}

// smallToFloat converts from types whose every value an f64 represents exactly.
func smallToFloat[S Integer, T Float](d, a, _, _ unsafe.Pointer, n int) {
	D, A := vec[T](d, n), vec[S](a, n)
	for i := range D {
		D[i] = T(float64(int64(A[i])))
	}
}

func i64ToFloat[T Float](d, a, _, _ unsafe.Pointer, n int) {
	D, A := vec[T](d, n), vec[int64](a, n)
	for i := range D {
		if unsafe.Sizeof(D[0]) == 4 {
			D[i] = T(scalar.IntToFloat32(A[i]))
		} else {
			D[i] = T(scalar.IntToFloat64(A[i]))
		}
	}
}

func u64ToFloat[T Float](d, a, _, _ unsafe.Pointer, n int) {
	D, A := vec[T](d, n), vec[uint64](a, n)
	for i := range D {
		if unsafe.Sizeof(D[0]) == 4 {
			D[i] = T(scalar.UintToFloat32(A[i]))
		} else {
			D[i] = T(scalar.UintToFloat64(A[i]))
		}
	}
}

// floatToSmall saturates to integers of at most 32 bits.
func floatToSmall[S Float, T Integer](d, a, _, _ unsafe.Pointer, n int) {
	D, A := vec[T](d, n), vec[S](a, n)
	lo, hi := intRange[T]()
	for i := range D {
		x := float64(A[i])
		switch {
		case x >= hi:
			x = hi
		case x <= lo:
			x = lo
		case x != x:
			x = 0
		}
		D[i] = T(int64(x))
	}
}

func intRange[T Integer]() (lo, hi float64) {
	w := int(8 * unsafe.Sizeof(T(0)))
	if ^T(0) > 0 {
		return 0, math.Ldexp(1, w) - 1
	}
	return -math.Ldexp(1, w-1), math.Ldexp(1, w-1) - 1
}

func floatToI64[S Float](d, a, _, _ unsafe.Pointer, n int) {
	D, A := vec[int64](d, n), vec[S](a, n)
	for i := range D {
		D[i] = scalar.ToInt64(float64(A[i]))
	}
}

func floatToU64[S Float](d, a, _, _ unsafe.Pointer, n int) {
	D, A := vec[uint64](d, n), vec[S](a, n)
	for i := range D {
		D[i] = scalar.ToUint64(float64(A[i]))
	}
}

func floatToFloat[S, T Float](d, a, _, _ unsafe.Pointer, n int) {
	D, A := vec[T](d, n), vec[S](a, n)
	for i := range D {
		D[i] = T(A[i])
	}
}

// convertFrom fills the row of conversions from an integer type of Go type S.
func convertFrom[S Integer](row *[scalar.NumTypes]loop) {
	row[scalar.I8], row[scalar.I16], row[scalar.I32], row[scalar.I64] = intToInt[S, int8], intToInt[S, int16], intToInt[S, int32], intToInt[S, int64]
	row[scalar.U8], row[scalar.U16], row[scalar.U32], row[scalar.U64] = intToInt[S, uint8], intToInt[S, uint16], intToInt[S, uint32], intToInt[S, uint64]
	row[scalar.F32], row[scalar.F64] = smallToFloat[S, float32], smallToFloat[S, float64]
}

func convertFloat[S Float](row *[scalar.NumTypes]loop) {
	row[scalar.I8], row[scalar.I16], row[scalar.I32], row[scalar.I64] = floatToSmall[S, int8], floatToSmall[S, int16], floatToSmall[S, int32], floatToI64[S]
	row[scalar.U8], row[scalar.U16], row[scalar.U32], row[scalar.U64] = floatToSmall[S, uint8], floatToSmall[S, uint16], floatToSmall[S, uint32], floatToU64[S]
	row[scalar.F32], row[scalar.F64] = floatToFloat[S, float32], floatToFloat[S, float64]
}

// convertLoops[from][to] are the conversions between numbers.
var convertLoops = func() (t [scalar.NumTypes][scalar.NumTypes]loop) {
	convertFrom[uint8](&t[scalar.Bool])
	convertFrom[int8](&t[scalar.I8])
	convertFrom[int16](&t[scalar.I16])
	convertFrom[int32](&t[scalar.I32])
	convertFrom[int64](&t[scalar.I64])
	convertFrom[uint8](&t[scalar.U8])
	convertFrom[uint16](&t[scalar.U16])
	convertFrom[uint32](&t[scalar.U32])
	convertFrom[uint64](&t[scalar.U64])
	t[scalar.I64][scalar.F32], t[scalar.I64][scalar.F64] = i64ToFloat[float32], i64ToFloat[float64]
	t[scalar.U64][scalar.F32], t[scalar.U64][scalar.F64] = u64ToFloat[float32], u64ToFloat[float64]
	convertFloat[float32](&t[scalar.F32])
	convertFloat[float64](&t[scalar.F64])
	return t
}()

// A smallFloat contains the loops of a float type of fewer than 32 bits.
type smallFloat struct {
	widen  loop // to f32
	narrow loop // rounds f32
}

var smallFloats = func() (t [core.NumDTypes]smallFloat) {
	for i := range core.NumDTypes {
		if dt := core.DType(i); dt.IsMinorFloat() {
			t[dt] = minorFloat(dt)
		}
	}
	t[core.BFloat16] = smallFloat{
		widen: func(d, a, _, _ unsafe.Pointer, n int) {
			D, A := vec[uint32](d, n), vec[uint16](a, n)
			for i := range D {
				D[i] = uint32(A[i]) << 16
			}
		},
		narrow: func(d, a, _, _ unsafe.Pointer, n int) {
			D, A := vec[uint16](d, n), vec[float32](a, n)
			for i := range D {
				D[i] = scalar.ToBF16(A[i])
			}
		},
	}
	t[core.Float16] = smallFloat{
		widen: func(d, a, _, _ unsafe.Pointer, n int) {
			D, A := vec[float32](d, n), vec[uint16](a, n)
			for i := range D {
				D[i] = scalar.FromF16(A[i])
			}
		},
		narrow: func(d, a, _, _ unsafe.Pointer, n int) {
			D, A := vec[uint16](d, n), vec[float32](a, n)
			for i := range D {
				D[i] = scalar.ToF16(A[i])
			}
		},
	}
	return t
}()

// minorFloat returns the loops of a float type of one byte.
func minorFloat(dt core.DType) smallFloat {
	return smallFloat{
		widen: func(d, a, _, _ unsafe.Pointer, n int) {
			table := scalar.WidenTable(dt)
			D, A := vec[float32](d, n), vec[uint8](a, n)
			for i := range D {
				D[i] = table[A[i]]
			}
		},
		narrow: func(d, a, _, _ unsafe.Pointer, n int) {
			D, A := vec[uint8](d, n), vec[float32](a, n)
			for i := range D {
				D[i] = uint8(scalar.NarrowSmall(dt, A[i]))
			}
		},
	}
}
