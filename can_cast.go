package weft

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/nd"
)

// CanCast reports whether promotion leads from one type to another: an operation of both returns
// the second. Under jax.numpy's promotion that is so of i32 and f32, which does not hold all
// integers. [Array.AsType] converts any number to any type.
func CanCast(from, to DType) bool { return nd.CanCast(from, to) }

// BroadcastShapes returns the shape of an operation on arrays of these shapes.
func BroadcastShapes(shapes ...Shape) Shape {
	const op = "BroadcastShapes"
	avals := make([]core.ShapedArray, len(shapes))
	for i, s := range shapes {
		avals[i] = core.ShapedArray{Shape: nd.Sizes(op, s), DType: core.Bool}
	}
	return nd.BroadcastShapes(op, avals...).Ints()
}
