package native

// A VReg is a virtual register; 0 is no register. [ArgsReg] and [ScratchReg] are fixed registers.
type VReg int32

const (
	ArgsReg    VReg = -1 // the block of arguments
	ScratchReg VReg = -2 // scratch memory, which contains the spill slots
)

// A Reg is a register's number in its class.
type Reg uint8

// Class is a kind of register.
type Class uint8

const (
	ClassV Class = iota // vectors
	ClassG              // general
	ClassK              // masks
	NumClasses
)

// Kind distinguishes instructions of the intermediate form.
type Kind uint8

const (
	KindOp        Kind = iota
	KindFMA            // d = ±a·b ± c, as the target's op states
	KindMove           // d = b
	KindConst          // d = the constant that d's RegInfo describes
	KindLabel          // label
	KindJump           // to label
	KindBranch         // op, then a jump to label if its comparison, or its result compared with 0, satisfies cond
	KindLoopStart      // what is live into a loop is live to its end
	KindLoopEnd
	KindRareStart // what follows is seldom reached: its registers are the first to be spilled
	KindRareEnd
	KindComment // text of the listing
	KindCall    // the call of a function: invocation number imm
	KindParams  // defines the operands of function number imm
	KindReturn  // returns the results of function number imm
)

// A Label is a place in a list that jumps go to: the end of a block, to which jumps lead forwards,
// or the start of a loop, to which jumps within it lead back.
type Label int32

// cond is a condition of a branch on integers with signs.
type cond uint8

const (
	Eq cond = iota
	Ne
	Lt
	Le
	Gt
	Ge
)

// An Inst is a machine instruction over virtual registers.
type Inst struct {
	Op          Op
	Kind        Kind
	Len         uint8
	Zero        bool // elements outside of the mask become 0
	Bcast       bool // the memory operand is one element
	Mem         bool // the operand b is memory
	Pool        bool // … in the constant pool
	Third       bool // c is an operand as a and b are, else the destination starts from it
	Slow        bool // k and index are read until d is written
	Scale       uint8
	Cond        cond // of branches
	D           VReg // destination
	A           VReg // first operand of a vector operation or a comparison; the stored value
	B           VReg // register or memory operand
	C           VReg // what a tied or merging destination starts from; the third operand
	K           VReg // mask
	Base, Index VReg
	Disp        int32
	Label       Label
	Imm         int64
}

// RegInfo describes a virtual register.
type RegInfo struct {
	Class  Class
	Len    uint8 // of vectors: 16<<Len bytes are moved and spilled
	Const  bool  // a vector constant in the pool
	Pooled bool  // … that is read there each time
	Bcast  uint8 // bytes of the element that makes the constant, 0: all bytes are in the pool
	Off    int32 // in the pool
	Hint   VReg  // the virtual register whose register is preferred
	Hint2  VReg  // the second choice
	Bits   VReg  // of a mask whose lanes are all equal: the general register that it is made from, which is not zero if they are true
	start  int32
	end    int32
	weight float32
	reg    Reg
	Slot   int32 // 0: in a register; −1: a constant that is loaded for each use; else 1 + offset of its spill slot
}

// A Draft is the code of a kernel or micro-kernel while it is being written.
type Draft struct {
	model   *Model
	Regs    []RegInfo // by vreg; 0 is unused
	List    []Inst    // the list that is being written
	spare   [][]Inst
	order   []VReg  // registers in the order of their definitions
	ends    []int32 // the ends of loops
	labels  int
	slots   int32 // bytes of spill slots
	Emitted int
	scratch int32 // bytes of scratch memory that room has reserved; the slots follow
	text    []string
	Pool    []byte // constants, placed behind the code
	pooled  map[poolKey]int32

	functions []function
	Calls     []invocation
	callsAt   []int32            // positions of the calls in the list whose registers are being allocated
	clobber   [NumClasses]uint32 // registers that functions overwrite
	used      [NumClasses]uint32 // registers that the latest allocation assigned
	swap      int32              // 1 + offset of memory for a vector, 0: none
	streamed  bool               // some stores pass the caches
	fixed     bool               // the registers were chosen by hand, and may be assigned several times
}

type poolKey struct {
	size uint8
	bits uint64
}

func newCode() *Draft { return &Draft{pooled: map[poolKey]int32{}} }

