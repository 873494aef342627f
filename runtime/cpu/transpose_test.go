//go:build linux

package cpu_test

import (
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
)

// Transpositions move every element: any permutation of up to five axes, elements of any
// size, operands at guard pages.
func TestTransposeFuzz(t *testing.T) {
	o := newOperation(t, 7, 1)
	r := o.r
	for range rounds(400) {
		dt := []core.DType{core.Float32, core.Float32, core.Int32, core.Float64, core.Complex64, core.Complex128, core.BFloat16, core.Int8}[r.IntN(8)]
		rank := 2 + r.IntN(4)
		shape := make([]int, rank)
		size := 1
		for i := range shape {
			shape[i] = 1 + r.IntN([]int{0, 0, 200, 40, 16, 9}[rank])
			size *= shape[i]
		}
		if size > 1<<17 {
			continue
		}
		o.check(prim.TransposeP{Perm: core.MakeDims(r.Perm(rank)...)}, core.Aval(dt, shape...))
	}
}
