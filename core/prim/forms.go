package prim

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim/internal/rule"
)

// AccurateP is an elementwise function with the accuracy that a text requests. Every accuracy
// computes the same numbers: those of the function.
//
//prim:word -
type AccurateP struct {
	Of       core.Primitive
	Accuracy string
}

func (p AccurateP) Name() string { return p.Of.Name() }

func (p AccurateP) Params() []core.Param { return []core.Param{rule.Param("accuracy", p.Accuracy)} }

func (p AccurateP) Abstract(in []ShapedArray) []ShapedArray { return p.Of.Abstract(in) }

func (p AccurateP) Batch(_ int, in []Value, mapped []bool) ([]Value, []bool) {
	return rule.Bound(p, PerElement(in, mapped)...)
}

func (p AccurateP) JVP(in, out, t []Value) []Value { return p.Of.(core.JVPer).JVP(in, out, t) }

func (p AccurateP) Expand(in []Value) []Value { return core.Bind(p.Of, in...) }

// MulToP multiplies in the type of its result, to which the operands are converted first.
//
//prim:word -
type MulToP struct {
	DType core.DType
	Word  string // the type as the text writes it
}

func (MulToP) Name() string { return MulP{}.Name() }

func (p MulToP) Params() []core.Param { return []core.Param{rule.Param("out_dtype", p.Word)} }

func (p MulToP) Abstract(in []ShapedArray) []ShapedArray {
	rule.Operands(in, 2)
	if !p.DType.IsNumber() {
		core.Failf(core.ErrDType, "the product must have a type of numbers (got %v); use another", p.DType)
	}
	want[numeric](in[0])
	want[numeric](in[1])
	return []ShapedArray{{Shape: rule.SpreadShapes(in), DType: p.DType, Weak: in[0].Weak && in[1].Weak}}
}

func (p MulToP) Batch(_ int, in []Value, mapped []bool) ([]Value, []bool) {
	return rule.Bound(p, PerElement(in, mapped)...)
}

func (p MulToP) JVP(in, out, t []Value) []Value {
	if !p.DType.IsInexact() {
		return []Value{nil}
	}
	var sum Value
	for k, other := range []Value{in[1], in[0]} {
		if t[k] == nil {
			continue
		}
		weak := out[0].Aval().Weak
		d := SpreadTo(Mul(Convert(t[k], p.DType, weak), Convert(other, p.DType, weak)), out[0].Aval().Shape)
		if sum == nil {
			sum = d
		} else {
			sum = AddAny(sum, d)
		}
	}
	return []Value{sum}
}

func (p MulToP) Expand(in []Value) []Value {
	weak := in[0].Aval().Weak && in[1].Aval().Weak
	return rule.One(Mul(Convert(in[0], p.DType, weak), Convert(in[1], p.DType, weak)))
}
