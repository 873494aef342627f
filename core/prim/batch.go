package prim

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim/internal/rule"
)

// Helpers of Batch rules. A mapped operand has one axis more than the primitive expects: a leading
// axis of the batch's size. The rules move their axis numbers up by one.

// AtFront returns v with the batch's leading axis: an unmapped v is spread along it.
func AtFront(n int, v Value, mapped bool) Value {
	if mapped {
		return v
	}
	s := v.Aval().Shape
	return BroadcastInDim(v, s.Prepend(n), core.Range(1, s.Len()+1))
}

// AllAtFront returns AtFront of every operand.
func AllAtFront(n int, in []Value, mapped []bool) []Value {
	out := make([]Value, len(in))
	for i, v := range in {
		out[i] = AtFront(n, v, mapped[i])
	}
	return out
}

// PerElement adds axes of size 1 to the operands of an elementwise operation, so that all but
// scalars have one rank: mapped scalars get them after the batch's axis if another operand has
// axes, and unmapped operands that are not scalars get one in front.
func PerElement(in []Value, mapped []bool) []Value {
	rank := 0
	for i, v := range in {
		r := v.Aval().Rank()
		if mapped[i] {
			r--
		}
		rank = max(rank, r)
	}
	out := make([]Value, len(in))
	for i, v := range in {
		s := v.Aval().Shape
		switch {
		case mapped[i] && s.Len() == 1 && rank > 0:
			v = BroadcastInDim(v, core.MakeDims(append([]int{s.At(0)}, rule.Ones(rank)...)...), core.MakeDims(0))
		case !mapped[i] && s.Len() > 0:
			v = BroadcastInDim(v, s.Prepend(1), core.Range(1, s.Len()+1))
		}
		out[i] = v
	}
	return out
}

// MergeAxis merges the leading axis of v into the given axis of the rest, as the
// slower-varying index.
func MergeAxis(v Value, axis int) Value {
	s := v.Aval().Shape
	n := s.At(0)
	rest := s.Slice(1, s.Len()).Ints()
	rest[axis] *= n
	return Reshape(fromFront(v, axis), core.MakeDims(rest...))
}

// SplitFront splits an axis of v into one of size n and, after it, one of the remaining size, and
// moves the former to the front. MergeAxis undoes it.
func SplitFront(v Value, axis, n int) Value {
	s := v.Aval().Shape
	shape := append(s.Slice(0, axis).Ints(), n, s.At(axis)/n)
	shape = append(shape, s.Slice(axis+1, s.Len()).Ints()...)
	return ToFront(Reshape(v, core.MakeDims(shape...)), axis)
}

// MergeSecond merges axis 1 of x into axis 2 + axis, as the slower-varying index.
func MergeSecond(x Value, axis int) Value {
	s := x.Aval().Shape
	all := core.Range(0, s.Len())
	x = Transpose(x, all.Slice(2, 2+axis).Prepend(0).Append(1).Append(all.Slice(2+axis, s.Len()).Ints()...))
	shape := s.Slice(2, s.Len()).Prepend(s.At(0)).Ints()
	shape[axis+1] *= s.At(1)
	return Reshape(x, core.MakeDims(shape...))
}
