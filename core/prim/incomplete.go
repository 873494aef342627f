package prim

import (
	"math"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim/internal/rule"
)

// Special functions whose number of steps depends on the operands. They are computed in sums of two
// f64 and rounded once, for f32 and smaller types too. Series and fractions end after 20,000 steps
// at most. igamma, igammac and regularized_incomplete_beta of f64 are exceptions: unless parameters
// are large or digits cancel, they compute the series or fraction in f64, within 8 ulps. The last
// steps of the beta function's fraction are sums of two f64 where a denominator is 0.4 or less.

// ternary has three operands of one type, spread over each other, and a result of that type.
type ternary[D domain] struct{}

func (ternary[D]) Abstract(in []ShapedArray) []ShapedArray {
	rule.Operands(in, 3)
	for _, a := range in {
		want[D](a)
	}
	return []ShapedArray{spreadAvals(in)}
}

func (ternary[D]) Elementwise() {}

// IgammaP is the regularized lower incomplete gamma function P(a, x) = ∫₀ˣ e^(−t)·t^(a−1) dt /
// Γ(a): NaN for negative operands, and where both are 0 or both infinite.
type IgammaP struct{ binary[halfUp] }

func (IgammaP) Name() string { return "igamma" }

// JVP uses dP/da = igamma_grad_a and dP/dx = e^(−x)·x^(a−1)/Γ(a).
func (IgammaP) JVP(in, out, t []Value) []Value {
	return SumTangents(out[0], scaled(t[0], IgammaGradA, in), scaled(t[1], gammaDensity, in))
}

func scaled(t Value, f func(a, x Value) Value, in []Value) Value {
	if t == nil {
		return nil
	}
	return Mul(t, f(in[0], in[1]))
}

// gammaDensity returns e^(−x)·x^(a−1)/Γ(a).
func gammaDensity(a, x Value) Value {
	one := Num(a.Aval(), 1)
	return Exp(Sub(Add(Neg(x), Mul(Sub(a, one), Log(x))), Lgamma(a)))
}

// IgammacP is the regularized upper incomplete gamma function Q(a, x) = 1 − P(a, x), accurate where
// that is small.
type IgammacP struct{ binary[halfUp] }

func (IgammacP) Name() string { return "igammac" }

// JVP negates the tangents of Igamma: the two functions add up to 1.
func (IgammacP) JVP(in, out, t []Value) []Value {
	neg := func(f func(a, x Value) Value) func(a, x Value) Value {
		return func(a, x Value) Value { return Neg(f(a, x)) }
	}
	return SumTangents(out[0], scaled(t[0], neg(IgammaGradA), in), scaled(t[1], neg(gammaDensity), in))
}

// noSecond is embedded in derivatives that have no derivative themselves.
type noSecond struct{}

func (noSecond) NoJVP() string {
	return "it is a derivative with respect to a parameter, and has none of its own; use StopGradient"
}

// IgammaGradAP is the derivative of P(a, x) with respect to a.
type IgammaGradAP struct {
	binary[halfUp]
	noSecond
}

// IgammaGradA returns the derivative of Igamma with respect to a.
func IgammaGradA(a, x Value) Value { return core.Apply2(IgammaGradAP{}, a, x) }

func (IgammaGradAP) Name() string { return "igamma_grad_a" }

// RandomGammaGradP is the derivative of a sample x of the gamma distribution with respect to its
// shape a, where the probability below x stays fixed: −(dP/da)/(dP/dx). From a = 10⁶ on it is
// that of Wilson and Hilferty's approximation, by which the cube root of x is normally distributed.
type RandomGammaGradP struct {
	binary[halfUp]
	noSecond
}

// RandomGammaGrad returns the derivatives of samples x with respect to their shapes a.
func RandomGammaGrad(a, x Value) Value { return core.Apply2(RandomGammaGradP{}, a, x) }

func (RandomGammaGradP) Name() string { return "random_gamma_grad" }

