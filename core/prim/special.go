package prim

import (
	"math"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim/internal/rule"
)

// ErfP is the error function 2/√π·∫₀ˣ e^(−t²) dt.
type ErfP struct{ unary[floating] }

// Erf returns the error function.
func Erf(x Value) Value { return core.Apply1(ErfP{}, x) }

func (ErfP) Name() string { return "erf" }

// JVP implements erf' = 2/√π·e^(−x²).
func (ErfP) JVP(in, out, t []Value) []Value { return rule.One(Mul(t[0], bell(in[0], 2/math.SqrtPi))) }

func bell(x Value, c float64) Value {
	return Mul(Num(x.Aval(), c), Exp(Neg(Square(x))))
}

// ErfcP is 1 − erf x, accurate for large x.
type ErfcP struct{ unary[floating] }

// Erfc returns the complementary error function.
func Erfc(x Value) Value { return core.Apply1(ErfcP{}, x) }

func (ErfcP) Name() string { return "erfc" }

// JVP implements erfc' = −2/√π·e^(−x²).
func (ErfcP) JVP(in, out, t []Value) []Value { return rule.One(Mul(t[0], bell(in[0], -2/math.SqrtPi))) }

// ErfInvP is the inverse of erf; ±∞ at ±1, NaN outside of [−1, 1].
type ErfInvP struct{ unary[floating] }

// ErfInv returns the inverse error function.
func ErfInv(x Value) Value { return core.Apply1(ErfInvP{}, x) }

func (ErfInvP) Name() string { return "erf_inv" }

// JVP implements y' = √π/2·e^(y²).
func (ErfInvP) JVP(in, out, t []Value) []Value {
	slope := Mul(Num(in[0].Aval(), math.SqrtPi/2), Exp(Square(out[0])))
	return rule.One(Mul(t[0], slope))
}

// LgammaP is ln|Γ(x)|: +∞ at 0, at the negative integers and at ±∞.
type LgammaP struct{ unary[floating] }

// Lgamma returns the logarithm of the absolute value of the gamma function.
func Lgamma(x Value) Value { return core.Apply1(LgammaP{}, x) }

func (LgammaP) Name() string { return "lgamma" }

// JVP implements lgamma' = digamma.
func (LgammaP) JVP(in, out, t []Value) []Value { return rule.One(Mul(t[0], Digamma(in[0]))) }

// DigammaP is Γ'(x)/Γ(x): −∞ at +0 and ∞ at −0, NaN at the negative integers and at
// −∞.
type DigammaP struct{ unary[floating] }

// Digamma returns the logarithmic derivative of the gamma function.
func Digamma(x Value) Value { return core.Apply1(DigammaP{}, x) }

func (DigammaP) Name() string { return "digamma" }

// JVP implements digamma' = polygamma of order 1.
func (DigammaP) JVP(in, out, t []Value) []Value {
	return rule.One(Mul(t[0], Polygamma(Num(in[0].Aval(), 1), in[0])))
}

// PolygammaP is the derivative of order m of digamma at x. m has the dtype of x; the result is NaN
// unless m is a whole number ≥ 0.
type PolygammaP struct{ binary[floating] }

// Polygamma returns the derivative of order m of digamma at x.
func Polygamma(m, x Value) Value { return core.Apply2(PolygammaP{}, m, x) }

func (PolygammaP) Name() string { return "polygamma" }

// JVP implements d polygamma(m, x)/dx = polygamma(m+1, x). The derivative with
// respect to m is not implemented.
func (PolygammaP) JVP(in, out, t []Value) []Value {
	if t[0] != nil {
		core.Failf(core.ErrNoRule, "is not differentiable in its order; use StopGradient on the order")
	}
	return rule.One(Mul(t[1], Polygamma(Add(in[0], Num(in[0].Aval(), 1)), in[1])))
}
