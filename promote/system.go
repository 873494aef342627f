package promote

import "github.com/weft-go/weft/core"

// System is a way of promoting types. The systems of this package are pointers,
// so that a System can be compared and can be part of a cache key.
type System interface {
	// Name is the name of the system. [Find] finds the systems of this package by it.
	Name() string
	// Join is the type that a and b promote to. In some systems their order matters. Where
	// there is no such type the error is an [*Error] that names both types and the fix.
	Join(a, b Type) (Type, error)
	// Algebra is the whole table of the system.
	Algebra() *Algebra
}

// Operand is a type together with what [NumPy1] also looks at: whether the operand is a scalar,
// and the Go number that it is.
type Operand struct {
	Type
	Scalar bool // of no dimension
	Value  any  // a Go number of any type or a *big.Int, else nil
}

// ValueSystem is a System whose result may depend on the values of scalars.
type ValueSystem interface {
	System
	// JoinOperands is the type that all operands promote to.
	JoinOperands(ops []Operand) (Type, error)
}

// Result returns the type that operands compute in under s: the element type, and
// whether it is weak. bits, 32 or 64, is the default width of a bare number.
//
// A weak result has the default width even where 64-bit integers are involved: under [JAX], u64
// with i64, i32 with 2.0 and i64 with 2.0 are weak floats of that width. Any other rule would
// make the type of a+b+c depend on the order. Systems whose weak types have widths of their own,
// such as [Anvil], keep these. A single operand is left as it is. A bool is never weak. A result
// that no array can have, such as the c32 that PyTorch makes of f16 and a complex number, is an
// error.
func Result(s System, bits int, types ...Type) (core.DType, bool, error) {
	if len(types) == 0 {
		return core.Invalid, false, errNoOperands(s)
	}
	t := types[0]
	if len(types) == 1 {
		return t.DType, t.Weak && t.DType != core.Bool, nil
	}
	for _, u := range types[1:] {
		var err error
		if t, err = s.Join(t, u); err != nil {
			return core.Invalid, false, err
		}
	}
	if f, ok := s.(*Finite); t.Weak && !(ok && f.exact) {
		t.DType = widen(t.DType, bits == 64)
	}
	if t.DType >= core.DType(core.NumDTypes) {
		return core.Invalid, false, &Error{System: s.Name(), Types: append([]Type(nil), types...),
			Why: "no array can have their type " + t.String(), Way: convert}
	}
	return t.DType, t.Weak && t.DType != core.Bool, nil
}

// ResultOf is [Result] for operands. It differs from Result only under a [ValueSystem].
func ResultOf(s System, bits int, ops ...Operand) (core.DType, bool, error) {
	if v, ok := s.(ValueSystem); ok {
		t, err := v.JoinOperands(append([]Operand(nil), ops...)) // the copy keeps ops on the caller's stack
		return t.DType, t.Weak, err
	}
	if len(ops) == 2 {
		return Result(s, bits, ops[0].Type, ops[1].Type)
	}
	types := make([]Type, len(ops))
	for i, o := range ops {
		types[i] = o.Type
	}
	return Result(s, bits, types...)
}

// widen returns the type of d's kind that has the default width: 64 bits if w is set, else 32.
func widen(d core.DType, w bool) core.DType {
	if w {
		return defaults[d][1]
	}
	return defaults[d][0]
}

// defaults maps an element type to its kind's types of 32 and of 64 bits.
var defaults [256][2]core.DType

func init() {
	for d := range maxDTypes {
		d := core.DType(d)
		defaults[d] = [2]core.DType{WeakOf(d.Kind(), 32).DType, WeakOf(d.Kind(), 64).DType}
	}
}

// Inexact returns the floating type that functions such as a square root, a true quotient or a mean
// compute in for d: f32 for booleans and integers, but for integers of 64 bits a float of the
// default width (bits, 32 or 64), and d itself for floating and complex types.
func Inexact(d core.DType, bits int) core.DType {
	switch {
	case !d.IsBool() && !d.IsInteger():
		return d
	case wide(d):
		return WeakOf(core.KindFloat, bits).DType
	}
	return core.Float32
}
