package accuracy

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/lower/kernel"
)

// Half measures f at all values of f16 or bf16.
func (f Function) Half(dt core.DType) Result {
	var t tally
	a := newRunner(f.Prim, dt)
	x, y := kernel.NewTensor(core.Aval(core.Float64, chunk)), kernel.NewTensor(core.Aval(core.Float64, chunk))
	widen := kernel.MustPlan(prim.ConvertElementTypeP{NewDType: core.Float64}, dt, core.Float64)
	fm := formats[dt]
	for at := 0; at < 1<<16; at += chunk {
		for i := range chunk {
			kernel.View[uint16](a.in)[i] = uint16(at + i)
		}
		a.run()
		widen.Run([]*kernel.Tensor{a.in}, []*kernel.Tensor{x})
		widen.Run([]*kernel.Tensor{a.out}, []*kernel.Tensor{y})
		for i, v := range kernel.View[float64](x) {
			got := kernel.View[float64](y)[i]
			t.add(v, f.sure(fm, v, got, fm.off(got, near[f.Name](v), f.Unit), t.Max))
		}
	}
	return t.result()
}
