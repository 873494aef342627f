package core_test

import (
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
)

// The operations of a small gradient do not displace each other.
func TestOpMemoKeepsOperationsOfGradient(t *testing.T) {
	x, number := core.Aval(core.Float32, 4), core.Aval(core.Float32)
	ops := []struct {
		p  core.Primitive
		in []core.ShapedArray
	}{
		{prim.SinP{}, []core.ShapedArray{x}},
		{prim.MulP{}, []core.ShapedArray{x, x}},
		{prim.ReduceSumP{Axes: core.MakeDims(0)}, []core.ShapedArray{x}},
		{prim.CosP{}, []core.ShapedArray{x}},
		{prim.BroadcastInDimP{Shape: x.Shape}, []core.ShapedArray{number}},
		{prim.AddAnyP{}, []core.ShapedArray{x, x}},
	}
	var m core.OpMemo[int]
	for i, o := range ops {
		m.Add(o.p, o.in, i)
	}
	for i, o := range ops {
		if got := m.Find(o.p, o.in); got == nil || *got != i {
			t.Errorf("%s is forgotten after %d operations", o.p.Name(), len(ops))
		}
	}
}
