package prim

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/elem"
	"github.com/weft-go/weft/core/prim/internal/rule"
	"github.com/weft-go/weft/jaxpr"
)

// ConvertElementTypeP converts each element to another dtype, or changes the weak
// mark alone. To a float it rounds to nearest, with ties to even (in f8_e8m0fnu, up). Overflow
// becomes infinity, NaN where the type has no infinity, and the largest number where
// it has neither. From float to integer it truncates and saturates, NaN
// becomes 0; integers wrap. To bool it is x ≠ 0; complex to real or bool takes the real part.
// Conversions to float0 leave no elements, and those from float0 are zeros.
type ConvertElementTypeP struct {
	NewDType core.DType
	WeakType bool
}

// Convert returns x as dt. If x has that dtype and weak mark already, it is x; a literal
// is converted at once.
func Convert(x Value, dt core.DType, weak bool) Value {
	a := x.Aval()
	if a.DType == dt && a.Weak == weak {
		return x
	}
	if l, ok := x.(core.Literal); ok && (a.DType.IsNumber() || a.DType.IsBool()) && (dt.IsNumber() || dt.IsBool()) {
		n := elem.Round(l.Num, l.Type)
		if a.DType.IsComplex() && dt.IsBool() {
			n = core.FloatNumber(n.Float()) // the real part decides
		}
		return core.Literal{Num: elem.Round(n, dt), Type: dt, Weak: weak}
	}
	return core.Apply1(ConvertElementTypeP{NewDType: dt, WeakType: weak}, x)
}

func (ConvertElementTypeP) Name() string { return "convert_element_type" }

func (ConvertElementTypeP) read(r *jaxpr.ParamReader) core.Primitive {
	r.MustBe("sharding", "None")
	p := ConvertElementTypeP{WeakType: r.Bool("weak_type")}
	if p.NewDType = core.Float0; r.Text("new_dtype") != float0Field {
		p.NewDType = r.DType("new_dtype")
	}
	return p
}

// float0Field is float0 as a parameter: NumPy's type of records with one field without bytes.
const float0Field = "[('float0', 'V')]"

func (p ConvertElementTypeP) Params() []core.Param {
	dt := p.NewDType.Long()
	if p.NewDType == core.Float0 {
		dt = float0Field
	}
	return []core.Param{rule.Param("new_dtype", dt), rule.Param("weak_type", rule.PyBool(p.WeakType))}
}

func (ConvertElementTypeP) Elementwise() {}

func (p ConvertElementTypeP) Abstract(in []ShapedArray) []ShapedArray {
	rule.Operands(in, 1)
	if in[0].DType != core.Float0 || in[0].Ref {
		want[anything](in[0])
	}
	if why := p.NewDType.NoArray(); why != "" {
		core.Failf(core.ErrDType, "%s", why)
	}
	for _, d := range []core.DType{in[0].DType, p.NewDType} {
		if !d.IsBool() && !d.IsNumber() && d != core.Float0 {
			core.Failf(core.ErrDType, "converts between booleans and numbers, not %v to %v; unwrap keys with random_unwrap", in[0].Full(), p.NewDType)
		}
	}
	return []ShapedArray{{Shape: in[0].Shape, DType: p.NewDType, Weak: p.WeakType}}
}

// JVP converts the tangent; results that are neither floats nor complex have none.
func (p ConvertElementTypeP) JVP(in, out, t []Value) []Value {
	if !p.NewDType.IsInexact() {
		return []Value{nil}
	}
	return rule.One(Convert(t[0], p.NewDType, p.WeakType))
}

func (p ConvertElementTypeP) Transpose(ct, in []Value, lin []bool, av []ShapedArray) []Value {
	return rule.One(Convert(ct[0], av[0].DType, av[0].Weak))
}

// BitcastConvertTypeP reads the bits of elements as another dtype. If the new type is narrower, the
// result has a trailing axis for the parts of each element, lowest bits first; if it is wider, the
// operand must have such an axis, which disappears. The result is strong.
type BitcastConvertTypeP struct {
	constant
	NewDType core.DType
}

// BitcastConvert reads the bits of x as dt.
func BitcastConvert(x Value, dt core.DType) Value {
	return core.Apply1(BitcastConvertTypeP{NewDType: dt}, x)
}

func (BitcastConvertTypeP) Name() string { return "bitcast_convert_type" }

func (BitcastConvertTypeP) read(r *jaxpr.ParamReader) core.Primitive {
	return BitcastConvertTypeP{NewDType: r.DType("new_dtype")}
}

func (p BitcastConvertTypeP) Params() []core.Param {
	return []core.Param{rule.Param("new_dtype", p.NewDType.Long())}
}

// Abstract refuses keys, and booleans and complex numbers unless the type stays the same.
func (p BitcastConvertTypeP) Abstract(in []ShapedArray) []ShapedArray {
	rule.Operands(in, 1)
	want[anything](in[0])
	a, from, to := in[0], in[0].DType, p.NewDType
	out := ShapedArray{Shape: a.Shape, DType: to}
	switch {
	case from.IsKey() || to.IsKey() || !hasElements(to):
		core.Failf(core.ErrDType, "there is no conversion from %v to %v; convert through another dtype", a.Full(), to)
	case from == to:
		return []ShapedArray{out}
	case to.Bits() > from.Bits():
		ratio, rank := to.Bits()/from.Bits(), a.Rank()
		if rank == 0 || a.Shape.At(-1)*from.Bits() != to.Bits() {
			core.Failf(core.ErrShape, "the bits of one %v are those of %s of %v, so the last axis must have that size (got %v); reshape first", to, core.Count(ratio, "element"), from, a.Full())
		}
		out.Shape = a.Shape.Slice(0, rank-1)
	case to.Bits() < from.Bits():
		if from.Bits()%to.Bits() != 0 {
			core.Failf(core.ErrDType, "the %d bits of %v are not a multiple of those of %v; use dtypes of which one width divides the other", from.Bits(), from, to)
		}
		out.Shape = a.Shape.Append(from.Bits() / to.Bits())
	}
	if from.IsBool() || from.IsComplex() || to.IsBool() || to.IsComplex() {
		core.Failf(core.ErrDType, "does not take booleans and complex numbers apart, got %v for %v; convert, or use Real and Imag", a.Full(), to)
	}
	return []ShapedArray{out}
}

func (p BitcastConvertTypeP) Batch(n int, in []Value, mapped []bool) ([]Value, []bool) {
	return core.Bind(p, in...), []bool{true}
}
