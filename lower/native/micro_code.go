package native

// Mem is an operand in memory: [Base + Index·2^Scale + Disp], or the constant at Disp of the pool.
type Mem struct {
	Base, Index VReg
	Scale       uint8
	Pool        bool
	Disp        int32
}

// At returns [base + disp].
func At(base VReg, disp int) Mem { return Mem{Base: base, Disp: int32(disp)} }

// Indexed returns [base + index·2^scale + disp].
func Indexed(base, index VReg, scale uint8, disp int) Mem {
	return Mem{Base: base, Index: index, Scale: scale, Disp: int32(disp)}
}

// Of returns an instruction with the operand.
func (m Mem) Of(in Inst) Inst {
	in.Mem, in.Base, in.Index, in.Scale, in.Pool, in.Disp = true, m.Base, m.Index, m.Scale, m.Pool, m.Disp
	return in
}

func arg(offset uintptr) Mem { return Mem{Base: ArgsReg, Disp: int32(offset)} }

func word(offset uintptr, i int) Mem { return arg(offset + uintptr(8*i)) }

// Load loads a general register.
func (w *Micro) Load(d VReg, m Mem) { w.Put(m.Of(Inst{Op: Load64, D: d})) }

func (w *Micro) store(m Mem, s VReg) { w.Put(m.Of(Inst{Op: Store64, A: s})) }

// LoadV loads a vector.
func (w *Micro) LoadV(d VReg, m Mem) { w.Put(m.Of(Inst{Op: VLoad, Len: w.Len(), D: d})) }

func (w *Micro) storeV(m Mem, s VReg) { w.Put(m.Of(Inst{Op: VStore, Len: w.Len(), A: s})) }

// Do writes d = op(d, x) of general registers.
func (w *Micro) Do(op Op, d, x VReg) { w.Put(Inst{Op: op, D: d, C: d, B: x}) }

// DoI writes d = op(d, n) of a general register.
//
//go:noinline // keeps programs small
func (w *Micro) DoI(op Op, d VReg, n int) { w.Put(Inst{Op: op, D: d, C: d, Imm: int64(n)}) }

// DoLoad writes d = op(d, memory) of a general register.
//
//go:noinline // keeps programs small
func (w *Micro) DoLoad(op Op, d VReg, m Mem) { w.Put(m.Of(Inst{Op: op, D: d, C: d})) }

// Address writes d = the address of m.
func (w *Micro) Address(d VReg, m Mem) { w.Put(m.Of(Inst{Op: Address, D: d})) }

func (w *Micro) set(d VReg, n int) { w.Put(Inst{Op: Const, D: d, Imm: int64(n)}) }

func (w *Micro) clear(d VReg) { w.Put(Inst{Op: Clear, D: d}) }

func (w *Micro) mulI(d VReg, n int) { w.Put(Inst{Op: MulI, D: d, B: d, Imm: int64(n)}) }

// Request asks the processor to load the line of memory at m into its cache.
func (w *Micro) Request(m Mem) { w.Put(m.Of(Inst{Op: Prefetch})) }

// loopStart binds the start of a loop that runs often, at an aligned address.
func (w *Micro) loopStart(l Label) {
	w.Put(Inst{Op: Align, Imm: 32})
	w.bind(l)
}

// Forward calls `write` and binds `end` behind the code that `write` writes: a jump to `end` leaves the code.
func (w *Micro) Forward(write func(end Label)) {
	end := w.newLabel()
	write(end)
	w.bind(end)
}

// Backward binds `start` in front of the code that `write` writes: a jump to `start` repeats the code.
func (w *Micro) Backward(write func(start Label)) {
	start := w.newLabel()
	w.loopStart(start)
	write(start)
}

// doJump writes d = op(d, n) and jumps if the result cc 0. The operation must not overflow.
//
//go:noinline // keeps programs small
func (w *Micro) doJump(op Op, d VReg, n int, cc cond, to Label) {
	w.BranchOp(cc, Inst{Op: op, D: d, C: d, Imm: int64(n)}, to)
}

func (w *Micro) zeroJump(x VReg, cc cond, to Label) { w.BranchOp(cc, Inst{Op: Test, A: x, B: x}, to) }
