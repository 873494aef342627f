package accuracy

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/lower/reference"
)

// Half measures f at all values of f16 or bf16.
func (f Function) Half(dt core.DType) Result {
	var t tally
	a := newRunner(f.Prim, dt)
	x, y := reference.NewTensor(core.Aval(core.Float64, chunk)), reference.NewTensor(core.Aval(core.Float64, chunk))
	widen := reference.MustPlan(prim.ConvertElementTypeP{NewDType: core.Float64}, dt, core.Float64)
	fm := formats[dt]
	for at := 0; at < 1<<16; at += chunk {
		for i := range chunk {
			reference.View[uint16](a.in)[i] = uint16(at + i)
		}
		a.run()
		widen.Run([]*reference.Tensor{a.in}, []*reference.Tensor{x})
		widen.Run([]*reference.Tensor{a.out}, []*reference.Tensor{y})
		for i, v := range reference.View[float64](x) {
			got := reference.View[float64](y)[i]
			t.add(v, f.sure(fm, v, got, fm.off(got, near[f.Name](v), f.Unit), t.Max))
		}
	}
	return t.result()
}
