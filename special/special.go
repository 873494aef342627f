// Package special contains special functions, after jax.scipy.special: error functions, gamma
// and beta functions and their incomplete forms, Bessel functions, and functions of
// probabilities that are accurate where the obvious formula is not.
//
//	p := special.GammaIncC(3., x)  // the regularized upper incomplete gamma function
//
// Operands broadcast to one shape and are promoted to one floating-point type. Integers and truth
// values count as floats. Complex numbers are errors.
//
// Derivatives exist for all orders and operands, with these exceptions. The parameters of BetaInc,
// the order of Polygamma and the exponent of Zeta have none. With respect to the parameter of
// GammaInc and GammaIncC there is a first derivative only.
package special

import (
	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/internal/nd"
)

func unary(op string, f func(core.Value) core.Value, x weft.Array) weft.Array {
	return weft.FromValue(f(nd.RealOperands(op, x)[0]))
}

// arrays returns operands as real floating-point arrays of one shape and type.
func arrays(op string, xs ...any) []weft.Array {
	vs := nd.RealOperands(op, xs...)
	out := make([]weft.Array, len(vs))
	for i, v := range vs {
		out[i] = weft.FromValue(v)
	}
	return out
}

func bindAll(op string, p core.Primitive, xs ...any) weft.Array {
	return weft.FromValue(core.Bind1(p, nd.RealOperands(op, xs...)...))
}

// Erf returns the error function of x.
func Erf(x weft.Array) weft.Array { return unary("Erf", prim.Erf, x) }

// Erfc returns 1 − Erf(x), accurate for large x.
func Erfc(x weft.Array) weft.Array { return unary("Erfc", prim.Erfc, x) }

// ErfInv returns the inverse of Erf.
func ErfInv(x weft.Array) weft.Array { return unary("ErfInv", prim.ErfInv, x) }

// LogSumExp returns log Σ e^x along the given axes, or of all elements, without overflow.
func LogSumExp(x weft.Array, axes ...int) weft.Array {
	return weft.FromValue(nd.LogSumExp(nd.ValueOf("LogSumExp", x), axes...))
}
