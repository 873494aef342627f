package fuse_test

import (
	"slices"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/lower/fuse"
)

// Reductions of the same runs of axes have one key, and the same symbols in their kernels; others have another key, or no such kernel.
func TestReductionsOfAnyExtents(t *testing.T) {
	sum := func(dt core.DType, axes []int, shape ...int) *fuse.Reduction {
		p, in := prim.ReduceSumP{Axes: core.MakeDims(axes...)}, core.Aval(dt, shape...)
		return fuse.ReductionOf(p, in, core.AbstractOf(p, []core.ShapedArray{in})[0])
	}
	rows := sum(core.Float32, []int{1}, 7, 9)
	if k := rows.Kernel(); len(k.Symbols) != len(rows.Symbols) || len(k.Grid) != 1 || !slices.Contains(rows.Symbols, 9) || rows.Kept != 7 || rows.Last != 9 {
		t.Errorf("%d symbols with the values %v, a grid of %v, %d kept, %d reduced last", len(k.Symbols), rows.Symbols, k.Grid, rows.Kept, rows.Last)
	}
	for name, c := range map[string]struct {
		r    *fuse.Reduction
		same bool
	}{
		"other extents": {sum(core.Float32, []int{1}, 70, 3000), true},
		"more axes":     {sum(core.Float32, []int{2, 3}, 2, 1, 5, 6), true},
		"columns":       {sum(core.Float32, []int{0}, 7, 9), false},
		"all":           {sum(core.Float32, []int{0, 1}, 7, 9), false},
		"another type":  {sum(core.BFloat16, []int{1}, 7, 9), false},
	} {
		if c.r == nil || (c.r.Key == rows.Key) != c.same {
			t.Errorf("%s: got %+v beside the key %q", name, c.r, rows.Key)
		}
	}
	for name, r := range map[string]*fuse.Reduction{
		"no elements": sum(core.Float32, []int{1}, 7, 0), "one element each": sum(core.Float32, []int{1}, 7, 1), "no axes": sum(core.Float32, nil, 7, 2),
		"no reduction": fuse.ReductionOf(prim.NegP{}, core.Aval(core.Float32, 3), core.Aval(core.Float32, 3)),
	} {
		if r != nil {
			t.Errorf("%s: got %+v, want none", name, r)
		}
	}
}
