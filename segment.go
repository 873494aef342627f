package weft

import (
	"github.com/weft-go/weft/internal/nd"
)

// SegmentSum returns the sums of the parts of each of n segments.
func SegmentSum(x, ids Array, n int) Array {
	return FromValue(nd.SegmentSum(x.value(), ids.value(), n))
}

// SegmentProd returns the products of the parts of each of n segments. It has no derivative
// with respect to x.
func SegmentProd(x, ids Array, n int) Array {
	return FromValue(nd.SegmentProd(x.value(), ids.value(), n))
}

// SegmentMax returns the largest elements of the parts of each of n segments; the least
// number of the type, −∞ of floats, where there is none.
func SegmentMax(x, ids Array, n int) Array {
	return FromValue(nd.SegmentMax(x.value(), ids.value(), n))
}

// SegmentMin returns the least elements of the parts of each of n segments; the largest
// number of the type, ∞ of floats, where there is none.
func SegmentMin(x, ids Array, n int) Array {
	return FromValue(nd.SegmentMin(x.value(), ids.value(), n))
}
