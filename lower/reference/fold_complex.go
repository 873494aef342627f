package reference

import (
	"math"
	"unsafe"

	"github.com/weft-go/weft/lower/scalar"
)

// Complex numbers are ordered by real part, then by imaginary part; of equal ones
// −0 lies below +0, in the real part first, so that the greatest of many is the
// same in every order. A number with a NaN in either part is NaN and wins; the
// result is NaN in both parts.

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

// canonizer32 and canonizer64 make NaNs of 16 and 8 numbers, and of multiples, canonical: the machine's, nil where it has none.
var canonizer32, canonizer64 func(x unsafe.Pointer, n int)

// canon makes every NaN of x the canonical one; it takes floats and complex numbers.
func canon[A any](x []A) {
	x = canonFirst(x)
	switch x := any(x).(type) {
	case []float32:
		for i, v := range x {
			if v != v {
				x[i] = scalar.NaN32
			}
		}
	case []float64:
		for i, v := range x {
			if v != v {
				x[i] = scalar.NaN64
			}
		}
	case []complex64:
		for i, v := range x {
			if v != v {
				re, im := real(v), imag(v)
				if re != re {
					re = scalar.NaN32
				}
				if im != im {
					im = scalar.NaN32
				}
				x[i] = complex(re, im)
			}
		}
	case []complex128:
		for i, v := range x {
			if v != v {
				re, im := real(v), imag(v)
				if re != re {
					re = scalar.NaN64
				}
				if im != im {
					im = scalar.NaN64
				}
				x[i] = complex(re, im)
			}
		}
	}
}

// canonFirst is canon of the first numbers, as many as the machine does; it returns the others.
func canonFirst[A any](x []A) []A {
	run, parts, per := canonizer64, 1, 8
	switch any(x).(type) {
	case []float64:
	case []float32:
		run, per = canonizer32, 16
	case []complex64:
		run, parts, per = canonizer32, 2, 8
	case []complex128:
		parts, per = 2, 4
	default:
		return x
	}
	n := len(x) / per * per
	if run == nil || n == 0 {
		return x
	}
	run(unsafe.Pointer(&x[0]), n*parts)
	return x[n:]
}
