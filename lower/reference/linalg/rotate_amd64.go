//go:build !purego

package linalg

import (
	"unsafe"

	"golang.org/x/sys/cpu"
)

//go:noescape
func rotateDown(z unsafe.Pointer, ld int, rots unsafe.Pointer, count, cols int)

//go:noescape
func rotateUp(z unsafe.Pointer, ld int, rots unsafe.Pointer, count, cols int)

// The rows that a rotation leaves stay in registers for the next one.
func init() {
	if !cpu.X86.HasAVX512F {
		return
	}
	rotateStrip = func(z []float64, ld, cols int, rots []rotation, backward bool) {
		if len(rots) == 0 || cols == 0 {
			return
		}
		_ = z[len(rots)*ld+cols-1]
		run := rotateDown
		if backward {
			run = rotateUp
		}
		run(unsafe.Pointer(&z[0]), ld*8, unsafe.Pointer(&rots[0]), len(rots), cols)
	}
}
