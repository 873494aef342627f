package reference

import (
	"math/rand/v2"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/elem"
	"github.com/weft-go/weft/core/prim/matrices"
	"github.com/weft-go/weft/lower/reference/internal/block"
)

// A batch of many matrices of a type that is computed in another one is converted some at a time, with the
// bits of each matrix alone.
func TestMatricesConvertedInParts(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 9))
	const n = 5
	batch := 9*32 + 3
	for _, dt := range []core.DType{core.BFloat16, core.Float16, core.Float32} {
		x := block.NewTensor(core.Aval(dt, batch, n, n))
		size := dt.Size()
		for b := range batch {
			for i := range n {
				for j := range i + 1 {
					v := core.FloatNumber(r.NormFloat64())
					elem.Put(x.Data[((b*n+i)*n+j)*size:], elem.Round(v, dt), dt)
					elem.Put(x.Data[((b*n+j)*n+i)*size:], elem.Round(v, dt), dt)
				}
			}
		}
		for _, p := range []core.Primitive{matrices.LUP{}, matrices.EighP{Lower: true}} {
			whole := apply(t, p, x)
			for b := range batch {
				one := &block.Tensor{ShapedArray: core.Aval(dt, 1, n, n), Data: x.Data[b*n*n*size : (b+1)*n*n*size]}
				for k, want := range apply(t, p, one) {
					if got := whole[k].Data[b*len(want.Data) : (b+1)*len(want.Data)]; string(got) != string(want.Data) {
						t.Fatalf("%s of %v, matrix %d: result %d differs from that of the matrix alone", p.Name(), dt, b, k)
					}
				}
			}
		}
	}
}
