package rule

import "github.com/weft-go/weft/core"

// BatchAxisThen moves axis numbers after the batch's leading axis, and puts that one, 0, in front.
func BatchAxisThen(axes core.Dims) core.Dims { return axes.Next().Prepend(0) }

// Bound applies p and marks every result as mapped.
func Bound(p core.Primitive, in ...core.Value) ([]core.Value, []bool) {
	out := core.Bind(p, in...)
	return out, AllTrue(len(out))
}

// AllTrue marks n results as mapped.
func AllTrue(n int) []bool {
	m := make([]bool, n)
	for i := range m {
		m[i] = true
	}
	return m
}

// Ones returns n ones.
func Ones(n int) []int {
	v := make([]int, n)
	for i := range v {
		v[i] = 1
	}
	return v
}

// UnmappedAval returns the type of v, without the batch's leading axis if v is mapped.
func UnmappedAval(v core.Value, mapped bool) core.ShapedArray {
	a := v.Aval()
	if mapped {
		a = a.WithShape(a.Shape.Slice(1, a.Rank()))
	}
	return a
}

// LinearFirst returns the derivative of p, which is linear in its first operand and
// constant in the others: p of the first operand's tangent.
func LinearFirst(p core.Primitive, in, t []core.Value) []core.Value {
	if t[0] == nil {
		return make([]core.Value, 1)
	}
	ops := append([]core.Value{t[0]}, in[1:]...)
	return core.Bind(p, ops...)
}

// One returns the results of a rule with a single result.
func One(v core.Value) []core.Value {
	if v == nil {
		return []core.Value{nil}
	}
	return []core.Value{v}
}
