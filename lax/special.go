package lax

import (
	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/rng"
)

// Igamma returns the regularized lower incomplete gamma function P(a, x).
func Igamma[A, B weft.Operand](a A, x B) weft.Array { return pair(prim.IgammaP{}, a, x) }

// Igammac returns the regularized upper incomplete gamma function Q(a, x).
func Igammac[A, B weft.Operand](a A, x B) weft.Array { return pair(prim.IgammacP{}, a, x) }

// IgammaGradA returns the derivative of Igamma with respect to a.
func IgammaGradA[A, B weft.Operand](a A, x B) weft.Array { return pair(prim.IgammaGradAP{}, a, x) }

// RandomGamma draws a number of the gamma distribution of scale 1 for each of shapes, or its
// logarithm if logs: see package random. The shape of the array shapes begins with that of keys.
func RandomGamma(keys, shapes weft.Array, logs bool) weft.Array {
	return wrap(rng.RandomGamma(keys.Value(), shapes.Value(), logs))
}

// RandomGammaGrad returns the derivative of samples x of the gamma distribution with respect to
// their shape parameter a.
func RandomGammaGrad[A, B weft.Operand](a A, x B) weft.Array {
	return pair(prim.RandomGammaGradP{}, a, x)
}

// Betainc returns the regularized incomplete beta function I_x(a, b).
func Betainc(a, b, x weft.Array) weft.Array {
	return wrap(prim.RegularizedIncompleteBeta(a.Value(), b.Value(), x.Value()))
}

// Zeta returns Hurwitz's zeta function Σ (q + k)^(−s).
func Zeta[A, B weft.Operand](s A, q B) weft.Array { return pair(prim.ZetaP{}, s, q) }

// BesselI0e returns e^(−|x|)·I₀(x).
func BesselI0e(x weft.Array) weft.Array { return wrap(prim.BesselI0e(x.Value())) }

// BesselI1e returns e^(−|x|)·I₁(x).
func BesselI1e(x weft.Array) weft.Array { return wrap(prim.BesselI1e(x.Value())) }
