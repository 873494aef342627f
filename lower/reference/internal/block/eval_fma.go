//go:build (amd64 || arm64) && !purego

package block

import (
	"unsafe"

	"github.com/weft-go/weft/lower/scalar"
)

// Go has no fma of f32, and an fma of f32 in f64 arithmetic is slow: where the machine has the instruction, two
// loops of assembly use it. The loops in Go remain the reference for these.

//go:noescape
func fmaBlock32(d, a, b, c unsafe.Pointer, n int)

//go:noescape
func fmaBlock64(d, a, b, c unsafe.Pointer, n int)

func init() {
	if !fusesVectors {
		return
	}
	OpLoops[scalar.OpFMA][scalar.F32] = func(d, a, b, c unsafe.Pointer, n int) {
		k := n &^ 7
		if k > 0 {
			fmaBlock32(d, a, b, c, k)
		}
		if k < n {
			at := k * 4
			FmaF32(unsafe.Add(d, at), unsafe.Add(a, at), unsafe.Add(b, at), unsafe.Add(c, at), n-k)
		}
	}
	OpLoops[scalar.OpFMA][scalar.F64] = func(d, a, b, c unsafe.Pointer, n int) {
		k := n &^ 3
		if k > 0 {
			fmaBlock64(d, a, b, c, k)
		}
		if k < n {
			at := k * 8
			fmaF64(unsafe.Add(d, at), unsafe.Add(a, at), unsafe.Add(b, at), unsafe.Add(c, at), n-k)
		}
	}
}
