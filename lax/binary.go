package lax

import (
	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
)

// Functions of two operands of one dtype. Scalars broadcast to the other operand, and so do axes of
// size 1 if the ranks are equal.

// Add returns x + y; integers wrap.
func Add[A, B weft.Operand](x A, y B) weft.Array { return pair(prim.AddP{}, x, y) }

// Sub returns x − y; integers wrap.
func Sub[A, B weft.Operand](x A, y B) weft.Array { return pair(prim.SubP{}, x, y) }

// Mul returns x·y; integers wrap.
func Mul[A, B weft.Operand](x A, y B) weft.Array { return pair(prim.MulP{}, x, y) }

// Div returns x/y. For integers it truncates towards zero, and x/0 has all bits set: −1 in signed
// types.
func Div[A, B weft.Operand](x A, y B) weft.Array { return pair(prim.DivP{}, x, y) }

// Rem returns the remainder of the truncating division, with the sign of x. For integers it is x
// where y is 0.
func Rem[A, B weft.Operand](x A, y B) weft.Array { return pair(prim.RemP{}, x, y) }

// Max returns the larger of x and y; NaN if either is NaN.
func Max[A, B weft.Operand](x A, y B) weft.Array { return pair(prim.MaxP{}, x, y) }

// Min returns the smaller of x and y; NaN if either is NaN.
func Min[A, B weft.Operand](x A, y B) weft.Array { return pair(prim.MinP{}, x, y) }

// Atan2 returns the angle of the point with ordinate y and abscissa x.
func Atan2[A, B weft.Operand](y A, x B) weft.Array { return pair(prim.Atan2P{}, y, x) }

// Nextafter returns the float next to x in the direction of y.
func Nextafter[A, B weft.Operand](x A, y B) weft.Array { return pair(prim.NextafterP{}, x, y) }

// MulHi returns the upper half of the product of integers, computed in twice their width.
func MulHi[A, B weft.Operand](x A, y B) weft.Array { return pair(prim.MulHiP{}, x, y) }

// Polygamma returns the derivative of order m of digamma at x.
func Polygamma[A, B weft.Operand](m A, x B) weft.Array { return pair(prim.PolygammaP{}, m, x) }

// Complex returns re + i·im.
func Complex[A, B weft.Operand](re A, im B) weft.Array { return pair(prim.ComplexP{}, re, im) }

// BitwiseAnd returns the bitwise and of x and y.
func BitwiseAnd[A, B weft.Operand](x A, y B) weft.Array { return pair(prim.AndP{}, x, y) }

// BitwiseOr returns the bitwise or of x and y.
func BitwiseOr[A, B weft.Operand](x A, y B) weft.Array { return pair(prim.OrP{}, x, y) }

// BitwiseXor returns the bitwise exclusive or of x and y.
func BitwiseXor[A, B weft.Operand](x A, y B) weft.Array { return pair(prim.XorP{}, x, y) }

// ShiftLeft shifts x by y bits to the left; 0 where y is negative or at least the width.
func ShiftLeft[A, B weft.Operand](x A, y B) weft.Array { return pair(prim.ShiftLeftP{}, x, y) }

// ShiftRightArithmetic shifts x by y bits to the right and fills with copies of the top bit.
func ShiftRightArithmetic[A, B weft.Operand](x A, y B) weft.Array {
	return pair(prim.ShiftRightArithmeticP{}, x, y)
}

// ShiftRightLogical shifts x by y bits to the right and fills with zeros.
func ShiftRightLogical[A, B weft.Operand](x A, y B) weft.Array {
	return pair(prim.ShiftRightLogicalP{}, x, y)
}

// Eq reports for each element whether x = y.
func Eq[A, B weft.Operand](x A, y B) weft.Array { return pair(prim.EqP{}, x, y) }

// Ne reports for each element whether x ≠ y.
func Ne[A, B weft.Operand](x A, y B) weft.Array { return pair(prim.NeP{}, x, y) }

// Lt reports for each element whether x < y.
func Lt[A, B weft.Operand](x A, y B) weft.Array { return pair(prim.LtP{}, x, y) }

// Le reports for each element whether x ≤ y.
func Le[A, B weft.Operand](x A, y B) weft.Array { return pair(prim.LeP{}, x, y) }

// Gt reports for each element whether x > y.
func Gt[A, B weft.Operand](x A, y B) weft.Array { return pair(prim.GtP{}, x, y) }

// Ge reports for each element whether x ≥ y.
func Ge[A, B weft.Operand](x A, y B) weft.Array { return pair(prim.GeP{}, x, y) }

// LtTo reports for each element whether x < y in the total order of floats: −NaN < −∞ < … < −0 <
// +0 < … < ∞ < NaN.
func LtTo[A, B weft.Operand](x A, y B) weft.Array { return pair(prim.LtToP{}, x, y) }

// LeTo reports for each element whether x ≤ y in the total order of floats; see [LtTo].
func LeTo[A, B weft.Operand](x A, y B) weft.Array { return pair(prim.LeToP{}, x, y) }

// Pow returns xʸ. x is a float or complex, y has its dtype or is an integer.
func Pow[A, B weft.Operand](x A, y B) weft.Array {
	return wrap(core.Bind1(prim.PowP{}, value(x), value(y)))
}
