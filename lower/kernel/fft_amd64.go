//go:build !purego

package kernel

import (
	"unsafe"

	"golang.org/x/sys/cpu"
)

//go:noescape
func stage4x512(src, to unsafe.Pointer, m, quarter int, w unsafe.Pointer)

func init() {
	if cpu.X86.HasAVX512F && cpu.X86.HasAVX512DQ {
		fftStage4 = func(src, to []cplx, m, quarter int, w *[3]cplx) {
			_, _ = src[4*m-1], to[3*quarter+m-1]
			stage4x512(unsafe.Pointer(&src[0]), unsafe.Pointer(&to[0]), 16*m, 16*quarter, unsafe.Pointer(w))
		}
	}
}
