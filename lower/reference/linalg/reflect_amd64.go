//go:build !purego

package linalg

import (
	"unsafe"

	"golang.org/x/sys/cpu"
)

//go:noescape
func reflect512x32(a unsafe.Pointer, ld, cols int, v unsafe.Pointer, rows int, tau float32)

//go:noescape
func reflect512x64(a unsafe.Pointer, ld, cols int, v unsafe.Pointer, rows int, tau float64)

func init() {
	if !cpu.X86.HasAVX512F {
		return
	}
	fieldF32.reflect = func(a []float32, ld, cols int, v []float32, tau float32) {
		_ = a[(len(v)-1)*ld+cols-1]
		reflect512x32(unsafe.Pointer(&a[0]), ld*4, cols, unsafe.Pointer(&v[0]), len(v), tau)
	}
	fieldF64.reflect = func(a []float64, ld, cols int, v []float64, tau float64) {
		_ = a[(len(v)-1)*ld+cols-1]
		reflect512x64(unsafe.Pointer(&a[0]), ld*8, cols, unsafe.Pointer(&v[0]), len(v), tau)
	}
}
