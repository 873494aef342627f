package arm64

import (
	"fmt"
	"math/bits"

	"github.com/weft-go/weft/lower/native"
)

// A writer encodes the instructions of a kernel once registers are known.
type writer struct {
	*native.Emitter
	enc *encoder

	sum    [2]Reg // base and index whose sum is in sumReg
	scale  uint8
	hasSum bool

	stubs []func() // write what is seldom reached, behind the code
}

// Begin prepares labels, and loads the scratch pointer, the first argument, where it is used.
func (e *writer) Begin(labels int, scratch bool) {
	e.enc.reset(labels)
	if scratch {
		e.put(&Inst{Op: gLdrX, D: scratchReg, N: argsReg})
	}
}

// End returns to the caller.
func (e *writer) End(bool) {
	e.put(&Inst{Op: gRet})
	for _, write := range e.stubs {
		write()
	}
}

// Finish returns the bytes of code and constants, and the length of the code alone.
func (e *writer) Finish(pool []byte) ([]byte, int) {
	code, size, ok := e.enc.finish(pool)
	if !ok {
		native.Refuse("code of more than a megabyte")
	}
	return code, size
}

// note counts an instruction and adds it to the listing. What it writes may have been part of a sum.
func (e *writer) note(in *Inst, place string) {
	if e.Listing != nil {
		fmt.Fprintf(e.Listing, "%6x\t%s\n", len(e.enc.buf), in.text(place))
	}
	e.Emitted++
	switch opTable[in.Op].form {
	case formGE, formGV, formLoadG, formWide, formGGG, formGGS, formGGI, formGGM, formGGL, formGGR, formGGC, formAdr:
		if in.D == sumReg || in.D == e.sum[0] || in.D == e.sum[1] {
			e.hasSum = false
		}
	}
}

func (e *writer) put(in *Inst) {
	e.note(in, "")
	e.enc.emit(in)
}

// putTo appends an instruction with the distance to a label.
func (e *writer) putTo(in *Inst, to int32) {
	e.note(in, fmt.Sprintf("L%d", to))
	e.enc.emitTo(in, to)
}

// putPool appends an instruction with the distance to an offset in the pool.
func (e *writer) putPool(in *Inst, offset int32) {
	e.note(in, fmt.Sprintf("pool+%d", offset))
	e.enc.emitPool(in, offset)
}

func (e *writer) Bind(l native.Label) {
	e.hasSum = false
	e.enc.bind(int32(l))
}

func (e *writer) Jump(to native.Label) { e.putTo(&Inst{Op: gB}, int32(to)) }

// Call jumps to a function, which returns to the address in linkReg.
func (e *writer) Call(to native.Label) {
	back := e.enc.newLabel()
	e.putTo(&Inst{Op: gAdr, D: linkReg}, back)
	e.Jump(to)
	e.Bind(native.Label(back))
}

func (e *writer) Ret() { e.put(&Inst{Op: gBr, N: linkReg}) }

// CopyReg copies a register of a class.
func (e *writer) CopyReg(c native.Class, _ uint8, d, s Reg) {
	if c == native.ClassV {
		e.put(&Inst{Op: vOrr, D: d, N: s, M: s})
		return
	}
	e.put(&Inst{Op: gOrr, D: d, N: zr, M: s})
}

func (e *writer) LoadSlot(c native.Class, _ uint8, d Reg, at int32) {
	op := gLdrX
	if c == native.ClassV {
		op = vLdrQ
	}
	in := Inst{Op: op, D: d}
	e.displace(&in, scratchReg, int64(at))
	e.put(&in)
}

func (e *writer) StoreSlot(c native.Class, _ uint8, s Reg, at int32) {
	op := gStrX
	if c == native.ClassV {
		op = vStrQ
	}
	in := Inst{Op: op, D: s}
	e.displace(&in, scratchReg, int64(at))
	e.put(&in)
}

// LoadConst loads a constant into a register.
func (e *writer) LoadConst(d Reg, v *native.RegInfo) {
	for _, b := range e.Pool[v.Off:][:vectorBytes] {
		if b != 0 {
			e.putPool(&Inst{Op: vLiteral, D: d}, v.Off)
			return
		}
	}
	e.put(&Inst{Op: vZero, D: d})
}

// constant writes d = x, in the fewer of the pieces of 16 bits that are not zero, or not all ones.
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

// addConst writes d = n + x.
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

