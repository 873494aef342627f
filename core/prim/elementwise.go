package prim

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim/internal/rule"
)

// The type of most elementwise operations embeds a form: unary, binary, ternary, predicate or
// comparison, over the element types that it takes. The form defines the types of results;
// derivatives stand with the operation.
//
// The operands of a form have one dtype. They have one rank, or rank 0; scalars and axes of size 1
// are spread. A result is weak if all operands are.

// A domain is a set of element types, which String names.
type domain interface {
	has(core.DType) bool
	String() string
}

type (
	anything  struct{}
	numbered  struct{}
	numeric   struct{}
	signed    struct{}
	inexact   struct{}
	floating  struct{}
	halfUp    struct{}
	reals     struct{}
	ordered   struct{}
	logical   struct{}
	integers  struct{}
	complexes struct{}
)

func (anything) has(d core.DType) bool  { return hasElements(d) }
func (numbered) has(d core.DType) bool  { return d.IsBool() || d.IsNumber() }
func (numeric) has(d core.DType) bool   { return d.IsNumber() }
func (signed) has(d core.DType) bool    { return d.IsSigned() || d.IsInexact() }
func (inexact) has(d core.DType) bool   { return d.IsInexact() }
func (floating) has(d core.DType) bool  { return d.IsFloat() }
func (halfUp) has(d core.DType) bool    { return d.IsFloat() && !d.IsMinorFloat() }
func (reals) has(d core.DType) bool     { return d.IsInteger() || d.IsFloat() }
func (ordered) has(d core.DType) bool   { return d.IsBool() || d.IsInteger() || d.IsFloat() }
func (logical) has(d core.DType) bool   { return d.IsBool() || d.IsInteger() }
func (integers) has(d core.DType) bool  { return d.IsInteger() }
func (complexes) has(d core.DType) bool { return d.IsComplex() }

func (anything) String() string  { return "values with elements" }
func (numbered) String() string  { return "booleans and numbers" }
func (numeric) String() string   { return "integers, floats and complex numbers" }
func (signed) String() string    { return "signed integers, floats and complex numbers" }
func (inexact) String() string   { return "floats and complex numbers" }
func (floating) String() string  { return "floats" }
func (halfUp) String() string    { return "floats of 16 bits and more" }
func (reals) String() string     { return "integers and floats" }
func (ordered) String() string   { return "booleans, integers and floats" }
func (logical) String() string   { return "booleans and integers" }
func (integers) String() string  { return "integers" }
func (complexes) String() string { return "complex numbers" }

func hasElements(d core.DType) bool {
	switch d.Kind() {
	case core.KindNone, core.KindFloat0, core.KindToken:
		return false
	}
	return true
}

// unary has one operand and a result of the same type.
type unary[D domain] struct{}

func (unary[D]) Abstract(in []ShapedArray) []ShapedArray {
	rule.Operands(in, 1)
	want[D](in[0])
	return []ShapedArray{in[0]}
}

func (unary[D]) Elementwise() {}

// predicate has one operand and a boolean result, hence no derivative.
type predicate[D domain] struct{ constant }

func (predicate[D]) Abstract(in []ShapedArray) []ShapedArray {
	rule.Operands(in, 1)
	want[D](in[0])
	return []ShapedArray{in[0].WithDType(core.Bool)}
}

func (predicate[D]) Elementwise() {}

// binary has two operands of one type, spread over each other, and a result of
// that type.
type binary[D domain] struct{}

func (binary[D]) Abstract(in []ShapedArray) []ShapedArray {
	rule.Operands(in, 2)
	for _, a := range in {
		want[D](a)
	}
	return []ShapedArray{spreadAvals(in)}
}

func (binary[D]) Elementwise() {}

// comparison has two operands of one type, spread over each other, and a boolean
// result, hence no derivative.
type comparison[D domain] struct{ constant }

func (comparison[D]) Abstract(in []ShapedArray) []ShapedArray {
	return []ShapedArray{binary[D]{}.Abstract(in)[0].WithDType(core.Bool)}
}

func (comparison[D]) Elementwise() {}

// constant marks an operation whose derivative is declared to be zero. Most such operations are
// piecewise constant, or act on integers.
type constant struct{}

func (constant) ZeroJVP() {}

// want requires an array, not a reference, whose element type is in D.
func want[D domain](a ShapedArray) {
	var d D
	if a.Ref {
		core.Failf(core.ErrDType, "takes arrays, got the reference %v; read it first", a.Full())
	}
	if !d.has(a.DType) {
		if why := a.DType.NoNumber(); why != "" {
			core.Failf(core.ErrDType, "takes %v, got %v: %s", d, a.Full(), why)
		}
		core.Failf(core.ErrDType, "takes %v, got %v; convert the operand first", d, a.Full())
	}
}

// spreadAvals returns the type of an elementwise result of operands that must agree in
// dtype.
func spreadAvals(in []ShapedArray) ShapedArray {
	for _, a := range in[1:] {
		if a.DType != in[0].DType {
			core.Failf(core.ErrDType, "the operands' dtypes must agree, got %s; convert one of them, or use the function of package weft, which promotes", rule.FullList(in))
		}
	}
	out := ShapedArray{Shape: rule.SpreadShapes(in), DType: in[0].DType, Weak: true}
	for _, a := range in {
		out.Weak = out.Weak && a.Weak
	}
	return out
}
