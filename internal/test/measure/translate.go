package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/weft-go/weft/lower/scalar"
)

var cTypes = map[scalar.Type]string{
	scalar.Bool: "int", scalar.I32: "int32_t", scalar.I64: "int64_t", scalar.U32: "uint32_t", scalar.U64: "uint64_t",
	scalar.F32: "float", scalar.F64: "double",
}

// translate returns a program of one number as a function in C, which takes n arguments of type
// from at x and stores n results of type to at y: bit by bit those of the program, except for the
// bits of NaN.
func translate(name string, p *scalar.Prog, from, to scalar.Type) (string, error) {
	var b strings.Builder
	for i, t := range p.Tables {
		fmt.Fprintf(&b, "static const %s %s_t%d[] = {", cTypes[t.Type], name, i)
		for _, x := range t.Bits {
			b.WriteString(constant(t.Type, x) + ", ")
		}
		b.WriteString("};\n")
	}
	fmt.Fprintf(&b, "static void %s(const %s *restrict x, %s *restrict y, int n) {\n#pragma omp simd\n  for (int i = 0; i < n; i++) {\n", name, cTypes[from], cTypes[to])
	for i, in := range p.Code {
		t, ok := cTypes[in.Type]
		e := expression(name, p, in)
		if !ok || e == "" {
			return "", fmt.Errorf("no C for %v of %v", in.Op, in.Type)
		}
		fmt.Fprintf(&b, "    %s v%d = %s;\n", t, i, e)
	}
	fmt.Fprintf(&b, "    y[i] = v%d;\n  }\n}\n", p.Results[0])
	return b.String(), nil
}

var infix = map[scalar.Op]string{
	scalar.OpAdd: "+", scalar.OpSub: "-", scalar.OpMul: "*", scalar.OpDiv: "/", scalar.OpAnd: "&", scalar.OpOr: "|", scalar.OpXor: "^",
	scalar.OpEq: "==", scalar.OpNe: "!=", scalar.OpLt: "<", scalar.OpLe: "<=",
}

// constant returns the text of a constant, which C accepts as an initializer.
func constant(t scalar.Type, bits uint64) string {
	switch t {
	case scalar.F32:
		return strconv.FormatFloat(float64(math.Float32frombits(uint32(bits))), 'x', -1, 64) + "f"
	case scalar.F64:
		return strconv.FormatFloat(math.Float64frombits(bits), 'x', -1, 64)
	}
	return fmt.Sprintf("(%s)%#xull", cTypes[t], bits)
}

// expression returns the expression of an instruction of p; the tables' names begin with name.
func expression(name string, p *scalar.Prog, in scalar.Inst) string {
	var a [3]string
	for k := range in.Op.Args() {
		a[k] = fmt.Sprintf("v%d", in.Args[k])
	}
	f := ""
	if in.Type == scalar.F32 {
		f = "f"
	}
	float := in.Type.IsFloat()
	switch in.Op {
	case scalar.OpParam:
		return "x[i]"
	case scalar.OpConst:
		switch in.Type {
		case scalar.F32:
			return fmt.Sprintf("float_of(%#xu)", in.Imm)
		case scalar.F64:
			return fmt.Sprintf("double_of(%#xull)", in.Imm)
		}
		return fmt.Sprintf("(%s)%#xull", cTypes[in.Type], in.Imm)
	case scalar.OpAdd, scalar.OpSub, scalar.OpMul, scalar.OpAnd, scalar.OpOr, scalar.OpXor, scalar.OpEq, scalar.OpNe, scalar.OpLt, scalar.OpLe:
		return a[0] + " " + infix[in.Op] + " " + a[1]
	case scalar.OpDiv:
		if float {
			return a[0] + " / " + a[1]
		}
	case scalar.OpMulHi:
		if in.Type == scalar.U64 {
			return fmt.Sprintf("(uint64_t)((unsigned __int128)%s * %s >> 64)", a[0], a[1])
		}
	case scalar.OpNeg:
		return "-" + a[0]
	case scalar.OpNot:
		if in.Type == scalar.Bool {
			return "!" + a[0]
		}
		return "~" + a[0]
	case scalar.OpAbs, scalar.OpFloor, scalar.OpCeil, scalar.OpTrunc, scalar.OpRint, scalar.OpSqrt:
		if float {
			name := map[scalar.Op]string{scalar.OpAbs: "fabs", scalar.OpFloor: "floor", scalar.OpCeil: "ceil", scalar.OpTrunc: "trunc", scalar.OpRint: "rint", scalar.OpSqrt: "sqrt"}
			return fmt.Sprintf("__builtin_%s%s(%s)", name[in.Op], f, a[0])
		}
	case scalar.OpMin, scalar.OpMax:
		if !float {
			op := map[scalar.Op]string{scalar.OpMin: "<", scalar.OpMax: ">"}
			return fmt.Sprintf("%s %s %s ? %s : %s", a[0], op[in.Op], a[1], a[0], a[1])
		}
	case scalar.OpFMA:
		return fmt.Sprintf("__builtin_fma%s(%s, %s, %s)", f, a[0], a[1], a[2])
	case scalar.OpScale:
		if in.Type == scalar.F32 {
			return fmt.Sprintf("scale_float(%s, %s)", a[0], a[1])
		}
		return fmt.Sprintf("scale_double(%s, %s)", a[0], a[1])
	case scalar.OpLookup:
		return fmt.Sprintf("%s_t%d[%s & %d]", name, in.Imm, a[0], len(p.Tables[in.Imm].Bits)-1)
	case scalar.OpCanon:
		return fmt.Sprintf("%s != %s ? (%s)__builtin_nan(\"\") : %s", a[0], a[0], cTypes[in.Type], a[0])
	case scalar.OpShl, scalar.OpShr:
		op, n := map[scalar.Op]string{scalar.OpShl: "<<", scalar.OpShr: ">>"}[in.Op], in.Type.Bits()
		if c := p.Code[in.Args[1]]; c.Op == scalar.OpConst && c.Imm < uint64(n) {
			return fmt.Sprintf("%s %s %d", a[0], op, c.Imm)
		}
		if !in.Type.IsSigned() {
			return fmt.Sprintf("%s < %d ? %s %s %s : 0", a[1], n, a[0], op, a[1])
		}
	case scalar.OpSelect, scalar.OpRare:
		return fmt.Sprintf("%s ? %s : %s", a[0], a[1], a[2])
	case scalar.OpConvert:
		if from := p.Code[in.Args[0]].Type; float || !from.IsFloat() {
			return fmt.Sprintf("(%s)%s", cTypes[in.Type], a[0])
		}
	case scalar.OpBitcast:
		from := p.Code[in.Args[0]].Type
		switch {
		case in.Type == scalar.F32:
			return fmt.Sprintf("float_of(%s)", a[0])
		case in.Type == scalar.F64:
			return fmt.Sprintf("double_of(%s)", a[0])
		case from == scalar.F32:
			return fmt.Sprintf("(%s)bits_of_float(%s)", cTypes[in.Type], a[0])
		case from == scalar.F64:
			return fmt.Sprintf("(%s)bits_of_double(%s)", cTypes[in.Type], a[0])
		}
		return fmt.Sprintf("(%s)%s", cTypes[in.Type], a[0])
	}
	return ""
}
