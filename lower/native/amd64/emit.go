package amd64

import (
	"fmt"
	"strings"
)

// emitter turns intermediate instructions into bytes once registers are known.
type emitter struct {
	*code
	temps      [3]Reg // vector registers for spilled operands
	nv, ng, nk int    // how many temporaries the instruction uses
	listing    *strings.Builder
	shuffle    []regMove
}

// generalTemps serve spilled operands.
var generalTemps = [3]Reg{RAX, RCX, RDX}

// maskTemps serve spilled masks.
var maskTemps = [2]Reg{7, 6}

// assemble allocates registers and encodes the list. It returns the code with its
// constants, the length of the code alone, and the bytes of scratch memory.
func (c *code) assemble(listing *strings.Builder) ([]byte, int, int) {
	c.slots = (c.scratch + 63) &^ 63
	for i := range c.regs {
		c.regs[i].start, c.regs[i].end, c.regs[i].weight = -1, -1, 0
	}
	c.foldLoads()
	list := c.list
	c.allocateFunctions()
	c.list = list
	c.inRegisters(c.intervals(), registers(c.isa), [numClasses]bool{})
	if len(c.calls) > 0 {
		c.swapSlot()
	}
	e := &emitter{code: c, listing: listing}
	top := Reg(31)
	if c.isa == AVX2 {
		top = 15
	}
	e.temps = [3]Reg{top, top - 1, top - 2}
	for range c.labels {
		c.enc.NewLabel()
	}
	if c.slots > 0 {
		// The scratch pointer is the first argument.
		e.put(&Inst{Op: Mov, R: RSI, UseMem: true, Mem: Mem{Base: RDI, Index: NoReg}})
	}
	for i := range c.list {
		e.inst(&c.list[i])
	}
	if c.streamed {
		e.put(&Inst{Op: Sfence})
	}
	e.put(&Inst{Op: Vzeroupper})
	e.put(&Inst{Op: Ret})
	for i := range c.functions {
		f := &c.functions[i]
		e.temps = f.temps
		e.enc.Bind(Label(f.label))
		for k := range f.list {
			e.inst(&f.list[k])
		}
	}
	out, n := c.enc.Finish()
	return out, n, int(c.slots)
}

func (e *emitter) put(in *Inst) {
	if e.listing != nil {
		fmt.Fprintf(e.listing, "%6x\t%s\n", e.enc.Len(), in.String())
	}
	e.emitted++
	e.enc.Emit(in)
}

func (e *emitter) inst(in *minst) {
	e.nv, e.ng, e.nk = 0, 0, 0
	switch in.kind {
	case kindLabel:
		if e.listing != nil {
			fmt.Fprintf(e.listing, "L%d:\n", in.label)
		}
		e.enc.Bind(Label(in.label))
	case kindJump:
		e.jump(Jmp, in.label)
	case kindBranch:
		e.op(in)
		e.jump(jumps[in.cond], in.label)
	case kindComment:
		if e.listing != nil {
			fmt.Fprintf(e.listing, "\t\t; %s\n", e.text[in.imm])
		}
	case kindConst:
		if v := &e.regs[in.d]; v.slot == 0 && v.start >= 0 {
			e.loadConst(v.reg, v)
		}
	case kindCall:
		e.invoke(&e.calls[in.imm])
	case kindParams:
		e.fromFirst(e.functions[in.imm].params)
	case kindReturn:
		e.toFirst(e.functions[in.imm].results)
		e.enc.jumpTo(linkReg)
		e.emitted++
	case kindMove:
		e.move(in)
	case kindFMA:
		e.fma(in)
	case kindOp:
		if in.op == Min || in.op == Max {
			e.extreme(in)
			break
		}
		e.op(in)
	}
}

func (e *emitter) jump(op Op, to label) {
	if e.listing != nil {
		fmt.Fprintf(e.listing, "%6x\t%s L%d\n", e.enc.Len(), op, to)
	}
	e.enc.Jump(op, Label(to))
}

// loadConst loads a constant into a register.
func (e *emitter) loadConst(r Reg, v *vinfo) {
	op := Vmovups
	switch v.bcast {
	case 1:
		op = Vpbroadcastb
	case 2:
		op = Vpbroadcastw
	case 4:
		op = Vbroadcastss
	case 8:
		op = Vbroadcastsd
		if v.len == L128 {
			op = Vpbroadcastq
		}
	}
	e.put(&Inst{Op: op, Len: v.len, R: r, UseMem: true, Mem: Mem{Pool: true, Index: NoReg, Disp: v.off}})
}

