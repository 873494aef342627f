//go:build !purego

package reference

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

//go:noescape
func less512x32(y, x unsafe.Pointer, a float32, n int)

//go:noescape
func less512x64(y, x unsafe.Pointer, a float64, n int)

//go:noescape
func divide512x32(y unsafe.Pointer, d float32, n int)

//go:noescape
func divide512x64(y unsafe.Pointer, d float64, n int)

//go:noescape
func lessPairs512(y unsafe.Pointer, n int, a unsafe.Pointer, aStep int, x, b, z unsafe.Pointer, step, count int)

//go:noescape
func addRows512(y unsafe.Pointer, n int, c, rows unsafe.Pointer, step, count int)

// Registers of 512 bits: tiles of eight rows for products and for factorizations, whose rows
// end in masked instructions. The bits are those of the loops in Go.
func init() {
	if !cpu.X86.HasAVX512F {
		return
	}
	tiles32 = &tiles[float32]{8, 32, dotChunk, fmaTile32x512, fmaChains32}
	tiles64 = &tiles[float64]{8, 16, dotChunk, fmaTile64x512, fmaChains64}
	fieldF32.lowerBlock = (&lowerTiles[float32]{8, 32, lowerTile32}).lower
	fieldF64.lowerBlock = (&lowerTiles[float64]{8, 16, lowerTile64}).lower
	fieldF32.lanes = &laneOps[float32]{
		16, turnLanes32, choleskyLanes32, meanLanes32, solveLanes32, luLanes32,
		choleskyLanes[float32], solveLanes[float32], luLanes[float32], systemLanes[float32],
	}
	fieldF64.lanes = &laneOps[float64]{
		8, turnLanes64, choleskyLanes64, meanLanes64, solveLanes64, luLanes64,
		choleskyLanes[float64], solveLanes[float64], luLanes[float64], systemLanes[float64],
	}
	fieldF64.pairs, fieldF64.moreRows = lessPairs512, addRows512
	canonizer32, canonizer64 = canon32, canon64
	fieldF32.divide = func(y []float32, d float32) {
		if len(y) > 0 {
			divide512x32(unsafe.Pointer(&y[0]), d, len(y))
		}
	}
	fieldF64.divide = func(y []float64, d float64) {
		if len(y) > 0 {
			divide512x64(unsafe.Pointer(&y[0]), d, len(y))
		}
	}
	fieldF32.less = func(y []float32, a float32, x []float32) {
		if len(x) > 0 {
			_ = y[len(x)-1]
			less512x32(unsafe.Pointer(&y[0]), unsafe.Pointer(&x[0]), a, len(x))
		}
	}
	fieldF64.less = func(y []float64, a float64, x []float64) {
		if len(x) > 0 {
			_ = y[len(x)-1]
			less512x64(unsafe.Pointer(&y[0]), unsafe.Pointer(&x[0]), a, len(x))
		}
	}
}