// reset removes what was written and keeps the memory.
func (c *Draft) reset(m *Model) {
	c.model = m
	c.Regs = append(c.Regs[:0], RegInfo{})
	c.List, c.text = c.List[:0], c.text[:0]
	c.labels, c.slots, c.scratch, c.Emitted, c.swap = 0, 0, 0, 0, 0
	c.functions, c.Calls, c.callsAt = c.functions[:0], c.Calls[:0], c.callsAt[:0]
	c.clobber, c.streamed, c.fixed = [NumClasses]uint32{}, false, false
	c.Pool = c.Pool[:0]
	clear(c.pooled)
}

// The functions that write instructions are not inlined: they have many callers, and an instruction is large.

// NewV returns a new register for vectors of a length.
//
//go:noinline
func (c *Draft) NewV(length uint8) VReg {
	c.Regs = append(c.Regs, RegInfo{Class: ClassV, Len: length})
	return VReg(len(c.Regs) - 1)
}

// NewG returns a new general register.
//
//go:noinline
func (c *Draft) NewG() VReg {
	c.Regs = append(c.Regs, RegInfo{Class: ClassG})
	return VReg(len(c.Regs) - 1)
}

// NewK returns a new mask register.
//
//go:noinline
func (c *Draft) NewK() VReg {
	c.Regs = append(c.Regs, RegInfo{Class: ClassK})
	return VReg(len(c.Regs) - 1)
}

func (c *Draft) newLike(r VReg) VReg {
	in := c.Regs[r]
	c.Regs = append(c.Regs, RegInfo{Class: in.Class, Len: in.Len})
	return VReg(len(c.Regs) - 1)
}

// Put appends an instruction.
//
//go:noinline
func (c *Draft) Put(in Inst) { c.List = append(c.List, in) }

func (c *Draft) newLabel() Label {
	c.labels++
	return Label(c.labels - 1)
}

//go:noinline
func (c *Draft) bind(l Label) { c.Put(Inst{Kind: KindLabel, Label: l}) }

//go:noinline
func (c *Draft) jump(to Label) { c.Put(Inst{Kind: KindJump, Label: to}) }

// BranchOp jumps if the comparison that `in` performs, or its result compared with 0, satisfies cc.
//
//go:noinline
func (c *Draft) BranchOp(cc cond, in Inst, to Label) {
	in.Kind, in.Cond, in.Label = KindBranch, cc, to
	c.Put(in)
}

// branch jumps where x cc y.
//
//go:noinline
func (c *Draft) branch(cc cond, x, y VReg, to Label) { c.BranchOp(cc, Inst{Op: Cmp, A: x, B: y}, to) }

func (c *Draft) branchI(cc cond, x VReg, n int64, to Label) {
	if int64(int32(n)) != n {
		c.branch(cc, x, c.GConst(n), to)
		return
	}
	c.BranchOp(cc, Inst{Op: CmpI, B: x, Imm: n}, to)
}

// BranchBits jumps where x&mask cc 0.
func (c *Draft) BranchBits(cc cond, x VReg, mask int64, to Label) {
	d := c.NewG()
	c.Regs[d].Hint = x
	c.BranchOp(cc, Inst{Op: AndI, D: d, C: x, Imm: mask}, to)
}

// countDown subtracts 1 from x and jumps where the result is not zero.
func (c *Draft) countDown(x VReg, to Label) {
	c.BranchOp(Ne, Inst{Op: AddI, D: x, C: x, Imm: -1}, to)
}

// Move writes d = s.
//
//go:noinline
func (c *Draft) Move(d, s VReg) {
	if c.Regs[d].Hint == 0 && s > 0 {
		c.Regs[d].Hint = s
	}
	if s > 0 && c.Regs[s].Hint == 0 {
		c.Regs[s].Hint = d
	}
	c.Put(Inst{Kind: KindMove, D: d, B: s})
}

func (c *Draft) copyOf(s VReg) VReg {
	d := c.newLike(s)
	c.Move(d, s)
	return d
}

// poolConst returns the offset in the pool of the constant that consists of the low size bytes of bits.
//
//go:noinline
func (c *Draft) poolConst(size uint8, bits uint64) int32 {
	key := poolKey{size, bits}
	if off, ok := c.pooled[key]; ok {
		return off
	}
	off := c.poolAlign(int(size))
	for i := range size {
		c.Pool = append(c.Pool, byte(bits>>(8*i)))
	}
	c.pooled[key] = off
	return off
}

