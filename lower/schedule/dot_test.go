package schedule

import (
	"slices"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
)

// Products of matrices of any sizes have one kernel; its symbols are the sizes, and the steps of what lies in memory.
func TestDots(t *testing.T) {
	f32 := func(shape ...int) core.ShapedArray { return core.Aval(core.Float32, shape...) }
	dot := func(p prim.DotGeneralP, a, b core.ShapedArray) *Dot {
		in := []core.ShapedArray{a, b}
		return DotOf(p, in, core.AbstractOf(p, in)[0])
	}
	d := core.MakeDims
	matrices := prim.DotGeneralP{LhsContract: d(1), RhsContract: d(0)}
	batches := prim.DotGeneralP{LhsContract: d(3), RhsContract: d(2), LhsBatch: d(0, 1), RhsBatch: d(0, 1)}
	of := dot(matrices, f32(100, 3), f32(3, 65))
	if want := []int64{1, 100, 65, 3, 2, 2}; !slices.Equal(of.Symbols[:6], want) || of.Products != 100*65*3 || len(of.Kernel.Symbols) != len(of.Symbols) {
		t.Errorf("got %+v, want %v first", of, want)
	}
	if b := dot(batches, f32(2, 3, 4, 5), f32(2, 3, 5, 6)); b == nil || b.Key != of.Key || b.Symbols[0] != 6 {
		t.Errorf("batches: got %+v, want the key %q", b, of.Key)
	}
	if b := dot(prim.DotGeneralP{LhsContract: d(0), RhsContract: d(0)}, f32(3, 100), f32(3, 65)); b == nil || b.Key == of.Key {
		t.Errorf("transposed: got %+v, want another key than %q", b, of.Key)
	}
	for name, x := range map[string]*Dot{
		"integers":        dot(matrices, core.Aval(core.Int32, 4, 3), core.Aval(core.Int32, 3, 5)),
		"no elements":     dot(matrices, f32(4, 0), f32(0, 5)),
		"axes in between": dot(prim.DotGeneralP{LhsContract: d(1), RhsContract: d(0)}, f32(4, 3, 5), f32(3, 5)),
		"no product":      DotOf(prim.AddP{}, []core.ShapedArray{f32(3), f32(3)}, f32(3)),
	} {
		if x != nil {
			t.Errorf("%s: got %+v, want none", name, x)
		}
	}
}
