package reference

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim/indexed"
	"github.com/weft-go/weft/lower/reference/internal/block"
)

// scatterWithProgram replaces elements of several arrays by what a program makes of them and of
// the updates, in row-major order of the updates.
func scatterWithProgram(q indexed.ScatterWithP, call Caller, in, out []*block.Tensor) {
	k := len(out)
	u := in[k+1:]
	for i, y := range out {
		copy(y.Data, in[i].Data)
	}
	if u[0].Size() == 0 {
		return
	}
	c := newCombiner(q.Program, call)
	update := func(d, step, from, n int) {
		acc, x := make([]*block.Tensor, k), make([]*block.Tensor, k)
		for t, y := range out {
			acc[t], x[t] = block.NewTensor(core.Aval(y.DType, n)), vector(u[t], from, n)
			size := y.DType.Size()
			for i := range n {
				copy(acc[t].Data[i*size:(i+1)*size], y.Data[(d+i*step)*size:])
			}
		}
		c.into(acc, x)
		for t, y := range out {
			size := y.DType.Size()
			for i := range n {
				copy(y.Data[(d+i*step)*size:(d+i*step+1)*size], acc[t].Data[i*size:])
			}
		}
	}
	scatterInto(update, out[0], in[k], u[0], q.Scattering)
}
