package amd64

// fma chooses the form that overwrites the register of the destination.
func (e *writer) fma(in *minst) {
	dv := &e.regs[in.d]
	a, b, c := in.a, in.b, in.c
	d, dok := e.fixed(in.d)
	_, aok := e.fixed(a)
	_, bok := e.fixed(b)
	_, cok := e.fixed(c)
	if !aok && bok {
		a, b, aok, bok = b, a, bok, aok
	}
	if !dok {
		d = e.temps[2]
	}
	out := Inst{Op: in.op, Len: in.len, R: d}
	switch {
	case !bok && !in.mem:
		// One factor is in memory, if it can be.
		ra := e.read(a)
		if !e.memory(&out, b) {
			out.M = e.read(b)
		}
		rc := d
		switch {
		case cok:
			rc, _ = e.fixed(c)
		case d == ra:
			rc = e.read(c)
		default:
			e.load(d, &e.regs[c])
		}
		if d == ra && d != rc {
			out.V = rc // 132: d·b + c
			break
		}
		if d != rc {
			e.copyReg(dv.class, dv.len, d, rc)
		}
		out.Op, out.V = in.op+4, ra // 231: a·b + d
	case !cok:
		ra, _ := e.fixed(a)
		rb, _ := e.fixed(b)
		if d == rb && d != ra {
			ra, rb = rb, ra
		}
		if !e.memory(&out, c) {
			out.M = e.read(c)
		}
		if d != ra {
			e.copyReg(dv.class, dv.len, d, ra)
		}
		out.Op, out.V = in.op+2, rb // 213: d·b + c
	default:
		ra, _ := e.fixed(a)
		rb, _ := e.fixed(b)
		rc, _ := e.fixed(c)
		switch d {
		case rc:
			out.Op, out.V, out.M = in.op+4, ra, rb
		case ra:
			out.Op, out.V, out.M = in.op+2, rb, rc
		case rb:
			out.Op, out.V, out.M = in.op+2, ra, rc
		default:
			e.copyReg(dv.class, dv.len, d, rc)
			out.Op, out.V, out.M = in.op+4, ra, rb
		}
	}
	e.put(&out)
	if !dok {
		e.store(dv, d)
	}
}

// jumps are the conditional jumps.
var jumps = [...]Op{Eq: Je, Ne: Jne, Lt: Jl, Le: Jle, Gt: Jg, Ge: Jge}

// extreme emits the lesser or the greater of two integers.
func (e *writer) extreme(in *minst) {
	e.op(&minst{op: Cmp, a: in.c, b: in.b})
	e.again()
	move := *in
	move.op = Cmovg
	if in.op == Max {
		move.op = Cmovl
	}
	e.op(&move)
}

// op emits an ordinary instruction.
func (e *writer) op(in *minst) {
	info := &opTable[in.op]
	out := Inst{Op: in.op, Len: in.len, Zero: in.zero, Imm: in.imm}
	if in.k != 0 {
		out.K = uint8(e.read(in.k))
	}
	tiedOp := in.c != 0 && !in.third
	// The destination, and what it starts from.
	var d Reg
	dok := true
	if in.d != 0 {
		dv := &e.regs[in.d]
		if d, dok = e.fixed(in.d); !dok {
			switch dv.class {
			case classV:
				d = e.temps[2]
			case classG:
				d = generalTemps[2]
			default:
				d = maskTemps[0]
			}
		}
		if tiedOp {
			if cr, ok := e.fixed(in.c); !ok {
				e.load(d, &e.regs[in.c])
			} else if cr != d {
				e.copyReg(dv.class, dv.len, d, cr)
			}
		}
	}
	if in.mem {
		out.UseMem, out.Bcast = true, in.bcast
		out.Mem = Mem{Base: NoReg, Index: NoReg, Scale: in.scale, Disp: in.disp}
		if in.pool {
			out.Mem.Pool = true
		} else {
			if in.base != 0 {
				out.Mem.Base = e.read(in.base)
			}
			if in.index != 0 {
				out.Mem.Index = e.read(in.index)
			}
		}
	}
	readB := func() {
		if in.mem || in.b == 0 {
			return
		}
		if _, ok := e.fixed(in.b); ok || !e.memory(&out, in.b) {
			out.M = e.read(in.b)
		}
	}
	switch info.form {
	case formRVM, formRVMR:
		out.R = d
		if in.a != 0 {
			out.V = e.read(in.a)
		}
		if info.form == formRVMR {
			out.X = e.read(in.c)
		}
		readB()
	case formRM:
		out.R = d
		if readsOnly(in.op) {
			out.R = e.read(in.a)
		}
		readB()
	case formRMV:
		out.R, out.V = d, e.read(in.a)
		readB()
	case formMR:
		out.R = e.read(in.a)
		switch {
		case in.mem:
		case readsOnly(in.op):
			out.M = e.read(in.b)
		default:
			out.M = d
		}
	case formMVR:
		out.V, out.R = e.read(in.a), e.read(in.c)
	case formVM:
		out.V = d
		readB()
	case formM, formMI:
		if in.d != 0 {
			out.M = d
		} else {
			readB()
		}
	case formO:
		out.R = d
	}
	e.put(&out)
	if in.d != 0 && !dok {
		e.store(&e.regs[in.d], d)
	}
}

// memory makes the operand M of out the spilled register r, if the instruction can read it there.
func (e *writer) memory(out *Inst, r vreg) bool {
	v := &e.regs[r]
	info := &opTable[out.Op]
	if v.class == classG {
		if info.space != legacy || info.vexW == 0 || info.form == formMR {
			return false
		}
		out.UseMem, out.Mem = true, slot(v.slot-1)
		return true
	}
	if v.class != classV || info.tuple != tupleFV && info.tuple != tupleFVM || info.form == formMR || info.flags&regHalf != 0 ||
		info.form == formVM && (e.isa == AVX2 || info.tuple != tupleFV) {
		return false
	}
	switch {
	case !v.konst && v.len >= out.Len:
		out.UseMem, out.Mem = true, slot(v.slot-1)
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

// readsOnly reports whether an instruction writes no register: comparisons.
func readsOnly(op Op) bool {
	switch op {
	case Cmp, CmpI, Test, Vucomiss, Vucomisd, Vptest, Vtestps, Kortestb, Kortestw, Kortestd, Kortestq, Ktestb, Ktestw, Ktestd, Ktestq, Prefetcht0:
		return true
	}
	return false
}
