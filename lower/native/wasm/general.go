package wasm

import (
	"fmt"

	"github.com/weft-go/weft/lower/native"
)

// Addresses have 32 bits, other integers 64. A general register of which only the low half counts is an
// i32: most addresses are computed without conversions.

// modular reports whether an operation is known to need only the low halves of its operands for the low half of its
// result.
func modular(op native.Op) bool {
	switch op {
	case native.Const, native.Clear, native.Address, native.Add, native.AddI, native.Sub, native.SubI, native.Mul, native.MulI, native.ShlI, native.Load64, native.Load32:
		return true
	}
	return false
}

// findShort finds the registers of which only the low half counts.
func (w *writer) findShort() {
	w.short = make([]bool, len(w.Regs))
	for i := range w.short {
		w.short[i] = i > 0 && w.Regs[i].Class == native.ClassG
	}
	lists := w.lists()
	changed := true
	wide := func(r native.VReg) {
		if r > 0 && w.short[r] {
			w.short[r], changed = false, true
		}
	}
	for changed {
		changed = false
		for _, list := range lists {
			for i := range list {
				in := &list[i]
				switch {
				case in.Kind == native.KindMove, in.Kind == native.KindOp && modular(in.Op):
					if in.D > 0 && !w.short[in.D] {
						wide(in.A)
						wide(in.B)
						wide(in.C)
						if in.Op == native.Address {
							wide(in.Base)
							wide(in.Index)
						}
					}
				case in.Kind == native.KindOp && in.Op >= vectorOps && in.Op < opLoadPart:
					info := &opTable[in.Op-vectorOps]
					if info.params != "" && info.params[len(info.params)-1] == 'l' {
						wide(in.B)
					}
				case in.Kind == native.KindOp || in.Kind == native.KindBranch:
					wide(in.D)
					wide(in.A)
					wide(in.B)
					wide(in.C)
					wide(in.K)
				}
			}
		}
	}
}

// push32 pushes the low half of a general register.
func (w *writer) push32(r native.VReg) {
	switch r {
	case native.ArgsReg:
		w.get(argsLocal)
	case native.ScratchReg:
		w.get(scratchLocal)
	default:
		w.get(w.localOf(r))
		if !w.short[r] {
			w.op(i32WrapI64)
		}
	}
}

// push64 pushes a general register as an i64. Of a short one, the upper half is 0.
func (w *writer) push64(r native.VReg) {
	w.push32or64(r)
	if r < 0 || w.short[r] {
		w.op(extendU)
	}
}

func (w *writer) push32or64(r native.VReg) {
	if r < 0 || w.short[r] {
		w.push32(r)
	} else {
		w.get(w.localOf(r))
	}
}

// Offsets of accesses are less than mostOffset. WebAssembly adds them without a wrap, so an address less its offset
// must not be negative; it is not, since nothing of a program lies below mostOffset in memory.
const mostOffset = 4096

// address pushes an address and returns the offset that the access adds.
func (w *writer) address(in *native.Inst) (offset uint32) {
	if in.Pool {
		w.opUint(opGlobalGet, 0)
		return uint32(in.Disp)
	}
	w.push32(in.Base)
	if in.Index != 0 {
		w.push32(in.Index)
		if in.Scale > 0 {
			w.const32(int32(in.Scale))
			w.op(i32Shl)
		}
		w.op(i32Add)
	}
	if in.Disp >= 0 && in.Disp < mostOffset {
		return uint32(in.Disp)
	}
	w.const32(in.Disp)
	w.op(i32Add)
	return 0
}

// An arithmetic has the instructions of one operation: short on i32, wide on i64.
type arithmetic struct{ short, wide byte }

var arithmetics = map[native.Op]arithmetic{
	native.Add: {0x6a, 0x7c}, native.AddI: {0x6a, 0x7c}, native.Sub: {0x6b, 0x7d}, native.SubI: {0x6b, 0x7d},
	native.Mul: {0x6c, 0x7e}, native.MulI: {0x6c, 0x7e}, native.AndI: {0x71, 0x83}, native.Or: {0x72, 0x84}, native.OrI: {0x72, 0x84},
	native.ShlI: {0x74, 0x86}, native.SarI: {0x75, 0x87}, native.ShrI: {0x76, 0x88},
}

var generalLoads = map[native.Op]byte{native.Load8: i64Load8U, native.Load16: i64Load16U, native.Load32: i64Load32U, native.Load64: i64Load}

