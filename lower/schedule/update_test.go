package schedule

import (
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/fuse"
)

// Only additions of integers that a device adds at once need no order.
func TestUpdatesThatAdd(t *testing.T) {
	for _, c := range []struct {
		how   prim.Combiner
		dt    core.DType
		bytes int
		want  bool
	}{
		{prim.CombineAdd, core.Int32, 4, true},
		{prim.CombineAdd, core.Uint32, 8, true},
		{prim.CombineAdd, core.Int64, 8, true},
		{prim.CombineAdd, core.Uint64, 4, false},
		{prim.CombineAdd, core.Int16, 8, false},
		{prim.CombineAdd, core.Uint8, 8, false},
		{prim.CombineAdd, core.Float32, 8, false},
		{prim.CombineAdd, core.Float64, 8, false},
		{prim.CombineSub, core.Int32, 8, true},
		{prim.CombineSub, core.Float32, 8, false},
		{prim.CombineMul, core.Int32, 8, false},
		{prim.CombineMin, core.Int32, 8, false},
		{prim.CombineMax, core.Uint64, 8, false},
		{prim.CombineSet, core.Int32, 8, false},
	} {
		b := jaxpr.NewBuilder()
		x, idx, u := b.Input(core.Aval(c.dt, 9, 5)), b.Input(core.Aval(core.Int32, 100, 1)), b.Input(core.Aval(c.dt, 100, 5))
		first := core.MakeDims(0)
		p := prim.Scattering{UpdateWindowDims: core.MakeDims(1), InsertedWindowDims: first, ScatterDimsToOperandDims: first}.By(c.how, c.dt)
		found := false
		for _, s := range fuse.Translate(b.Build(b.Eqn(p, x, idx, u)[0]), fuse.Target{}).Steps {
			if s, ok := s.(*fuse.Update); ok {
				found = true
				if got := NewUpdate(s.Kernel).Adds(c.bytes); got != c.want {
					t.Errorf("%v of %v, up to %d bytes: got %v, want %v", c.how, c.dt, c.bytes, got, c.want)
				}
			}
		}
		if !found {
			t.Errorf("%v of %v is no update", c.how, c.dt)
		}
	}
}
