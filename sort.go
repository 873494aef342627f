package weft

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/nd"
)

// Sort returns x in ascending order along an axis, the last one unless another is given.
// NaNs come last; equal elements keep their order. With [Descending] the order is reversed,
// NaNs come first, and equal elements still keep their order.
func (x Array) Sort(axis ...int) Array { return FromValue(nd.Sort(x.value(), axis...)) }

// ArgSort returns the indices that sort x along an axis, the last one unless another is
// given, in the order of [Array.Sort].
func (x Array) ArgSort(axis ...int) Array { return FromValue(nd.ArgSort(x.value(), axis...)) }

// TopK returns the k largest elements along the last axis, in descending order, and their
// positions.
func TopK(x Array, k int) (values, indices Array) {
	p, q := nd.TopK(x.value(), k)
	return FromValue(p), FromValue(q)
}

// IsIn reports for each element of x whether it is among the elements of set.
func IsIn(x, set Array) Array { return FromValue(nd.IsIn(x.value(), set.value())) }

// Unique returns the distinct elements of x in ascending order. How many there are decides
// the shape, so x must be known: in a traced function use [UniqueSize].
func Unique(x Array) Array { return FromValue(nd.Unique(x.value())) }

// Uniques are the distinct elements of an array and their positions in it: see [UniqueAll].
type Uniques struct {
	Values  Array // in ascending order
	Indices Array // where each stands first among the elements in row-major order
	Inverse Array // of the array's shape: which of Values each element is
	Counts  Array // how often each comes
}

// UniqueAll returns the distinct elements of x and their positions. Every NaN counts as distinct,
// as in the Python array API standard; [Unique] merges them. x must be known.
func UniqueAll(x Array) Uniques {
	u := nd.UniqueAll(x.value())
	return Uniques{FromValue(u.Values), FromValue(u.Indices), FromValue(u.Inverse), FromValue(u.Counts)}
}

// UniqueSize returns the first n distinct elements of x in ascending order. If there are fewer,
// the rest is fill, or the least element if fill is not given.
func UniqueSize(x Array, n int, fill ...any) Array {
	return FromValue(nd.UniqueSize(x.value(), n, indexValues(fill)...))
}

// NonzeroSize returns the positions of the first n elements that are not 0, one array per axis.
// If there are fewer, the rest of every array is fill.
func NonzeroSize(x Array, n, fill int) []Array { return arraysOf(nd.NonzeroSize(x.value(), n, fill)) }

// Histogram returns the number of elements of x in each of n bins of equal width from lo to hi,
// hi included, and the edges of the bins.
func Histogram(x Array, n int, lo, hi float64) (counts, edges Array) {
	p, q := nd.Histogram(x.value(), n, lo, hi)
	return FromValue(p), FromValue(q)
}

// Side selects where [SearchSorted] inserts a value: before or after elements equal to it.
type Side uint8

// The sides.
const (
	Left  Side = iota // before equal elements
	Right             // after equal elements
)

// SearchSorted returns for each of values the index at which it would be inserted into
// the sorted vector a so that a stays sorted.
func SearchSorted(a, values Array, side Side) Array {
	if side > Right {
		core.FailOp(core.ErrStatic, "SearchSorted", nil, "there is no side %d; use weft.Left or weft.Right", side)
	}
	return FromValue(nd.SearchSorted(a.value(), values.value(), side == Right))
}

// Bincount returns how often each of 0, 1, …, n−1 occurs among the integers x, or with
// weights the sums of the weights of each. Other integers do not count.
func Bincount(x Array, n int, weights ...Array) Array {
	return FromValue(nd.Bincount(x.value(), n, values(weights)...))
}

// Nonzero returns the positions of x's elements that are not zero, in row-major order: an
// array of indices for each axis. x must be known.
func Nonzero(x Array) []Array { return arraysOf(nd.Nonzero(x.value())) }
