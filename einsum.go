package weft

import (
	"github.com/weft-go/weft/internal/nd"
)

// Einsum returns a sum of products in Einstein's notation: "ij,jk->ik" is the product of
// matrices. Letters name axes; a letter that the result does not have is summed
// over; "..." stands for axes that broadcast. Without an arrow the result has the
// letters that come once, in alphabetical order. Of more than two operands the pair
// with the smallest product is contracted first.
func Einsum(subscripts string, xs ...Array) Array {
	return FromValue(nd.Einsum(subscripts, values(xs)...))
}
