package scalar

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/weft-go/weft/core"
)

// String returns the program as text:
//
//	func(f32, c64) f32 {
//	  %0 = param f32 0
//	  %1 = param f32 1.1
//	  %2 = const f32 0x3f800000 ; 1
//	  %3 = fma f32 %0, %1, %2
//	  ret %3
//	}
//
// What follows a semicolon is a comment.
func (p *Prog) String() string {
	var b strings.Builder
	b.WriteString("func(" + dtypes(p.In) + ") " + dtypes(p.Out) + " {\n")
	for i, t := range p.Tables {
		fmt.Fprintf(&b, "  table t%d %v", i, t.Type)
		for k, x := range t.Bits {
			if k > 0 {
				b.WriteString(",")
			}
			b.WriteString(" 0x" + strconv.FormatUint(x, 16))
		}
		b.WriteString("\n")
	}
	for i, in := range p.Code {
		fmt.Fprintf(&b, "  %%%d = %s", i, p.InstText(in))
		if in.Op == OpConst {
			b.WriteString(constComment(in))
		}
		b.WriteString("\n")
	}
	b.WriteString("  ret")
	for i, r := range p.Results {
		if i > 0 {
			b.WriteString(",")
		}
		fmt.Fprintf(&b, " %%%d", r)
	}
	b.WriteString("\n}\n")
	return b.String()
}

func dtypes(dts []core.DType) string {
	s := make([]string, len(dts))
	for i, dt := range dts {
		s[i] = dt.String()
	}
	return strings.Join(s, ", ")
}

// InstText returns the text of an instruction of p, without the value that it defines.
func (p *Prog) InstText(in Inst) string {
	s := in.Text()
	if k := int(in.Imm >> 8); in.Op == OpParam && in.Imm&0xff == 0 && k < len(p.In) && Components(p.In[k]) > 1 {
		s += ".0"
	}
	return s
}

// Text returns the instruction as program text has it, without the value it defines.
func (in Inst) Text() string {
	s := in.Op.String() + " " + in.Type.String()
	switch in.Op {
	case OpParam:
		s += " " + strconv.Itoa(int(in.Imm>>8))
		if c := int(in.Imm & 0xff); c > 0 {
			s += "." + strconv.Itoa(c)
		}
	case OpLookup:
		s += " t" + strconv.FormatUint(in.Imm, 10)
	case OpConst:
		s += " 0x" + strconv.FormatUint(in.Imm, 16)
	case OpWiden, OpNarrow:
		s += " " + in.DType.String()
	}
	sep := " "
	for _, a := range in.Args {
		if a != NoRef {
			s += sep + "%" + strconv.Itoa(int(a))
			sep = ", "
		}
	}
	return s
}

func constComment(in Inst) string {
	switch {
	case in.Type == F32:
		return " ; " + strconv.FormatFloat(float64(math.Float32frombits(uint32(in.Imm))), 'g', -1, 32)
	case in.Type == F64:
		return " ; " + strconv.FormatFloat(math.Float64frombits(in.Imm), 'g', -1, 64)
	case in.Type.IsSigned():
		sh := 64 - in.Type.Bits()
		return " ; " + strconv.FormatInt(int64(in.Imm<<sh)>>sh, 10)
	}
	return ""
}
