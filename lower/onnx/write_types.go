package onnx

import (
	"strings"

	"github.com/weft-go/weft/core"
)

// operandTypes contains the types that operators of version 21 take. Operators that take all types are not in it.
var operandTypes = func() map[string]map[core.DType]bool {
	names := map[string]core.DType{}
	for _, e := range elems {
		if e.dtype != core.Invalid {
			names[e.dtype.String()] = e.dtype
		}
	}
	const (
		floats  = " f16 f32 f64"
		numbers = " u8 u16 u32 u64 i8 i16 i32 i64 f16 f32 f64 bf16"
		sums    = " u32 u64 i32 i64 f16 f32 f64 bf16"
		old     = " bool" + numbers // of operators that are older than floats of eight bits
	)
	out := map[string]map[core.DType]bool{}
	for _, row := range []struct{ types, ops string }{
		{numbers, "Add Sub Mul Div Max Min Mod Abs Sign Erf Less LessOrEqual Greater GreaterOrEqual ArgMax ArgMin"},
		{old, "Equal Where Concat Expand Slice Gather GatherND GatherElements ScatterElements ScatterND Split Tile"},
		{floats + " bf16", "Exp Log Sqrt Tanh Sigmoid Floor Ceil Reciprocal IsNaN IsInf"},
		{" i8 i16 i32 i64" + floats + " bf16", "Neg"},
		{floats, "Sin Cos Tan Asin Acos Atan Sinh Cosh Asinh Acosh Atanh Round Conv AveragePool"},
		{floats + " i32 i64 bf16", "Pow"},
		{floats + " i8 u8", "MaxPool"},
		{" bool", "And Or Not Xor"},
		{" u8 u16 u32 u64", "BitShift"},
		{" u8 u16 u32 u64 i8 i16 i32 i64", "BitwiseAnd BitwiseOr BitwiseXor BitwiseNot"},
		{sums, "MatMul ReduceSum ReduceProd CumSum"},
		{sums + " i8 u8", "ReduceMax ReduceMin"},
		{" u8 u16 u32 u64 i8 i16 i32 i64" + floats, "TopK"},
	} {
		set := map[core.DType]bool{}
		for name := range strings.FieldsSeq(row.types) {
			set[names[name]] = true
		}
		for op := range strings.FieldsSeq(row.ops) {
			out[op] = set
		}
	}
	return out
}()

// wider lists the types in which operators may compute in the place of dt, since they contain all of its numbers: the narrowest
// first, nil if there is none.
func wider(dt core.DType) []core.DType {
	switch {
	case dt.IsBool(), dt.IsUnsigned() && dt.Bits() < 32, dt.IsSigned() && dt.Bits() < 32:
		return []core.DType{core.Int32, core.Int64}
	case dt == core.Uint32, dt == core.Int32:
		return []core.DType{core.Int64}
	case dt.IsFloat() && dt.Bits() < 32:
		return []core.DType{core.Float32}
	}
	return nil
}

// op writes a node of one result in a type that the operator takes. If it does not take the type of its first
// operand (of Where, the second), operands of this type are converted, and so is a result of this type.
func (b *block) op(op string, out core.ShapedArray, attrs []*Attr, in ...value) value {
	types, limited := operandTypes[op]
	k := 0
	if op == "Where" { // the condition comes first
		k = 1
	}
	if !limited || k >= len(in) || types[in[k].DType] {
		return b.node(op, []core.ShapedArray{out}, attrs, in...)[0]
	}
	dt := in[k].DType
	for _, w := range wider(dt) {
		if !types[w] {
			continue
		}
		xs := make([]value, len(in))
		for i, x := range in {
			if xs[i] = x; x.DType == dt {
				xs[i] = b.cast(x, w)
			}
		}
		if out.DType != dt {
			return b.node(op, []core.ShapedArray{out}, attrs, xs...)[0]
		}
		return b.cast(b.node(op, []core.ShapedArray{out.WithDType(w)}, attrs, xs...)[0], dt)
	}
	core.Failf(core.ErrDType, "ONNX %d has no %s of %v; convert to another type", writtenOpset, op, dt)
	return value{}
}

// cast converts a value as the format does. An integer that does not fit an integer type wraps; for a float that does not
// fit an integer type the result is undefined.
func (b *block) cast(x value, dt core.DType) value {
	if x.DType == dt {
		return x
	}
	attrs := []*Attr{attrInt("to", int(elemOf(dt)))}
	if dt.IsMinorFloat() {
		attrs = append(attrs, attrInt("saturate", 0))
	}
	return b.node("Cast", []core.ShapedArray{x.WithDType(dt)}, attrs, x)[0]
}
