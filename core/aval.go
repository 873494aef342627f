package core

// ShapedArray is an abstract value: all that tracing records of an array, and all
// that promotion looks at. It is comparable.
type ShapedArray struct {
	Shape Dims
	DType DType
	Weak  bool // made of untyped constants only: in promotion a strong type of the same or a higher kind wins
	marks
}

// marks are the rare parts of a type, a struct of their own: the compiler keeps no struct of more
// than four fields in registers.
type marks struct {
	Vary Axes // in a program for each device of a mesh: the axes along which the value differs
	Ref  bool // a mutable reference to an array of this type; exists in programs read from text only
}

// Aval returns the strong abstract value of the given dtype and shape.
func Aval(dt DType, dims ...int) ShapedArray {
	return ShapedArray{Shape: MakeDims(dims...), DType: dt}
}

// Rank returns the number of axes.
func (a ShapedArray) Rank() int { return a.Shape.Len() }

// Size returns the number of elements. It is −1 if that overflows an int or a size is negative.
func (a ShapedArray) Size() int { return a.Shape.Size() }

// Strong returns a without its weak mark.
func (a ShapedArray) Strong() ShapedArray { a.Weak = false; return a }

// WithShape returns a with another shape.
func (a ShapedArray) WithShape(s Dims) ShapedArray { a.Shape = s; return a }

// WithDType returns a with another dtype.
func (a ShapedArray) WithDType(dt DType) ShapedArray { a.DType = dt; return a }

// Tangent returns the abstract value of tangents of a.
func (a ShapedArray) Tangent() ShapedArray {
	if a.DType.Tangent() == Float0 {
		return ShapedArray{Shape: a.Shape, DType: Float0, marks: marks{Vary: a.Vary}}
	}
	return a
}

// Invariant returns a without the axes along which it varies.
func (a ShapedArray) Invariant() ShapedArray { a.Vary = 0; return a }

// Fits reports whether a and b have the same shape, dtype and Ref, and vary along the same axes.
func (a ShapedArray) Fits(b ShapedArray) bool { return a.SameType(b) && a.Vary == b.Vary }

// SameType reports whether a and b have the same shape, dtype and Ref. It ignores weak marks and
// the axes along which they vary.
func (a ShapedArray) SameType(b ShapedArray) bool {
	return a.Shape == b.Shape && a.DType == b.DType && a.Ref == b.Ref
}

// String returns the type as IR text has it, without the weak mark: f32[2,3].
func (a ShapedArray) String() string {
	s := a.DType.String()
	if a.DType != Token {
		s += "[" + a.Shape.join(",") + "]"
	}
	if a.Ref {
		s = "Ref{" + s + "}"
	}
	if a.Vary != 0 {
		s += a.Vary.mark()
	}
	return s
}

// Full returns the type as errors show it: with ~ in front if it is weak.
func (a ShapedArray) Full() string {
	if a.Weak {
		return "~" + a.String()
	}
	return a.String()
}
