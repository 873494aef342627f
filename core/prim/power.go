package prim

import (
	"strconv"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim/internal/rule"
	"github.com/weft-go/weft/jaxpr"
)

// SqrtP is the square root. That of a real number is correctly rounded; √−0 = −0, and √x is NaN
// for x < 0. For a complex number it is the root with real part ≥ 0; on the branch cut, the
// negative reals, the imaginary part has the sign of the operand's.
type SqrtP struct{ unary[inexact] }

// Sqrt returns the square root.
func Sqrt(x Value) Value { return core.Apply1(SqrtP{}, x) }

func (SqrtP) Name() string { return "sqrt" }

func (SqrtP) read(r *jaxpr.ParamReader) core.Primitive { return accurate(r, SqrtP{}) }

// JVP implements y' = ½/y, infinite at 0.
func (SqrtP) JVP(in, out, t []Value) []Value {
	return rule.One(Mul(t[0], Div(Num(in[0].Aval(), 0.5), out[0])))
}

// RsqrtP is 1/√x; rsqrt(±0) = ±∞, and NaN for x < 0.
type RsqrtP struct{ unary[inexact] }

// Rsqrt returns 1/√x.
func Rsqrt(x Value) Value { return core.Apply1(RsqrtP{}, x) }

func (RsqrtP) Name() string { return "rsqrt" }

func (RsqrtP) read(r *jaxpr.ParamReader) core.Primitive { return accurate(r, RsqrtP{}) }

// JVP implements y' = −½·y/x.
func (RsqrtP) JVP(in, out, t []Value) []Value {
	return rule.One(Mul(t[0], Mul(Num(in[0].Aval(), -0.5), Div(out[0], in[0]))))
}

// CbrtP is the real cube root; cbrt(−x) = −cbrt(x).
type CbrtP struct{ unary[floating] }

// Cbrt returns the cube root.
func Cbrt(x Value) Value { return core.Apply1(CbrtP{}, x) }

func (CbrtP) Name() string { return "cbrt" }

func (CbrtP) read(r *jaxpr.ParamReader) core.Primitive { return accurate(r, CbrtP{}) }

// JVP implements y' = ⅓·y⁻².
func (CbrtP) JVP(in, out, t []Value) []Value {
	return rule.One(Mul(t[0], Mul(Num(in[0].Aval(), 1.0/3), IntegerPow(out[0], -2))))
}

// SquareP is x·x.
type SquareP struct{ unary[numeric] }

// Square returns x·x.
func Square(x Value) Value { return core.Apply1(SquareP{}, x) }

func (SquareP) Name() string { return "square" }

// JVP implements y' = 2x.
func (SquareP) JVP(in, out, t []Value) []Value {
	return rule.One(Mul(t[0], Mul(Num(in[0].Aval(), 2), in[0])))
}

// IntegerPowP is xʸ for an integer y that is known beforehand, by repeated squaring:
// the product of the powers x^(2ᵇ) for the bits b that are set in |y|, from the lowest
// up, each step rounded; for y < 0 one divided by that. x⁰ = 1, also for NaN. Integers
// take no negative exponents.
type IntegerPowP struct {
	unary[numeric]
	Y int
}

// IntegerPow returns xʸ.
func IntegerPow(x Value, y int) Value { return core.Apply1(IntegerPowP{Y: y}, x) }

func (IntegerPowP) Name() string { return "integer_pow" }

func (IntegerPowP) read(r *jaxpr.ParamReader) core.Primitive { return IntegerPowP{Y: r.Int("y")} }

func (p IntegerPowP) Params() []core.Param { return []core.Param{rule.Param("y", strconv.Itoa(p.Y))} }

// Abstract refuses negative powers of integers.
func (p IntegerPowP) Abstract(in []ShapedArray) []ShapedArray {
	out := p.unary.Abstract(in)
	if p.Y < 0 && in[0].DType.IsInteger() {
		core.Failf(core.ErrDType, "integers have no negative powers, got %v to the power of %d; convert to a float first", in[0].Full(), p.Y)
	}
	return out
}

// JVP implements d xʸ = y·xʸ⁻¹·dx; zero for y = 0, at x = 0 too.
func (p IntegerPowP) JVP(in, out, t []Value) []Value {
	switch p.Y {
	case 0:
		return []Value{nil}
	case 1:
		return rule.One(t[0])
	}
	return rule.One(Mul(t[0], Mul(Num(in[0].Aval(), float64(p.Y)), IntegerPow(in[0], p.Y-1))))
}

// PowP is xʸ for a float or complex x; y has the dtype of x or is an integer.
// Corners as in C99: x⁰ = 1ʸ = 1 even with NaN, (−1)^±∞ = 1, (±0)ʸ is ±0 or ±∞ for
// odd y, and finite negative x to a finite power that is not whole is NaN. x² of a float
// is x·x, rounded once. A complex power is exp(y·log x).
type PowP struct{}

// Pow returns xʸ.
func Pow(x, y Value) Value { return core.Apply2(PowP{}, x, y) }

func (PowP) Name() string { return "pow" }

func (PowP) Elementwise() {}

// Abstract takes a float or complex base, and an exponent of its dtype or an integer.
func (PowP) Abstract(in []ShapedArray) []ShapedArray {
	rule.Operands(in, 2)
	want[inexact](in[0])
	want[numeric](in[1])
	if !in[1].DType.IsInteger() && in[0].DType != in[1].DType {
		core.Failf(core.ErrDType, "the exponent must be an integer or have the dtype of the base, got %s; convert one of them", rule.FullList(in))
	}
	return []ShapedArray{{Shape: rule.SpreadShapes(in), DType: in[0].DType, Weak: in[0].Weak && in[1].Weak}}
}

// JVP implements d xʸ = y·xʸ⁻¹·dx + log(x)·xʸ·dy. At x = y = 0, y·xʸ⁻¹ is NaN for a float y and 0
// for an integer y. At x = 0 with y ≥ 0, log(x)·xʸ is replaced by 0.
func (PowP) JVP(in, out, t []Value) []Value {
	x, y := in[0], in[1]
	var dx, dy Value
	if t[0] != nil {
		dx = Mul(t[0], powSlope(x, y))
	}
	if t[1] != nil {
		// log 0 is replaced by log 1, which makes the factor 0 where xʸ is finite.
		log := Log(Where(Eq(x, Num(x.Aval(), 0)), Full(x.Aval(), 1), x))
		dy = Mul(t[1], Mul(log, out[0]))
	}
	return SumTangents(out[0], dx, dy)
}

// powSlope returns y·xʸ⁻¹. For an integer y = 0 it is 0 for every x. Integers of few
// bits are widened, so that the least of them has a y − 1.
func powSlope(x, y Value) Value {
	if dt := y.Aval().DType; dt.IsInteger() && dt.Bits() < 32 {
		y = Convert(y, core.Int32, false)
	}
	ay := y.Aval()
	if ay.DType.IsInteger() {
		isZero := Eq(y, Num(ay, 0))
		less := Where(isZero, Full(ay, 0), Sub(y, Num(ay, 1))) // 0·x⁰, since 0·x is NaN for an infinite x
		return Mul(Convert(y, x.Aval().DType, x.Aval().Weak), Pow(x, less))
	}
	return Mul(y, Pow(x, Sub(y, Num(ay, 1))))
}
