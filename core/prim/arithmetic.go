package prim

import (
	"strings"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim/internal/rule"
	"github.com/weft-go/weft/jaxpr"
)

// NegP is −x. For the smallest signed integer it is that integer itself, for unsigned integers
// −x modulo 2ⁿ. It changes the sign of zeros and NaNs too, in types that have
// signed ones. In f8_e8m0fnu, which has no negative numbers, it is NaN.
type NegP struct{ unary[numeric] }

// Neg returns −x.
func Neg(x Value) Value { return core.Apply1(NegP{}, x) }

func (NegP) Name() string { return "neg" }

// JVP implements d(−x) = −dx.
func (NegP) JVP(in, out, t []Value) []Value { return rule.One(Neg(t[0])) }

// Transpose negates the cotangent: negation is its own transpose.
func (NegP) Transpose(ct, in []Value, lin []bool, av []ShapedArray) []Value {
	return rule.One(Neg(ct[0]))
}

// SignP is −1, 0 or 1; ±0 and NaN stay what they are. For a complex number it is
// z/|z|, 0 at 0. Its derivative is taken to be zero for complex numbers too,
// although it is not.
type SignP struct {
	unary[numeric]
	constant
}

// Sign returns the sign of x.
func Sign(x Value) Value { return core.Apply1(SignP{}, x) }

func (SignP) Name() string { return "sign" }

// AddP is x + y; integers wrap.
type AddP struct{ binary[numeric] }

// Add returns x + y.
func Add(x, y Value) Value { return core.Apply2(AddP{}, x, y) }

func (AddP) Name() string { return "add" }

// JVP implements d(x + y) = dx + dy.
func (AddP) JVP(in, out, t []Value) []Value { return SumTangents(out[0], t[0], t[1]) }

// Transpose passes each linear operand the cotangent, summed along the axes along which that
// operand was broadcast.
func (AddP) Transpose(ct, in []Value, lin []bool, av []ShapedArray) []Value {
	r := make([]Value, 2)
	for i := range r {
		if lin[i] {
			r[i] = unbroadcast(ct[0], av[i])
		}
	}
	return r
}

// AddAnyP is x + y for tangents and cotangents. Rules apply it to values of one type.
type AddAnyP struct{ binary[inexact] }

// AddAny returns x + y, for tangents.
func AddAny(x, y Value) Value { return core.Apply2(AddAnyP{}, x, y) }

func (AddAnyP) Name() string { return "add_any" }

// JVP implements d(x + y) = dx + dy.
func (AddAnyP) JVP(in, out, t []Value) []Value { return SumTangents(out[0], t[0], t[1]) }

// Transpose passes the cotangent to the linear operands.
func (AddAnyP) Transpose(ct, in []Value, lin []bool, av []ShapedArray) []Value {
	return AddP{}.Transpose(ct, in, lin, av)
}

// SubP is x − y; integers wrap.
type SubP struct{ binary[numeric] }

// Sub returns x − y.
func Sub(x, y Value) Value { return core.Apply2(SubP{}, x, y) }

func (SubP) Name() string { return "sub" }

// JVP implements d(x − y) = dx − dy.
func (SubP) JVP(in, out, t []Value) []Value {
	switch {
	case t[0] == nil:
		return SumTangents(out[0], Neg(t[1]))
	case t[1] == nil:
		return SumTangents(out[0], t[0])
	}
	return rule.One(SpreadTo(Sub(t[0], t[1]), out[0].Aval().Shape))
}

// Transpose passes the cotangent to x and its negative to y.
func (SubP) Transpose(ct, in []Value, lin []bool, av []ShapedArray) []Value {
	r := make([]Value, 2)
	if lin[0] {
		r[0] = unbroadcast(ct[0], av[0])
	}
	if lin[1] {
		r[1] = unbroadcast(Neg(ct[0]), av[1])
	}
	return r
}

// MulP is x·y; integers wrap. For complex numbers it is
// (ac − bd) + (ad + bc)i, each product and sum rounded: there is no recovery of
// infinities from NaN.
type MulP struct{ binary[numeric] }