// slot returns the memory of a spilled register.
func slotOf(v *vinfo) Mem { return Mem{Base: RSI, Index: NoReg, Disp: v.slot - 1} }

var (
	loadOf  = [numClasses]Op{classV: Vmovups, classG: Mov, classK: Kmovq}
	storeOf = [numClasses]Op{classV: VmovupsS, classG: MovS, classK: KmovqS}
)

// fixed returns the register of r where it has one.
func (e *emitter) fixed(r vreg) (Reg, bool) {
	switch r {
	case argsReg:
		return RDI, true
	case scratchReg:
		return RSI, true
	}
	v := &e.regs[r]
	if v.start < 0 {
		panic("BUG: register without a definition")
	}
	return v.reg, v.slot == 0
}

// temp returns a register that holds spilled values of a class for one instruction.
func (e *emitter) temp(cl class) Reg {
	switch cl {
	case classV:
		e.nv++
		return e.temps[e.nv-1]
	case classG:
		e.ng++
		return generalTemps[e.ng-1]
	}
	e.nk++
	return maskTemps[e.nk-1]
}

// read returns a register with the value of r, loaded if it is spilled.
func (e *emitter) read(r vreg) Reg {
	if reg, ok := e.fixed(r); ok {
		return reg
	}
	v := &e.regs[r]
	t := e.temp(v.class)
	e.load(t, v)
	return t
}

func (e *emitter) load(t Reg, v *vinfo) {
	if v.konst {
		e.loadConst(t, v)
		return
	}
	e.put(&Inst{Op: loadOf[v.class], Len: v.len, R: t, UseMem: true, Mem: slotOf(v)})
}

func (e *emitter) store(v *vinfo, t Reg) {
	e.put(&Inst{Op: storeOf[v.class], Len: v.len, R: t, UseMem: true, Mem: slotOf(v)})
}

// memory makes the operand M of out the spilled register r, if the instruction can read it there.
func (e *emitter) memory(out *Inst, r vreg) bool {
	v := &e.regs[r]
	info := &opTable[out.Op]
	if v.class == classG {
		if info.space != legacy || info.vexW == 0 || info.form == formMR {
			return false
		}
		out.UseMem, out.Mem = true, slotOf(v)
		return true
	}
	if v.class != classV || info.tuple != tupleFV && info.tuple != tupleFVM || info.form == formMR || info.flags&regHalf != 0 ||
		info.form == formVM && (e.isa == AVX2 || info.tuple != tupleFV) {
		return false
	}
	switch {
	case !v.konst && v.len >= out.Len:
		out.UseMem, out.Mem = true, slotOf(v)
	case !v.konst:
		return false
	case v.bcast == 0 && v.len >= out.Len:
		out.UseMem, out.Mem = true, Mem{Pool: true, Index: NoReg, Disp: v.off}
	case info.tuple == tupleFV && info.size == v.bcast && info.space&evex != 0:
		out.UseMem, out.Bcast, out.Mem = true, true, Mem{Pool: true, Index: NoReg, Disp: v.off}
	default:
		return false
	}
	return true
}

func (e *emitter) move(in *minst) {
	d, s := &e.regs[in.d], in.b
	if d.start < 0 {
		return
	}
	dr, dok := e.fixed(in.d)
	sr, sok := Reg(0), true
	if s > 0 {
		sr, sok = e.fixed(s)
	} else {
		sr, _ = e.fixed(s)
	}
	switch {
	case dok && sok:
		if dr != sr {
			e.moveReg(d, dr, sr)
		}
	case dok:
		e.load(dr, &e.regs[s])
	case sok:
		e.store(d, sr)
	default:
		e.store(d, e.read(s))
	}
}

func (e *emitter) moveReg(v *vinfo, d, s Reg) {
	switch v.class {
	case classV:
		e.put(&Inst{Op: Vmovaps, Len: v.len, R: d, M: s})
	case classG:
		e.put(&Inst{Op: Mov, R: d, M: s})
	default:
		e.put(&Inst{Op: Kmovq, R: d, M: s})
	}
}
