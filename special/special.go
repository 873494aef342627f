// Package special contains special functions: error functions and the gamma function.
// Results are floating-point numbers; integers and truth values count as floats. Complex
// numbers are errors.
package special

import (
	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/internal/nd"
)

func unary(op string, f func(core.Value) core.Value, x weft.Array) weft.Array {
	v := nd.Floating(op, nd.ValueOf(op, x))
	nd.RequireReal(op, v)
	return weft.FromValue(f(v))
}

// Erf returns the error function of x.
func Erf(x weft.Array) weft.Array { return unary("Erf", prim.Erf, x) }

// Erfc returns 1 − Erf(x), exact for large x.
func Erfc(x weft.Array) weft.Array { return unary("Erfc", prim.Erfc, x) }

// ErfInv returns the inverse of Erf.
func ErfInv(x weft.Array) weft.Array { return unary("ErfInv", prim.ErfInv, x) }

// Lgamma returns the logarithm of the absolute value of the gamma function.
func Lgamma(x weft.Array) weft.Array { return unary("Lgamma", prim.Lgamma, x) }

// Digamma returns the derivative of Lgamma.
func Digamma(x weft.Array) weft.Array { return unary("Digamma", prim.Digamma, x) }

// LogSumExp returns log Σ e^x along the given axes, or of all elements, without overflow.
func LogSumExp(x weft.Array, axes ...int) weft.Array {
	return weft.FromValue(nd.LogSumExp(nd.ValueOf("LogSumExp", x), axes...))
}
