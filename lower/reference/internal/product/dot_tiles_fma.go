//go:build (amd64 || arm64) && !purego

package product

import "unsafe"

//go:noescape
func fmaTile32(c, a unsafe.Pointer, step int, b unsafe.Pointer, k int)

//go:noescape
func fmaTile64(c, a unsafe.Pointer, step int, b unsafe.Pointer, k int)

//go:noescape
func fmaChains32(c, a unsafe.Pointer, aStep int, b unsafe.Pointer, bStep int, k int)

//go:noescape
func fmaChains64(c, a unsafe.Pointer, aStep int, b unsafe.Pointer, bStep int, k int)

func init() {
	if fusesVectors {
		Tiles32 = &tiles[float32]{4, 16, DotChunk, fmaTile32, fmaChains32}
		Tiles64 = &tiles[float64]{4, 8, DotChunk, fmaTile64, fmaChains64}
	}
}
