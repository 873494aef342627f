package kernel

import (
	"unsafe"

	"github.com/weft-go/weft/core"
)

// elementsAs gives the elements of t as A, the type in which the result computes:
// where they lie, or converted into scratch memory, which goes back with the loan.
// Integers convert exactly or round once, floats widen exactly.
func elementsAs[A any](t *Tensor) ([]A, *loan) {
	n := t.Size()
	var zero A
	switch any(zero).(type) {
	case float32:
		if t.DType == core.Float32 {
			break
		}
		x, l := borrow[A](n)
		toFloats(any(x).([]float32), t)
		return x, l
	case float64:
		if t.DType == core.Float64 {
			break
		}
		x, l := borrow[A](n)
		toFloats(any(x).([]float64), t)
		return x, l
	case complex64:
		if t.DType == core.Complex64 {
			break
		}
		x, l := borrow[A](n)
		re, lr := elementsAs[float32](t)
		for i, y := 0, any(x).([]complex64); i < n; i++ {
			y[i] = complex(re[i], 0)
		}
		lr.back()
		return x, l
	case complex128:
		if t.DType == core.Complex128 {
			break
		}
		x, l := borrow[A](n)
		y := any(x).([]complex128)
		if t.DType == core.Complex64 {
			for i, v := range View[complex64](t) {
				y[i] = complex(float64(real(v)), float64(imag(v)))
			}
			return x, l
		}
		re, lr := elementsAs[float64](t)
		for i, v := range re {
			y[i] = complex(v, 0)
		}
		lr.back()
		return x, l
	case int8:
		return intsAs[A, int8](t)
	case int16:
		return intsAs[A, int16](t)
	case int32:
		return intsAs[A, int32](t)
	case int64:
		return intsAs[A, int64](t)
	case uint8:
		return intsAs[A, uint8](t)
	case uint16:
		return intsAs[A, uint16](t)
	case uint32:
		return intsAs[A, uint32](t)
	case uint64:
		return intsAs[A, uint64](t)
	}
	return View[A](t), nil
}

// intsAs is elementsAs for integers, of whose types A and I are the same.
func intsAs[A any, I integer](t *Tensor) ([]A, *loan) {
	var zero I
	if !t.DType.IsInteger() && !t.DType.IsBool() {
		refuse(t.DType)
	}
	if t.DType.Size() == int(unsafe.Sizeof(zero)) {
		return View[A](t), nil // of one size they differ in sign only, and wrap alike
	}
	x, l := borrow[A](t.Size())
	y := any(x).([]I)
	switch Stored(t.DType) {
	case I8:
		convertInts(y, View[int8](t))
	case I16:
		convertInts(y, View[int16](t))
	case I32:
		convertInts(y, View[int32](t))
	case I64:
		convertInts(y, View[int64](t))
	case Bool, U8:
		convertInts(y, View[uint8](t))
	case U16:
		convertInts(y, View[uint16](t))
	case U32:
		convertInts(y, View[uint32](t))
	case U64:
		convertInts(y, View[uint64](t))
	}
	return x, l
}

func convertInts[D, S integer](d []D, s []S) {
	for i, v := range s {
		d[i] = D(v)
	}
}

// toFloats converts any real type; f64 is not converted to f32 by it.
func toFloats[F float](y []F, t *Tensor) {
	switch dt := t.DType; {
	case IsSmallFloat(dt):
		var buf [64]float32
		r := smallRowsOf(t)
		for i := 0; i < len(y); i += len(buf) {
			for j, v := range r.at(i, min(len(buf), len(y)-i), buf[:]) {
				y[i+j] = F(v)
			}
		}
	case dt == core.Float32:
		for i, v := range View[float32](t) {
			y[i] = F(v)
		}
	case dt == core.Float64:
		for i, v := range View[float64](t) {
			y[i] = F(v)
		}
	default:
		x, l := elementsAs[int64](t)
		var zero F
		_, single := any(zero).(float32)
		for i, v := range x {
			switch unsigned := dt == core.Uint64; {
			case single && unsigned:
				y[i] = F(uintToFloat32(uint64(v)))
			case single:
				y[i] = F(intToFloat32(v))
			case unsigned:
				y[i] = F(uintToFloat64(uint64(v)))
			default:
				y[i] = F(intToFloat64(v))
			}
		}
		l.back()
	}
}
