package opencl

import (
	_ "embed" // for the text of double.cl
	"fmt"
	"strings"

	"github.com/weft-go/weft/lower/scalar"
	"github.com/weft-go/weft/lower/simt"
)

// doubleText defines the operations of f64 on its bits, in integers.
//
//go:embed double.cl
var doubleText string

// PrintWithoutDoubles returns the program of [Print] for devices without f64: f64 is computed on
// its bits, in integers. The results are the same; an operation of f64 takes many times as long.
func PrintWithoutDoubles(funcs ...*simt.Func) *Source { return printText(true, funcs) }

// typeName returns the name of the OpenCL C type of values of type t.
func (p *printer) typeName(t scalar.Type) string {
	if p.inIntegers && t == scalar.F64 {
		t = scalar.U64
	}
	return typeNames[t]
}

func (p *printer) constant(t scalar.Type, bits uint64) string {
	if p.inIntegers && t == scalar.F64 {
		t = scalar.U64
	}
	return constant(t, bits)
}

// doubleOp returns the expression of an operation on f64 that is computed in integers, or "" if the
// operation has its ordinary expression. `from` is the type of the first operand.
func (p *printer) doubleOp(in *scalar.Inst, from scalar.Type) string {
	if !p.inIntegers || in.Type != scalar.F64 && from != scalar.F64 {
		return ""
	}
	switch in.Op {
	case scalar.OpConst, scalar.OpSelect, scalar.OpRare, scalar.OpBitcast, scalar.OpLookup:
		return ""
	case scalar.OpConvert:
		return convertDouble(in.Type, from, p.reg(in.Args[0]))
	}
	var args []string
	for _, r := range in.Args[:in.Op.Args()] {
		args = append(args, p.reg(r))
	}
	return fmt.Sprintf("weft_%v(%s)", in.Op, strings.Join(args, ", "))
}

// convertDouble returns x of type `from` as a number of type `to`, where one of them is f64 in integers.
func convertDouble(to, from scalar.Type, x string) string {
	switch {
	case to == scalar.F64 && from == scalar.F32:
		return fmt.Sprintf("weft_from_float(%s)", x)
	case to == scalar.F64 && from.IsSigned():
		return fmt.Sprintf("weft_from_long((long)%s)", x)
	case to == scalar.F64:
		return fmt.Sprintf("weft_from_ulong((ulong)%s)", x)
	case to == scalar.F32:
		return fmt.Sprintf("weft_to_float(%s)", x)
	case to.IsSigned():
		return fmt.Sprintf("convert_%s_sat(weft_to_long(%s))", typeNames[to], x)
	}
	return fmt.Sprintf("convert_%s_sat(weft_to_ulong(%s))", typeNames[to], x)
}
