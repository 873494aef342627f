package nd

import (
	"iter"

	"github.com/weft-go/weft/core"
)

// Axis returns an axis of a counted from the start; a negative one is counted from the end.
func Axis(op string, a core.ShapedArray, axis int) int {
	r := a.Rank()
	if axis < -r || axis >= r {
		core.FailOp(core.ErrIndex, op, []core.ShapedArray{a}, "axis %d is out of range for %v, which has %s; count from 0, or from the end with negative numbers", axis, a.Full(), core.Count(r, "axis"))
	}
	if axis < 0 {
		axis += r
	}
	return axis
}

// Dim returns the size of an axis of x; negative axes count from the end.
func Dim(x core.Value, axis int) int {
	a := x.Aval()
	return a.Shape.At(Axis("Dim", a, axis))
}

// Len returns the size of x's first axis.
func Len(x core.Value) int {
	a := x.Aval()
	if a.Rank() == 0 {
		core.FailOp(core.ErrShape, "Len", []core.ShapedArray{a}, "%v has no axis; use Size, or give it one with ExpandDims", a.Full())
	}
	return a.Shape.At(0)
}

// Rows ranges over the elements of x's first axis, each as wrap returns it.
func Rows[T any](x core.Value, wrap func(core.Value) T) iter.Seq2[int, T] {
	a := ValueOf("Rows", x).Aval()
	if a.Rank() == 0 {
		core.FailOp(core.ErrShape, "Rows", []core.ShapedArray{a}, "%v has no rows; look at it with Float, Int or Bool", a.Full())
	}
	return func(yield func(int, T) bool) {
		for i := range a.Shape.At(0) {
			if !yield(i, wrap(Index(x, i))) {
				return
			}
		}
	}
}