// displace makes base + disp the address of a load or a store.
func (e *writer) displace(out *Inst, base Reg, disp int64) {
	if fitsOffset(out.Op, disp) {
		out.N, out.Imm = base, disp
		return
	}
	e.addConst(constReg, base, disp)
	out.N, out.Imm = constReg, 0
}

// address makes the memory operand of an instruction that of a load or a store.
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

// sumOf returns a register with base + index<<scale.
func (e *writer) sumOf(base, index Reg, scale uint8) Reg {
	if sum := [2]Reg{base, index}; !e.hasSum || e.sum != sum || e.scale != scale {
		e.put(&Inst{Op: gAdd, D: sumReg, N: base, M: index, Imm: int64(scale)})
		e.sum, e.scale, e.hasSum = sum, scale, true
	}
	return sumReg
}

// pointer returns a register with the address of a memory operand.
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

// destination returns the register that an instruction writes, and whether that is the register of D.
func (e *writer) destination(in *native.Inst) (d Reg, ok bool) {
	if d, ok = e.Fixed(in.D); ok {
		return d, true
	}
	if e.Regs[in.D].Class == native.ClassV {
		return e.Temps[2], false
	}
	return generalTemps[2], false
}

func (e *writer) Inst(in *native.Inst) {
	switch {
	case in.Kind == native.KindBranch:
		e.branch(in)
	case in.Kind == native.KindFMA:
		e.choose(in)
	case in.Op == opLoadPart || in.Op == opStorePart:
		e.part(in)
	case in.Op == native.Align:
		for len(e.enc.buf)%int(in.Imm) != 0 {
			e.put(&Inst{Op: gNop})
		}
	case in.Op == native.Prefetch:
		out := Inst{Op: gPrfm}
		e.address(&out, in)
		e.put(&out)
	case in.D == 0:
		e.store(in)
	default:
		d, ok := e.destination(in)
		switch {
		case in.Op >= native.NumOps:
			e.vector(in, d)
		case in.Pool && in.Op == native.Address:
			e.putPool(&Inst{Op: gAdr, D: d}, in.Disp)
		case in.Pool:
			e.putPool(&Inst{Op: vLiteral, D: d}, in.Disp)
		case in.Mem && loads[in.Op] != native.NoOp:
			out := Inst{Op: loads[in.Op], D: d}
			e.address(&out, in)
			e.put(&out)
		default:
			e.general(in, d)
		}
		if !ok {
			e.Store(&e.Regs[in.D], d)
		}
	}
}

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

// conds are the conditions of branches.
var conds = [...]cond{native.Eq: condEq, native.Ne: condNe, native.Lt: condLt, native.Le: condLe, native.Gt: condGt, native.Ge: condGe}

// branch compares and jumps.
func (e *writer) branch(in *native.Inst) {
	x := Reg(0) // is compared with 0
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
	default: // compares its result, which a jump must not leave behind
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

// vector writes an instruction of this target.
func (e *writer) vector(in *native.Inst, d Reg) {
	out := Inst{Op: in.Op, D: d, Imm: in.Imm}
	if in.Op == gAdr {
		e.putPool(&out, int32(in.Imm))
		return
	}
	switch {
	case in.Mem:
		out.N = e.pointer(in)
	case in.A != 0:
		out.N, out.M = e.Read(in.A), e.Read(in.B)
	case in.B != 0:
		out.N = e.Read(in.B)
	}
	if in.C != 0 { // the result starts from it
		if c, ok := e.Fixed(in.C); !ok {
			e.Load(d, &e.Regs[in.C])
		} else if c != d {
			e.CopyReg(native.ClassV, 0, d, c)
		}
	}
	e.put(&out)
}

// choose writes d = c ? a : b by bits, in the form that overwrites the register of the destination.
func (e *writer) choose(in *native.Inst) {
	d, ok := e.destination(in)
	c, a, b := e.Read(in.C), e.Read(in.A), e.Read(in.B)
	switch d {
	case a:
		e.put(&Inst{Op: vBif, D: d, N: b, M: c})
	case b:
		e.put(&Inst{Op: vBit, D: d, N: a, M: c})
	default:
		if c != d {
			e.CopyReg(native.ClassV, 0, d, c)
		}
		e.put(&Inst{Op: vBsl, D: d, N: a, M: b})
	}
	if !ok {
		e.Store(&e.Regs[in.D], d)
	}
}

// log2 returns the logarithm of a power of two.
func log2(n int) int { return bits.TrailingZeros(uint(n)) }
