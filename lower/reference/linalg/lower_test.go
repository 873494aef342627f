package linalg

import (
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim/matrices"
	"github.com/weft-go/weft/lower/reference/internal/block"
	"github.com/weft-go/weft/lower/scalar"
)

// Factorizations and systems do most of their work by blocks.
func TestBlocksAreLowered(t *testing.T) {
	const n = 512
	real32 := block.NewTensor(core.Aval(core.Float32, n, n))
	for i := range n {
		block.View[float32](real32)[i*(n+1)] = float32(i + 1)
	}
	multiplied := 0 // multiply-adds
	f := &fieldF32
	old := f.lowerBlock
	f.lowerBlock = func(c []float32, ldc int, a []float32, lda int, w []float32, ldw, m, n, k int) {
		multiplied += m * n * k
		if old != nil {
			old(c, ldc, a, lda, w, ldw, m, n, k)
			return
		}
		for i := range m {
			for l := range k {
				for j := range n {
					c[i*ldc+j] = scalar.FMA32(-a[i*lda+l], w[l*ldw+j], c[i*ldc+j])
				}
			}
		}
	}
	defer func() { f.lowerBlock = old }()
	for name, c := range map[string]struct {
		p    core.Primitive
		in   []*block.Tensor
		want int
	}{
		"cholesky":         {matrices.CholeskyP{}, []*block.Tensor{real32}, n * n * n / 6},
		"triangular_solve": {matrices.TriangularSolveP{LeftSide: true, Lower: true}, []*block.Tensor{real32, real32}, n * n * n / 2},
	} {
		multiplied = 0
		applied(t, c.p, c.in...)
		if blocked := multiplied; blocked < c.want*8/10 {
			t.Errorf("%s: %d multiply-adds in blocks, want most of %d", name, blocked, c.want)
		}
	}
}
