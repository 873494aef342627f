//go:build linux

package cpu_test

import (
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim/indexed"
	"github.com/weft-go/weft/runtime"
)

// Gathers and scatters of rows of large arrays, whose later rows are requested in advance,
// have the reference's bits: index arrays that end at guard pages, indices far outside,
// one and two axes of index vectors, rows of 1 to 130 elements.
func TestIndexLargeArrays(t *testing.T) {
	o := newOperation(t, 11, 4)
	r := o.r
	d := core.MakeDims
	native, n := 0, rounds(24)
	for i := range n {
		dt := movedTypes[r.IntN(7)]
		cols := []int{1, 1 + r.IntN(130), 64}[r.IntN(3)]
		rows := min((640<<10)/(dt.Size()*cols), 1<<18/cols)
		if cols == 1 {
			rows = 1 << 18
		}
		places := d(100 + r.IntN(400))
		if r.IntN(3) == 0 {
			places = d(1+r.IntN(3), 100+r.IntN(100))
		}
		mode := indexModes[r.IntN(len(indexModes))]
		x, idx := core.Aval(dt, rows, cols), core.Aval(indexTypes[r.IntN(len(indexTypes))])
		idx.Shape = places.Append(1)
		windows := core.Aval(dt)
		windows.Shape = places.Append(cols)
		offset := d(places.Len())
		o.before = nil
		if r.IntN(2) == 0 {
			o.before = computed
		}
		o.draw = func(i int, a *runtime.Array) {
			if i == 1 {
				drawIndex(r, a, rows)
			}
		}
		if i%2 == 0 {
			g := indexed.GatherP{OffsetDims: offset, CollapsedSliceDims: d(0), StartIndexMap: d(0), SliceSizes: d(1, cols), Mode: mode}
			native += o.check(g, x, idx)
			continue
		}
		q := indexed.Scattering{UpdateWindowDims: offset, InsertedWindowDims: d(0), ScatterDimsToOperandDims: d(0), Mode: mode}
		native += o.check(q.By(indexed.Combiner(r.IntN(int(indexed.CombineMax)+1)), dt), x, idx, windows)
	}
	if hasNative() && native < n*3/5 {
		t.Errorf("%d of %d operations ran as native code", native, n)
	}
}
