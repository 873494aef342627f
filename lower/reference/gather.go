package reference

import (
	"unsafe"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/elem"
	"github.com/weft-go/weft/core/prim/indexed"
	"github.com/weft-go/weft/lower/reference/internal/block"
)

// gatherWindows copies the windows of x that begin at the positions in idx to y.
func gatherWindows(y, x, idx *block.Tensor, p indexed.GatherP) {
	if y.Size() == 0 {
		return
	}
	var bx, by, bs [block.FewAxes]int
	var bw, bp [block.FewAxes]block.Axis
	sy := block.RowMajor(by[:0], y.Shape)
	g := indexing{shape: x.Shape, strides: block.RowMajor(bx[:0], x.Shape), sizes: bs[:0], mapped: p.StartIndexMap,
		batch: p.OperandBatchingDims, indexAxes: p.StartIndicesBatchingDims, drop: p.Mode == indexed.FillOrDrop}
	windows, where := bw[:0], bp[:0]
	for i, n := range p.SliceSizes.All() {
		g.sizes = append(g.sizes, n)
		if !p.CollapsedSliceDims.Has(i) && !p.OperandBatchingDims.Has(i) {
			d := p.OffsetDims.At(len(windows))
			windows = append(windows, block.Axis{N: n, D: sy[d], S: g.strides[i]})
		}
	}
	for i, n := range y.Shape.All() {
		if !p.OffsetDims.Has(i) {
			where = append(where, block.Axis{N: n, D: sy[i]})
		}
	}
	at, l := g.places(idx)
	windows, _ = block.Tidy(windows)
	switch y.DType.Size() {
	case 1:
		gatherRuns(block.View[uint8](y), block.View[uint8](x), at, windows, where, fillValue[uint8](x.DType, p))
	case 2:
		gatherRuns(block.View[uint16](y), block.View[uint16](x), at, windows, where, fillValue[uint16](x.DType, p))
	case 4:
		gatherRuns(block.View[uint32](y), block.View[uint32](x), at, windows, where, fillValue[uint32](x.DType, p))
	case 8:
		gatherRuns(block.View[uint64](y), block.View[uint64](x), at, windows, where, fillValue[uint64](x.DType, p))
	case 16:
		gatherRuns(block.View[[2]uint64](y), block.View[[2]uint64](x), at, windows, where, fillValue[[2]uint64](x.DType, p))
	}
	l.Back()
}

// fillValue returns the element that a gather writes where a window reaches out of the array.
func fillValue[T any](dt core.DType, p indexed.GatherP) T {
	var v [1]T
	if p.Mode == indexed.FillOrDrop {
		b := unsafe.Slice((*byte)(unsafe.Pointer(&v)), unsafe.Sizeof(v))
		stored := dt
		if dt.IsKey() {
			stored = core.Uint32
		}
		for len(b) > 0 {
			elem.Put(b[:stored.Size()], p.FillFor(dt), stored)
			b = b[stored.Size():]
		}
	}
	return v[0]
}

// gatherRuns copies the window at each position. `where` contains the axes along which windows lie
// in dst, `windows` the axes of one window in both arrays.
func gatherRuns[T any](dst, src []T, at []int, windows, where []block.Axis, fill T) {
	where, _ = block.Tidy(where)
	last := block.Axis{N: 1}
	if k := len(where) - 1; k >= 0 {
		last, where = where[k], where[:k]
	}
	var buf [block.FewAxes]int
	pos := block.Counters(buf[:0], len(where))
	empty := [1]T{fill}
	var d0, s int
	for more := true; more; more = block.Advance(where, pos, &d0, &s) {
		d := d0
		for _, from := range at[:last.N] {
			switch {
			case from == nowhere:
				fillWindow(dst, empty[:], d, windows)
			case len(windows) == 0:
				dst[d] = src[from]
			default:
				block.MoveRuns(dst, src, d, from, windows)
			}
			d += last.D
		}
		at = at[last.N:]
	}
}

// fillWindow sets a window of dst to the element v[0].
func fillWindow[T any](dst, v []T, d int, windows []block.Axis) {
	var buf [block.FewAxes]block.Axis
	axes := append(buf[:0], windows...)
	for i := range axes {
		axes[i].S = 0
	}
	block.MoveRuns(dst, v, d, 0, axes)
}