var generalStores = map[native.Op]byte{native.Store8: i64Store8, native.Store16: i64Store16, native.Store32: i64Store32, native.Store64: i64Store}

// general pushes the result of an operation on general registers: an i32 if its register is short, else an i64.
func (w *writer) general(in *native.Inst) {
	short := w.short[in.D]
	push := w.push64
	if short {
		push = w.push32
	}
	number := func(n int64) {
		if short {
			w.const32(int32(n))
		} else {
			w.const64(n)
		}
	}
	operand := func() { // the second one
		switch {
		case in.Mem && short:
			w.access(i32Load, w.address(in))
		case in.Mem:
			w.access(i64Load, w.address(in))
		default:
			push(in.B)
		}
	}
	switch in.Op {
	case native.Const:
		number(in.Imm)
	case native.Clear:
		number(0)
	case native.Address:
		if in.Pool {
			w.opUint(opGlobalGet, 0)
			w.const32(in.Disp)
			w.op(i32Add)
			if !short {
				w.op(extendU)
			}
			return
		}
		add := arithmetics[native.Add]
		push(in.Base)
		if in.Index != 0 {
			push(in.Index)
			if in.Scale > 0 {
				number(int64(in.Scale))
				w.arithmetic(native.ShlI, short)
			}
			w.choose(add, short)
		}
		if in.Disp != 0 {
			number(int64(in.Disp))
			w.choose(add, short)
		}
	case native.MulI:
		push(in.B)
		number(in.Imm)
		w.arithmetic(in.Op, short)
	case native.AddI, native.SubI, native.AndI, native.OrI, native.ShlI, native.ShrI, native.SarI:
		push(in.C)
		number(in.Imm)
		w.arithmetic(in.Op, short)
	case native.Add, native.Sub, native.Mul, native.Or:
		push(in.C)
		operand()
		w.arithmetic(in.Op, short)
	case native.Not:
		push(in.C)
		w.const64(-1)
		w.op(i64Xor)
	case native.Neg:
		w.const64(0)
		push(in.C)
		w.op(i64Sub)
	case native.Min, native.Max:
		for range 2 {
			push(in.C)
			operand()
		}
		if in.Op == native.Min {
			w.op(i64LtS)
		} else {
			w.op(i64GtS)
		}
		w.op(opSelect)
	case native.Load8, native.Load16, native.Load32, native.Load64:
		op := generalLoads[in.Op]
		if short {
			op = i32Load
		}
		w.access(op, w.address(in))
	default:
		panic(fmt.Sprintf("BUG: wasm: instruction %d of general registers", in.Op))
	}
}

func (w *writer) arithmetic(op native.Op, short bool) { w.choose(arithmetics[op], short) }

func (w *writer) choose(a arithmetic, short bool) {
	if short {
		w.op(a.short)
	} else {
		w.op(a.wide)
	}
}

var comparisons = [...]byte{native.Eq: i64Eq, native.Ne: i64Ne, native.Lt: i64LtS, native.Le: i64LeS, native.Gt: i64GtS, native.Ge: i64GeS}

func (w *writer) branch(in *native.Inst) {
	zero := false // compares the integer that is pushed with 0
	switch {
	case in.Op == native.Cmp:
		w.push64(in.A)
		if in.Mem {
			w.access(i64Load, w.address(in))
		} else {
			w.push64(in.B)
		}
	case in.Op == native.CmpI:
		w.push64(in.B)
		if zero = in.Imm == 0; !zero {
			w.const64(in.Imm)
		}
	case in.Op == native.Test:
		w.push64(in.A)
		if in.A != in.B {
			w.push64(in.B)
			w.op(i64And)
		}
		zero = true
	case in.Op >= vectorOps: // a condition of a vector, which is 0 or 1
		w.push(in.B)
		w.vec(in.Op)
		if in.Cond == native.Eq {
			w.op(i32Eqz)
		}
		w.jump(opBrIf, in.Label)
		return
	default:
		w.general(in)
		w.put(w.localOf(in.D))
		w.get(w.localOf(in.D))
		zero = true
	}
	if zero && in.Cond == native.Eq {
		w.op(i64Eqz)
	} else {
		if zero {
			w.const64(0)
		}
		w.op(comparisons[in.Cond])
	}
	w.jump(opBrIf, in.Label)
}
