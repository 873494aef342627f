package block

import (
	"unsafe"

	"github.com/weft-go/weft/lower/scalar"
)

// canonizer32 and Canonizer64 make NaNs canonical in multiples of 16 and of 8 numbers. They are
// nil where the machine has no code for them.
var canonizer32, Canonizer64 func(x unsafe.Pointer, n int)

// Canon makes every NaN of x the canonical one; it takes floats and complex numbers.
func Canon[A any](x []A) {
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

// canonFirst is Canon of the first numbers, as many as the machine has code for; it returns the others.
func canonFirst[A any](x []A) []A {
	run, parts, per := Canonizer64, 1, 8
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
