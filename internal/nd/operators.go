package nd

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
)

func applyPair(op string, p core.Primitive, x, y any) core.Value {
	a, b := PromotePair(op, ValueOf(op, x), ValueOf(op, y))
	a, b = AlignRanks(op, a, b)
	return core.Apply2(p, a, b)
}

// applyFloatPair is applyPair for operations whose results are floating.
func applyFloatPair(op string, p core.Primitive, x, y any) core.Value {
	a, b := FloatingPair(op, ValueOf(op, x), ValueOf(op, y))
	a, b = AlignRanks(op, a, b)
	return core.Apply2(p, a, b)
}

// Pair promotes two operands and aligns their ranks.
func Pair(op string, x, y any) (core.Value, core.Value) {
	a, b := PromotePair(op, ValueOf(op, x), ValueOf(op, y))
	return AlignRanks(op, a, b)
}

func IsBool(v core.Value) bool { return v.Aval().DType.IsBool() }

// onBools applies p, or q if both operands are truth values.
func onBools(op string, p, q core.Primitive, x, y any) core.Value {
	a, b := Pair(op, x, y)
	if IsBool(a) {
		p = q
	}
	return core.Apply2(p, a, b)
}

// And is bitwise and for integers and logical and for booleans.
func And(x core.Value, y any) core.Value { return applyPair("And", prim.AndP{}, x, y) }

// Or is bitwise or for integers and logical or for booleans.
func Or(x core.Value, y any) core.Value { return applyPair("Or", prim.OrP{}, x, y) }

// Xor is bitwise exclusive or for integers and logical exclusive or for booleans.
func Xor(x core.Value, y any) core.Value { return applyPair("Xor", prim.XorP{}, x, y) }

// Shl returns x shifted left by y bits: 0 if y is at least x's width.
func Shl(x core.Value, y any) core.Value { return shl(x, y) }

// Shr returns x shifted right by y bits: signed integers keep their sign.
func Shr(x core.Value, y any) core.Value { return shr(x, y) }

// Neg returns −x.
func Neg(x core.Value) core.Value { return prim.Neg(ValueOf("Neg", x)) }

// Not is logical not for booleans and bitwise complement for integers.
func Not(x core.Value) core.Value { return prim.Not(ValueOf("Not", x)) }

// Add returns a + b: see weft.Array.Add.
func Add(a any, b any) core.Value { return onBools("Add", prim.AddP{}, prim.OrP{}, a, b) }

// Sub returns a − b.
func Sub(a any, b any) core.Value { return applyPair("Sub", prim.SubP{}, a, b) }

// Mul returns a · b: see weft.Array.Mul.
func Mul(a any, b any) core.Value { return onBools("Mul", prim.MulP{}, prim.AndP{}, a, b) }

// Div returns the true quotient a / b.
func Div(a any, b any) core.Value { return applyFloatPair("Div", prim.DivP{}, a, b) }

// FloorDiv returns a / b rounded down.
func FloorDiv(a any, b any) core.Value { return floorDiv(a, b) }

// Mod returns the remainder of FloorDiv.
func Mod(a any, b any) core.Value { return mod(a, b) }

// Rem returns the remainder of the quotient rounded towards zero.
func Rem(a any, b any) core.Value { return rem(a, b) }

// Pow returns a to the power b: see weft.Array.Pow.
func Pow(a any, b any) core.Value { return pow(a, b) }

// Maximum returns the larger of a and b; NaN if either is NaN.
func Maximum(a any, b any) core.Value { return applyPair("Maximum", prim.MaxP{}, a, b) }

// Minimum returns the smaller of a and b; NaN if either is NaN.
func Minimum(a any, b any) core.Value { return applyPair("Minimum", prim.MinP{}, a, b) }

// Atan2 returns the angle of the point with ordinate a and abscissa b.
func Atan2(a any, b any) core.Value { return applyFloatPair("Atan2", prim.Atan2P{}, a, b) }

// Nextafter returns the float next to a in the direction of b.
func Nextafter(a any, b any) core.Value {
	return applyFloatPair("Nextafter", prim.NextafterP{}, a, b)
}

// Eq reports for each element whether a = b.
func Eq(a any, b any) core.Value { return applyPair("Eq", prim.EqP{}, a, b) }

// Ne reports for each element whether a ≠ b.
func Ne(a any, b any) core.Value { return applyPair("Ne", prim.NeP{}, a, b) }

// Lt reports for each element whether a < b.
func Lt(a any, b any) core.Value { return ordered("Lt", prim.LtP{}, a, b) }

// Le reports for each element whether a ≤ b.
func Le(a any, b any) core.Value { return ordered("Le", prim.LeP{}, a, b) }

// Gt reports for each element whether a > b.
func Gt(a any, b any) core.Value { return ordered("Gt", prim.GtP{}, a, b) }

// Ge reports for each element whether a ≥ b.
func Ge(a any, b any) core.Value { return ordered("Ge", prim.GeP{}, a, b) }
