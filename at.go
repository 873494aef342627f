package weft

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/leaves"
	"github.com/weft-go/weft/internal/nd"
)

// Ref is a position in an array: x.At(0).Set(1) is x with another first element. It is
// no Array itself.
type Ref struct{ r nd.Ref }

// At returns the position in x that the indices name, as [Array.Index] has them. x is not
// changed: the methods of Ref give a new array.
func (x Array) At(idx ...any) Ref { return Ref{nd.At(x.value(), indexValues(idx)...)} }

// Mode describes what an element of an index array that is outside of its axis does. Unless it
// is set, reading takes the nearest element inside, and writing is left out.
func (r Ref) Mode(m IndexMode) Ref { return Ref{r.r.Mode(m)} }

// Fill makes reading outside of the axis return v.
func (r Ref) Fill(v any) Ref { return Ref{r.r.Fill(unwrap(v))} }

// Unique promises that no position is named twice. If it does not hold, the result is
// not specified.
func (r Ref) Unique() Ref { return Ref{r.r.Unique()} }

// Sorted promises that the positions are in order.
func (r Ref) Sorted() Ref { return Ref{r.r.Sorted()} }

// Get reads the position.
func (r Ref) Get() Array { return FromValue(r.r.Get()) }

// Set returns the array with v at the position.
func (r Ref) Set(v any) Array { return FromValue(r.r.Set(unwrap(v))) }

// Add returns the array with v added at the position; a position that comes twice gets both.
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

// Apply returns the array with f applied to the elements at the position; to an element
// that comes twice, twice.
func (r Ref) Apply(f func(Array) Array) Array {
	leaves.RequireNonNil("At.Apply", f)

	return FromValue(r.r.Apply(func(v core.Value) core.Value { return f(FromValue(v)).value() }))
}
