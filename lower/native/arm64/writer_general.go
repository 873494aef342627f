package arm64

import (
	"fmt"

	"github.com/weft-go/weft/lower/native"
)

// general writes an operation on general registers that every target has.
func (e *writer) general(in *native.Inst, d Reg) {
	read := func(r native.VReg) Reg {
		if r == 0 {
			return zr
		}
		return e.Read(r)
	}
	switch in.Op {
	case native.Const:
		e.constant(d, in.Imm)
		return
	case native.Address:
		n := e.Read(in.Base)
		if in.Index != 0 {
			e.put(&Inst{Op: gAdd, D: d, N: n, M: e.Read(in.Index), Imm: int64(in.Scale)})
			n = d
		}
		if in.Disp != 0 || in.Index == 0 {
			e.addConst(d, n, int64(in.Disp))
		}
		return
	case native.MulI:
		b := e.Read(in.B)
		e.constant(constReg, in.Imm)
		e.put(&Inst{Op: gMul, D: d, N: b, M: constReg})
		return
	}
	c, b := read(in.C), constReg
	if in.Mem {
		load := Inst{Op: gLdrX, D: constReg}
		e.address(&load, in)
		e.put(&load)
	} else {
		b = read(in.B)
	}
	switch in.Op {
	case native.Clear:
		e.constant(d, 0)
	case native.Add:
		e.put(&Inst{Op: gAdd, D: d, N: c, M: b})
	case native.AddI:
		e.addConst(d, c, in.Imm)
	case native.SubI:
		e.addConst(d, c, -in.Imm)
	case native.Sub:
		e.put(&Inst{Op: gSub, D: d, N: c, M: b})
	case native.Mul:
		e.put(&Inst{Op: gMul, D: d, N: c, M: b})
	case native.AndI:
		if _, _, ok := maskImm(in.Imm); ok {
			e.put(&Inst{Op: gAndI, D: d, N: c, Imm: in.Imm})
			return
		}
		e.constant(constReg, in.Imm)
		e.put(&Inst{Op: gAnd, D: d, N: c, M: constReg})
	case native.OrI:
		e.constant(constReg, in.Imm)
		e.put(&Inst{Op: gOrr, D: d, N: c, M: constReg})
	case native.Or:
		e.put(&Inst{Op: gOrr, D: d, N: c, M: b})
	case native.Not:
		e.put(&Inst{Op: gOrn, D: d, N: zr, M: c})
	case native.Neg:
		e.put(&Inst{Op: gSub, D: d, N: zr, M: c})
	case native.ShlI:
		e.put(&Inst{Op: gLsl, D: d, N: c, Imm: in.Imm})
	case native.ShrI:
		e.put(&Inst{Op: gLsr, D: d, N: c, Imm: in.Imm})
	case native.SarI:
		e.put(&Inst{Op: gAsr, D: d, N: c, Imm: in.Imm})
	case native.Min, native.Max:
		less := condLt
		if in.Op == native.Max {
			less = condGt
		}
		e.put(&Inst{Op: gSubs, D: zr, N: c, M: b})
		e.put(&Inst{Op: gCsel, D: d, N: c, M: b, Cond: less})
	default:
		panic(fmt.Sprintf("BUG: instruction %d of general registers", in.Op))
	}
}

func (e *writer) addConst(d, n Reg, x int64) {
	switch {
	case x >= 0 && x < 1<<12:
		e.put(&Inst{Op: gAddI, D: d, N: n, Imm: x})
	case x < 0 && x > -1<<12:
		e.put(&Inst{Op: gSubI, D: d, N: n, Imm: -x})
	default:
		e.constant(constReg, x)
		e.put(&Inst{Op: gAdd, D: d, N: n, M: constReg})
	}
}

// constant writes d = x in pieces of 16 bits: those that are not zero or, if there are fewer of these, those
// that are not all ones.
func (e *writer) constant(d Reg, x int64) {
	op, flip := gMovz, int64(0)
	if quarters(^x) < quarters(x) {
		op, flip = gMovn, -1
	}
	first := true
	for i := range int64(4) {
		q := (x ^ flip) >> (16 * i) & 0xffff
		switch {
		case q == 0 && (!first || i < 3):
		case first:
			e.put(&Inst{Op: op, D: d, Imm: q<<2 | i})
			first = false
		default:
			e.put(&Inst{Op: gMovk, D: d, Imm: x>>(16*i)&0xffff<<2 | i})
		}
	}
}

// quarters returns how many pieces of 16 bits of a number are not zero.
func quarters(x int64) (n int) {
	for u := uint64(x); u != 0; u >>= 16 {
		if u&0xffff != 0 {
			n++
		}
	}
	return n
}
