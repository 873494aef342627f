package prim

import (
	"math"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim/internal/rule"
	"github.com/weft-go/weft/jaxpr"
)

// ExpP is eˣ.
type ExpP struct{ unary[inexact] }

// Exp returns eˣ.
func Exp(x Value) Value { return core.Apply1(ExpP{}, x) }

func (ExpP) Name() string { return "exp" }

func (ExpP) read(r *jaxpr.ParamReader) core.Primitive { return accurate(r, ExpP{}) }

// JVP implements exp' = exp.
func (ExpP) JVP(in, out, t []Value) []Value { return rule.One(Mul(t[0], out[0])) }

// Exp2P is 2ˣ, exact for integers.
type Exp2P struct{ unary[inexact] }

// Exp2 returns 2ˣ.
func Exp2(x Value) Value { return core.Apply1(Exp2P{}, x) }

func (Exp2P) Name() string { return "exp2" }

func (Exp2P) read(r *jaxpr.ParamReader) core.Primitive { return accurate(r, Exp2P{}) }

// JVP implements exp2' = ln 2 · exp2.
func (Exp2P) JVP(in, out, t []Value) []Value {
	return rule.One(Mul(t[0], Mul(Num(in[0].Aval(), math.Ln2), out[0])))
}

// LogP is the natural logarithm; log(±0) = −∞, log(x) = NaN for x < 0. For a complex
// number it is ln|z| + i·arg z, with the branch cut on the negative reals: above
// the cut where the imaginary part is +0, below where it is −0.
type LogP struct{ unary[inexact] }

// Log returns the natural logarithm.
func Log(x Value) Value { return core.Apply1(LogP{}, x) }

func (LogP) Name() string { return "log" }

func (LogP) read(r *jaxpr.ParamReader) core.Primitive { return accurate(r, LogP{}) }

// JVP implements log' = 1/x.
func (LogP) JVP(in, out, t []Value) []Value { return rule.One(Div(t[0], in[0])) }

// Log1pP is ln(1 + x), accurate near 0; log1p(−1) = −∞.
type Log1pP struct{ unary[inexact] }

// Log1p returns ln(1 + x).
func Log1p(x Value) Value { return core.Apply1(Log1pP{}, x) }

func (Log1pP) Name() string { return "log1p" }

func (Log1pP) read(r *jaxpr.ParamReader) core.Primitive { return accurate(r, Log1pP{}) }

// JVP implements log1p' = 1/(1 + x).
func (Log1pP) JVP(in, out, t []Value) []Value {
	return rule.One(Div(t[0], Add(in[0], Num(in[0].Aval(), 1))))
}

// Expm1P is eˣ − 1, accurate near 0; expm1(±0) = ±0.
type Expm1P struct{ unary[inexact] }

// Expm1 returns eˣ − 1.
func Expm1(x Value) Value { return core.Apply1(Expm1P{}, x) }

func (Expm1P) Name() string { return "expm1" }

func (Expm1P) read(r *jaxpr.ParamReader) core.Primitive { return accurate(r, Expm1P{}) }

// JVP implements expm1' = expm1 + 1.
func (Expm1P) JVP(in, out, t []Value) []Value {
	return rule.One(Mul(t[0], Add(out[0], Num(in[0].Aval(), 1))))
}

// LogisticP is 1/(1 + e⁻ˣ).
type LogisticP struct{ unary[inexact] }

// Logistic returns 1/(1 + e⁻ˣ).
func Logistic(x Value) Value { return core.Apply1(LogisticP{}, x) }

func (LogisticP) Name() string { return "logistic" }

func (LogisticP) read(r *jaxpr.ParamReader) core.Primitive { return accurate(r, LogisticP{}) }

// JVP implements y' = y·(1 − y).
func (LogisticP) JVP(in, out, t []Value) []Value {
	y := out[0]
	return rule.One(Mul(t[0], Mul(y, Sub(Num(in[0].Aval(), 1), y))))
}
