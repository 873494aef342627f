package amd64

// assembler writes code by hand, where registers are chosen by the author: the
// micro-kernels of dense products.
type assembler struct {
	Encoder
	isa ISA
}

// at returns the memory operand [base + disp].
func at(base Reg, disp int32) Mem { return Mem{Base: base, Index: NoReg, Disp: disp} }

// indexed returns the memory operand [base + index·2^scale + disp].
func indexed(base, index Reg, scale uint8, disp int32) Mem {
	return Mem{Base: base, Index: index, Scale: scale, Disp: disp}
}

// length returns the vector length of the instruction set.
func (a *assembler) length() uint8 {
	if a.isa == AVX512 {
		return L512
	}
	return L256
}

// load and store move a general register.
//
//go:noinline
func (a *assembler) load(r Reg, m Mem) { a.Emit(&Inst{Op: Mov, R: r, UseMem: true, Mem: m}) }

//go:noinline
func (a *assembler) store(m Mem, r Reg) { a.Emit(&Inst{Op: MovS, R: r, UseMem: true, Mem: m}) }

// general appends an operation on two general registers.
//
//go:noinline
func (a *assembler) general(op Op, r, m Reg) { a.Emit(&Inst{Op: op, R: r, M: m}) }

// generalMem appends an operation on a general register and memory.
//
//go:noinline
func (a *assembler) generalMem(op Op, r Reg, m Mem) {
	a.Emit(&Inst{Op: op, R: r, UseMem: true, Mem: m})
}

// immediate appends an operation on a general register and a constant.
//
//go:noinline
func (a *assembler) immediate(op Op, r Reg, n int64) { a.Emit(&Inst{Op: op, R: r, M: r, Imm: n}) }

// lea puts an address into a register.
//
//go:noinline
func (a *assembler) lea(r Reg, m Mem) { a.Emit(&Inst{Op: Lea, R: r, UseMem: true, Mem: m}) }

// vector appends r = op(v, m).
//
//go:noinline
func (a *assembler) vector(op Op, r, v, m Reg) {
	a.Emit(&Inst{Op: op, Len: a.length(), R: r, V: v, M: m})
}

// vectorMem appends r = op(v, memory).
//
//go:noinline
func (a *assembler) vectorMem(op Op, r, v Reg, m Mem) {
	a.Emit(&Inst{Op: op, Len: a.length(), R: r, V: v, UseMem: true, Mem: m})
}

// zero clears a vector register.
func (a *assembler) zero(r Reg) {
	if r < 16 {
		a.Emit(&Inst{Op: Vxorps, Len: L128, R: r, V: r, M: r})
		return
	}
	a.vector(Vpxord, r, r, r)
}

// constant returns the operand of a constant of 64 bytes, made of a repeated element.
func (a *assembler) constant(bits uint64, size int) Mem {
	off := int32(len(a.pool))
	for range 64 / size {
		for i := range size {
			a.pool = append(a.pool, byte(bits>>(8*i)))
		}
	}
	return Mem{Pool: true, Base: NoReg, Index: NoReg, Disp: off}
}

// canonicalNaN returns the operand of a vector of canonical NaNs of 4 or 8 bytes.
func (a *assembler) canonicalNaN(size int) Mem {
	if size == 8 {
		return a.constant(0x7ff8000000000000, 8)
	}
	return a.constant(0x7fc00000, 4)
}

// canonical replaces the NaNs of r by those of nan. It changes temp or mask register 2.
func (a *assembler) canonical(size int, r, nan, temp Reg) {
	const unordered = 3
	i := size / 8
	if a.isa == AVX512 {
		a.Emit(&Inst{Op: [2]Op{VcmppsK, VcmppdK}[i], Len: L512, R: 2, V: r, M: r, Imm: unordered})
		a.Emit(&Inst{Op: [2]Op{Vmovups, Vmovupd}[i], Len: L512, R: r, M: nan, K: 2})
		return
	}
	a.Emit(&Inst{Op: [2]Op{Vcmpps, Vcmppd}[i], Len: L256, R: temp, V: r, M: r, Imm: unordered})
	a.Emit(&Inst{Op: [2]Op{Vblendvps, Vblendvpd}[i], Len: L256, R: r, V: r, M: nan, X: temp})
}

// end appends the return.
func (a *assembler) end() {
	a.Emit(&Inst{Op: Vzeroupper})
	a.Emit(&Inst{Op: Ret})
}
