package reference

import "github.com/weft-go/weft/core"

// indexAt returns element i of an integer array as an int; what does not fit becomes
// the least or the greatest int, which is out of bounds just as well.
func indexAt(t *Tensor, i int) int { return numericOf(t.DType).index(t, i) }

// clampedOffset returns where the box of the given sizes begins in an array of shape s
// and strides st, if it begins at the scalars start, each moved so that the box
// lies inside.
func clampedOffset(s core.Dims, st []int, sizes core.Dims, start []*Tensor) int {
	at := 0
	for i, n := range s.All() {
		at += max(0, min(indexAt(start[i], 0), n-sizes.At(i))) * st[i]
	}
	return at
}

// dynamicSlice copies a box of x from the position of the indices into y.
func dynamicSlice(y, x *Tensor, start []*Tensor) {
	if y.Size() == 0 {
		return
	}
	var bx, by [fewAxes]int
	sx, sy := rowMajor(bx[:0], x.Shape), rowMajor(by[:0], y.Shape)
	window(y, x, y.Shape, 0, clampedOffset(x.Shape, sx, y.Shape, start), sy, sx)
}

// dynamicUpdateSlice is x with u written at the position of the indices.
func dynamicUpdateSlice(y, x, u *Tensor, start []*Tensor) {
	startFrom(y, x)
	if u.Size() == 0 {
		return
	}
	var by, bu [fewAxes]int
	sy, su := rowMajor(by[:0], y.Shape), rowMajor(bu[:0], u.Shape)
	window(y, u, u.Shape, clampedOffset(y.Shape, sy, u.Shape, start), 0, sy, su)
}
