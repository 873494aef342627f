package weft

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/nd"
	"github.com/weft-go/weft/runtime"
	"github.com/weft-go/weft/trace"
)

// Array is an array of numbers, truth values or keys: a concrete one, or one that a
// transformation is working on. It is immutable and safe for concurrent use by multiple
// goroutines. The zero Array holds no array; as a cotangent it stands for zero.
//
// Arrays cannot be compared with ==: [Array.Eq] compares elementwise, and [Array.Equal] reports
// whether two arrays are the same.
type Array struct {
	_ [0]func() // makes == a compile error; as the first field it takes no space
	// The address of a value, not the value: an Array is one word, and converting
	// it to an interface allocates nothing.
	v *core.Value
}

// FromValue returns the Array that holds v; for nil it is the zero Array.
func FromValue(v core.Value) Array {
	switch x := v.(type) {
	case nil:
		return Array{}
	case *runtime.Array:
		return Array{v: x.Box()}
	case *trace.Tracer:
		return Array{v: x.Box()}
	}
	return boxed(v)
}

// boxed takes the address of v. It is a separate function so that the parameter of FromValue does
// not escape to the heap.
//
//go:noinline
func boxed(v core.Value) Array { return Array{v: &v} }

// Value returns the [Value] that x holds. It panics if x is the zero Array.
func (x Array) Value() core.Value { return nd.Unbox(x.v) }

// IsZero reports whether x is the zero Array, which holds no array.
func (x Array) IsZero() bool { return x.v == nil }

func (x Array) aval() core.ShapedArray { return x.Value().Aval() }

// Shape returns the sizes of x's axes.
func (x Array) Shape() Shape { return Shape(x.aval().Shape.Ints()) }

// Dim returns the size of an axis; negative axes count from the end.
func (x Array) Dim(axis int) int { return nd.Dim(x.Value(), axis) }

// Len returns the size of the first axis.
func (x Array) Len() int { return nd.Len(x.Value()) }

// Rank returns the number of axes.
func (x Array) Rank() int { return x.aval().Rank() }

// Size returns the number of elements.
func (x Array) Size() int { return x.aval().Size() }

// DType returns the type of the elements.
func (x Array) DType() DType { return x.aval().DType }

// Weak reports whether x's type is weak, as that of Scalar(1.) is: in an operation with an array
// of another type, promotion prefers the other type.
func (x Array) Weak() bool { return x.aval().Weak }

// value returns the value that x holds. It is nil for the zero Array, so that the operation can
// refuse it under its own name.
func (x Array) value() core.Value { return nd.UnboxOptional(x.v) }

func values(xs []Array) []core.Value {
	out := make([]core.Value, len(xs))
	for i, x := range xs {
		out[i] = x.value()
	}
	return out
}

// unwrap returns an operand as package nd takes it: the value behind an Array, or a
// number.
func unwrap(v any) any {
	switch v := v.(type) {
	case Array:
		return v.value()
	case nil:
		return nd.Nil{}
	}
	return v
}

func optional(v any) any {
	if v == nil {
		return nil
	}
	return unwrap(v)
}

// Shape is the sizes of an array's axes.
type Shape []int

// Size returns the number of elements of an array of this shape.
func (s Shape) Size() int { return core.MakeDims(s...).Size() }

// String returns the shape as a tuple: (2, 3).
func (s Shape) String() string { return core.MakeDims(s...).String() }

// DType is the type of an array's elements.
type DType = core.DType

// The element types. Float0 is the tangent type of integers and truth values: it
// has no bytes.
const (
	Bool              = core.Bool
	Int2              = core.Int2
	Int4              = core.Int4
	Int8              = core.Int8
	Int16             = core.Int16
	Int32             = core.Int32
	Int64             = core.Int64
	Uint2             = core.Uint2
	Uint4             = core.Uint4
	Uint8             = core.Uint8
	Uint16            = core.Uint16
	Uint32            = core.Uint32
	Uint64            = core.Uint64
	Float4E2M1FN      = core.Float4E2M1FN
	Float6E2M3FN      = core.Float6E2M3FN
	Float6E3M2FN      = core.Float6E3M2FN
	Float8E3M4        = core.Float8E3M4
	Float8E4M3        = core.Float8E4M3
	Float8E4M3B11FNUZ = core.Float8E4M3B11FNUZ
	Float8E4M3FN      = core.Float8E4M3FN
	Float8E4M3FNUZ    = core.Float8E4M3FNUZ
	Float8E5M2        = core.Float8E5M2
	Float8E5M2FNUZ    = core.Float8E5M2FNUZ
	Float8E8M0FNU     = core.Float8E8M0FNU
	BFloat16          = core.BFloat16
	Float16           = core.Float16
	Float32           = core.Float32
	Float64           = core.Float64
	Complex64         = core.Complex64
	Complex128        = core.Complex128
	Float0            = core.Float0
)

func wrap(a *runtime.Array) Array { return Array{v: a.Box()} }
