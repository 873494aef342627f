package arm64

import "github.com/weft-go/weft/lower/native"

var conds = [...]cond{native.Eq: condEq, native.Ne: condNe, native.Lt: condLt, native.Le: condLe, native.Gt: condGt, native.Ge: condGe}

func (e *writer) branch(in *native.Inst) {
	x := Reg(0) // the register that is compared with 0
	switch in.Op {
	case native.Cmp:
		a, b := e.Read(in.A), constReg
		if in.Mem {
			load := Inst{Op: gLdrX, D: constReg}
			e.address(&load, in)
			e.put(&load)
		} else {
			b = e.Read(in.B)
		}
		e.put(&Inst{Op: gSubs, D: zr, N: a, M: b})
		e.putTo(&Inst{Op: gBcond, Cond: conds[in.Cond]}, int32(in.Label))
		return
	case native.CmpI:
		x = e.Read(in.B)
		if in.Imm != 0 {
			e.compareConst(x, in.Imm)
			e.putTo(&Inst{Op: gBcond, Cond: conds[in.Cond]}, int32(in.Label))
			return
		}
	case native.Test:
		if x = e.Read(in.A); in.A != in.B {
			e.put(&Inst{Op: gAnd, D: constReg, N: x, M: e.Read(in.B)})
			x = constReg
		}
	default: // compares its result, which is stored before the jump
		d, ok := e.destination(in)
		flags := in.Cond > native.Ne && e.generalFlags(in, d)
		if !flags {
			e.general(in, d)
		}
		if x = d; !ok {
			e.Store(&e.Regs[in.D], d)
		}
		if flags {
			e.putTo(&Inst{Op: gBcond, Cond: conds[in.Cond]}, int32(in.Label))
			return
		}
	}
	switch in.Cond {
	case native.Eq:
		e.putTo(&Inst{Op: gCbz, D: x}, int32(in.Label))
	case native.Ne:
		e.putTo(&Inst{Op: gCbnz, D: x}, int32(in.Label))
	default:
		e.compareConst(x, 0)
		e.putTo(&Inst{Op: gBcond, Cond: conds[in.Cond]}, int32(in.Label))
	}
}

// generalFlags writes an addition or a subtraction that compares its result with 0, if there is such
// an instruction.
func (e *writer) generalFlags(in *native.Inst, d Reg) bool {
	n := in.Imm
	switch in.Op {
	case native.AddI:
	case native.SubI:
		n = -n
	default:
		return false
	}
	op := gAddsI
	if n < 0 {
		op, n = gSubsI, -n
	}
	if n >= 1<<12 {
		return false
	}
	e.put(&Inst{Op: op, D: d, N: e.Read(in.C), Imm: n})
	return true
}

func (e *writer) compareConst(x Reg, n int64) {
	switch {
	case n >= 0 && n < 1<<12:
		e.put(&Inst{Op: gSubsI, D: zr, N: x, Imm: n})
	case n < 0 && n > -1<<12:
		e.put(&Inst{Op: gAddsI, D: zr, N: x, Imm: -n})
	default:
		e.constant(constReg, n)
		e.put(&Inst{Op: gSubs, D: zr, N: x, M: constReg})
	}
}
