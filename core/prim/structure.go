package prim

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim/internal/rule"
)

// linearAll returns the tangents of the n results of p, which is linear in all operands together: p
// of the operands' tangents, with zeros for those that are nil; n nils if all are.
func linearAll(p core.Primitive, in, t []Value, n int) []Value {
	if rule.AllNil(t) {
		return make([]Value, n)
	}
	return core.Bind(p, OrZeros(t, core.AvalsOf(in))...)
}

// OrZeros replaces each nil, which stands for zero, by zeros of its type in avals.
func OrZeros(vs []Value, avals []ShapedArray) []Value {
	out := make([]Value, len(vs))
	for i, v := range vs {
		if v == nil {
			v = Zeros(avals[i])
		}
		out[i] = v
	}
	return out
}
