package block

import (
	"math/bits"
	"unsafe"
)

func andLoop[U Unsigned](d, a, b, _ unsafe.Pointer, n int) {
	D, A, B := vec[U](d, n), vec[U](a, n), vec[U](b, n)
	for i := range D {
		D[i] = A[i] & B[i]
	}
}

func orLoop[U Unsigned](d, a, b, _ unsafe.Pointer, n int) {
	D, A, B := vec[U](d, n), vec[U](a, n), vec[U](b, n)
	for i := range D {
		D[i] = A[i] | B[i]
	}
}

func xorLoop[U Unsigned](d, a, b, _ unsafe.Pointer, n int) {
	D, A, B := vec[U](d, n), vec[U](a, n), vec[U](b, n)
	for i := range D {
		D[i] = A[i] ^ B[i]
	}
}

func notLoop[U Unsigned](d, a, _, _ unsafe.Pointer, n int) {
	D, A := vec[U](d, n), vec[U](a, n)
	for i := range D {
		D[i] = ^A[i]
	}
}

func notBool(d, a, _, _ unsafe.Pointer, n int) {
	D, A := vec[uint8](d, n), vec[uint8](a, n)
	for i := range D {
		D[i] = A[i] ^ 1
	}
}

func shlLoop[U Unsigned](d, a, b, _ unsafe.Pointer, n int) {
	D, A, B := vec[U](d, n), vec[U](a, n), vec[U](b, n)
	for i := range D {
		D[i] = A[i] << B[i]
	}
}

// shrLoop shifts right by an amount that is read as unsigned.
func shrLoop[T Integer, U Unsigned](d, a, b, _ unsafe.Pointer, n int) {
	D, A, B := vec[T](d, n), vec[T](a, n), vec[U](b, n)
	for i := range D {
		D[i] = A[i] >> B[i]
	}
}

func clzLoop[U Unsigned](d, a, _, _ unsafe.Pointer, n int) {
	D, A := vec[U](d, n), vec[U](a, n)
	w := int(8 * unsafe.Sizeof(D[0]))
	for i := range D {
		D[i] = U(w - bits.Len64(uint64(A[i])))
	}
}

func popLoop[U Unsigned](d, a, _, _ unsafe.Pointer, n int) {
	D, A := vec[U](d, n), vec[U](a, n)
	for i := range D {
		D[i] = U(bits.OnesCount64(uint64(A[i])))
	}
}
