package opencl

import (
	"fmt"

	"github.com/weft-go/weft/lower/scalar"
	"github.com/weft-go/weft/lower/simt"
)

func constant(t scalar.Type, bits uint64) string {
	switch t {
	case scalar.F32:
		return fmt.Sprintf("as_float(0x%08xu)", bits)
	case scalar.F64:
		return fmt.Sprintf("as_double(0x%016xul)", bits)
	case scalar.I32:
		if x := int32(bits); x >= 0 {
			return fmt.Sprint(x)
		}
	case scalar.U32:
		return fmt.Sprintf("%du", bits)
	case scalar.I64:
		return fmt.Sprintf("((long)0x%xul)", bits)
	case scalar.U64:
		return fmt.Sprintf("0x%xul", bits)
	}
	return fmt.Sprintf("((%s)0x%xu)", typeNames[t], bits)
}

// op returns the expression of an operation. Signed integers wrap, which C leaves
// undefined: sums, products and left shifts are unsigned.
func (p *printer) op(in *scalar.Inst) string {
	t := in.Type
	arg := func(i int) string { return p.reg(in.Args[i]) }
	from := scalar.NoType
	if in.Args[0] != simt.NoReg {
		from = p.f.Types[in.Args[0]]
	}
	if same := in.Args[0] == in.Args[1] && from != scalar.NoType && !from.IsFloat(); same {
		// Compilers warn of comparisons of a number with itself.
		switch in.Op {
		case scalar.OpEq, scalar.OpLe:
			return constant(scalar.Bool, 1)
		case scalar.OpNe, scalar.OpLt:
			return constant(scalar.Bool, 0)
		case scalar.OpMin, scalar.OpMax:
			return arg(0)
		}
	}
	if text := p.doubleOp(in, from); text != "" {
		return text
	}
	switch in.Op {
	case scalar.OpConst:
		return p.constant(t, in.Imm)
	case scalar.OpSelect, scalar.OpRare:
		return fmt.Sprintf("%s ? %s : %s", arg(0), arg(1), arg(2))
	case scalar.OpEq:
		return fmt.Sprintf("(uchar)(%s == %s)", arg(0), arg(1))
	case scalar.OpNe:
		return fmt.Sprintf("(uchar)(%s != %s)", arg(0), arg(1))
	case scalar.OpLt:
		return fmt.Sprintf("(uchar)(%s < %s)", arg(0), arg(1))
	case scalar.OpLe:
		return fmt.Sprintf("(uchar)(%s <= %s)", arg(0), arg(1))
	case scalar.OpConvert:
		return convert(t, from, arg(0))
	case scalar.OpBitcast:
		return fmt.Sprintf("as_%s(%s)", p.typeName(t), arg(0))
	case scalar.OpLookup:
		table := p.f.Kernel.Tables[in.Imm]
		return fmt.Sprintf("as_%s(%s_t%d[%s & %d])", p.typeName(t), p.name, in.Imm, arg(0), len(table.Bits)-1)
	}
	switch {
	case t.IsFloat():
		return floatOp(in.Op, t, arg)
	case t == scalar.Bool:
		return boolOp(in.Op, arg)
	}
	return intOp(in.Op, t, arg)
}

func boolOp(o scalar.Op, arg func(int) string) string {
	switch o {
	case scalar.OpAnd, scalar.OpMin, scalar.OpMul:
		return fmt.Sprintf("%s & %s", arg(0), arg(1))
	case scalar.OpOr, scalar.OpMax:
		return fmt.Sprintf("%s | %s", arg(0), arg(1))
	case scalar.OpXor, scalar.OpAdd, scalar.OpSub:
		return fmt.Sprintf("%s ^ %s", arg(0), arg(1))
	case scalar.OpNot:
		return arg(0) + " ^ 1"
	}
	panic("BUG: " + o.String() + " of bool")
}

var plain = map[scalar.Op]string{scalar.OpAdd: "+", scalar.OpSub: "-", scalar.OpMul: "*", scalar.OpDiv: "/", scalar.OpAnd: "&", scalar.OpOr: "|", scalar.OpXor: "^"}

