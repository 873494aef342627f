package prim

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim/internal/rule"
)

// Num returns the scalar v of a's dtype and weak mark, for use in rules: elementwise
// operations spread it over the other operand.
func Num(a ShapedArray, v float64) Value {
	n := core.FloatNumber(v)
	switch {
	case !a.DType.IsElement() || a.DType.IsKey():
		core.Failf(core.ErrDType, "there are no numbers of type %v; use one of weft.Bool … weft.Complex128", a.DType)
	case a.DType.IsInteger():
		n = core.IntNumber(int64(v))
	case a.DType.IsBool():
		n = core.BoolNumber(v != 0)
	}
	return core.Literal{Num: n, Type: a.DType, Weak: a.Weak}
}

// Full returns v spread over the shape of a. That takes an equation, unless a is a scalar that varies along no axis of a mesh.
func Full(a ShapedArray, v float64) Value {
	return Pvary(BroadcastInDim(Num(a, v), a.Shape, core.Dims{}), a.Vary)
}

// Zeros returns an array of zeros of type a: the array for which a symbolic zero stands. For
// float0, which has no numbers, it is a scalar literal spread over the shape. Keys have words of
// zeros; no rule reads them.
func Zeros(a ShapedArray) Value {
	if a.DType.IsKey() {
		words := Full(ShapedArray{DType: core.Uint32, Shape: a.Shape.Append(a.DType.KeyWords())}, 0)
		return core.Apply1(RandomWrapP{rule.KindOf(a.DType)}, words)
	}
	return Full(a, 0)
}
