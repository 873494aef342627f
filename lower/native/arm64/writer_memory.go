package arm64

import "github.com/weft-go/weft/lower/native"

// loads and stores of what every target has.
var (
	loads = map[Op]Op{native.Load8: gLdrB, native.Load16: gLdrH, native.Load32: gLdrW, native.Load64: gLdrX,
		native.VLoad1: vLdrB, native.VLoad2: vLdrH, native.VLoad4: vLdrS, native.VLoad8: vLdrD, native.VLoad: vLdrQ}
	stores = map[Op]Op{native.Store8: gStrB, native.Store16: gStrH, native.Store32: gStrW, native.Store64: gStrX,
		native.VStore1: vStrB, native.VStore2: vStrH, native.VStore4: vStrS, native.VStore8: vStrD, native.VStore: vStrQ}
)

func (e *writer) store(in *native.Inst) {
	out := Inst{Op: stores[in.Op], D: e.Read(in.A)}
	e.address(&out, in)
	e.put(&out)
}

// displace makes base + disp the address of a load or a store.
func (e *writer) displace(out *Inst, base Reg, disp int64) {
	if fitsOffset(out.Op, disp) {
		out.N, out.Imm = base, disp
		return
	}
	e.addConst(constReg, base, disp)
	out.N, out.Imm = constReg, 0
}

// address gives a load or a store the memory operand of an instruction.
func (e *writer) address(out *Inst, in *native.Inst) {
	base := e.Read(in.Base)
	if in.Index == 0 {
		e.displace(out, base, int64(in.Disp))
		return
	}
	index := e.Read(in.Index)
	if in.Disp == 0 && (in.Scale == 0 || in.Scale == opTable[out.Op].size) {
		out.N, out.M, out.Index, out.Shift = base, index, true, in.Scale > 0
		return
	}
	e.displace(out, e.sumOf(base, index, in.Scale), int64(in.Disp))
}

func (e *writer) sumOf(base, index Reg, scale uint8) Reg {
	if sum := [2]Reg{base, index}; !e.hasSum || e.sum != sum || e.scale != scale {
		e.put(&Inst{Op: gAdd, D: sumReg, N: base, M: index, Imm: int64(scale)})
		e.sum, e.scale, e.hasSum = sum, scale, true
	}
	return sumReg
}

func (e *writer) pointer(in *native.Inst) Reg {
	base := e.Read(in.Base)
	if in.Index != 0 {
		base = e.sumOf(base, e.Read(in.Index), in.Scale)
	}
	if in.Disp != 0 {
		e.addConst(constReg, base, int64(in.Disp))
		return constReg
	}
	return base
}

func (e *writer) LoadSlot(c native.Class, _ uint8, d Reg, at int32) {
	e.slot(c, gLdrX, vLdrQ, d, at)
}

func (e *writer) StoreSlot(c native.Class, _ uint8, s Reg, at int32) {
	e.slot(c, gStrX, vStrQ, s, at)
}

// slot loads or stores a spilled register of a class, whose slot is at an offset in scratch memory.
func (e *writer) slot(c native.Class, general, vector Op, r Reg, at int32) {
	in := Inst{Op: general, D: r}
	if c == native.ClassV {
		in.Op = vector
	}
	e.displace(&in, scratchReg, int64(at))
	e.put(&in)
}
