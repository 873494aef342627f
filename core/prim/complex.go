package prim

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim/internal/rule"
	"github.com/weft-go/weft/jaxpr"
)

// Derivatives of complex functions follow one convention: a tangent is pushed
// through as z ↦ f'(z)·ż for analytic f, and nothing is conjugated when
// transposing. So the gradient of a real function f(x + iy) is ∂f/∂x − i·∂f/∂y.

// AbsP is |x|. For the smallest signed integer it is that integer itself. For a complex number it is
// the real √(a² + b²), without intermediate overflow, infinite if a part is.
type AbsP struct{}

// Abs returns |x|.
func Abs(x Value) Value { return core.Apply1(AbsP{}, x) }

func (AbsP) Name() string { return "abs" }

func (AbsP) Elementwise() {}

// Abstract takes signed integers of 8 bits and more, floats and complex numbers; for complex ones it returns the real type.
func (AbsP) Abstract(in []ShapedArray) []ShapedArray {
	rule.Operands(in, 1)
	a := in[0]
	switch {
	case a.DType.IsUnsigned():
		core.Failf(core.ErrDType, "operands must be %v (got %v, which is its own absolute value); use Abs", signed{}, a.Full())
	case a.DType.IsInteger() && a.DType.Bits() < 8:
		core.Failf(core.ErrDType, "does not take integers of fewer than 8 bits, got %v; convert to i8 first", a.Full())
	}
	want[signed](a)
	return []ShapedArray{in[0].WithDType(in[0].DType.Real())}
}

// JVP implements d|x| = ±dx, with + at ±0; d|z| = Re(ż·z̄/|z|), 0 at 0.
func (AbsP) JVP(in, out, t []Value) []Value {
	x, y := in[0], out[0]
	if !x.Aval().DType.IsComplex() {
		return rule.One(Where(Ge(x, Num(x.Aval(), 0)), t[0], Neg(t[0])))
	}
	y = Where(Eq(y, Num(y.Aval(), 0)), Full(y.Aval(), 1), y)
	unit := Div(Conj(x), Complex(y, Num(y.Aval(), 0)))
	return rule.One(Real(Mul(t[0], unit)))
}

// RealP is the real part.
type RealP struct{ part }

// Real returns the real part.
func Real(x Value) Value { return core.Apply1(RealP{}, x) }

func (RealP) Name() string { return "real" }

func (RealP) JVP(in, out, t []Value) []Value { return rule.One(Real(t[0])) }

// Transpose implements ⟨c, Re z⟩ = Re(c·z).
func (RealP) Transpose(ct, in []Value, lin []bool, av []ShapedArray) []Value {
	return rule.One(Complex(ct[0], Num(ct[0].Aval(), 0)))
}

// ImagP is the imaginary part, as a real number.
type ImagP struct{ part }

// Imag returns the imaginary part.
func Imag(x Value) Value { return core.Apply1(ImagP{}, x) }

func (ImagP) Name() string { return "imag" }

func (ImagP) JVP(in, out, t []Value) []Value { return rule.One(Imag(t[0])) }

// Transpose implements ⟨c, Im z⟩ = Re(−i·c·z).
func (ImagP) Transpose(ct, in []Value, lin []bool, av []ShapedArray) []Value {
	return rule.One(Complex(Num(ct[0].Aval(), 0), Neg(ct[0])))
}

// part is what RealP and ImagP have in common: a complex operand and a real result.
type part struct{}

func (part) Abstract(in []ShapedArray) []ShapedArray {
	rule.Operands(in, 1)
	want[complexes](in[0])
	return []ShapedArray{in[0].WithDType(in[0].DType.Real())}
}

func (part) Elementwise() {}

// complexOf returns the complex type whose parts are of type d, Invalid if there is none.
func complexOf(d core.DType) core.DType {
	switch d {
	case core.Float32:
		return core.Complex64
	case core.Float64:
		return core.Complex128
	}
	return core.Invalid
}

// ConjP is the complex conjugate. It also takes f32 and f64, which it makes complex.
// InputDType is the operand's dtype.
type ConjP struct{ InputDType core.DType }

// Conj returns the complex conjugate.
func Conj(x Value) Value { return core.Bind1(ConjP{x.Aval().DType}, x) }

func (ConjP) Name() string { return "conj" }

func (ConjP) read(r *jaxpr.ParamReader) core.Primitive {
	return ConjP{InputDType: r.DType("input_dtype")}
}

func (p ConjP) Params() []core.Param {
	return []core.Param{rule.Param("input_dtype", p.InputDType.Long())}
}

func (ConjP) Elementwise() {}

func (p ConjP) Abstract(in []ShapedArray) []ShapedArray {
	rule.Operands(in, 1)
	a := in[0]
	dt := a.DType
	if !dt.IsComplex() {
		dt = complexOf(dt)
	}
	if dt == core.Invalid || a.Ref {
		core.Failf(core.ErrDType, "takes complex numbers, f32 and f64, got %v; convert the operand first", a.Full())
	}
	if p.InputDType != a.DType {
		core.Failf(core.ErrCheck, "input_dtype is %s but the operand is %v; make them equal", p.InputDType.Long(), a.Full())
	}
	return []ShapedArray{a.WithDType(dt)}
}

func (p ConjP) JVP(in, out, t []Value) []Value { return rule.One(core.Apply1(p, t[0])) }

// Transpose implements Re(c·z̄) = Re(c̄·z).
func (p ConjP) Transpose(ct, in []Value, lin []bool, av []ShapedArray) []Value {
	if p.InputDType.IsComplex() {
		return rule.One(Conj(ct[0]))
	}
	return rule.One(Real(ct[0]))
}

// ComplexP is x + iy of two reals.
type ComplexP struct{}

// Complex returns re + i·im.
func Complex(re, im Value) Value { return core.Apply2(ComplexP{}, re, im) }

func (ComplexP) Name() string { return "complex" }

func (ComplexP) Elementwise() {}

// Abstract takes two f32 or two f64.
func (ComplexP) Abstract(in []ShapedArray) []ShapedArray {
	rule.Operands(in, 2)
	for _, a := range in {
		if complexOf(a.DType) == core.Invalid || a.Ref {
			core.Failf(core.ErrDType, "takes parts of type f32 or f64, got %v; convert the operand first", a.Full())
		}
	}
	out := spreadAvals(in)
	return []ShapedArray{out.WithDType(complexOf(out.DType))}
}

// JVP implements d(x + iy) = dx + i·dy.
func (ComplexP) JVP(in, out, t []Value) []Value {
	var d [2]Value
	for i := range d {
		if d[i] = t[i]; d[i] == nil {
			d[i] = Num(in[i].Aval(), 0)
		}
	}
	return rule.One(SpreadTo(Complex(d[0], d[1]), out[0].Aval().Shape))
}

// Transpose implements Re(c·(x + iy)) = Re(c)·x − Im(c)·y.
func (ComplexP) Transpose(ct, in []Value, lin []bool, av []ShapedArray) []Value {
	r := make([]Value, 2)
	if lin[0] {
		r[0] = unbroadcast(Real(ct[0]), av[0])
	}
	if lin[1] {
		r[1] = unbroadcast(Neg(Imag(ct[0])), av[1])
	}
	return r
}
