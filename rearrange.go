package weft

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/nd"
)

// HStack joins arrays along their second axis; vectors and scalars along the first.
func HStack(xs ...Array) Array { return FromValue(nd.HStack(values(xs)...)) }

// VStack joins arrays along their first axis; vectors count as rows.
func VStack(xs ...Array) Array { return FromValue(nd.VStack(values(xs)...)) }

// DStack joins arrays along their third axis.
func DStack(xs ...Array) Array { return FromValue(nd.DStack(values(xs)...)) }

// AtLeast returns x with axes of size 1 up to rank 1, 2 or 3: in front, and from the third
// on behind, as NumPy's atleast_1d, _2d and _3d have it.
func AtLeast(x Array, rank int) Array { return FromValue(nd.AtLeast(x.value(), rank)) }

// Rot90 turns the matrices in x's first two axes by k quarter turns, from the first
// axis towards the second backwards: counterclockwise as matrices are written.
func Rot90(x Array, k int) Array { return FromValue(nd.Rot90(x.value(), k)) }

// Diff returns the differences of neighbours along an axis, the last one unless another is
// given. Of truth values it is whether they differ. Those of integers wrap, as in NumPy:
// of unsigned ones that fall, which AsType(weft.Int64) makes signed before.
func Diff(x Array, axis ...int) Array { return FromValue(nd.Diff(x.value(), axis...)) }

// Unstack returns the parts of x along an axis, which they do not have.
func Unstack(x Array, axis int) []Array { return arraysOf(nd.Unstack(x.value(), axis)) }

// SplitEvenly cuts x along an axis into n parts of the same size.
func SplitEvenly(x Array, axis, n int) []Array { return arraysOf(nd.SplitEvenly(x.value(), axis, n)) }

// Take returns the elements of x, as one axis, at the given positions; with an axis, the parts
// along it. A negative position counts from the end; outside there is NaN, of signed integers
// the least, of unsigned ones the largest number.
func Take(x, indices Array, axis ...int) Array {
	return FromValue(nd.Take(x.value(), indices.value(), axis...))
}

// TakeAlongAxis returns for each place of indices the element of x that stands where
// indices states along an axis, and at the same position along the others. Axes of size 1
// are spread. Places outside are as in [Take].
func TakeAlongAxis(x, indices Array, axis int) Array {
	return FromValue(nd.TakeAlongAxis(x.value(), indices.value(), axis))
}

// PutAlongAxis returns x with v where indices states along an axis, as TakeAlongAxis reads.
func PutAlongAxis(x, indices Array, v any, axis int) Array {
	return FromValue(nd.PutAlongAxis(x.value(), indices.value(), unwrap(v), axis))
}

// RepeatEach repeats the i-th part of x along an axis counts[i] times.
func RepeatEach(x Array, counts []int, axis int) Array {
	return FromValue(nd.RepeatEach(x.value(), counts, axis))
}

// BroadcastArrays returns all arrays spread over the shape that they have together.
func BroadcastArrays(xs ...Array) []Array { return arraysOf(nd.BroadcastArrays(values(xs)...)) }

// Select returns for each position the first case whose condition holds there, else otherwise.
func Select(conditions, cases []Array, otherwise any) Array {
	return FromValue(nd.Select(values(conditions), values(cases), unwrap(otherwise)))
}

// UnravelIndex returns the positions, one array an axis, of elements that are numbered in
// row-major order.
func UnravelIndex(x Array, s Shape) []Array { return arraysOf(nd.UnravelIndex(x.value(), s)) }

// RavelIndex returns the number in row-major order of the elements at the given positions, one
// array an axis.
func RavelIndex(places []Array, s Shape) Array { return FromValue(nd.RavelIndex(values(places), s)) }

// GridOrder is the order of the first two axes of a grid.
type GridOrder uint8

// The orders.
const (
	GridXY GridOrder = iota // the second vector varies along the first axis, as on paper
	GridIJ                  // the i-th axis is the i-th vector's
)

// Meshgrid returns for each vector an array over the grid of all.
func Meshgrid(order GridOrder, xs ...Array) []Array {
	if order > GridIJ {
		core.FailOp(core.ErrStatic, "Meshgrid", nil, "there is no order %d; use weft.GridXY or weft.GridIJ", order)
	}
	return arraysOf(nd.Meshgrid(order == GridIJ, values(xs)...))
}
