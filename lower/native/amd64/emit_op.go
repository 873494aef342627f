package amd64

import "github.com/weft-go/weft/lower/native"

// fma emits a·b + c, with the operation's signs, by the form that overwrites the register of the destination.
func (e *writer) fma(in *native.Inst) {
	dv := &e.Regs[in.D]
	a, b, c := in.A, in.B, in.C
	d, dok := e.Fixed(in.D)
	_, aok := e.Fixed(a)
	_, bok := e.Fixed(b)
	_, cok := e.Fixed(c)
	if !aok && bok {
		a, b, aok, bok = b, a, bok, aok
	}
	if !dok {
		d = e.Temps[2]
	}
	out := Inst{Op: in.Op, Len: in.Len, R: d}
	switch {
	case !bok && !in.Mem:
		// One factor is in memory, if it can be.
		ra := e.Read(a)
		if !e.memory(&out, b) {
			out.M = e.Read(b)
		}
		rc := d
		switch {
		case cok:
			rc, _ = e.Fixed(c)
		case d == ra:
			rc = e.Read(c)
		default:
			e.Load(d, &e.Regs[c])
		}
		if d == ra && d != rc {
			out.V = rc // 132: d·b + c
			break
		}
		if d != rc {
			e.CopyReg(dv.Class, dv.Len, d, rc)
		}
		out.Op, out.V = in.Op+4, ra // 231: a·b + d
	case !cok:
		ra, _ := e.Fixed(a)
		rb, _ := e.Fixed(b)
		if d == rb && d != ra {
			ra, rb = rb, ra
		}
		if !e.memory(&out, c) {
			out.M = e.Read(c)
		}
		if d != ra {
			e.CopyReg(dv.Class, dv.Len, d, ra)
		}
		out.Op, out.V = in.Op+2, rb // 213: d·b + c
	default:
		ra, _ := e.Fixed(a)
		rb, _ := e.Fixed(b)
		rc, _ := e.Fixed(c)
		switch d {
		case rc:
			out.Op, out.V, out.M = in.Op+4, ra, rb
		case ra:
			out.Op, out.V, out.M = in.Op+2, rb, rc
		case rb:
			out.Op, out.V, out.M = in.Op+2, ra, rc
		default:
			e.CopyReg(dv.Class, dv.Len, d, rc)
			out.Op, out.V, out.M = in.Op+4, ra, rb
		}
	}
	e.put(&out)
	if !dok {
		e.Store(dv, d)
	}
}

var jumps = [...]Op{native.Eq: Je, native.Ne: Jne, native.Lt: Jl, native.Le: Jle, native.Gt: Jg, native.Ge: Jge}

func (e *writer) Extreme(in *native.Inst) {
	e.op(&native.Inst{Op: Cmp, A: in.C, B: in.B})
	e.Again()
	move := *in
	move.Op = Cmovg
	if in.Op == Max {
		move.Op = Cmovl
	}
	e.op(&move)
}

// op emits an instruction that has one form only. It reads spilled operands in memory where the instruction can, else
// by temporary registers, as it writes a spilled result.
func (e *writer) op(in *native.Inst) {
	info := &opTable[in.Op]
	out := Inst{Op: in.Op, Len: in.Len, Zero: in.Zero, Imm: in.Imm}
	if in.K != 0 {
		out.K = uint8(e.Read(in.K))
	}
	tiedOp := in.C != 0 && !in.Third
	// The destination, and what it starts from.
	var d Reg
	dok := true
	if in.D != 0 {
		dv := &e.Regs[in.D]
		if d, dok = e.Fixed(in.D); !dok {
			switch dv.Class {
			case native.ClassV:
				d = e.Temps[2]
			case native.ClassG:
				d = generalTemps[2]
			default:
				d = maskTemps[0]
			}
		}
		if tiedOp {
			if cr, ok := e.Fixed(in.C); !ok {
				e.Load(d, &e.Regs[in.C])
			} else if cr != d {
				e.CopyReg(dv.Class, dv.Len, d, cr)
			}
		}
	}
	if in.Mem {
		out.UseMem, out.Bcast = true, in.Bcast
		out.Mem = Mem{Base: NoReg, Index: NoReg, Scale: in.Scale, Disp: in.Disp}
		if in.Pool {
			out.Mem.Pool = true
		} else {
			if in.Base != 0 {
				out.Mem.Base = e.Read(in.Base)
			}
			if in.Index != 0 {
				out.Mem.Index = e.Read(in.Index)
			}
		}
	}
	readB := func() {
		if in.Mem || in.B == 0 {
			return
		}
		if _, ok := e.Fixed(in.B); ok || !e.memory(&out, in.B) {
			out.M = e.Read(in.B)
		}
	}
	switch info.form {
	case formRVM, formRVMR:
		out.R = d
		if in.A != 0 {
			out.V = e.Read(in.A)
		}
		if info.form == formRVMR {
			out.X = e.Read(in.C)
		}
		readB()
	case formRM:
		out.R = d
		if readsOnly(in.Op) {
			out.R = e.Read(in.A)
		}
		readB()
	case formRMV:
		out.R, out.V = d, e.Read(in.A)
		readB()
	case formMR:
		out.R = e.Read(in.A)
		switch {
		case in.Mem:
		case readsOnly(in.Op):
			out.M = e.Read(in.B)
		default:
			out.M = d
		}
	case formMVR:
		out.V, out.R = e.Read(in.A), e.Read(in.C)
	case formVM:
		out.V = d
		readB()
	case formM, formMI:
		if in.D != 0 {
			out.M = d
		} else {
			readB()
		}
	case formO, formR:
		out.R = d
	}
	e.put(&out)
	if in.D != 0 && !dok {
		e.Store(&e.Regs[in.D], d)
	}
}

// memory makes r, a spilled register or a constant, the memory operand of out. It reports false if the instruction
// cannot read it there.
func (e *writer) memory(out *Inst, r native.VReg) bool {
	v := &e.Regs[r]
	info := &opTable[out.Op]
	if v.Class == native.ClassG {
		if info.space != legacy || info.vexW == 0 || info.form == formMR {
			return false
		}
		out.UseMem, out.Mem = true, slot(v.Slot-1)
		return true
	}
	if v.Class != native.ClassV || info.tuple != tupleFV && info.tuple != tupleFVM || info.form == formMR || info.flags&regHalf != 0 ||
		info.form == formVM && (e.isa == AVX2 || info.tuple != tupleFV) {
		return false
	}
	switch {
	case !v.Const && v.Len >= out.Len:
		out.UseMem, out.Mem = true, slot(v.Slot-1)
	case !v.Const:
		return false
	case v.Bcast == 0 && v.Len >= out.Len:
		out.UseMem, out.Mem = true, Mem{Pool: true, Index: NoReg, Disp: v.Off}
	case info.tuple == tupleFV && info.size == v.Bcast && info.space&evex != 0:
		out.UseMem, out.Bcast, out.Mem = true, true, Mem{Pool: true, Index: NoReg, Disp: v.Off}
	default:
		return false
	}
	return true
}

// readsOnly reports whether an instruction writes neither a register nor memory, as comparisons do.
func readsOnly(op Op) bool {
	switch op {
	case Cmp, CmpI, Test, Vptest, Kortestb, Kortestw, Kortestd, Kortestq, Prefetcht0:
		return true
	}
	return false
}
