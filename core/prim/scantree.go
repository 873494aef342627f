package prim

import (
	"math"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim/internal/rule"
)

// A node combines two dual numbers, each a primal and its tangent.
type node func(a, b [2]Value) [2]Value

// nodeOf returns the node that an elementwise operation of two operands makes.
func nodeOf(p interface {
	core.JVPer
	core.Elementwise
}) node {
	return func(a, b [2]Value) [2]Value {
		in := []Value{a[0], b[0]}
		out := core.Bind(p, in...)
		return [2]Value{out[0], p.JVP(in, out, []Value{a[1], b[1]})[0]}
	}
}

// scannedTangent returns the derivative of a cumulative operation that is computed by an
// associative operation along the tree of associative_scan.
func scannedTangent(c Cumulation, f node, x, t Value) []Value {
	a := x.Aval()
	if a.Size() == 0 {
		return []Value{nil}
	}
	return rule.One(scanned(c, f, [2]Value{x, t})[1])
}

// scanned combines each element with those before it, or those after it.
func scanned(c Cumulation, f node, v [2]Value) [2]Value {
	turn := func(x Value) Value { return Rev(x, core.MakeDims(c.Axis)) }
	if c.Reverse {
		v = each(v, turn)
	}
	v = treeScan(c.Axis, f, v)
	if c.Reverse {
		v = each(v, turn)
	}
	return v
}

func each(v [2]Value, f func(Value) Value) [2]Value {
	if v[0] = f(v[0]); v[1] != nil {
		v[1] = f(v[1])
	}
	return v
}

func both(a, b [2]Value, f func(a, b Value) Value) [2]Value {
	if a[0] = f(a[0], b[0]); a[1] != nil {
		a[1] = f(a[1], b[1])
	}
	return a
}

// treeScan combines neighbours and scans the combinations: these are the results at odd
// positions. Each of them, combined with the next element of v, is the next result at an even
// position.
func treeScan(axis int, f node, v [2]Value) [2]Value {
	n := v[0].Aval().Shape.At(axis)
	if n < 2 {
		return v
	}
	part := func(v [2]Value, lo, hi, step int) [2]Value {
		return each(v, func(x Value) Value { return SliceAxis(x, axis, lo, hi, step) })
	}
	odd := treeScan(axis, f, f(part(v, 0, n-1, 2), part(v, 1, n, 2)))
	even := part(v, 0, 1, 1)
	if n > 2 {
		rest := f(part(odd, 0, (n-1)/2, 1), part(v, 2, n, 2))
		even = both(even, rest, func(a, b Value) Value { return Concatenate(axis, a, b) })
	}
	return both(even, odd, func(a, b Value) Value { return interleave(axis, a, b) })
}

// SliceAxis takes every step-th element of x along axis, from lo to hi−1.
func SliceAxis(x Value, axis, lo, hi, step int) Value {
	s := x.Aval().Shape
	if lo == 0 && hi == s.At(axis) && step == 1 {
		return x
	}
	start, limit := make([]int, s.Len()), s.Ints()
	start[axis], limit[axis] = lo, hi
	strides := core.Dims{}
	if step != 1 {
		v := rule.Ones(s.Len())
		v[axis] = step
		strides = core.MakeDims(v...)
	}
	return Slice(x, core.MakeDims(start...), core.MakeDims(limit...), strides)
}

// interleave puts the elements of even, which has as many as odd or one more, and
// odd alternately along axis.
func interleave(axis int, even, odd Value) Value {
	n := odd.Aval().Shape.At(axis)
	behind := core.MakeDims(axis + 1)
	pairs := Concatenate(axis+1, ExpandDims(SliceAxis(even, axis, 0, n, 1), behind), ExpandDims(odd, behind))
	shape := odd.Aval().Shape.Ints()
	shape[axis] = 2 * n
	out := Reshape(pairs, core.MakeDims(shape...))
	if m := even.Aval().Shape.At(axis); m > n {
		out = Concatenate(axis, out, SliceAxis(even, axis, n, m, 1))
	}
	return out
}

// logAddExpNode returns log(exp a + exp b).
//
//	ẏ = ȧ·exp(a−y) + ḃ·exp(b−y)
//
// where +∞ counts as 0 in the exponents, and the sum of two −∞ has no derivative: NaN.
func logAddExpNode(a, b [2]Value) [2]Value {
	y := logAddExp(a[0], b[0])
	weight := func(x Value) Value { return Exp(Sub(infTo0(x), infTo0(y))) }
	var t [2]Value
	for i, v := range [][2]Value{a, b} {
		t[i] = Mul(v[1], weight(v[0]))
	}
	return [2]Value{y, Add(t[0], t[1])}
}

// logAddExp returns log(exp a + exp b), computed as the larger operand plus a small term. Complex
// numbers are compared by their real parts.
func logAddExp(a, b Value) Value {
	v := a.Aval()
	if !v.DType.IsInexact() {
		core.FailOp(core.ErrDType, "cumlogsumexp", []ShapedArray{v}, "logarithms of sums are of floating or complex numbers, got %v; convert it first", v.Full())
	}
	if v.DType.IsComplex() {
		swap := Lt(Real(a), Real(b))
		hi, lo := Where(swap, b, a), Where(swap, a, b)
		return Add(hi, Log1p(Exp(Sub(lo, hi))))
	}
	delta := Sub(a, b)
	return Where(Ne(delta, delta), Add(a, b), Add(Max(a, b), Log1p(Exp(Neg(Abs(delta))))))
}

func infTo0(x Value) Value {
	a := x.Aval()
	if a.DType.IsComplex() {
		return x
	}
	return Where(Eq(x, Num(a.WithShape(core.Dims{}), math.Inf(1))), Zeros(a), x)
}
