package reference

import (
	"unsafe"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/elem"
	"github.com/weft-go/weft/core/prim"
)

// gatherWindows lays the windows of x that begin where idx states out in y.
func gatherWindows(y, x, idx *Tensor, p prim.GatherP) {
	if y.Size() == 0 {
		return
	}
	var bx, by, bs [fewAxes]int
	var bw, bp [fewAxes]axis
	sy := rowMajor(by[:0], y.Shape)
	g := indexing{shape: x.Shape, strides: rowMajor(bx[:0], x.Shape), sizes: bs[:0], mapped: p.StartIndexMap,
		batch: p.OperandBatchingDims, indexAxes: p.StartIndicesBatchingDims, drop: p.Mode == prim.FillOrDrop}
	windows, where := bw[:0], bp[:0]
	for i, n := range p.SliceSizes.All() {
		g.sizes = append(g.sizes, n)
		if !p.CollapsedSliceDims.Has(i) && !p.OperandBatchingDims.Has(i) {
			d := p.OffsetDims.At(len(windows))
			windows = append(windows, axis{n, sy[d], g.strides[i]})
		}
	}
	for i, n := range y.Shape.All() {
		if !p.OffsetDims.Has(i) {
			where = append(where, axis{n: n, d: sy[i]})
		}
	}
	at, l := g.places(idx)
	windows, _ = tidy(windows)
	switch y.DType.Size() {
	case 1:
		gatherRuns(View[uint8](y), View[uint8](x), at, windows, where, fillValue[uint8](x.DType, p))
	case 2:
		gatherRuns(View[uint16](y), View[uint16](x), at, windows, where, fillValue[uint16](x.DType, p))
	case 4:
		gatherRuns(View[uint32](y), View[uint32](x), at, windows, where, fillValue[uint32](x.DType, p))
	case 8:
		gatherRuns(View[uint64](y), View[uint64](x), at, windows, where, fillValue[uint64](x.DType, p))
	case 16:
		gatherRuns(View[[2]uint64](y), View[[2]uint64](x), at, windows, where, fillValue[[2]uint64](x.DType, p))
	}
	l.back()
}

// fillValue returns what a gather puts where a window reaches out of the array.
func fillValue[T any](dt core.DType, p prim.GatherP) T {
	var v [1]T
	if p.Mode == prim.FillOrDrop {
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

// gatherRuns copies the window at each position: where states how the windows lie in
// dst, windows the axes of one in both arrays.
func gatherRuns[T any](dst, src []T, at []int, windows, where []axis, fill T) {
	where, _ = tidy(where)
	last := axis{n: 1}
	if k := len(where) - 1; k >= 0 {
		last, where = where[k], where[:k]
	}
	var buf [fewAxes]int
	pos := counters(buf[:0], len(where))
	empty := [1]T{fill}
	var d0, s int
	for more := true; more; more = advance(where, pos, &d0, &s) {
		d := d0
		for _, from := range at[:last.n] {
			switch {
			case from == nowhere:
				fillWindow(dst, empty[:], d, windows)
			case len(windows) == 0:
				dst[d] = src[from]
			default:
				moveRuns(dst, src, d, from, windows)
			}
			d += last.d
		}
		at = at[last.n:]
	}
}

// fillWindow sets a window of dst to the element v[0].
func fillWindow[T any](dst, v []T, d int, windows []axis) {
	var buf [fewAxes]axis
	axes := append(buf[:0], windows...)
	for i := range axes {
		axes[i].s = 0
	}
	moveRuns(dst, v, d, 0, axes)
}