func floatOp(o scalar.Op, t scalar.Type, arg func(int) string) string {
	bits, nan := "uint", constant(t, scalar.NaNBits32)
	low, high := "0x7fffffffu", "0x80000000u"
	if t == scalar.F64 {
		bits, nan = "ulong", constant(t, scalar.NaNBits64)
		low, high = "0x7ffffffffffffffful", "0x8000000000000000ul"
	}
	name := typeNames[t]
	switch o {
	case scalar.OpAdd, scalar.OpSub, scalar.OpMul, scalar.OpDiv:
		return fmt.Sprintf("%s %s %s", arg(0), plain[o], arg(1))
	case scalar.OpFMA:
		return fmt.Sprintf("fma(%s, %s, %s)", arg(0), arg(1), arg(2))
	case scalar.OpNeg:
		return fmt.Sprintf("as_%s(as_%s(%s) ^ %s)", name, bits, arg(0), high)
	case scalar.OpAbs:
		return fmt.Sprintf("as_%s(as_%s(%s) & %s)", name, bits, arg(0), low)
	case scalar.OpCanon:
		return fmt.Sprintf("%s != %s ? %s : %s", arg(0), arg(0), nan, arg(0))
	case scalar.OpMin, scalar.OpMax:
		// NaN wins. Of equals −0 is the lesser: they differ in the sign bit alone.
		less, zero := "<", "|"
		if o == scalar.OpMax {
			less, zero = ">", "&"
		}
		a, b := arg(0), arg(1)
		return fmt.Sprintf("%s != %s ? %s : %s != %s ? %s : %s %s %s ? %s : %s %s %s ? %s : as_%s(as_%s(%s) %s as_%s(%s))",
			a, a, a, b, b, b, a, less, b, a, b, less, a, b, name, bits, a, zero, bits, b)
	case scalar.OpSqrt:
		return fmt.Sprintf("sqrt(%s)", arg(0))
	case scalar.OpFloor, scalar.OpCeil, scalar.OpTrunc, scalar.OpRint:
		// A driver's functions may convert to integers, so that their results for constants that are NaN or
		// large are undefined: PoCL's rint and trunc do. From 2²³ or 2⁵² on every number is an integer.
		x, whole := arg(0), map[scalar.Type]string{scalar.F32: "8388608.0f", scalar.F64: "4503599627370496.0"}[t]
		if o == scalar.OpRint {
			return fmt.Sprintf("fabs(%s) < %s ? copysign((fabs(%s) + %s) - %s, %s) : %s", x, whole, x, whole, whole, x, x)
		}
		f := map[scalar.Op]string{scalar.OpFloor: "floor", scalar.OpCeil: "ceil", scalar.OpTrunc: "trunc"}[o]
		return fmt.Sprintf("fabs(%s) < %s ? %s(%s) : %s", x, whole, f, x, x)
	case scalar.OpScale:
		return scale(t, arg(0), arg(1))
	}
	panic("BUG: " + o.String() + " of " + t.String())
}

// scale multiplies by 2^⌊n/2⌋ and by the rest, as scalar.Builder.Scale allows. An n
// without such powers of this type occurs only if x is NaN.
func scale(t scalar.Type, x, n string) string {
	if t == scalar.F32 {
		h := fmt.Sprintf("clamp(convert_int_sat_rtn(%s * 0.5f), -126, 127)", n)
		return fmt.Sprintf("(%s * as_float((%s + 127) << 23)) * as_float((clamp(convert_int_sat_rtz(%s) - %s, -126, 127) + 127) << 23)", x, h, n, h)
	}
	h := fmt.Sprintf("clamp(convert_long_sat_rtn(%s * 0.5), -1022l, 1023l)", n)
	return fmt.Sprintf("(%s * as_double((%s + 1023l) << 52)) * as_double((clamp(convert_long_sat_rtz(%s) - %s, -1022l, 1023l) + 1023l) << 52)", x, h, n, h)
}

