package weft

import (
	"github.com/weft-go/weft/internal/nd"
)

// TopK returns the k largest elements along the last axis, in descending order, and their
// places.
func TopK(x Array, k int) (values, indices Array) {
	p, q := nd.TopK(x.value(), k)
	return FromValue(p), FromValue(q)
}

// SearchSorted returns where each of values would be put into the sorted vector a so that it
// stays sorted: before equal elements.
func SearchSorted(a, values Array) Array {
	return FromValue(nd.SearchSorted(a.value(), values.value()))
}

// SearchSortedRight returns SearchSorted behind equal elements.
func SearchSortedRight(a, values Array) Array {
	return FromValue(nd.SearchSortedRight(a.value(), values.value()))
}

// Digitize returns for each element of x the number of the bin it falls into: i if it is at
// least bins[i−1] and below bins[i]. The bins rise.
func Digitize(x, bins Array) Array { return FromValue(nd.Digitize(x.value(), bins.value())) }

// IsIn reports whether each element of x is among the elements of set.
func IsIn(x, set Array) Array { return FromValue(nd.IsIn(x.value(), set.value())) }

// Unique returns the distinct elements of x in ascending order. How many there are decides
// the shape, so x must be known: in a traced function use [UniqueSize].
func Unique(x Array) Array { return FromValue(nd.Unique(x.value())) }

// UniqueSize returns the first n distinct elements of x in ascending order; where there are
// fewer, fill stands in the rest, or the least element if it is not given.
func UniqueSize(x Array, n int, fill ...any) Array {
	return FromValue(nd.UniqueSize(x.value(), n, indexValues(fill)...))
}

// NonzeroSize returns the places of the first n elements that are not 0, one array an axis;
// where there are fewer, fill stands in all of them.
func NonzeroSize(x Array, n, fill int) []Array { return arraysOf(nd.NonzeroSize(x.value(), n, fill)) }

// Bincount returns how often each of 0, 1, …, n−1 occurs among the integers x. Others do
// not count.
func Bincount(x Array, n int) Array { return FromValue(nd.Bincount(x.value(), n)) }

// BincountOf returns the sums of the weights of each of 0, 1, …, n−1 among the integers x.
func BincountOf(x Array, n int, weights Array) Array {
	return FromValue(nd.BincountOf(x.value(), n, weights.value()))
}

// Histogram returns the number of elements of x lie in each of n bins of equal width from lo to
// hi, hi included, and the bins' edges.
func Histogram(x Array, n int, lo, hi float64) (counts, edges Array) {
	p, q := nd.Histogram(x.value(), n, lo, hi)
	return FromValue(p), FromValue(q)
}
