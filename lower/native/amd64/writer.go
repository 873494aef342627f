package amd64

import "fmt"

// generalTemps serve spilled operands.
var generalTemps = [3]Reg{RAX, RCX, RDX}

// maskTemps serve spilled masks.
var maskTemps = [2]Reg{7, 6}

// linkReg contains the address behind the jump to a function.
const linkReg = 11

// A writer encodes the instructions of a kernel once registers are known.
type writer struct {
	*emitter
	isa ISA
	enc *Encoder
}

// begin prepares labels, and loads the scratch pointer, the first argument, where it is used.
func (e *writer) begin(labels int, scratch bool) {
	for range labels {
		e.enc.NewLabel()
	}
	if scratch {
		e.put(&Inst{Op: Mov, R: RSI, UseMem: true, Mem: Mem{Base: RDI, Index: NoReg}})
	}
}

// end returns to the caller.
func (e *writer) end(streamed bool) {
	if streamed {
		e.put(&Inst{Op: Sfence})
	}
	e.put(&Inst{Op: Vzeroupper})
	e.put(&Inst{Op: Ret})
}

// finish returns the bytes of code and constants, and the length of the code alone.
func (e *writer) finish(pool []byte) ([]byte, int) {
	e.enc.pool = append(e.enc.pool[:0], pool...)
	return e.enc.Finish()
}

func (e *writer) put(in *Inst) {
	if e.listing != nil {
		fmt.Fprintf(e.listing, "%6x\t%s\n", e.enc.Len(), in.String())
	}
	e.emitted++
	e.enc.Emit(in)
}

func (e *writer) inst(in *minst) {
	switch {
	case in.kind == kindFMA:
		e.fma(in)
	case in.kind == kindBranch:
		e.op(in)
		e.jumpIf(jumps[in.cond], in.label)
	case in.op == Min || in.op == Max:
		e.extreme(in)
	default:
		e.op(in)
	}
}

func (e *writer) bind(l label) { e.enc.Bind(Label(l)) }

func (e *writer) jump(to label) { e.jumpIf(Jmp, to) }

func (e *writer) jumpIf(op Op, to label) {
	if e.listing != nil {
		fmt.Fprintf(e.listing, "%6x\t%s L%d\n", e.enc.Len(), op, to)
	}
	e.enc.Jump(op, Label(to))
}

// call jumps to a function, which returns to the address in linkReg.
func (e *writer) call(to label) {
	back := e.enc.NewLabel()
	if e.listing != nil {
		fmt.Fprintf(e.listing, "%6x\tcall L%d\n", e.enc.Len(), to)
	}
	e.enc.loadAddress(linkReg, back)
	e.enc.Jump(Jmp, Label(to))
	e.enc.Bind(back)
	e.emitted += 2
}

func (e *writer) ret() {
	e.enc.jumpTo(linkReg)
	e.emitted++
}

// copyReg copies a register of a class.
func (e *writer) copyReg(c class, length uint8, d, s Reg) {
	e.put(&Inst{Op: [...]Op{classV: Vmovaps, classG: Mov, classK: Kmovq}[c], Len: length, R: d, M: s})
}

// slot is the memory of a spilled register.
func slot(at int32) Mem { return Mem{Base: RSI, Index: NoReg, Disp: at} }

func (e *writer) loadSlot(c class, length uint8, d Reg, at int32) {
	e.put(&Inst{Op: [...]Op{classV: Vmovups, classG: Mov, classK: Kmovq}[c], Len: length, R: d, UseMem: true, Mem: slot(at)})
}

func (e *writer) storeSlot(c class, length uint8, s Reg, at int32) {
	e.put(&Inst{Op: [...]Op{classV: VmovupsS, classG: MovS, classK: KmovqS}[c], Len: length, R: s, UseMem: true, Mem: slot(at)})
}

// loadConst loads a constant into a register.
func (e *writer) loadConst(r Reg, v *vinfo) {
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
