package main

import (
	"fmt"
	"strings"

	"github.com/weft-go/weft/lower/kernel"
)

var cTypes = map[kernel.Type]string{
	kernel.Bool: "int", kernel.I32: "int32_t", kernel.I64: "int64_t", kernel.U32: "uint32_t", kernel.U64: "uint64_t",
	kernel.F32: "float", kernel.F64: "double",
}

// translate is a program of one number as a function in C, which takes n arguments of type
// from at x and leaves n results of type to at y: to the bit what the program says, but
// for the bits of NaN.
func translate(name string, p *kernel.Prog, from, to kernel.Type) (string, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "static void %s(const %s *restrict x, %s *restrict y, int n) {\n#pragma omp simd\n  for (int i = 0; i < n; i++) {\n", name, cTypes[from], cTypes[to])
	for i, in := range p.Code {
		t, ok := cTypes[in.Type]
		e := expression(p, in)
		if !ok || e == "" {
			return "", fmt.Errorf("no C for %v of %v", in.Op, in.Type)
		}
		fmt.Fprintf(&b, "    %s v%d = %s;\n", t, i, e)
	}
	fmt.Fprintf(&b, "    y[i] = v%d;\n  }\n}\n", p.Results[0])
	return b.String(), nil
}

var infix = map[kernel.Op]string{
	kernel.OpAdd: "+", kernel.OpSub: "-", kernel.OpMul: "*", kernel.OpDiv: "/", kernel.OpAnd: "&", kernel.OpOr: "|", kernel.OpXor: "^",
	kernel.OpEq: "==", kernel.OpNe: "!=", kernel.OpLt: "<", kernel.OpLe: "<=",
}

func expression(p *kernel.Prog, in kernel.Inst) string {
	var a [3]string
	for k := range in.Op.Args() {
		a[k] = fmt.Sprintf("v%d", in.Args[k])
	}
	f := ""
	if in.Type == kernel.F32 {
		f = "f"
	}
	float := in.Type.IsFloat()
	switch in.Op {
	case kernel.OpParam:
		return "x[i]"
	case kernel.OpConst:
		switch in.Type {
		case kernel.F32:
			return fmt.Sprintf("float_of(%#xu)", in.Imm)
		case kernel.F64:
			return fmt.Sprintf("double_of(%#xull)", in.Imm)
		}
		return fmt.Sprintf("(%s)%#xull", cTypes[in.Type], in.Imm)
	case kernel.OpAdd, kernel.OpSub, kernel.OpMul, kernel.OpAnd, kernel.OpOr, kernel.OpXor, kernel.OpEq, kernel.OpNe, kernel.OpLt, kernel.OpLe:
		return a[0] + " " + infix[in.Op] + " " + a[1]
	case kernel.OpDiv:
		if float {
			return a[0] + " / " + a[1]
		}
	case kernel.OpMulHi:
		if in.Type == kernel.U64 {
			return fmt.Sprintf("(uint64_t)((unsigned __int128)%s * %s >> 64)", a[0], a[1])
		}
	case kernel.OpNeg:
		return "-" + a[0]
	case kernel.OpNot:
		if in.Type == kernel.Bool {
			return "!" + a[0]
		}
		return "~" + a[0]
	case kernel.OpAbs, kernel.OpFloor, kernel.OpCeil, kernel.OpTrunc, kernel.OpRint, kernel.OpSqrt:
		if float {
			name := map[kernel.Op]string{kernel.OpAbs: "fabs", kernel.OpFloor: "floor", kernel.OpCeil: "ceil", kernel.OpTrunc: "trunc", kernel.OpRint: "rint", kernel.OpSqrt: "sqrt"}
			return fmt.Sprintf("__builtin_%s%s(%s)", name[in.Op], f, a[0])
		}
	case kernel.OpMin, kernel.OpMax:
		if !float {
			op := map[kernel.Op]string{kernel.OpMin: "<", kernel.OpMax: ">"}
			return fmt.Sprintf("%s %s %s ? %s : %s", a[0], op[in.Op], a[1], a[0], a[1])
		}
	case kernel.OpFMA:
		return fmt.Sprintf("__builtin_fma%s(%s, %s, %s)", f, a[0], a[1], a[2])
	case kernel.OpCanon:
		return fmt.Sprintf("%s != %s ? (%s)__builtin_nan(\"\") : %s", a[0], a[0], cTypes[in.Type], a[0])
	case kernel.OpShl, kernel.OpShr:
		op, n := map[kernel.Op]string{kernel.OpShl: "<<", kernel.OpShr: ">>"}[in.Op], in.Type.Bits()
		if c := p.Code[in.Args[1]]; c.Op == kernel.OpConst && c.Imm < uint64(n) {
			return fmt.Sprintf("%s %s %d", a[0], op, c.Imm)
		}
		if !in.Type.IsSigned() {
			return fmt.Sprintf("%s < %d ? %s %s %s : 0", a[1], n, a[0], op, a[1])
		}
	case kernel.OpSelect, kernel.OpRare:
		return fmt.Sprintf("%s ? %s : %s", a[0], a[1], a[2])
	case kernel.OpConvert:
		if from := p.Code[in.Args[0]].Type; float || !from.IsFloat() {
			return fmt.Sprintf("(%s)%s", cTypes[in.Type], a[0])
		}
	case kernel.OpBitcast:
		from := p.Code[in.Args[0]].Type
		switch {
		case in.Type == kernel.F32:
			return fmt.Sprintf("float_of(%s)", a[0])
		case in.Type == kernel.F64:
			return fmt.Sprintf("double_of(%s)", a[0])
		case from == kernel.F32:
			return fmt.Sprintf("(%s)bits_of_float(%s)", cTypes[in.Type], a[0])
		case from == kernel.F64:
			return fmt.Sprintf("(%s)bits_of_double(%s)", cTypes[in.Type], a[0])
		}
		return fmt.Sprintf("(%s)%s", cTypes[in.Type], a[0])
	}
	return ""
}
