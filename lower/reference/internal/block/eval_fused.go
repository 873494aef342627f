package block

import (
	"math"
	"unsafe"

	"github.com/weft-go/weft/lower/scalar"
)

// Loops that do two instructions at once, or one with a constant.

func nanOf[T Float]() T {
	if unsafe.Sizeof(T(0)) == 4 {
		return *(*T)(unsafe.Pointer(&scalar.NaN32))
	}
	return *(*T)(unsafe.Pointer(&scalar.NaN64))
}

func addCanon[T Float](d, a, b, _ unsafe.Pointer, n int) {
	D, A, B, nan := vec[T](d, n), vec[T](a, n), vec[T](b, n), nanOf[T]()
	for i := range D {
		x := A[i] + B[i]
		if x != x {
			x = nan
		}
		D[i] = x
	}
}

func subCanon[T Float](d, a, b, _ unsafe.Pointer, n int) {
	D, A, B, nan := vec[T](d, n), vec[T](a, n), vec[T](b, n), nanOf[T]()
	for i := range D {
		x := A[i] - B[i]
		if x != x {
			x = nan
		}
		D[i] = x
	}
}

func mulCanon[T Float](d, a, b, _ unsafe.Pointer, n int) {
	D, A, B, nan := vec[T](d, n), vec[T](a, n), vec[T](b, n), nanOf[T]()
	for i := range D {
		x := A[i] * B[i]
		if x != x {
			x = nan
		}
		D[i] = x
	}
}

func divCanon[T Float](d, a, b, _ unsafe.Pointer, n int) {
	D, A, B, nan := vec[T](d, n), vec[T](a, n), vec[T](b, n), nanOf[T]()
	for i := range D {
		x := A[i] / B[i]
		if x != x {
			x = nan
		}
		D[i] = x
	}
}

func sqrtCanon[T Float](d, a, _, _ unsafe.Pointer, n int) {
	D, A, nan := vec[T](d, n), vec[T](a, n), nanOf[T]()
	for i := range D {
		x := T(math.Sqrt(float64(A[i])))
		if x != x {
			x = nan
		}
		D[i] = x
	}
}

// Shifts by a constant. The mask tells Go that the amount is below the width.

func shlBy[T Integer](s uint) loop {
	return func(d, a, _, _ unsafe.Pointer, n int) {
		D, A := vec[T](d, n), vec[T](a, n)
		A = A[:len(D)]
		for i := range D {
			D[i] = A[i] << (s & (8*uint(unsafe.Sizeof(A[0])) - 1))
		}
	}
}

func shrBy[T Integer](s uint) loop {
	return func(d, a, _, _ unsafe.Pointer, n int) {
		D, A := vec[T](d, n), vec[T](a, n)
		A = A[:len(D)]
		for i := range D {
			D[i] = A[i] >> (s & (8*uint(unsafe.Sizeof(A[0])) - 1))
		}
	}
}
