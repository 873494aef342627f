package native

import (
	"math"

	"github.com/weft-go/weft/lower/scalar"
)

// Divide divides integers through floats, exactly: x/0 is all ones, x%0 is x.
func (g *Gen) Divide(op scalar.Op, x, y Value) Value {
	t := x.T
	var q Value
	switch size := t.Size(); {
	case size == 8:
		return g.divide64(op, x, y)
	case size == 4:
		// Unless the quotient of two integers of 32 bits is an integer, it differs from all integers by at least
		// 2⁻³² of itself: rounding to f64 changes it by less.
		q = g.divideThrough(scalar.F64, x, y)
	default:
		q = g.divideThrough(scalar.F32, x, y)
	}
	zero := g.Compare(scalar.OpEq, y, g.Num(t, 0))
	if op == scalar.OpDiv {
		return g.Choose(zero, g.Num(t, -1), q)
	}
	r := g.IntOp(scalar.OpSub, x, g.IntOp(scalar.OpMul, q, y))
	return g.Choose(zero, x, r)
}

// divideThrough divides floats and truncates. The quotient MIN/−1, which the type cannot represent, wraps.
func (g *Gen) divideThrough(f scalar.Type, x, y Value) Value {
	t := x.T
	q := g.FloatOp(scalar.OpDiv, g.Convert(f, x), g.Convert(f, y), Value{})
	switch t {
	case scalar.I32: // the one quotient that is out of range, 2³¹, is MIN
		return g.Truncate(t, q)
	case scalar.U32:
		return g.Truncate(t, q)
	}
	return g.Convert(t, g.Truncate(scalar.I32, q))
}

// divide64 divides in steps that never exceed the true quotient: each estimate is lowered
// by more than its error, so that remainders stay nonnegative.
func (g *Gen) divide64(op scalar.Op, x, y Value) Value {
	t := x.T
	zero, one := g.Num(scalar.U64, 0), g.Num(scalar.U64, 1)
	a, b := x.As(scalar.U64), y.As(scalar.U64)
	if t.IsSigned() {
		a, b = g.IntOp(scalar.OpAbs, x, Value{}).As(scalar.U64), g.IntOp(scalar.OpAbs, y, Value{}).As(scalar.U64)
	}
	bf := g.Convert(scalar.F64, b)
	lower := g.Splat(scalar.F64, math.Float64bits(1-0x1p-50))
	estimate := func(r Value) Value {
		q := g.FloatOp(scalar.OpDiv, g.Convert(scalar.F64, r), bf, Value{})
		return g.Truncate(scalar.U64, g.FloatOp(scalar.OpMul, q, lower, Value{}))
	}
	q := estimate(a)
	r := g.IntOp(scalar.OpSub, a, g.IntOp(scalar.OpMul, q, b))
	e := estimate(r) // r/b is less than 2¹⁶ here and less than 2 afterwards
	q = g.IntOp(scalar.OpAdd, q, e)
	r = g.IntOp(scalar.OpSub, r, g.IntOp(scalar.OpMul, e, b))
	above := g.Compare(scalar.OpLe, b, r)
	q = g.Choose(above, g.IntOp(scalar.OpAdd, q, one), q)
	r = g.Choose(above, g.IntOp(scalar.OpSub, r, b), r)
	if t.IsSigned() {
		i0 := g.Num(scalar.I64, 0)
		xneg := g.Compare(scalar.OpLt, x, i0)
		yneg := g.Compare(scalar.OpLt, y, i0)
		q = g.Choose(g.Logic(scalar.OpXor, xneg, yneg), g.IntOp(scalar.OpSub, zero, q), q)
		r = g.Choose(xneg, g.IntOp(scalar.OpSub, zero, r), r)
	}
	none := g.Compare(scalar.OpEq, y, g.Num(t, 0))
	if op == scalar.OpDiv {
		return g.Choose(none, g.Num(t, -1), q.As(t))
	}
	return g.Choose(none, x, r.As(t))
}
