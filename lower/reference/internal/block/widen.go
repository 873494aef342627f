package block

import (
	"unsafe"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lower/scalar"
)

// ElementsAs returns the elements of t as A, the type in which the result computes: where they lie,
// or converted into scratch memory, which goes back with the loan. Integers convert exactly or
// round once, floats widen exactly. Inlining it would repeat its code in the kernels of every type.
//
//go:noinline
func ElementsAs[A any](t *Tensor) ([]A, *Loan) {
	n := t.Size()
	var zero A
	switch any(zero).(type) {
	case float32:
		if t.DType == core.Float32 {
			break
		}
		x, l := Borrow[A](n)
		ToFloats(any(x).([]float32), t)
		return x, l
	case float64:
		if t.DType == core.Float64 {
			break
		}
		x, l := Borrow[A](n)
		ToFloats(any(x).([]float64), t)
		return x, l
	case complex64:
		if t.DType == core.Complex64 {
			break
		}
		x, l := Borrow[A](n)
		re, lr := ElementsAs[float32](t)
		for i, y := 0, any(x).([]complex64); i < n; i++ {
			y[i] = complex(re[i], 0)
		}
		lr.Back()
		return x, l
	case complex128:
		if t.DType == core.Complex128 {
			break
		}
		x, l := Borrow[A](n)
		y := any(x).([]complex128)
		if t.DType == core.Complex64 {
			for i, v := range View[complex64](t) {
				y[i] = complex(float64(real(v)), float64(imag(v)))
			}
			return x, l
		}
		re, lr := ElementsAs[float64](t)
		for i, v := range re {
			y[i] = complex(v, 0)
		}
		lr.Back()
		return x, l
	case int8, int16, int32, int64:
		return intsAs[A](t)
	}
	return View[A](t), nil
}

// intsAs is ElementsAs for integers. Signed integers stand for unsigned ones of the same size,
// too: both wrap to the same bits.
func intsAs[A any](t *Tensor) ([]A, *Loan) {
	if !t.DType.IsInteger() && !t.DType.IsBool() {
		Refuse(t.DType)
	}
	size := ElementBytes[A]()
	if t.DType.Size() == size {
		return View[A](t), nil
	}
	x, l := Borrow[A](t.Size())
	if len(x) > 0 {
		to := [...]scalar.Type{1: scalar.I8, 2: scalar.I16, 4: scalar.I32, 8: scalar.I64}[size]
		convertLoops[scalar.Stored(t.DType)][to](unsafe.Pointer(&x[0]), unsafe.Pointer(&t.Data[0]), nil, nil, len(x))
	}
	return x, l
}

// ToFloats converts real types, and takes the real parts of complex ones.
func ToFloats[F Float](y []F, t *Tensor) {
	switch y := any(y).(type) {
	case []float32:
		ConversionOf(t.DType).toF32(y, t)
	case []float64:
		ConversionOf(t.DType).toF64(y, t)
	}
}
