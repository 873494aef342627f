package weft

import (
	"github.com/weft-go/weft/internal/nd"
)

// SegmentReduce reduces the parts of x along its first axis: the i-th part belongs to
// segment ids[i], and the result has a part for each of n segments. Parts whose segment is
// not among 0, 1, …, n−1 do not count. by is ReduceSum, ReduceProd, ReduceMax or
// ReduceMin; a product has no derivative with respect to x. An empty segment has the
// identity of the reduction: 0, 1, or the least or largest number of the type.
func SegmentReduce(x, ids Array, n int, by ReduceOp) Array {
	return FromValue(nd.SegmentReduce(x.value(), ids.value(), n, nd.ReduceOp(by)))
}
