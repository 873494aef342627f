package ir

import (
	"math"

	"github.com/weft-go/weft/lower/scalar"
)

// An Element is what a fold combines: one number, or two, which are the parts of a complex
// number, or a value and its index. V is how a number is represented: its bits, a register, a
// value of a kernel.
type Element[V any] [2]V

// Arith computes with numbers. Identities and combinations of folds are written once in terms of an Arith, for
// evaluators and code generators.
type Arith[V any] interface {
	// Apply returns the result of an operation on two numbers of type t, which has type t, too.
	Apply(o scalar.Op, t scalar.Type, x, y V) V
	// Compare returns the result of OpLt or OpEq on two numbers of type t.
	Compare(o scalar.Op, t scalar.Type, x, y V) V
	// IsNaN returns whether a float of type t is a NaN.
	IsNaN(t scalar.Type, x V) V
	// Logic returns the result of OpAnd, OpOr or OpLt on two truth values. OpLt is: not x, and y.
	Logic(o scalar.Op, x, y V) V
	// Choose returns x, of type t, where c is true, else y.
	Choose(t scalar.Type, c, x, y V) V
}

// Folding is the operation of a fold with the types of its elements' numbers. Second is NoType
// where an element is one number.
type Folding struct {
	Op            FoldOp
	Value, Second scalar.Type
}

// Pairs reports whether the operation combines pairs of numbers, so that a fold of it has two results.
func (o FoldOp) Pairs() bool { return o == ComplexProd || o == ArgMax || o == ArgMin }

// Rounds reports whether the operation rounds on floats, so that the order of a fold decides the
// bits of its result. Other operations have the same result in every order.
func (o FoldOp) Rounds() bool {
	switch o {
	case Max, Min, And, Or, Xor, ArgMax, ArgMin:
		return false
	}
	return true
}

// Identity returns the bits of the first number of the element that a fold of numbers of type t
// starts from. The second number is 0. ArgMax and ArgMin have no identity: they start from the
// first element.
func (o FoldOp) Identity(t scalar.Type) uint64 {
	switch o {
	case Prod, ComplexProd:
		switch t {
		case scalar.F32:
			return uint64(math.Float32bits(1))
		case scalar.F64:
			return math.Float64bits(1)
		}
		return 1
	case Max:
		return Least(t)
	case Min:
		return Greatest(t)
	case And:
		if t == scalar.Bool {
			return 1
		}
		return ^uint64(0) >> (64 - t.Bits())
	}
	return 0
}

// Least returns the bits of the least number of a type.
func Least(t scalar.Type) uint64 {
	switch {
	case t == scalar.F32:
		return uint64(math.Float32bits(float32(math.Inf(-1))))
	case t == scalar.F64:
		return math.Float64bits(math.Inf(-1))
	case t.IsSigned():
		return 1 << (t.Bits() - 1)
	}
	return 0
}

// Greatest returns the bits of the greatest number of a type.
func Greatest(t scalar.Type) uint64 {
	switch {
	case t == scalar.F32:
		return uint64(math.Float32bits(float32(math.Inf(1))))
	case t == scalar.F64:
		return math.Float64bits(math.Inf(1))
	case t == scalar.Bool:
		return 1
	case t.IsSigned():
		return 1<<(t.Bits()-1) - 1
	}
	return ^uint64(0) >> (64 - t.Bits())
}

// Scalar returns the operation that combines two numbers of type t, for folds whose elements are
// one number.
func (o FoldOp) Scalar(t scalar.Type) scalar.Op {
	if t == scalar.Bool {
		switch o {
		case Max:
			return scalar.OpOr
		case Min:
			return scalar.OpAnd
		}
	}
	return foldScalars[o]
}

var foldScalars = [...]scalar.Op{Sum: scalar.OpAdd, Prod: scalar.OpMul, Max: scalar.OpMax, Min: scalar.OpMin,
	And: scalar.OpAnd, Or: scalar.OpOr, Xor: scalar.OpXor}

// Combine returns the element that the fold's operation makes of x and y, the operand on the left and the one on
// the right.
func Combine[V any](a Arith[V], f Folding, x, y Element[V]) Element[V] {
	t := f.Value
	switch f.Op {
	case ComplexProd:
		mul := func(x, y V) V { return a.Apply(scalar.OpMul, t, x, y) }
		re := a.Apply(scalar.OpSub, t, mul(x[0], y[0]), mul(x[1], y[1]))
		return Element[V]{re, a.Apply(scalar.OpAdd, t, mul(x[0], y[1]), mul(x[1], y[0]))}
	case ArgMax, ArgMin:
		take := better(a, f, x, y)
		return Element[V]{a.Choose(t, take, y[0], x[0]), a.Choose(f.Second, take, y[1], x[1])}
	}
	return Element[V]{a.Apply(f.Op.Scalar(t), t, x[0], y[0])}
}

// better returns whether ArgMax or ArgMin takes y. A NaN is better than every number; of equal values the one
// with the lower index is better.
func better[V any](a Arith[V], f Folding, x, y Element[V]) V {
	t := f.Value
	beats := beats(a, f, x[0], y[0])
	equal := a.Compare(scalar.OpEq, t, x[0], y[0])
	lower := a.Compare(scalar.OpLt, f.Second, y[1], x[1])
	if t.IsFloat() {
		xNaN, yNaN := a.IsNaN(t, x[0]), a.IsNaN(t, y[0])
		equal = a.Logic(scalar.OpOr, equal, a.Logic(scalar.OpAnd, xNaN, yNaN))
		beats = a.Logic(scalar.OpOr, beats, a.Logic(scalar.OpLt, xNaN, yNaN))
		// A number never beats a NaN: comparisons with NaN are false.
	}
	return a.Logic(scalar.OpOr, beats, a.Logic(scalar.OpAnd, equal, lower))
}

// beats compares two values of ArgMax or ArgMin without regard to NaNs.
func beats[V any](a Arith[V], f Folding, x, y V) V {
	if f.Op == ArgMin {
		x, y = y, x
	}
	return a.Compare(scalar.OpLt, f.Value, x, y)
}

// CombineLater is Combine for ArgMax and ArgMin where the index of y is above that of x: it takes y only if the
// value of y is strictly better, or is a NaN and that of x is not.
func CombineLater[V any](a Arith[V], f Folding, x, y Element[V]) Element[V] {
	t := f.Value
	take := beats(a, f, x[0], y[0])
	if t.IsFloat() {
		take = a.Logic(scalar.OpOr, take, a.Logic(scalar.OpLt, a.IsNaN(t, x[0]), a.IsNaN(t, y[0])))
	}
	return Element[V]{a.Choose(t, take, y[0], x[0]), a.Choose(f.Second, take, y[1], x[1])}
}
