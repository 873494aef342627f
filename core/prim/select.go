package prim

import (
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim/internal/rule"
)

// SelectNP takes each element from one of several arrays, the cases. Its first operand
// holds the numbers of the cases, from 0 on: false and negative numbers select case 0, numbers
// that are too large the last case. It is boolean, for at most two cases, or an integer; a
// scalar or of the shape of the cases. Elements keep all their bits.
type SelectNP struct{}

// SelectN takes each element from the case whose number is in its first operand.
func SelectN(which Value, cases ...Value) Value {
	return core.Bind1(SelectNP{}, append([]Value{which}, cases...)...)
}

// Where takes elements of onTrue where pred is true, of onFalse elsewhere. The cases
// must have one type; a rank-0 pred is spread.
func Where(pred, onTrue, onFalse Value) Value { return SelectN(pred, onFalse, onTrue) }

func (SelectNP) Name() string { return "select_n" }

// Abstract demands cases of one type. The result is weak if all cases are; the first
// operand does not count.
func (SelectNP) Abstract(in []ShapedArray) []ShapedArray {
	if len(in) < 2 {
		core.Failf(core.ErrCheck, "needs a predicate and at least one case (got %s); pass cases", core.Count(len(in), "operand"))
	}
	which, cases := in[0], in[1:]
	switch {
	case which.Ref || which.DType != core.Bool && !which.DType.IsInteger():
		core.Failf(core.ErrDType, "which must be a truth value or an integer, got %v; convert it first", which.Full())
	case which.DType == core.Bool && len(cases) > 2:
		core.Failf(core.ErrDType, "a boolean selects from two cases, got %d; use an integer", len(cases))
	}
	out := cases[0]
	for _, c := range cases {
		want[anything](c)
		switch {
		case c.Shape != out.Shape:
			core.Failf(core.ErrShape, "the cases must have one shape, got %s; broadcast them first", rule.FullList(cases))
		case c.DType != out.DType:
			core.Failf(core.ErrDType, "the cases must have one dtype, got %s; convert them, or use Where of package weft, which promotes", rule.FullList(cases))
		}
		out.Weak = out.Weak && c.Weak
	}
	if which.Rank() != 0 && which.Shape != out.Shape {
		core.Failf(core.ErrShape, "which must be a scalar or have the shape of the cases, got %v and %v; spread it with broadcast_in_dim first", which.Full(), out.Full())
	}
	return []ShapedArray{out}
}

func (SelectNP) JVP(in, out, t []Value) []Value {
	return rule.One(SelectN(in[0], instantiated(t[1:], in[1:])...))
}

// instantiated replaces tangents that are nil by zeros.
func instantiated(t, in []Value) []Value {
	full := make([]Value, len(t))
	for i, v := range t {
		if full[i] = v; v == nil {
			full[i] = Zeros(in[i].Aval().Tangent())
		}
	}
	return full
}

// Transpose passes to each case the cotangent where it was selected, zero elsewhere.
func (SelectNP) Transpose(ct, in []Value, lin []bool, av []ShapedArray) []Value {
	r := make([]Value, len(in))
	zero := Zeros(ct[0].Aval())
	for i := range in {
		if !lin[i] {
			continue
		}
		cases := make([]Value, len(in)-1)
		for j := range cases {
			if cases[j] = zero; j == i-1 {
				cases[j] = ct[0]
			}
		}
		r[i] = SelectN(in[0], cases...)
	}
	return r
}

// Batch broadcasts all to the shape of the batch, except a scalar predicate that the batch
// shares.
func (SelectNP) Batch(n int, in []Value, mapped []bool) ([]Value, []bool) {
	shape := in[1].Aval().Shape
	if !mapped[1] {
		shape = shape.Prepend(n)
	}
	full := slices.Clone(in)
	rank := in[0].Aval().Rank()
	scalars := rank == 1 && mapped[0]
	if rank > 0 && !scalars {
		full[0] = batchTo(in[0], mapped[0], shape)
	}
	for i := 1; i < len(in); i++ {
		full[i] = batchTo(in[i], mapped[i], shape)
	}
	if scalars { // the condition is broadcast after the cases, as in JAX
		full[0] = batchTo(in[0], true, shape)
	}
	return []Value{SelectN(full[0], full[1:]...)}, []bool{true}
}
