package reference

import (
	"math"

	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/lower/scalar"
)

// elements reads, converts and writes the elements of one dtype. A function is nil where the
// dtype has no such operation.
type elements struct {
	// toF32 and toF64 convert to floats; of complex numbers they take the real parts.
	toF32 func(y []float32, x *Tensor)
	toF64 func(y []float64, x *Tensor)
	// fromF32, fromF64 and fromC128 round floats and complex numbers, of which real types take the
	// real parts; canon makes NaNs canonical.
	fromF32  func(y *Tensor, x []float32)
	fromF64  func(y *Tensor, x []float64)
	fromC128 func(y *Tensor, x []complex128)
	canon    func(y *Tensor)
	// choose writes the position of the element that each window selects; elements are ordered.
	choose func(at []int, x *Tensor, sel prim.Select, k *windowWalk)
	// index returns element i as an index, saturated where an int is too small.
	index func(x *Tensor, i int) int
	// seeds writes the keys that the elements, as seeds, make.
	seeds func(y []key, x *Tensor)
	// draw writes n random elements that the key k determines, from element at on.
	draw func(y *Tensor, at, n int, k key)
	// own is the *field[A] in which matrices are computed.
	own any
}

func signedElements[A signed]() elements {
	return elements{toF32: signedToF32, toF64: signedToF64, choose: chooseOf[A], seeds: seedWordsOf[A],
		index: func(x *Tensor, i int) int { return int(max(min(int64(View[A](x)[i]), math.MaxInt), math.MinInt)) }}
}

func unsignedElements[A unsigned]() elements {
	return elements{toF32: unsignedToF32, toF64: unsignedToF64, choose: chooseOf[A], seeds: seedWordsOf[A], draw: drawBits[A],
		index: func(x *Tensor, i int) int { return int(min(uint64(View[A](x)[i]), math.MaxInt)) }}
}

func floatElements[A float](f *field[A]) elements {
	return elements{toF32: floatTo[float32, A], toF64: floatTo[float64, A], choose: chooseOf[A], own: f,
		fromF32: fromFloat[A, float32], fromF64: fromFloat[A, float64],
		fromC128: func(y *Tensor, x []complex128) {
			to := View[A](y)
			for i, v := range x {
				to[i] = A(real(v))
			}
		},
		canon: canonOf[A]}
}

// smallElements are the floats of fewer than 32 bits, which compute in f32.
func smallElements() elements {
	return elements{toF32: smallToF32, toF64: smallToF64, choose: chooseWidened, own: &fieldF32,
		fromF32: func(y *Tensor, x []float32) { narrowTo(y, 0, x) },
		fromF64: func(y *Tensor, x []float64) {
			v, l := borrow[float32](len(x))
			for i, c := range x {
				v[i] = float32(c)
			}
			narrowTo(y, 0, v)
			l.back()
		},
		fromC128: func(y *Tensor, x []complex128) {
			v, l := borrow[float32](len(x))
			for i, c := range x {
				v[i] = float32(real(c))
			}
			narrowTo(y, 0, v)
			l.back()
		},
		canon: func(*Tensor) {}} // rounding made them canonical
}

var complex64Elements = elements{
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
	fromF32: func(y *Tensor, x []float32) {
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
	canon: canonOf[complex64], own: &fieldC64}

var complex128Elements = elements{
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
	fromF32: func(y *Tensor, x []float32) {
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
	canon:    canonOf[complex128], own: &fieldC128}

func canonOf[A any](y *Tensor) { canon(View[A](y)) }

func chooseOf[A number](at []int, x *Tensor, sel prim.Select, k *windowWalk) {
	choose(at, View[A](x), sel, k)
}

func chooseWidened(at []int, x *Tensor, sel prim.Select, k *windowWalk) {
	e, l := elementsAs[float32](x)
	choose(at, e, sel, k)
	l.back()
}

func seedWordsOf[A integer](y []key, x *Tensor) {
	wide := elementBytes[A]() == 8
	for i, v := range View[A](x) {
		y[i] = key{0, uint32(v)}
		if wide {
			y[i][0] = uint32(uint64(v) >> 32)
		}
	}
}

func fromFloat[A, F float](y *Tensor, x []F) {
	to := View[A](y)
	for i, v := range x {
		to[i] = A(v)
	}
}

func floatTo[F, A float](y []F, x *Tensor) {
	for i, v := range View[A](x) {
		y[i] = F(v)
	}
}

func smallToF32(y []float32, x *Tensor) { smallRowsOf(x).at(0, len(y), y) }

func smallToF64(y []float64, x *Tensor) {
	const chunk = 64
	buf, l := borrow[float32](chunk)
	r := smallRowsOf(x)
	for i := 0; i < len(y); i += chunk {
		for j, v := range r.at(i, min(chunk, len(y)-i), buf) {
			y[i+j] = float64(v)
		}
	}
	l.back()
}

func signedToF32(y []float32, x *Tensor) {
	e, l := elementsAs[int64](x)
	for i, v := range e {
		y[i] = scalar.IntToFloat32(v)
	}
	l.back()
}

func signedToF64(y []float64, x *Tensor) {
	e, l := elementsAs[int64](x)
	for i, v := range e {
		y[i] = scalar.IntToFloat64(v)
	}
	l.back()
}

func unsignedToF32(y []float32, x *Tensor) {
	e, l := elementsAs[int64](x)
	for i, v := range e {
		y[i] = scalar.UintToFloat32(uint64(v))
	}
	l.back()
}

func unsignedToF64(y []float64, x *Tensor) {
	e, l := elementsAs[int64](x)
	for i, v := range e {
		y[i] = scalar.UintToFloat64(uint64(v))
	}
	l.back()
}

// An ownLoop computes matrices in elements of type A.
type ownLoop[A any] = func(f *field[A], in, out [][]A, ints [][]int32)
