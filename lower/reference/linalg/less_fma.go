//go:build (amd64 || arm64) && !purego

package linalg

import "unsafe"

//go:noescape
func lessBlock32(y, x unsafe.Pointer, a float32, n int)

//go:noescape
func lessBlock64(y, x unsafe.Pointer, a float64, n int)

// Where the machine fuses multiply and add, factorizations use it. The loops in Go
// compute the same bits, and the rest of a row.
func init() {
	if !fusesVectors {
		return
	}
	rest32, rest64 := fieldF32.less, fieldF64.less
	fieldF32.less = func(y []float32, a float32, x []float32) {
		k := len(x) &^ 7
		if k > 0 {
			_ = y[k-1]
			lessBlock32(unsafe.Pointer(&y[0]), unsafe.Pointer(&x[0]), a, k)
		}
		rest32(y[k:], a, x[k:])
	}
	fieldF64.less = func(y []float64, a float64, x []float64) {
		k := len(x) &^ 3
		if k > 0 {
			_ = y[k-1]
			lessBlock64(unsafe.Pointer(&y[0]), unsafe.Pointer(&x[0]), a, k)
		}
		rest64(y[k:], a, x[k:])
	}
}
