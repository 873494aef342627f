package schedule

import (
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim/indexed"
)

// Gathers of whole elements of an axis have one kernel for any extents; others have none.
func TestTakes(t *testing.T) {
	d := core.MakeDims
	take := func(p indexed.GatherP, x core.Dims, at ...int) *Take {
		in := []core.ShapedArray{{DType: core.Float32, Shape: x}, core.Aval(core.Int32, at...)}
		return TakeOf(p, in, core.AbstractOf(p, in)[0])
	}
	rows := indexed.GatherP{OffsetDims: d(1), CollapsedSliceDims: d(0), StartIndexMap: d(0), SliceSizes: d(1, 3)}
	of := take(rows, d(7, 3), 5, 1)
	if k := of.Kernel(); len(k.Symbols) != len(of.Symbols) || len(k.Grid) != 3 {
		t.Errorf("%d symbols with the values %v, a grid of %v", len(k.Symbols), of.Symbols, k.Grid)
	}
	between := indexed.GatherP{OffsetDims: d(0, 3), CollapsedSliceDims: d(1), StartIndexMap: d(1), SliceSizes: d(4, 1, 6)}
	if b := take(between, d(4, 9, 6), 2, 5, 1); b == nil || b.Key != of.Key {
		t.Errorf("an axis in between: got %+v, want the key %q", b, of.Key)
	}
	filled := rows
	filled.Mode = indexed.FillOrDrop
	if b := take(filled, d(7, 3), 5, 1); b == nil || b.Key == of.Key {
		t.Errorf("with a fill value: got %+v, want another key than %q", b, of.Key)
	}
	for name, x := range map[string]*Take{
		"part of an axis": take(indexed.GatherP{OffsetDims: d(1), CollapsedSliceDims: d(0), StartIndexMap: d(0), SliceSizes: d(1, 2)}, d(7, 3), 5, 1),
		"other order":     take(indexed.GatherP{OffsetDims: d(0), CollapsedSliceDims: d(0), StartIndexMap: d(0), SliceSizes: d(1, 3)}, d(7, 3), 5, 1),
		"no indices":      take(rows, d(7, 3), 0, 1),
	} {
		if x != nil {
			t.Errorf("%s: got %+v, want none", name, x)
		}
	}
}
