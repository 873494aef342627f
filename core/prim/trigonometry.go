package prim

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim/internal/rule"
	"github.com/weft-go/weft/jaxpr"
)

// SinP is the sine; NaN for ±∞. Large arguments are reduced exactly.
type SinP struct{ unary[inexact] }

// Sin returns the sine.
func Sin(x Value) Value { return core.Apply1(SinP{}, x) }

func (SinP) Name() string { return "sin" }

func (SinP) read(r *jaxpr.ParamReader) core.Primitive { return accurate(r, SinP{}) }

// JVP implements sin' = cos.
func (SinP) JVP(in, out, t []Value) []Value { return rule.One(Mul(t[0], Cos(in[0]))) }

// CosP is the cosine; NaN for ±∞. Large arguments are reduced exactly.
type CosP struct{ unary[inexact] }

// Cos returns the cosine.
func Cos(x Value) Value { return core.Apply1(CosP{}, x) }

func (CosP) Name() string { return "cos" }

func (CosP) read(r *jaxpr.ParamReader) core.Primitive { return accurate(r, CosP{}) }

// JVP implements cos' = −sin.
func (CosP) JVP(in, out, t []Value) []Value { return rule.One(Neg(Mul(t[0], Sin(in[0])))) }

// TanP is the tangent; NaN for ±∞.
type TanP struct{ unary[inexact] }

// Tan returns the tangent.
func Tan(x Value) Value { return core.Apply1(TanP{}, x) }

func (TanP) Name() string { return "tan" }

func (TanP) read(r *jaxpr.ParamReader) core.Primitive { return accurate(r, TanP{}) }

// JVP implements y' = 1 + y².
func (TanP) JVP(in, out, t []Value) []Value {
	return rule.One(Mul(t[0], Add(Num(in[0].Aval(), 1), Square(out[0]))))
}

// AsinP is the arc sine, in [−π/2, π/2]; NaN outside of [−1, 1]. For complex numbers
// the branch cuts are the reals outside of [−1, 1]; the sign of a zero imaginary
// part distinguishes the sides.
type AsinP struct{ unary[inexact] }

// Asin returns the arc sine.
func Asin(x Value) Value { return core.Apply1(AsinP{}, x) }

func (AsinP) Name() string { return "asin" }

// JVP implements asin' = 1/√(1 − x²).
func (AsinP) JVP(in, out, t []Value) []Value {
	return rule.One(Mul(t[0], Rsqrt(oneMinusSquare(in[0]))))
}

// oneMinusSquare returns 1 − x², without the cancellation near ±1.
func oneMinusSquare(x Value) Value {
	c := Num(x.Aval(), 1)
	return Mul(Sub(c, x), Add(c, x))
}

// AcosP is the arc cosine, in [0, π]; NaN outside of [−1, 1]. Branch cuts as those
// of asin.
type AcosP struct{ unary[inexact] }

// Acos returns the arc cosine.
func Acos(x Value) Value { return core.Apply1(AcosP{}, x) }

func (AcosP) Name() string { return "acos" }

// JVP implements acos' = −1/√(1 − x²).
func (AcosP) JVP(in, out, t []Value) []Value {
	return rule.One(Mul(t[0], Neg(Rsqrt(oneMinusSquare(in[0])))))
}

// AtanP is the arc tangent, in [−π/2, π/2]. For complex numbers the branch cuts are
// the imaginary numbers outside of [−i, i]; the sign of a zero real part distinguishes
// the sides.
type AtanP struct{ unary[inexact] }

// Atan returns the arc tangent.
func Atan(x Value) Value { return core.Apply1(AtanP{}, x) }

func (AtanP) Name() string { return "atan" }

// JVP implements atan' = 1/(1 + x²).
func (AtanP) JVP(in, out, t []Value) []Value {
	return rule.One(Div(t[0], Add(Num(in[0].Aval(), 1), Square(in[0]))))
}

// Atan2P is the angle of the point (y, x), in [−π, π], the first operand being the
// ordinate. Signs of zeros count: atan2(±0, −0) = ±π, atan2(±0, +0) = ±0.
// For complex numbers it is −i·log((x + iy)/√(x² + y²)).
type Atan2P struct{ binary[inexact] }

// Atan2 returns the angle of the point whose ordinate is y and whose abscissa is x.
func Atan2(y, x Value) Value { return core.Apply2(Atan2P{}, y, x) }

func (Atan2P) Name() string { return "atan2" }

// JVP implements d atan2(y, x) = (x·dy − y·dx)/(x² + y²); NaN at the origin.
func (Atan2P) JVP(in, out, t []Value) []Value {
	y, x := in[0], in[1]
	r2 := Add(Square(y), Square(x))
	var dy, dx Value
	if t[0] != nil {
		dy = Mul(t[0], Div(x, r2))
	}
	if t[1] != nil {
		dx = Mul(t[1], Div(Neg(y), r2))
	}
	return SumTangents(out[0], dy, dx)
}
