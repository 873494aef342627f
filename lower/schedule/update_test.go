package schedule

import (
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim/indexed"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/fuse"
)

// Only additions of integers that a device adds at once need no order.
func TestUpdatesThatAdd(t *testing.T) {
	for _, c := range []struct {
		how   indexed.Combiner
		dt    core.DType
		bytes int
		want  bool
	}{
		{indexed.CombineAdd, core.Int32, 4, true},
		{indexed.CombineAdd, core.Uint32, 8, true},
		{indexed.CombineAdd, core.Int64, 8, true},
		{indexed.CombineAdd, core.Uint64, 4, false},
		{indexed.CombineAdd, core.Int16, 8, false},
		{indexed.CombineAdd, core.Uint8, 8, false},
		{indexed.CombineAdd, core.Float32, 8, false},
		{indexed.CombineAdd, core.Float64, 8, false},
		{indexed.CombineSub, core.Int32, 8, true},
		{indexed.CombineSub, core.Float32, 8, false},
		{indexed.CombineMul, core.Int32, 8, false},
		{indexed.CombineMin, core.Int32, 8, false},
		{indexed.CombineMax, core.Uint64, 8, false},
		{indexed.CombineSet, core.Int32, 8, false},
	} {
		b := jaxpr.NewBuilder()
		x, idx, u := b.Input(core.Aval(c.dt, 9, 5)), b.Input(core.Aval(core.Int32, 100, 1)), b.Input(core.Aval(c.dt, 100, 5))
		first := core.MakeDims(0)
		p := indexed.Scattering{UpdateWindowDims: core.MakeDims(1), InsertedWindowDims: first, ScatterDimsToOperandDims: first}.By(c.how, c.dt)
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
