package weft

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
)

// Operators take an Array or a Go number on their right side and promote: an
// untyped constant takes the array's type, arrays of different types the type that
// both can become. Shapes broadcast as in NumPy.

// apply2 promotes, broadcasts and applies p.
func apply2(op string, p core.Primitive, x, y any) Array {
	a, b := together2(op, valueOf(op, x), valueOf(op, y))
	a, b = ranks2(op, a, b)
	return FromValue(core.Apply2(p, a, b))
}

// apply2Float is apply2 for operations whose results are floating.
func apply2Float(op string, p core.Primitive, x, y any) Array {
	a, b := floating2(op, valueOf(op, x), valueOf(op, y))
	a, b = ranks2(op, a, b)
	return FromValue(core.Apply2(p, a, b))
}

// pair promotes and broadcasts.
func pair(op string, x, y any) (core.Value, core.Value) {
	a, b := together2(op, valueOf(op, x), valueOf(op, y))
	return ranks2(op, a, b)
}

func isBool(v core.Value) bool { return v.Aval().DType.IsBool() }

// onBools is p, or q where both operands are truth values.
func onBools(op string, p, q core.Primitive, x, y any) Array {
	a, b := pair(op, x, y)
	if isBool(a) {
		p = q
	}
	return FromValue(core.Apply2(p, a, b))
}

// Add is x + y. Integers wrap; of truth values it is or.
func (x Array) Add(y any) Array { return onBools("Add", prim.AddP{}, prim.OrP{}, x, y) }

// Sub is x − y. Integers wrap.
func (x Array) Sub(y any) Array { return apply2("Sub", prim.SubP{}, x, y) }

// Mul is x · y. Integers wrap; of truth values it is and.
func (x Array) Mul(y any) Array { return onBools("Mul", prim.MulP{}, prim.AndP{}, x, y) }

// Div is the true quotient x / y: of integers a float.
func (x Array) Div(y any) Array { return apply2Float("Div", prim.DivP{}, x, y) }

// FloorDiv is x / y rounded down; of floats x / 0 is infinite or NaN.
func (x Array) FloorDiv(y any) Array { return floorDiv(x, y) }

// Mod is the remainder of FloorDiv: it has y's sign. Of integers x mod 0 is 0.
func (x Array) Mod(y any) Array { return mod(x, y) }

// Rem is the remainder of the quotient rounded towards zero: it has x's sign.
func (x Array) Rem(y any) Array { return rem(x, y) }

// Pow is x to the power y. The power of an integer is an integer: a negative
// constant exponent is refused.
func (x Array) Pow(y any) Array { return pow(x, y) }

// And is the bits that x and y have in common, or both for truth values.
func (x Array) And(y any) Array { return apply2("And", prim.AndP{}, x, y) }

// Or is the bits that x or y has.
func (x Array) Or(y any) Array { return apply2("Or", prim.OrP{}, x, y) }

// Xor is the bits that one of x and y has.
func (x Array) Xor(y any) Array { return apply2("Xor", prim.XorP{}, x, y) }

// Shl is x shifted left by y bits; 0 from the width on.
func (x Array) Shl(y any) Array { return shl(x, y) }

// Shr is x shifted right by y bits: signed integers keep their sign.
func (x Array) Shr(y any) Array { return shr(x, y) }

// Eq is x = y, element by element. Whether two arrays are the same is Equal.
func (x Array) Eq(y any) Array { return apply2("Eq", prim.EqP{}, x, y) }

// Ne is x ≠ y.
func (x Array) Ne(y any) Array { return apply2("Ne", prim.NeP{}, x, y) }

// Lt is x < y.
func (x Array) Lt(y any) Array { return ordered("Lt", prim.LtP{}, x, y) }

// Le is x ≤ y.
func (x Array) Le(y any) Array { return ordered("Le", prim.LeP{}, x, y) }

// Gt is x > y.
func (x Array) Gt(y any) Array { return ordered("Gt", prim.GtP{}, x, y) }

// Ge is x ≥ y.
func (x Array) Ge(y any) Array { return ordered("Ge", prim.GeP{}, x, y) }

// Neg is −x.
func (x Array) Neg() Array { return FromValue(prim.Neg(valueOf("Neg", x))) }

// Not is not x of truth values, and the complement of an integer's bits.
func (x Array) Not() Array { return FromValue(prim.Not(valueOf("Not", x))) }

// Add is a + b: see [Array.Add].
func Add[A, B Operand](a A, b B) Array { return onBools("Add", prim.AddP{}, prim.OrP{}, a, b) }

// Sub is a − b.
func Sub[A, B Operand](a A, b B) Array { return apply2("Sub", prim.SubP{}, a, b) }

// Mul is a · b: see [Array.Mul].
func Mul[A, B Operand](a A, b B) Array { return onBools("Mul", prim.MulP{}, prim.AndP{}, a, b) }

// Div is the true quotient a / b.
func Div[A, B Operand](a A, b B) Array { return apply2Float("Div", prim.DivP{}, a, b) }

// FloorDiv is a / b rounded down.
func FloorDiv[A, B Operand](a A, b B) Array { return floorDiv(a, b) }

// Mod is the remainder of FloorDiv.
func Mod[A, B Operand](a A, b B) Array { return mod(a, b) }

// Rem is the remainder of the quotient rounded towards zero.
func Rem[A, B Operand](a A, b B) Array { return rem(a, b) }

// Pow is a to the power b: see [Array.Pow].
func Pow[A, B Operand](a A, b B) Array { return pow(a, b) }

// Maximum is the larger of a and b; NaN if either is.
func Maximum[A, B Operand](a A, b B) Array { return apply2("Maximum", prim.MaxP{}, a, b) }

// Minimum is the smaller of a and b; NaN if either is.
func Minimum[A, B Operand](a A, b B) Array { return apply2("Minimum", prim.MinP{}, a, b) }

// Atan2 is the angle of the point with ordinate a and abscissa b.
func Atan2[A, B Operand](a A, b B) Array { return apply2Float("Atan2", prim.Atan2P{}, a, b) }

// Nextafter is the float next to a in the direction of b.
func Nextafter[A, B Operand](a A, b B) Array {
	return apply2Float("Nextafter", prim.NextafterP{}, a, b)
}

// Eq is a = b, element by element.
func Eq[A, B Operand](a A, b B) Array { return apply2("Eq", prim.EqP{}, a, b) }

// Ne is a ≠ b.
func Ne[A, B Operand](a A, b B) Array { return apply2("Ne", prim.NeP{}, a, b) }

// Lt is a < b.
func Lt[A, B Operand](a A, b B) Array { return ordered("Lt", prim.LtP{}, a, b) }

// Le is a ≤ b.
func Le[A, B Operand](a A, b B) Array { return ordered("Le", prim.LeP{}, a, b) }

// Gt is a > b.
func Gt[A, B Operand](a A, b B) Array { return ordered("Gt", prim.GtP{}, a, b) }

// Ge is a ≥ b.
func Ge[A, B Operand](a A, b B) Array { return ordered("Ge", prim.GeP{}, a, b) }
