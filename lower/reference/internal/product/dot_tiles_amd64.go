//go:build !purego

package product

import (
	"unsafe"

	"golang.org/x/sys/cpu"
)

//go:noescape
func fmaTile32(c, a unsafe.Pointer, step int, b unsafe.Pointer, k int)

//go:noescape
func fmaTile64(c, a unsafe.Pointer, step int, b unsafe.Pointer, k int)

//go:noescape
func fmaChains32(c, a unsafe.Pointer, aStep int, b unsafe.Pointer, bStep int, k int)

//go:noescape
func fmaChains64(c, a unsafe.Pointer, aStep int, b unsafe.Pointer, bStep int, k int)

func init() {
	if cpu.X86.HasAVX && cpu.X86.HasFMA && !cpu.X86.HasAVX512F {
		Tiles32 = &tiles[float32]{4, 16, DotChunk, fmaTile32, fmaChains32}
		Tiles64 = &tiles[float64]{4, 8, DotChunk, fmaTile64, fmaChains64}
	}
}
