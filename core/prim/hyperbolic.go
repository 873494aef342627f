package prim

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim/internal/rule"
	"github.com/weft-go/weft/jaxpr"
)

// TanhP is the hyperbolic tangent; of reals it is within [−1, 1].
type TanhP struct{ unary[inexact] }

// Tanh returns the hyperbolic tangent.
func Tanh(x Value) Value { return core.Apply1(TanhP{}, x) }

func (TanhP) Name() string { return "tanh" }

func (TanhP) read(r *jaxpr.ParamReader) core.Primitive { return accurate(r, TanhP{}) }

// JVP implements y' = 1 − y² = (1 + y)·(1 − y), which keeps its digits where y is near ±1.
func (TanhP) JVP(in, out, t []Value) []Value { return rule.One(Mul(t[0], oneMinusSquare(out[0]))) }

// SinhP is the hyperbolic sine.
type SinhP struct{ unary[inexact] }

// Sinh returns the hyperbolic sine.
func Sinh(x Value) Value { return core.Apply1(SinhP{}, x) }

func (SinhP) Name() string { return "sinh" }

// JVP implements sinh' = cosh.
func (SinhP) JVP(in, out, t []Value) []Value { return rule.One(Mul(t[0], Cosh(in[0]))) }

// CoshP is the hyperbolic cosine.
type CoshP struct{ unary[inexact] }

// Cosh returns the hyperbolic cosine.
func Cosh(x Value) Value { return core.Apply1(CoshP{}, x) }

func (CoshP) Name() string { return "cosh" }

// JVP implements cosh' = sinh.
func (CoshP) JVP(in, out, t []Value) []Value { return rule.One(Mul(t[0], Sinh(in[0]))) }

// AsinhP is the inverse of sinh. For complex numbers the branch cuts are the
// imaginary numbers outside of [−i, i].
type AsinhP struct{ unary[inexact] }

// Asinh returns the inverse hyperbolic sine.
func Asinh(x Value) Value { return core.Apply1(AsinhP{}, x) }

func (AsinhP) Name() string { return "asinh" }

// JVP implements asinh' = 1/√(x² + 1).
func (AsinhP) JVP(in, out, t []Value) []Value {
	return rule.One(Mul(t[0], Rsqrt(Add(Square(in[0]), Num(in[0].Aval(), 1)))))
}

// AcoshP is the inverse of cosh that is ≥ 0; NaN below 1. For complex numbers the
// branch cut is the reals below 1.
type AcoshP struct{ unary[inexact] }

// Acosh returns the inverse hyperbolic cosine.
func Acosh(x Value) Value { return core.Apply1(AcoshP{}, x) }

func (AcoshP) Name() string { return "acosh" }

// JVP implements acosh' = 1/(√(x − 1)·√(x + 1)), two roots because of the branch cut of
// complex numbers; for reals it is NaN below 1.
func (AcoshP) JVP(in, out, t []Value) []Value {
	x, c := in[0], Num(in[0].Aval(), 1)
	return rule.One(Mul(t[0], Mul(Rsqrt(Sub(x, c)), Rsqrt(Add(x, c)))))
}

// AtanhP is the inverse of tanh; ±∞ at ±1, NaN outside of [−1, 1]. For complex
// numbers the branch cuts are the reals outside of [−1, 1].
type AtanhP struct{ unary[inexact] }

// Atanh returns the inverse hyperbolic tangent.
func Atanh(x Value) Value { return core.Apply1(AtanhP{}, x) }

func (AtanhP) Name() string { return "atanh" }

// JVP implements atanh' = 1/(1 − x²).
func (AtanhP) JVP(in, out, t []Value) []Value { return rule.One(Div(t[0], oneMinusSquare(in[0]))) }
