package block

import (
	"unsafe"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lower/scalar"
)

// A conversion reads and writes the elements of one dtype as numbers of other types. Functions
// are nil where the dtype has no such operation.
type conversion struct {
	// toF32 and toF64 convert to floats; of complex numbers they take the real parts.
	toF32 func(y []float32, x *Tensor)
	toF64 func(y []float64, x *Tensor)
	// FromF32, fromF64 and fromC128 round floats and complex numbers, of which real types take
	// the real parts; canon makes NaNs canonical.
	FromF32  func(y *Tensor, x []float32)
	fromF64  func(y *Tensor, x []float64)
	fromC128 func(y *Tensor, x []complex128)
	canon    func(y *Tensor)
}

var conversions [core.NumDTypes]conversion

// ConversionOf returns the conversion of numbers of a type. It panics for dtypes without arithmetic.
func ConversionOf(dt core.DType) *conversion {
	c := &conversions[dt]
	if c.toF32 == nil {
		Refuse(dt)
	}
	return c
}

// Refuse panics with an error that names a type without arithmetic.
func Refuse(dt core.DType) {
	core.Failf(core.ErrDType, "there is no arithmetic on %v; convert it first", dt)
}

// The functions in conversions refer to conversions, so an initial value in its declaration would be a cycle.
func init() {
	signed, unsigned := conversion{toF32: signedToF32, toF64: signedToF64}, conversion{toF32: unsignedToF32, toF64: unsignedToF64}
	for i := range core.NumDTypes {
		switch dt := core.DType(i); {
		case dt.IsUnsigned() || dt.IsBool():
			conversions[dt] = unsigned
		case dt.IsSigned():
			conversions[dt] = signed
		case scalar.IsSmallFloat(dt):
			conversions[dt] = smallConversion()
		}
	}
	conversions[core.Float32], conversions[core.Float64] = floatConversion[float32](), floatConversion[float64]()
	conversions[core.Complex64], conversions[core.Complex128] = complex64Conversion, complex128Conversion
}

func floatConversion[A Float]() conversion {
	return conversion{toF32: floatTo[float32, A], toF64: floatTo[float64, A],
		FromF32: fromFloat[A, float32], fromF64: fromFloat[A, float64],
		fromC128: func(y *Tensor, x []complex128) {
			to := View[A](y)
			for i, v := range x {
				to[i] = A(real(v))
			}
		},
		canon: canonOf[A]}
}

// smallConversion converts floats of fewer than 32 bits, which compute in f32.
func smallConversion() conversion {
	return conversion{toF32: smallToF32, toF64: smallToF64,
		FromF32: func(y *Tensor, x []float32) { NarrowTo(y, 0, x) },
		fromF64: func(y *Tensor, x []float64) {
			v, l := Borrow[float32](len(x))
			for i, c := range x {
				v[i] = float32(c)
			}
			NarrowTo(y, 0, v)
			l.Back()
		},
		fromC128: func(y *Tensor, x []complex128) {
			v, l := Borrow[float32](len(x))
			for i, c := range x {
				v[i] = float32(real(c))
			}
			NarrowTo(y, 0, v)
			l.Back()
		},
		canon: func(*Tensor) {}} // rounding made them canonical
}

var complex64Conversion = conversion{
	toF32: func(y []float32, x *Tensor) {
		for i, v := range View[complex64](x) {
			y[i] = real(v)
		}
	},
	toF64: func(y []float64, x *Tensor) {
		for i, v := range View[complex64](x) {
			y[i] = float64(real(v))
		}
	},
	FromF32: func(y *Tensor, x []float32) {
		to := View[complex64](y)
		for i, v := range x {
			to[i] = complex(v, 0)
		}
	},
	fromF64: func(y *Tensor, x []float64) {
		to := View[complex64](y)
		for i, v := range x {
			to[i] = complex(float32(v), 0)
		}
	},
	fromC128: func(y *Tensor, x []complex128) {
		to := View[complex64](y)
		for i, v := range x {
			to[i] = complex64(v)
		}
	},
	canon: canonOf[complex64]}

var complex128Conversion = conversion{
	toF32: func(y []float32, x *Tensor) {
		for i, v := range View[complex128](x) {
			y[i] = float32(real(v))
		}
	},
	toF64: func(y []float64, x *Tensor) {
		for i, v := range View[complex128](x) {
			y[i] = real(v)
		}
	},
	FromF32: func(y *Tensor, x []float32) {
		to := View[complex128](y)
		for i, v := range x {
			to[i] = complex(float64(v), 0)
		}
	},
	fromF64: func(y *Tensor, x []float64) {
		to := View[complex128](y)
		for i, v := range x {
			to[i] = complex(v, 0)
		}
	},
	fromC128: func(y *Tensor, x []complex128) { copy(View[complex128](y), x) },
	canon:    canonOf[complex128]}

func canonOf[A any](y *Tensor) { Canon(View[A](y)) }

func fromFloat[A, F Float](y *Tensor, x []F) {
	to := View[A](y)
	for i, v := range x {
		to[i] = A(v)
	}
}

func floatTo[F, A Float](y []F, x *Tensor) {
	for i, v := range View[A](x) {
		y[i] = F(v)
	}
}

func smallToF32(y []float32, x *Tensor) { SmallRowsOf(x).At(0, len(y), y) }

func smallToF64(y []float64, x *Tensor) {
	const chunk = 64
	buf, l := Borrow[float32](chunk)
	r := SmallRowsOf(x)
	for i := 0; i < len(y); i += chunk {
		for j, v := range r.At(i, min(chunk, len(y)-i), buf) {
			y[i+j] = float64(v)
		}
	}
	l.Back()
}

func signedToF32(y []float32, x *Tensor) {
	e, l := ElementsAs[int64](x)
	for i, v := range e {
		y[i] = scalar.IntToFloat32(v)
	}
	l.Back()
}

func signedToF64(y []float64, x *Tensor) {
	e, l := ElementsAs[int64](x)
	for i, v := range e {
		y[i] = scalar.IntToFloat64(v)
	}
	l.Back()
}

func unsignedToF32(y []float32, x *Tensor) {
	e, l := ElementsAs[int64](x)
	for i, v := range e {
		y[i] = scalar.UintToFloat32(uint64(v))
	}
	l.Back()
}

func unsignedToF64(y []float64, x *Tensor) {
	e, l := ElementsAs[int64](x)
	for i, v := range e {
		y[i] = scalar.UintToFloat64(uint64(v))
	}
	l.Back()
}

// Store rounds the elements into t, unless they are its own; NaNs become canonical.
func Store[A any](t *Tensor, x []A) {
	if t.Size() == 0 {
		return
	}
	to := ConversionOf(t.DType)
	if to.canon == nil {
		Refuse(t.DType)
	}
	if unsafe.Pointer(&x[0]) != unsafe.Pointer(&t.Data[0]) {
		storeRounded(to, t, x)
	}
	to.canon(t)
}

func storeRounded[A any](to *conversion, t *Tensor, x []A) {
	switch x := any(x).(type) {
	case []float64:
		to.fromF64(t, x)
	case []complex128:
		to.fromC128(t, x)
	case []float32:
		to.FromF32(t, x)
	case []complex64:
		wide, l := Borrow[complex128](len(x))
		for i, v := range x {
			wide[i] = complex128(v)
		}
		to.fromC128(t, wide)
		l.Back()
	}
}
