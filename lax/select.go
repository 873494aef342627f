package lax

import (
	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
)

// SelectN takes each element from one of the cases, whose number is in the first argument: a bool
// for two cases, or an integer. That argument is a scalar or has the shape of the cases. Numbers
// out of range select the nearest case.
func SelectN(which weft.Array, cases ...weft.Array) weft.Array {
	return wrap(prim.SelectN(which.Value(), unwrap(cases)...))
}

// Select takes elements of onTrue where pred is true, and of onFalse elsewhere: SelectN with the
// cases in the other order.
func Select[A, B weft.Operand](pred weft.Array, onTrue A, onFalse B) weft.Array {
	return wrap(prim.Where(pred.Value(), value(onTrue), value(onFalse)))
}

// Clamp returns x limited to lo and hi, which are scalars or have the shape of x. It is hi where
// lo > hi, and NaN where any operand is NaN.
func Clamp[A, B, C weft.Operand](lo A, x B, hi C) weft.Array {
	l, v, h := value(lo), value(x), value(hi)
	meetNumber(prim.ClampP{}, l, v, isNumber(lo))
	meetNumber(prim.ClampP{}, h, v, isNumber(hi))
	return wrap(core.Bind1(prim.ClampP{}, l, v, h))
}