// Mul returns x·y.
func Mul(x, y Value) Value { return core.Apply2(MulP{}, x, y) }

func (MulP) Name() string { return "mul" }

func (MulP) read(r *jaxpr.ParamReader) core.Primitive {
	if !r.Has("out_dtype") || r.IsNone("out_dtype") {
		r.Ignore("out_dtype")
		return MulP{}
	}
	word := r.Text("out_dtype")
	name := strings.TrimSuffix(strings.TrimPrefix(word, "<class 'numpy."), "'>")
	dt, ok := core.ParseDType(name)
	if !ok {
		r.Unsupported("its parameter out_dtype is %s; supported: types of numbers", word)
	}
	return MulToP{dt, word}
}

// JVP implements d(x·y) = dx·y + x·dy.
func (MulP) JVP(in, out, t []Value) []Value {
	var dx, dy Value
	if t[0] != nil {
		dx = Mul(t[0], in[1])
	}
	if t[1] != nil {
		dy = Mul(in[0], t[1])
	}
	return SumTangents(out[0], dx, dy)
}

// Transpose multiplies the cotangent with the other operand.
func (MulP) Transpose(ct, in []Value, lin []bool, av []ShapedArray) []Value {
	r := make([]Value, 2)
	if lin[0] {
		r[0] = unbroadcast(Mul(ct[0], in[1]), av[0])
	}
	if lin[1] {
		r[1] = unbroadcast(Mul(in[0], ct[0]), av[1])
	}
	return r
}

// DivP is x/y. For integers it truncates towards zero; x/0 is −1 (all ones), and
// the smallest integer divided by −1 is itself. For floats it is IEEE division. For
// complex numbers it has the infinities, zeros and NaN of C99's annex G.
type DivP struct{ binary[numeric] }

// Div returns x/y, truncated for integers.
func Div(x, y Value) Value { return core.Apply2(DivP{}, x, y) }

func (DivP) Name() string { return "div" }

// JVP implements d(x/y) = dx/y − (x/y)·dy/y.
func (DivP) JVP(in, out, t []Value) []Value {
	var dx, dy Value
	if t[0] != nil {
		dx = Div(t[0], in[1])
	}
	if t[1] != nil {
		dy = Mul(t[1], Neg(Div(out[0], in[1])))
	}
	return SumTangents(out[0], dx, dy)
}

// Transpose implements x̄ = z̄/y, linear in x.
func (DivP) Transpose(ct, in []Value, lin []bool, av []ShapedArray) []Value {
	if lin[1] {
		core.Failf(core.ErrNoRule, "cannot be transposed, because it is not linear in its divisor; make the divisor a constant")
	}
	return []Value{unbroadcast(Div(ct[0], in[1]), av[0]), nil}
}

// RemP is the remainder of the truncating division, x − trunc(x/y)·y, without rounding. It
// has the sign of x. For integers x rem 0 is x, and the smallest integer rem −1 is 0. For
// floats x rem 0 and ±∞ rem y are NaN, and finite x rem ±∞ is x.
type RemP struct{ binary[reals] }

// Rem returns the remainder with the sign of x.
func Rem(x, y Value) Value { return core.Apply2(RemP{}, x, y) }

func (RemP) Name() string { return "rem" }

// JVP implements d(x rem y) = dx − trunc(x/y)·dy.
func (RemP) JVP(in, out, t []Value) []Value {
	var dy Value
	if t[1] != nil {
		q := Div(in[0], in[1])
		dy = Mul(t[1], Neg(Mul(Sign(q), Floor(Abs(q)))))
	}
	return SumTangents(out[0], t[0], dy)
}

// MulHiP is the upper half of the product of two integers in twice their width.
type MulHiP struct {
	binary[integers]
	constant
}

// MulHi returns the upper half of x·y.
func MulHi(x, y Value) Value { return core.Apply2(MulHiP{}, x, y) }

func (MulHiP) Name() string { return "mulhi" }
