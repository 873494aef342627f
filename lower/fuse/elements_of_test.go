package fuse

import (
	"testing"

	"github.com/weft-go/weft/lower/ir"
)

// The elements that a point of a grid accesses are its own only if all other axes stay within them, also axes of
// two elements.
func TestElementsOfPoint(t *testing.T) {
	access := func(offset int64, strides ...int64) *ir.Access {
		a := &ir.Access{Offset: ir.Const(offset)}
		for axis, n := range strides {
			a.Coords = append(a.Coords, ir.Coord{Mode: ir.Proved, Value: ir.NoRef, Stride: ir.Const(n),
				Terms: []ir.Term{{Axis: ir.Axis(axis), Coeff: ir.Const(1)}}})
		}
		return a
	}
	// Axis 0 is the grid's, axis 1 is not.
	for _, c := range []struct {
		offset, grid, other int64
		extent, want        int
	}{
		{0, 2, 1, 2, 2}, {0, 2, 2, 2, 0}, {0, 2, 4, 2, 0}, {1, 2, 1, 2, 0}, {0, 8, 4, 2, 8}, {4, 8, 4, 2, 0}, {0, 8, 2, 4, 8}, {0, 8, 3, 4, 0}, {0, 2, 9, 1, 2},
	} {
		if got := elementsOf(access(c.offset, c.grid, c.other), []int{16, c.extent}, []int{1, 0}); got != c.want {
			t.Errorf("offset %d, strides %d and %d, %d elements: got %d, want %d", c.offset, c.grid, c.other, c.extent, got, c.want)
		}
	}
}
