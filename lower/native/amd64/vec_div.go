package amd64

import (
	"math"

	"github.com/weft-go/weft/lower/scalar"
)

// divide divides integers through floats, exactly: x/0 is all ones, x%0 is x.
func (g *gen) divide(op scalar.Op, x, y value) value {
	t := x.t
	var q value
	switch size := t.Size(); {
	case size == 8:
		return g.divide64(op, x, y)
	case size == 4:
		// The quotient of two integers of 32 bits is at least 2⁻³² away from the next
		// integer, unless it is one: rounding to f64 does not reach it.
		q = g.divideThrough(scalar.F64, x, y)
	default:
		q = g.divideThrough(scalar.F32, x, y)
	}
	zero := g.compare(scalar.OpEq, y, g.num(t, 0))
	if op == scalar.OpDiv {
		return g.choose(zero, g.num(t, -1), q)
	}
	r := g.intOp(scalar.OpSub, x, g.intOp(scalar.OpMul, q, y))
	return g.choose(zero, x, r)
}

// divideThrough divides floats and truncates. The quotient MIN/−1, which no integer of
// the type is, wraps.
func (g *gen) divideThrough(f scalar.Type, x, y value) value {
	t := x.t
	q := g.floatOp(scalar.OpDiv, g.convert(f, x), g.convert(f, y), value{})
	switch t {
	case scalar.I32: // the one quotient that is out of range, 2³¹, is MIN
		return g.truncate(t, q)
	case scalar.U32:
		return g.truncate(t, q)
	}
	return g.convert(t, g.truncate(scalar.I32, q))
}

// divide64 divides in steps that never exceed the true quotient: each estimate is lowered
// by more than its error, so that remainders stay nonnegative.
func (g *gen) divide64(op scalar.Op, x, y value) value {
	t := x.t
	zero, one := g.num(scalar.U64, 0), g.num(scalar.U64, 1)
	a, b := x.as(scalar.U64), y.as(scalar.U64)
	if t.IsSigned() {
		a, b = g.intOp(scalar.OpAbs, x, value{}).as(scalar.U64), g.intOp(scalar.OpAbs, y, value{}).as(scalar.U64)
	}
	bf := g.convert(scalar.F64, b)
	lower := g.konst(scalar.F64, math.Float64bits(1-0x1p-50))
	estimate := func(r value) value {
		q := g.floatOp(scalar.OpDiv, g.convert(scalar.F64, r), bf, value{})
		return g.truncate(scalar.U64, g.floatOp(scalar.OpMul, q, lower, value{}))
	}
	q := estimate(a)
	r := g.intOp(scalar.OpSub, a, g.intOp(scalar.OpMul, q, b))
	e := estimate(r) // r/b is less than 2¹⁶ here and less than 2 afterwards
	q = g.intOp(scalar.OpAdd, q, e)
	r = g.intOp(scalar.OpSub, r, g.intOp(scalar.OpMul, e, b))
	above := g.compare(scalar.OpLe, b, r)
	q = g.choose(above, g.intOp(scalar.OpAdd, q, one), q)
	r = g.choose(above, g.intOp(scalar.OpSub, r, b), r)
	if t.IsSigned() {
		i0 := g.num(scalar.I64, 0)
		xneg := g.compare(scalar.OpLt, x, i0)
		yneg := g.compare(scalar.OpLt, y, i0)
		q = g.choose(g.logic(scalar.OpXor, xneg, yneg), g.intOp(scalar.OpSub, zero, q), q)
		r = g.choose(xneg, g.intOp(scalar.OpSub, zero, r), r)
	}
	none := g.compare(scalar.OpEq, y, g.num(t, 0))
	if op == scalar.OpDiv {
		return g.choose(none, g.num(t, -1), q.as(t))
	}
	return g.choose(none, x, r.as(t))
}
