//go:build !purego

package linalg

import (
	"unsafe"

	"github.com/weft-go/weft/lower/reference/internal/product"
	"golang.org/x/sys/cpu"
)

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

// Registers of 512 bits for factorizations, whose rows end in masked instructions. The bits are
// those of the loops in Go.
func init() {
	if !cpu.X86.HasAVX512F {
		return
	}
	fieldF32.lowerBlock, fieldF64.lowerBlock = product.LowerTiles32.Lower, product.LowerTiles64.Lower
	fieldF64.pairs, fieldF64.moreRows = lessPairs512, addRows512
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