func (c *Draft) poolAlign(n int) int32 {
	for len(c.Pool)%n != 0 {
		c.Pool = append(c.Pool, 0)
	}
	return int32(len(c.Pool))
}

func (c *Draft) poolBytes(b []byte) int32 {
	off := c.poolAlign(min(64, max(16, len(b))))
	c.Pool = append(c.Pool, b...)
	return off
}

// Vector instructions.

// Op1 returns op(b).
//
//go:noinline
func (c *Draft) Op1(op Op, length uint8, b VReg) VReg {
	d := c.NewV(length)
	c.Put(Inst{Op: op, Len: length, D: d, B: b})
	return d
}

// Op1I returns op(b, imm).
//
//go:noinline
func (c *Draft) Op1I(op Op, length uint8, b VReg, imm int64) VReg {
	d := c.NewV(length)
	c.Put(Inst{Op: op, Len: length, D: d, B: b, Imm: imm})
	return d
}

// Op2 returns op(a, b).
//
//go:noinline
func (c *Draft) Op2(op Op, length uint8, a, b VReg) VReg {
	d := c.NewV(length)
	c.Put(Inst{Op: op, Len: length, D: d, A: a, B: b})
	return d
}

// Op2I returns op(a, b, imm).
//
//go:noinline
func (c *Draft) Op2I(op Op, length uint8, a, b VReg, imm int64) VReg {
	d := c.NewV(length)
	c.Put(Inst{Op: op, Len: length, D: d, A: a, B: b, Imm: imm})
	return d
}

// Masked returns b where the mask k is true, else a, by an instruction of the target.
//
//go:noinline
func (c *Draft) Masked(op Op, length uint8, k, a, b VReg) VReg {
	d := c.NewV(length)
	c.Put(Inst{Op: op, Len: length, D: d, A: a, B: b, K: k})
	return d
}

// General registers.

// GConst returns a general register with a constant.
//
//go:noinline
func (c *Draft) GConst(x int64) VReg {
	d := c.NewG()
	c.Put(Inst{Op: Const, D: d, Imm: x})
	return d
}

//go:noinline
func (c *Draft) gLoad(base VReg, disp int32) VReg {
	d := c.NewG()
	c.Put(Inst{Op: Load64, D: d, Mem: true, Base: base, Disp: disp})
	return d
}

// gTied returns op(x, y) of an instruction that overwrites its first operand.
//
//go:noinline
func (c *Draft) gTied(op Op, x, y VReg) VReg {
	d := c.NewG()
	c.Regs[d].Hint = x
	c.Put(Inst{Op: op, D: d, B: y, C: x})
	return d
}

// GTiedI is gTied with an immediate operand.
//
//go:noinline
func (c *Draft) GTiedI(op Op, x VReg, imm int64) VReg {
	d := c.NewG()
	c.Regs[d].Hint = x
	c.Put(Inst{Op: op, D: d, C: x, Imm: imm})
	return d
}

func (c *Draft) gAddConst(x VReg, n int64) VReg {
	if n == 0 {
		return x
	}
	if int64(int32(n)) != n {
		return c.gTied(Add, x, c.GConst(n))
	}
	d := c.NewG()
	c.Put(Inst{Op: Address, D: d, Mem: true, Base: x, Disp: int32(n)})
	return d
}

func (c *Draft) gAdd(x, y VReg) VReg {
	d := c.NewG()
	c.Put(Inst{Op: Address, D: d, Mem: true, Base: x, Index: y})
	return d
}

func (c *Draft) gMulConst(x VReg, n int64) VReg {
	switch {
	case n == 1:
		return x
	case n > 0 && n&(n-1) == 0:
		s := int64(0)
		for 1<<s != n {
			s++
		}
		return c.GTiedI(ShlI, x, s)
	case int64(int32(n)) != n:
		return c.gTied(Mul, x, c.GConst(n))
	}
	d := c.NewG()
	c.Put(Inst{Op: MulI, D: d, B: x, Imm: n})
	return d
}

// gInc adds a constant to x in place.
//
//go:noinline
func (c *Draft) gInc(x VReg, n int64) { c.Put(Inst{Op: AddI, D: x, C: x, Imm: n}) }

// GMin returns the lesser of two integers with signs.
func (c *Draft) GMin(x, y VReg) VReg { return c.gTied(Min, x, y) }

// gMax returns the greater of two integers with signs.
func (c *Draft) gMax(x, y VReg) VReg { return c.gTied(Max, x, y) }
