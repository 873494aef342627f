package linalg

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/lower/reference/internal/block"
)

// smallMatrices returns a batch of random matrices, among them some that are diagonal, zero, rank-deficient, tiny or not finite.
func smallMatrices(r *rand.Rand, dt core.DType, count, m, n int) *block.Tensor {
	x := block.NewTensor(core.Aval(dt, count, m, n))
	e := make([]float64, count*m*n)
	for b := range count {
		a := e[b*m*n : (b+1)*m*n]
		kind := r.IntN(12)
		for i := range a {
			a[i] = r.NormFloat64()
			switch row, col := i/n, i%n; {
			case kind == 0 && row != col, kind == 1, kind == 2 && (row < 2 || col < 2), kind == 3 && max(row, col)-min(row, col) > 1:
				a[i] = 0
			case kind == 4:
				a[i] = 1
			case kind == 5:
				a[i] = math.Ldexp(a[i], -1060)
			case kind == 6:
				a[i] = math.Ldexp(a[i], -10*row-10*col)
			}
		}
		switch kind {
		case 7:
			a[r.IntN(len(a))] = math.NaN()
		case 8:
			a[r.IntN(len(a))] = math.Inf(1)
		}
	}
	block.Store(x, e)
	return x
}

// Eigenvectors and singular vectors of small matrices that are decomposed side by side have the bits of those that are
// decomposed one by one.
func TestDecompositionsSideBySideSameBits(t *testing.T) {
	if runs64 == nil {
		t.Skip("this machine has no operations on runs")
	}
	r := rand.New(rand.NewPCG(19, 6))
	for n := 2; n <= laneSize; n++ {
		for _, dt := range []core.DType{core.Float32, core.Float64} {
			x := smallMatrices(r, dt, 3*laneCount+1, n, n)
			for _, p := range []core.Primitive{
				prim.EighP{Lower: true, Sorted: true}, prim.EighP{Sorted: true}, prim.EighP{Sorted: true, ValuesOnly: true},
				prim.SVDP{}, prim.SVDP{Vectors: true}, prim.SVDP{Vectors: true, Full: true},
			} {
				together := applied(t, p, x)
				ops := runs64
				runs64 = nil
				alone := applied(t, p, x)
				runs64 = ops
				for i := range alone {
					if !sameNumbers(together[i], alone[i]) {
						t.Errorf("%+v of %v: result %d differs", p, x, i)
					}
				}
			}
		}
	}
}
