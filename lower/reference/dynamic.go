package reference

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lower/reference/internal/block"
)

// indexAt returns element i of an integer array as an int; what does not fit becomes
// the least or the greatest int, which is out of bounds just as well.
func indexAt(t *block.Tensor, i int) int { return numericOf(t.DType).index(t, i) }

// clampedOffset returns where the box of the given sizes begins in an array of shape s
// and strides st, if it begins at the scalars `start`, each of which is moved so that the box
// lies inside.
func clampedOffset(s core.Dims, st []int, sizes core.Dims, start []*block.Tensor) int {
	at := 0
	for i, n := range s.All() {
		at += max(0, min(indexAt(start[i], 0), n-sizes.At(i))) * st[i]
	}
	return at
}

// dynamicSlice copies a box of x from the position of the indices into y.
func dynamicSlice(y, x *block.Tensor, start []*block.Tensor) {
	if y.Size() == 0 {
		return
	}
	var bx, by [block.FewAxes]int
	sx, sy := block.RowMajor(bx[:0], x.Shape), block.RowMajor(by[:0], y.Shape)
	window(y, x, y.Shape, 0, clampedOffset(x.Shape, sx, y.Shape, start), sy, sx)
}

// dynamicUpdateSlice writes x to y, with u at the position of the indices.
func dynamicUpdateSlice(y, x, u *block.Tensor, start []*block.Tensor) {
	startFrom(y, x)
	if u.Size() == 0 {
		return
	}
	var by, bu [block.FewAxes]int
	sy, su := block.RowMajor(by[:0], y.Shape), block.RowMajor(bu[:0], u.Shape)
	window(y, u, u.Shape, clampedOffset(y.Shape, sy, u.Shape, start), 0, sy, su)
}