func intOp(o scalar.Op, t scalar.Type, arg func(int) string) string {
	name, u := typeNames[t], unsigned(t)
	width := t.Bits()
	if o == scalar.OpAdd || o == scalar.OpSub || o == scalar.OpMul {
		wide := u
		if t.Size() < 4 {
			wide = "uint" // C computes short types as int
		}
		return fmt.Sprintf("(%s)((%s)%s %s (%s)%s)", name, wide, arg(0), plain[o], wide, arg(1))
	}
	switch o {
	case scalar.OpAnd, scalar.OpOr, scalar.OpXor:
		return fmt.Sprintf("%s %s %s", arg(0), plain[o], arg(1))
	case scalar.OpNot:
		return fmt.Sprintf("(%s)~%s", name, arg(0))
	case scalar.OpNeg:
		return fmt.Sprintf("(%s)(0 - (%s)%s)", name, u, arg(0))
	case scalar.OpAbs:
		if !t.IsSigned() {
			return arg(0)
		}
		return fmt.Sprintf("%s < 0 ? (%s)(0 - (%s)%s) : %s", arg(0), name, u, arg(0), arg(0))
	case scalar.OpMin:
		return fmt.Sprintf("%s < %s ? %s : %s", arg(0), arg(1), arg(0), arg(1))
	case scalar.OpMax:
		return fmt.Sprintf("%s > %s ? %s : %s", arg(0), arg(1), arg(0), arg(1))
	case scalar.OpDiv:
		if t.IsSigned() { // MIN/−1 wraps
			return fmt.Sprintf("%s == 0 ? (%s)-1 : %s == -1 ? (%s)(0 - (%s)%s) : (%s)(%s / %s)", arg(1), name, arg(1), name, u, arg(0), name, arg(0), arg(1))
		}
		return fmt.Sprintf("%s == 0 ? (%s)~(%s)0 : (%s)(%s / %s)", arg(1), name, name, name, arg(0), arg(1))
	case scalar.OpRem:
		if t.IsSigned() {
			return fmt.Sprintf("%s == 0 ? %s : %s == -1 ? (%s)0 : (%s)(%s %% %s)", arg(1), arg(0), arg(1), name, name, arg(0), arg(1))
		}
		return fmt.Sprintf("%s == 0 ? %s : (%s)(%s %% %s)", arg(1), arg(0), name, arg(0), arg(1))
	case scalar.OpMulHi:
		return fmt.Sprintf("mul_hi(%s, %s)", arg(0), arg(1))
	case scalar.OpShl:
		return fmt.Sprintf("(%s)%s < %d ? (%s)((%s)%s << (%s)%s) : (%s)0", u, arg(1), width, name, u, arg(0), u, arg(1), name)
	case scalar.OpShr:
		if t.IsSigned() {
			return fmt.Sprintf("(%s)(%s >> ((%s)%s < %d ? (%s)%s : (%s)%d))", name, arg(0), u, arg(1), width, u, arg(1), u, width-1)
		}
		return fmt.Sprintf("%s < %d ? (%s)(%s >> %s) : (%s)0", arg(1), width, name, arg(0), arg(1), name)
	case scalar.OpClz:
		return fmt.Sprintf("clz(%s)", arg(0))
	case scalar.OpPopCount:
		return fmt.Sprintf("popcount(%s)", arg(0))
	}
	panic("BUG: " + o.String() + " of " + t.String())
}

func convert(to, from scalar.Type, x string) string {
	name := typeNames[to]
	switch {
	case from.IsFloat() && to.IsFloat():
		return fmt.Sprintf("convert_%s_rte(%s)", name, x)
	case from.IsFloat():
		return fmt.Sprintf("%s != %s ? (%s)0 : convert_%s_sat_rtz(%s)", x, x, name, name, x)
	case to.IsFloat():
		return fmt.Sprintf("convert_%s_rte(%s)", name, x)
	}
	return fmt.Sprintf("(%s)%s", name, x)
}
