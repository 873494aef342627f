package weft

import (
	"github.com/weft-go/weft/internal/nd"
)

// Dot contracts the last axis of x with the last but one of y, or with the only one
// that y has: of vectors the inner product, of matrices the product. The other axes
// of both stay. A scalar scales.
func (x Array) Dot(y Array) Array { return FromValue(nd.Dot(x.value(), y.value())) }

// MatMul returns the product of matrices: all axes before the last two run in step and
// broadcast. A vector counts as one row on the left and one column on the right.
func (x Array) MatMul(y Array) Array { return FromValue(nd.MatMul(x.value(), y.value())) }

// Outer returns the products of all pairs of elements of x and y.
func Outer(x, y Array) Array { return FromValue(nd.Outer(x.value(), y.value())) }
