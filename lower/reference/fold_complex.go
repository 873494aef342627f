package reference

import (
	"math"

	"github.com/weft-go/weft/lower/scalar"
)

// Complex numbers are ordered by real part, then by imaginary part; of equal ones
// −0 lies below +0, in the real part first, so that the greatest of many does not
// depend on the sequence of comparisons. A number with a NaN in either part is NaN
// and wins; the result is NaN in both parts.

func lessC(a, b, c, d float64) bool {
	switch {
	case a != c:
		return a < c
	case b != d:
		return b < d
	case math.Signbit(a) != math.Signbit(c):
		return math.Signbit(a)
	}
	return math.Signbit(b) && !math.Signbit(d)
}

func maxC128(x, y complex128) complex128 {
	if x != x || y != y {
		return complex(scalar.NaN64, scalar.NaN64)
	}
	if lessC(real(x), imag(x), real(y), imag(y)) {
		return y
	}
	return x
}

func minC128(x, y complex128) complex128 {
	if x != x || y != y {
		return complex(scalar.NaN64, scalar.NaN64)
	}
	if lessC(real(y), imag(y), real(x), imag(x)) {
		return y
	}
	return x
}

func maxC64(x, y complex64) complex64 {
	if x != x || y != y {
		return complex(scalar.NaN32, scalar.NaN32)
	}
	if lessC(float64(real(x)), float64(imag(x)), float64(real(y)), float64(imag(y))) {
		return y
	}
	return x
}

func minC64(x, y complex64) complex64 {
	if x != x || y != y {
		return complex(scalar.NaN32, scalar.NaN32)
	}
	if lessC(float64(real(y)), float64(imag(y)), float64(real(x)), float64(imag(x))) {
		return y
	}
	return x
}
