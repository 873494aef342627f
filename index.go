package weft

import (
	"math"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim/indexed"
	"github.com/weft-go/weft/internal/leaves"
	"github.com/weft-go/weft/internal/nd"
)

// End is the upper bound of a Range that goes to the end of its axis.
const End = math.MaxInt

// Range is a part of an axis, as an index: see [R].
type Range struct{ r nd.Range }

// R returns the range from lo up to, but not including, hi. Negative bounds count from the end,
// and bounds outside of the axis are its beginning or its end. R(2, weft.End) goes to the end.
func R(lo, hi int) Range { return Range{nd.R(lo, hi)} }

// By takes every step-th element of the range; a negative step goes backwards.
func (r Range) By(step int) Range { return Range{r.r.By(step)} }

// String returns the range as Python writes it.
func (r Range) String() string { return r.r.String() }

// All is a whole axis, as an index; Ellipsis is all axes that the other indices leave out.
var (
	All      = Range{nd.All}
	Ellipsis = nd.Ellipsis
)

// Index returns the part of x that the indices select, one index per axis. An int takes one
// element and drops the axis; a [Range], or a string such as "1:" or "::2", takes a part; nil
// makes a new axis; Ellipsis or "..." stands for the axes in between. An Array of integers takes
// the elements at these positions, an Array of truth values those where it is true. One string
// may contain several indices: "1:, ::2, None". A single truth value consumes no axis and makes
// one, with one element if it is true and none if it is false.
//
// An int outside of its axis is an error. An element of an Array outside of the axis counts as
// the nearest one inside. Its derivative is dropped, unless the indices are only scalars and ranges
// without a step: then the nearest element has it.
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

// IndexMode is how an index outside of its axis is treated: see [Ref.Mode].
type IndexMode = indexed.IndexMode

// The modes. PromiseInBounds promises that no index is outside, ClipIndex moves it to the nearest
// position inside, and with FillOrDrop reads return a fill value and writes are left out.
const (
	PromiseInBounds = indexed.PromiseInBounds
	ClipIndex       = indexed.Clip
	FillOrDrop      = indexed.FillOrDrop
)

// Ref is a position in an array: x.At(0).Set(1) is x with another first element. A Ref is not an
// Array itself.
type Ref struct{ r nd.Ref }

// At returns the position in x that the indices select, as in [Array.Index]. x is not changed:
// the methods of Ref return a new array.
func (x Array) At(idx ...any) Ref { return Ref{nd.At(x.value(), indexValues(idx)...)} }

// Mode sets what happens where an element of an index Array is outside of its axis. By default,
// reads take the nearest element inside, and writes are left out.
func (r Ref) Mode(m IndexMode) Ref { return Ref{r.r.Mode(m)} }

// Fill makes reads outside of the axis return v.
func (r Ref) Fill(v any) Ref { return Ref{r.r.Fill(unwrap(v))} }

// Unique promises that no position is named twice. If it does not hold, the result is
// not specified.
func (r Ref) Unique() Ref { return Ref{r.r.Unique()} }

// Sorted promises that the positions are in order.
func (r Ref) Sorted() Ref { return Ref{r.r.Sorted()} }

// Get returns the part of the array at the position.
func (r Ref) Get() Array { return FromValue(r.r.Get()) }

// Set returns the array with v at the position.
func (r Ref) Set(v any) Array { return FromValue(r.r.Set(unwrap(v))) }

// Add returns the array with v added at the position. An element that is selected twice gets both
// additions.
func (r Ref) Add(v any) Array { return FromValue(r.r.Add(unwrap(v))) }

// Sub returns the array with v subtracted at the position.
func (r Ref) Sub(v any) Array { return FromValue(r.r.Sub(unwrap(v))) }

// Mul returns the array multiplied by v at the position.
func (r Ref) Mul(v any) Array { return FromValue(r.r.Mul(unwrap(v))) }

// Min returns the array with the smaller of element and v at the position.
func (r Ref) Min(v any) Array { return FromValue(r.r.Min(unwrap(v))) }

// Max returns the array with the larger of element and v at the position.
func (r Ref) Max(v any) Array { return FromValue(r.r.Max(unwrap(v))) }

// Div returns the array divided by v at the position.
func (r Ref) Div(v any) Array { return FromValue(r.r.Div(unwrap(v))) }

// Pow returns the array to the power v at the position.
func (r Ref) Pow(v any) Array { return FromValue(r.r.Pow(unwrap(v))) }

// Apply returns the array with f applied to the elements at the position. f is applied
// twice to an element that is selected twice.
func (r Ref) Apply(f func(Array) Array) Array {
	leaves.RequireNonNil("At.Apply", f)

	return FromValue(r.r.Apply(func(v core.Value) core.Value { return f(FromValue(v)).value() }))
}

// Take returns the elements of x, as one axis, at the given positions; with an axis, the slices
// along it. A negative position counts from the end. A position outside reads as NaN, as the
// least signed integer, as the largest unsigned integer, or as true.
func Take(x, indices Array, axis ...int) Array {
	return FromValue(nd.Take(x.value(), indices.value(), axis...))
}

// TakeAlongAxis returns an array of the shape of indices. Each element is taken from x at the
// position that indices holds along axis, and at its own position along the other axes. Axes of
// size 1 are broadcast. Positions outside read as in [Take].
func TakeAlongAxis(x, indices Array, axis int) Array {
	return FromValue(nd.TakeAlongAxis(x.value(), indices.value(), axis))
}

// PutAlongAxis returns x with v at the positions that [TakeAlongAxis] reads.
func PutAlongAxis(x, indices Array, v any, axis int) Array {
	return FromValue(nd.PutAlongAxis(x.value(), indices.value(), unwrap(v), axis))
}

// UnravelIndex returns the positions, one array per axis, of the elements with the row-major
// numbers x in an array of shape s.
func UnravelIndex(x Array, s Shape) []Array { return arraysOf(nd.UnravelIndex(x.value(), s)) }

// RavelIndex returns the row-major numbers of the elements at the given positions, one array per
// axis, in an array of shape s.
func RavelIndex(places []Array, s Shape) Array { return FromValue(nd.RavelIndex(values(places), s)) }
