package simt_test

import (
	"math"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim/indexed"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/fuse"
	"github.com/weft-go/weft/lower/schedule"
	"github.com/weft-go/weft/lower/simt"
)

// Groups of updates need no more shared memory than each device of OpenCL has, also where keys have 64 bits.
func TestSharedMemoryOfUpdates(t *testing.T) {
	checked := 0
	for _, dt := range []core.DType{core.Float32, core.BFloat16, core.Float64, core.Complex64, core.Complex128, core.Int16, core.Uint64} {
		for _, how := range []indexed.Combiner{indexed.CombineAdd, indexed.CombineSub, indexed.CombineMul, indexed.CombineMin, indexed.CombineMax} {
			for _, rows := range []int{100, max(100, math.MaxInt>>31)} {
				for _, columns := range []int{1, 2, 5, 40} {
					b := jaxpr.NewBuilder()
					x, idx, u := b.Input(core.Aval(dt, rows, columns)), b.Input(core.Aval(core.Int64, 1<<20, 1)), b.Input(core.Aval(dt, 1<<20, columns))
					first := core.MakeDims(0)
					p := indexed.Scattering{UpdateWindowDims: core.MakeDims(1), InsertedWindowDims: first, ScatterDimsToOperandDims: first}.By(how, dt)
					for _, s := range fuse.Translate(b.Build(b.Eqn(p, x, idx, u)[0]), fuse.Target{}).Steps {
						if s, ok := s.(*fuse.Update); ok {
							bytes := 0
							for _, a := range simt.FuncOf(&schedule.UpdateGrouped{Update: schedule.NewUpdate(s.Kernel)}).Arrays {
								bytes += a.Len * a.Type.Size()
							}
							if checked++; bytes > 32<<10 {
								t.Errorf("%v of %v, %d×%d: got %d bytes, want 32 KB at most", how, dt, rows, columns, bytes)
							}
						}
					}
				}
			}
		}
	}
	if checked < 200 {
		t.Errorf("%d kernels were checked", checked)
	}
}
