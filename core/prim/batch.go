package prim

import "github.com/weft-go/weft/core"

// Helpers of Batch rules. A mapped operand has a leading axis of the batch's size
// more than the primitive expects; the rules move their axis numbers up by one.

// atFront returns v with the batch's leading axis: an unmapped v is spread along it.
func atFront(n int, v Value, mapped bool) Value {
	if mapped {
		return v
	}
	s := v.Aval().Shape
	return BroadcastInDim(v, s.Prepend(n), core.Range(1, s.Len()+1))
}

// allAtFront returns atFront of every operand.
func allAtFront(n int, in []Value, mapped []bool) []Value {
	out := make([]Value, len(in))
	for i, v := range in {
		out[i] = atFront(n, v, mapped[i])
	}
	return out
}

// afterBatchAxis moves axis numbers behind the batch's leading axis.
func afterBatchAxis(axes core.Dims) core.Dims { return axes.Next() }

// batchAxisThen returns afterBatchAxis with axis 0, the batch's, in front.
func batchAxisThen(axes core.Dims) core.Dims { return afterBatchAxis(axes).Prepend(0) }

// bound applies p to operands that are all mapped: every result is.
func bound(p core.Primitive, in ...Value) ([]Value, []bool) {
	out := core.Bind(p, in...)
	return out, allTrue(len(out))
}

func allTrue(n int) []bool {
	m := make([]bool, n)
	for i := range m {
		m[i] = true
	}
	return m
}

// perElement spreads operands of one logical shape, scalars and axes of size 1
// included, so that a batch of them is again of one shape: a mapped operand gets
// axes of size 1 behind the batch's, an unmapped one that is no scalar gets a
// leading axis of size 1.
func perElement(in []Value, mapped []bool) []Value {
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
			v = BroadcastInDim(v, core.MakeDims(append([]int{s.At(0)}, ones(rank)...)...), core.MakeDims(0))
		case !mapped[i] && s.Len() > 0:
			v = BroadcastInDim(v, s.Prepend(1), core.Range(1, s.Len()+1))
		}
		out[i] = v
	}
	return out
}

func ones(n int) []int {
	v := make([]int, n)
	for i := range v {
		v[i] = 1
	}
	return v
}
