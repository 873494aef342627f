//go:build !purego

package product

import (
	"unsafe"

	"golang.org/x/sys/cpu"
)

//go:noescape
func lowerTile32(c unsafe.Pointer, ldc int, a unsafe.Pointer, lda int, b unsafe.Pointer, k int)

//go:noescape
func lowerTile64(c unsafe.Pointer, ldc int, a unsafe.Pointer, lda int, b unsafe.Pointer, k int)

//go:noescape
func fmaTile32x512(c, a unsafe.Pointer, step int, b unsafe.Pointer, k int)

//go:noescape
func fmaTile64x512(c, a unsafe.Pointer, step int, b unsafe.Pointer, k int)

// Registers of 512 bits: tiles of eight rows. The bits are those of the loops in Go.
func init() {
	if !cpu.X86.HasAVX512F {
		return
	}
	Tiles32 = &tiles[float32]{8, 32, DotChunk, fmaTile32x512, fmaChains32}
	Tiles64 = &tiles[float64]{8, 16, DotChunk, fmaTile64x512, fmaChains64}
	LowerTiles32 = &lowerTiles[float32]{8, 32, lowerTile32}
	LowerTiles64 = &lowerTiles[float64]{8, 16, lowerTile64}
}
