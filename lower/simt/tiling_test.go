package simt

import (
	"testing"

	"github.com/weft-go/weft/lower/scalar"
)

// Groups need no more shared memory than the cost model states.
func TestTilingShared(t *testing.T) {
	for _, n := range []int{1, 5, 64, 300} {
		for _, m := range []int{1, 8, 100} {
			for along := range 4 {
				p := &Product{Name: "p", Type: scalar.F32, Chunk: 128, M: m, N: n, K: 512, A: Operand{Outer: 512, K: 1}, B: Operand{Outer: 1, K: n},
					Lens: [3]int64{int64(m * 512), int64(n * 512), int64(m * n)}}
				if along&1 != 0 {
					p.A = Operand{Outer: 1, K: m}
				}
				if along&2 != 0 {
					p.B = Operand{Outer: 512, K: 1}
				}
				x := p.dense()
				bytes := 0
				for _, a := range LowerProduct(p).Arrays {
					bytes += a.Len * a.Type.Size()
				}
				if most := x.Shared(x.Tiling(p.Device)); bytes > most {
					t.Errorf("%+v needs %d bytes, more than %d", p, bytes, most)
				}
			}
		}
	}
}
