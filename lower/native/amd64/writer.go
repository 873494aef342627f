package amd64

import (
	"fmt"

	"github.com/weft-go/weft/lower/native"
)

// generalTemps serve spilled operands.
var generalTemps = [3]Reg{RAX, RCX, RDX}

// maskTemps serve spilled masks.
var maskTemps = [2]Reg{7, 6}

// linkReg contains the address behind the jump to a function.
const linkReg = 11

// A writer encodes the instructions of a kernel once registers are known.
type writer struct {
	*native.Emitter
	isa ISA
	enc *Encoder
}

// Begin prepares labels, and loads the scratch pointer, the first argument, where it is used.
func (e *writer) Begin(labels int, scratch bool) {
	for range labels {
		e.enc.NewLabel()
	}
	if scratch {
		e.put(&Inst{Op: Mov, R: RSI, UseMem: true, Mem: Mem{Base: RDI, Index: NoReg}})
	}
}

// End writes the return to the caller.
func (e *writer) End(streamed bool) {
	if streamed {
		e.put(&Inst{Op: Sfence})
	}
	e.put(&Inst{Op: Vzeroupper})
	e.put(&Inst{Op: Ret})
}

// Finish returns the bytes of code and constants, and the length of the code alone.
func (e *writer) Finish(pool []byte) ([]byte, int) {
	e.enc.pool = append(e.enc.pool[:0], pool...)
	return e.enc.Finish()
}

func (e *writer) put(in *Inst) {
	if e.Listing != nil {
		fmt.Fprintf(e.Listing, "%6x\t%s\n", e.enc.Len(), in.String())
	}
	e.Emitted++
	e.enc.Emit(in)
}

func (e *writer) Inst(in *native.Inst) {
	switch {
	case in.Kind == native.KindFMA:
		e.fma(in)
	case in.Kind == native.KindBranch:
		e.op(in)
		e.jumpIf(jumps[in.Cond], in.Label)
	case in.Op == Min || in.Op == Max:
		e.Extreme(in)
	case in.Op == native.Clear:
		d := e.Read(in.D)
		e.put(&Inst{Op: Xor, R: d, M: d})
	case in.Op == native.Align:
		e.enc.Align(int(in.Imm))
	default:
		e.op(in)
	}
}

func (e *writer) Bind(l native.Label) { e.enc.Bind(Label(l)) }

func (e *writer) Jump(to native.Label) { e.jumpIf(Jmp, to) }

func (e *writer) jumpIf(op Op, to native.Label) {
	if e.Listing != nil {
		fmt.Fprintf(e.Listing, "%6x\t%s L%d\n", e.enc.Len(), mnemonic(op), to)
	}
	e.enc.Jump(op, Label(to))
}

// Call jumps to a function, which returns to the address in linkReg.
func (e *writer) Call(to native.Label) {
	back := e.enc.NewLabel()
	if e.Listing != nil {
		fmt.Fprintf(e.Listing, "%6x\tcall L%d\n", e.enc.Len(), to)
	}
	e.enc.loadAddress(linkReg, back)
	e.enc.Jump(Jmp, Label(to))
	e.enc.Bind(back)
	e.Emitted += 2
}

func (e *writer) Ret() {
	e.enc.jumpTo(linkReg)
	e.Emitted++
}

func (e *writer) CopyReg(c native.Class, length uint8, d, s Reg) {
	e.put(&Inst{Op: [...]Op{native.ClassV: Vmovaps, native.ClassG: Mov, native.ClassK: Kmovq}[c], Len: length, R: d, M: s})
}

func slot(at int32) Mem { return Mem{Base: RSI, Index: NoReg, Disp: at} }

func (e *writer) LoadSlot(c native.Class, length uint8, d Reg, at int32) {
	e.put(&Inst{Op: [...]Op{native.ClassV: Vmovups, native.ClassG: Mov, native.ClassK: Kmovq}[c], Len: length, R: d, UseMem: true, Mem: slot(at)})
}

func (e *writer) StoreSlot(c native.Class, length uint8, s Reg, at int32) {
	e.put(&Inst{Op: [...]Op{native.ClassV: VmovupsS, native.ClassG: MovS, native.ClassK: KmovqS}[c], Len: length, R: s, UseMem: true, Mem: slot(at)})
}

func (e *writer) LoadConst(r Reg, v *native.RegInfo) {
	op := Vmovups
	switch v.Bcast {
	case 1:
		op = Vpbroadcastb
	case 2:
		op = Vpbroadcastw
	case 4:
		op = Vbroadcastss
	case 8:
		op = Vbroadcastsd
		if v.Len == L128 {
			op = Vpbroadcastq
		}
	}
	e.put(&Inst{Op: op, Len: v.Len, R: r, UseMem: true, Mem: Mem{Pool: true, Index: NoReg, Disp: v.Off}})
}
