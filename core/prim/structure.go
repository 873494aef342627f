package prim

import (
	"github.com/weft-go/weft/core"
)

// Helpers of operations that only move elements: their rules are the operation itself, applied to
// tangents.

// operands demands that there are n operands.
func operands(in []ShapedArray, n int) {
	if len(in) != n {
		core.Failf(core.ErrCheck, "wrong number of operands (want %s, got %d); pass as many as the operation has", core.Count(n, "operand"), len(in))
	}
}

// sameDType demands one dtype of all operands.
func sameDType(in ...ShapedArray) {
	for _, a := range in[1:] {
		if a.DType != in[0].DType {
			core.Failf(core.ErrDType, "operands must have one dtype, got %v and %v; convert one of them", in[0].Full(), a.Full())
		}
	}
}

// permutation reports whether p contains 0 … n−1, each once.
func permutation(p core.Dims, n int) bool { return p.Len() == n && distinct(p, n) }

// distinct reports whether axes contains axes of an array of rank n, each once.
func distinct(axes core.Dims, n int) bool {
	var few [1]uint64
	seen := few[:]
	if n > 64 {
		seen = make([]uint64, (n+63)/64)
	}
	for _, a := range axes.All() {
		if a < 0 || a >= n || seen[a/64]>>(a%64)&1 != 0 {
			return false
		}
		seen[a/64] |= 1 << (a % 64)
	}
	return true
}

// increasing reports whether axes contains axes of an array of rank n in strictly
// increasing order.
func increasing(axes core.Dims, n int) bool {
	for i, a := range axes.All() {
		if a < 0 || a >= n || i > 0 && a <= axes.At(i-1) {
			return false
		}
	}
	return true
}

// allWeak reports whether every operand is weak.
func allWeak(in []ShapedArray) bool {
	for _, a := range in {
		if !a.Weak {
			return false
		}
	}
	return true
}

// linearFirst returns the derivative of p, which is linear in its first operand and
// constant in the others: p of the first operand's tangent.
func linearFirst(p core.Primitive, in, t []Value) []Value {
	if t[0] == nil {
		return make([]Value, 1)
	}
	ops := append([]Value{t[0]}, in[1:]...)
	return core.Bind(p, ops...)
}

// linearAll returns the derivative of p, which is linear in all operands together: p
// of the tangents, zeros written out. n is the number of results.
func linearAll(p core.Primitive, in, t []Value, n int) []Value {
	if allNil(t) {
		return make([]Value, n)
	}
	return core.Bind(p, orZeros(t, core.AvalsOf(in))...)
}

func allNil(vs []Value) bool {
	for _, v := range vs {
		if v != nil {
			return false
		}
	}
	return true
}

// orZeros writes out the zeros among vs.
func orZeros(vs []Value, avals []ShapedArray) []Value {
	out := make([]Value, len(vs))
	for i, v := range vs {
		if v == nil {
			v = Zeros(avals[i])
		}
		out[i] = v
	}
	return out
}
