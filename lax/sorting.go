package lax

import (
	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core/prim/indexed"
)

// Sort sorts x along an axis in increasing order, NaNs last.
func Sort(x weft.Array, dimension int) weft.Array { return SortBy(dimension, 1, true, x)[0] }

// SortBy sorts arrays of one shape along an axis by the first numKeys of them, in lexicographic
// order; all are permuted alike. If stable, equal elements keep their order.
func SortBy(dimension, numKeys int, stable bool, xs ...weft.Array) []weft.Array {
	if len(xs) > 0 {
		dimension = axis(dimension, xs[0].Rank())
	}
	return wrapAll(indexed.Sort(dimension, numKeys, stable, unwrap(xs)...))
}

// SortKeyVal sorts keys along an axis, and values with them.
func SortKeyVal(keys, values weft.Array, dimension int) (sortedKeys, sortedValues weft.Array) {
	out := SortBy(dimension, 1, true, keys, values)
	return out[0], out[1]
}

// TopK returns the k largest elements along an axis, in decreasing order, and their
// positions.
func TopK(x weft.Array, k, dimension int) (values, indices weft.Array) {
	v, i := indexed.TopK(x.Value(), k, axis(dimension, x.Rank()))
	return wrap(v), wrap(i)
}