// RegularizedIncompleteBetaP is I_x(a, b) = ∫₀ˣ t^(a−1)·(1−t)^(b−1) dt / B(a, b): NaN for
// negative a or b, where both are 0 or both infinite, and for x outside of [0, 1].
type RegularizedIncompleteBetaP struct{ ternary[halfUp] }

// RegularizedIncompleteBeta returns the regularized incomplete beta function.
func RegularizedIncompleteBeta(a, b, x Value) Value {
	return core.Bind1(RegularizedIncompleteBetaP{}, a, b, x)
}

func (RegularizedIncompleteBetaP) Name() string { return "regularized_incomplete_beta" }

// JVP implements dI(a, b; x)/dx = x^(a−1)·(1−x)^(b−1)/B(a, b). The derivatives with respect to
// a and b are not implemented.
func (RegularizedIncompleteBetaP) JVP(in, out, t []Value) []Value {
	if t[0] != nil || t[1] != nil {
		core.Failf(core.ErrNoRule, "has no derivative in its parameters a and b; use StopGradient on them")
	}
	a, b, x := in[0], in[1], in[2]
	one := Num(x.Aval(), 1)
	logBeta := Sub(Add(Lgamma(a), Lgamma(b)), Lgamma(Add(a, b)))
	density := Exp(Sub(Add(Mul(Sub(b, one), Log1p(Neg(x))), Mul(Sub(a, one), Log(x))), logBeta))
	return SumTangents(out[0], Mul(density, t[2]))
}

// ZetaP is Hurwitz's zeta function ζ(s, q) = Σ (q + k)^(−s) over k ≥ 0: NaN for s < 1. Otherwise
// it is ∞ for s = 1 and where q is 0 or a negative whole number; for other negative q it is NaN
// unless s is a whole number and q ≥ −10⁵.
type ZetaP struct{ binary[halfUp] }

// Zeta returns Hurwitz's zeta function.
func Zeta(s, q Value) Value { return core.Apply2(ZetaP{}, s, q) }

func (ZetaP) Name() string { return "zeta" }

// JVP implements dζ(s, q)/dq = −s·ζ(s + 1, q). The derivative with respect to s is not
// implemented.
func (ZetaP) JVP(in, out, t []Value) []Value {
	if t[0] != nil {
		core.Failf(core.ErrNoRule, "has no derivative in its exponent; use StopGradient on it")
	}
	one := Num(in[0].Aval(), 1)
	return SumTangents(out[0], Mul(t[1], Neg(Mul(in[0], Zeta(Add(in[0], one), in[1])))))
}

// BesselI0eP is e^(−|x|)·I₀(x).
type BesselI0eP struct{ unary[halfUp] }

// BesselI0e returns the scaled modified Bessel function of order 0.
func BesselI0e(x Value) Value { return core.Apply1(BesselI0eP{}, x) }

func (BesselI0eP) Name() string { return "bessel_i0e" }

// JVP computes i1e(x) − sign(x)·i0e(x).
func (BesselI0eP) JVP(in, out, t []Value) []Value {
	return rule.One(Mul(t[0], Sub(BesselI1e(in[0]), Mul(Sign(in[0]), out[0]))))
}

// BesselI1eP is e^(−|x|)·I₁(x).
type BesselI1eP struct{ unary[halfUp] }

// BesselI1e returns the scaled modified Bessel function of order 1.
func BesselI1e(x Value) Value { return core.Apply1(BesselI1eP{}, x) }

func (BesselI1eP) Name() string { return "bessel_i1e" }

// JVP computes i0e(x) − i1e(x)·(sign(x) + 1/x), and ½ near zero.
func (BesselI1eP) JVP(in, out, t []Value) []Value {
	a := in[0].Aval()
	tiny := Full(a, math.Max(a.DType.Epsilon(), 0x1p-52))
	far := Gt(Abs(in[0]), tiny)
	x := Where(far, in[0], tiny)
	slope := Sub(BesselI0e(x), Mul(out[0], Add(Sign(x), Div(Num(a, 1), x))))
	return rule.One(Mul(t[0], Where(far, slope, Full(a, 0.5))))
}
