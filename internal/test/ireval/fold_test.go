package ireval

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
)

// The orders of reductions differ where rounding makes them differ, and each is what
// its definition states.
func TestOrders(t *testing.T) {
	f := folding{ir.Folding{Op: ir.Sum, Value: scalar.F32}}
	x := make([]pair, 10_000)
	v := make([]float32, len(x))
	for i := range x {
		v[i] = float32(1+i%7) * 0.1
		x[i] = pair{uint64(math.Float32bits(v[i]))}
	}
	got := func(o ir.Order, w int) float32 {
		return math.Float32frombits(uint32(f.fold(o, w, append([]pair{}, x...))[0]))
	}
	chunk := func(v []float32) (s float32) {
		for _, a := range v {
			s += a
		}
		return s
	}
	lanes := func(v []float32) float32 {
		var acc [64]float32
		for i, a := range v {
			acc[i%64] += a
		}
		for h := 32; h > 0; h /= 2 {
			for i := range h {
				acc[i] += acc[i+h]
			}
		}
		return acc[0]
	}
	require.Equal(t, chunk(v), got(ir.Ordered, 0))
	tree := func(size int, sum func([]float32) float32) float32 {
		var counter []float32 // a binary counter of partial sums
		for i := 0; i*size < len(v); i++ {
			counter = append(counter, sum(v[i*size:min(len(v), (i+1)*size)]))
			for n := i + 1; n%2 == 0; n /= 2 {
				k := len(counter)
				counter = append(counter[:k-2], counter[k-2]+counter[k-1])
			}
		}
		total := counter[len(counter)-1]
		for i := len(counter) - 2; i >= 0; i-- {
			total = counter[i] + total
		}
		return total
	}
	require.Equal(t, tree(1024, lanes), got(ir.Lanes, 64))
	require.Equal(t, tree(16, chunk), got(ir.Chunks, 0))
}
