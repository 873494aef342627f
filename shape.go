package weft

import (
	"github.com/weft-go/weft/internal/nd"
)

// Reshape returns x's elements in row-major order as another shape. One size may be −1:
// the others decide it.
func (x Array) Reshape(dims ...int) Array { return FromValue(nd.Reshape(x.value(), dims...)) }

// Ravel returns x's elements in row-major order as one axis.
func (x Array) Ravel() Array { return FromValue(nd.Ravel(x.value())) }

// Transpose returns x with its axes in the given order, reversed if none is given.
func (x Array) Transpose(axes ...int) Array { return FromValue(nd.Transpose(x.value(), axes...)) }

// T returns x with its axes reversed.
func (x Array) T() Array { return FromValue(nd.Transpose(x.value())) }

// MT returns x with its last two axes exchanged: the transposed matrices.
func (x Array) MT() Array { return FromValue(nd.MT(x.value())) }

// SwapAxes returns x with two axes exchanged.
func (x Array) SwapAxes(a, b int) Array { return FromValue(nd.SwapAxes(x.value(), a, b)) }

// MoveAxis returns x with an axis moved to another position, the others in their order. Both are an
// int, or for several axes a []int each: x.MoveAxis([]int{0, 1}, []int{-1, -2}).
func (x Array) MoveAxis(from, to any) Array { return FromValue(nd.MoveAxis(x.value(), from, to)) }

// ExpandDims returns x with axes of size 1 at the given positions of the result.
func (x Array) ExpandDims(axes ...int) Array { return FromValue(nd.ExpandDims(x.value(), axes...)) }

// Squeeze returns x without the given axes, which have size 1, or without all such axes if none are
// given. An empty list that is not nil names none.
func (x Array) Squeeze(axes ...int) Array { return FromValue(nd.Squeeze(x.value(), axes...)) }

// BroadcastTo returns x broadcast to a shape: its axes are aligned with the last ones, and those
// of size 1 are repeated.
func (x Array) BroadcastTo(dims ...int) Array { return FromValue(nd.BroadcastTo(x.value(), dims...)) }

// AsType returns x converted to a type. To a float, numbers are rounded; to an integer, floats are
// truncated and saturated, and integers wrap; bool is x ≠ 0. Complex numbers converted to another
// real type lose their imaginary parts. The result is strong.
func (x Array) AsType(dt DType) Array { return FromValue(nd.AsType(x.value(), dt)) }

// Real returns the real part.
func (x Array) Real() Array { return FromValue(nd.Real(x.value())) }

// Imag returns the imaginary part, zeros for reals.
func (x Array) Imag() Array { return FromValue(nd.Imag(x.value())) }

// Stack joins arrays of one shape along a new axis.
func Stack(axis int, xs ...Array) Array { return FromValue(nd.Stack(axis, values(xs)...)) }

// Concat joins arrays along an axis.
func Concat(axis int, xs ...Array) Array { return FromValue(nd.Concat(axis, values(xs)...)) }

// Split cuts x into parts of the given sizes along an axis.
func Split(x Array, axis int, sizes ...int) []Array {
	return arraysOf(nd.Split(x.value(), axis, sizes...))
}

// Flip returns x in reverse order along the given axes, or along all if none are given. An empty
// list that is not nil names none.
func Flip(x Array, axes ...int) Array { return FromValue(nd.Flip(x.value(), axes...)) }

// Roll shifts x's elements along each of the given axes; what leaves at one end enters at the
// other. Without axes it shifts all elements in row-major order.
func Roll(x Array, shift int, axes ...int) Array {
	return FromValue(nd.Roll(x.value(), shift, axes...))
}

// Tile repeats x as a whole, reps[i] times along axis i. If there are fewer numbers than axes, they are
// for the last axes; if there are more, x gets new axes of size 1 in front.
func Tile(x Array, reps ...int) Array { return FromValue(nd.Tile(x.value(), reps...)) }

// Repeat repeats each element n times along an axis.
func Repeat(x Array, n, axis int) Array { return FromValue(nd.Repeat(x.value(), n, axis)) }

// View returns x's bytes read as elements of another type; as a bool, a byte other than 0 is true.
// Where the types' sizes differ the last axis grows or shrinks.
func (x Array) View(dt DType) Array { return FromValue(nd.View(x.value(), dt)) }

// HStack joins arrays along their second axis; vectors and scalars along the first.
func HStack(xs ...Array) Array { return FromValue(nd.HStack(values(xs)...)) }

// VStack joins arrays along their first axis; vectors count as rows.
func VStack(xs ...Array) Array { return FromValue(nd.VStack(values(xs)...)) }

// DStack joins arrays along their third axis.
func DStack(xs ...Array) Array { return FromValue(nd.DStack(values(xs)...)) }

// AtLeast returns x with axes of size 1 added up to rank 1, 2 or 3, at the positions where NumPy's
// atleast_1d, atleast_2d and atleast_3d add them.
func AtLeast(x Array, rank int) Array { return FromValue(nd.AtLeast(x.value(), rank)) }

// Rot90 rotates the matrices in x's first two axes by k quarter turns, counterclockwise as
// matrices are written.
func Rot90(x Array, k int) Array { return FromValue(nd.Rot90(x.value(), k)) }

// Unstack returns the slices of x along an axis, without that axis.
func Unstack(x Array, axis int) []Array { return arraysOf(nd.Unstack(x.value(), axis)) }

// SplitEvenly cuts x along an axis into n parts of the same size.
func SplitEvenly(x Array, axis, n int) []Array { return arraysOf(nd.SplitEvenly(x.value(), axis, n)) }

// RepeatEach repeats the i-th slice of x along an axis counts[i] times.
func RepeatEach(x Array, counts []int, axis int) Array {
	return FromValue(nd.RepeatEach(x.value(), counts, axis))
}

// BroadcastArrays returns all arrays broadcast to their common shape.
func BroadcastArrays(xs ...Array) []Array { return arraysOf(nd.BroadcastArrays(values(xs)...)) }

// PadMode selects the elements that [Pad] adds.
type PadMode uint8

// The modes, shown for 1 2 3 padded by two: a constant (0 0 1 2 3 0 0), the edges
// (1 1 1 2 3 3 3), the mirror image with the edge (2 1 1 2 3 3 2) or without
// (3 2 1 2 3 2 1), the other end (2 3 1 2 3 1 2), and the largest, least or mean
// element, or the points of a line from the edge to Value.
const (
	PadConstant PadMode = iota
	PadEdge
	PadSymmetric
	PadReflect
	PadWrap
	PadMaximum
	PadMinimum
	PadMean
	PadLinearRamp
)

// PadConfig configures [Pad]. Its zero value pads with zeros.
type PadConfig struct {
	Mode  PadMode
	Value any // of PadConstant, and the outer ends of PadLinearRamp; nil: 0
}

// Pad adds elements around x: widths has the numbers of elements before and after each axis, or one pair for all axes.
func Pad(x Array, widths [][2]int, c PadConfig) Array {
	return FromValue(nd.Pad(x.value(), widths, nd.PadConfig{Mode: nd.PadMode(c.Mode), Value: optional(c.Value)}))
}
