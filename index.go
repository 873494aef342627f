package weft

import (
	"math"

	"github.com/weft-go/weft/internal/nd"
)

// End is the upper bound of a Range that goes to the end of its axis.
const End = math.MaxInt

// Range is a part of an axis, as an index: see [R].
type Range struct{ r nd.Range }

// R returns the elements from lo up to, not including, hi; negative bounds count from
// the end, and bounds beyond it are the end. R(2, weft.End) goes to the end.
func R(lo, hi int) Range { return Range{nd.R(lo, hi)} }

// By takes every step-th element of the range; a negative step goes backwards.
func (r Range) By(step int) Range { return Range{r.r.By(step)} }

// String returns the range as Python writes it.
func (r Range) String() string { return r.r.String() }

// All is a whole axis, as an index; Ellipsis is as many whole axes as are missing.
var (
	All      = Range{nd.All}
	Ellipsis = nd.Ellipsis
)

// Index returns the part of x that the indices name, one an axis: an int takes one
// element and drops the axis, a [Range] or a text as "1:" or "::2" a part, nil
// makes a new axis, Ellipsis or "..." stands for the axes in between, an Array of
// integers takes the elements that it names, an Array of truth values those where
// it is true. One text may contain several: "1:, ::2, None". A single truth value takes no axis
// and makes one, with one element if it is true and none if it is false.
//
// An int outside of its axis is an error. An element of an Array outside counts as
// the nearest one inside; its derivative is dropped.
func (x Array) Index(idx ...any) Array { return FromValue(nd.Index(x.value(), indexValues(idx)...)) }

// indexValues returns indices with the values behind their arrays and ranges.
func indexValues(idx []any) []any {
	out := make([]any, len(idx))
	for i, k := range idx {
		switch k := k.(type) {
		case Array:
			if out[i] = k.value(); k.v == nil {
				out[i] = k // refused in the operation's name
			}
		case Range:
			out[i] = k.r
		default:
			out[i] = k
		}
	}
	return out
}
