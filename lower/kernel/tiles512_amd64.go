//go:build !purego

package kernel

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
func lessLanes32(y, a, x unsafe.Pointer, n int)

//go:noescape
func lessLanes64(y, a, x unsafe.Pointer, n int)

//go:noescape
func divideLanes32(y, d unsafe.Pointer, n int)

//go:noescape
func divideLanes64(y, d unsafe.Pointer, n int)

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
		less: func(y, a, x []float32) {
			_, _ = a[len(y)-1], x[len(y)-1]
			lessLanes32(unsafe.Pointer(&y[0]), unsafe.Pointer(&a[0]), unsafe.Pointer(&x[0]), len(y))
		},
		divide: func(y, d []float32) {
			_ = d[len(y)-1]
			divideLanes32(unsafe.Pointer(&y[0]), unsafe.Pointer(&d[0]), len(y))
		},
		cholesky: choleskyLanes[float32],
		solve:    solveLanes[float32],
		lu:       luLanes[float32],
	}
	fieldF64.lanes = &laneOps[float64]{
		less: func(y, a, x []float64) {
			_, _ = a[len(y)-1], x[len(y)-1]
			lessLanes64(unsafe.Pointer(&y[0]), unsafe.Pointer(&a[0]), unsafe.Pointer(&x[0]), len(y))
		},
		divide: func(y, d []float64) {
			_ = d[len(y)-1]
			divideLanes64(unsafe.Pointer(&y[0]), unsafe.Pointer(&d[0]), len(y))
		},
		cholesky: choleskyLanes[float64],
		solve:    solveLanes[float64],
		lu:       luLanes[float64],
	}
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
