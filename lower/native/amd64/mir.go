package amd64

// A vreg is a virtual register; 0 is none. The two negative ones are fixed registers.
type vreg int32

const (
	argsReg    vreg = -1 // the block of arguments
	scratchReg vreg = -2 // spill slots and memory of constructs
)

// class is a kind of register.
type class uint8

const (
	classV class = iota // vectors
	classG              // general
	classK              // masks
	numClasses
)

// minstKind distinguishes instructions of the intermediate form.
type minstKind uint8

const (
	kindOp        minstKind = iota
	kindFMA                 // d = ±a·b ± c; op is the form 132
	kindMove                // d = b
	kindConst               // d = the constant of d
	kindLabel               // label
	kindJump                // to label
	kindBranch              // op, which compares or tests; to label where cond holds
	kindLoopStart           // what is live into a loop is live to its end
	kindLoopEnd
	kindRareStart // what follows is seldom reached: its registers are the first to be spilled
	kindRareEnd
	kindComment // text of the listing
	kindCall    // the invocation imm
	kindParams  // defines the operands of the function imm
	kindReturn  // returns the results of the function imm
)

// A label is a place in a list that jumps go to: the end of a block, which jumps leave forwards, or
// the start of a loop, which jumps within it go back to.
type label int32

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

// minst is a machine instruction over virtual registers.
type minst struct {
	op          Op
	kind        minstKind
	len         uint8
	zero        bool // elements outside of the mask become 0
	bcast       bool // the memory operand is one element
	mem         bool // the operand b is memory
	pool        bool // … a constant
	third       bool // c is an operand as a and b are, else the destination starts from it
	slow        bool // k and index are read until d is written
	scale       uint8
	cond        cond // of branches
	d           vreg // destination
	a           vreg // second source field; the stored value; the first operand of a comparison
	b           vreg // register or memory operand
	c           vreg // what a tied or merging destination starts from; the third operand
	k           vreg // mask
	base, index vreg
	disp        int32
	label       label
	imm         int64
}

// vinfo is what is known of a virtual register.
type vinfo struct {
	class  class
	len    uint8 // of vectors: how much is moved and spilled
	konst  bool  // a vector constant in the pool
	pooled bool  // … that is read there each time
	bcast  uint8 // bytes of the element that makes the constant, 0: all bytes are in the pool
	off    int32 // in the pool
	hint   vreg  // whose register is preferred
	hint2  vreg  // … else
	start  int32
	end    int32
	weight float32
	reg    Reg
	slot   int32 // 1 + spill slot; 0: in a register
}

// code is a function being written.
type code struct {
	model   *model
	regs    []vinfo // by vreg; 0 is unused
	list    []minst // what is being written
	spare   [][]minst
	order   []vreg  // in the order of their definitions
	ends    []int32 // of loops
	labels  int
	slots   int32 // bytes of spill slots
	emitted int
	scratch int32 // bytes of memory for constructs, before the slots
	text    []string
	pool    []byte // constants, placed behind the code
	pooled  map[poolKey]int32

	functions []function
	calls     []invocation
	callsAt   []int32            // positions in the list whose registers are given out
	clobber   [numClasses]uint32 // registers that functions overwrite
	used      [numClasses]uint32 // registers that were given out last
	swap      int32              // 1 + offset of memory for a vector, 0: none
	streamed  bool               // some stores pass the caches
}

type poolKey struct {
	size uint8
	bits uint64
}

func newCode() *code { return &code{pooled: map[poolKey]int32{}} }

// reset removes what was written and keeps the memory.
func (c *code) reset(m *model) {
	c.model = m
	c.regs = append(c.regs[:0], vinfo{})
	c.list, c.text = c.list[:0], c.text[:0]
	c.labels, c.slots, c.scratch, c.emitted, c.swap = 0, 0, 0, 0, 0
	c.functions, c.calls, c.callsAt = c.functions[:0], c.calls[:0], c.callsAt[:0]
	c.clobber, c.streamed = [numClasses]uint32{}, false
	c.pool = c.pool[:0]
	clear(c.pooled)
}

// What writes instructions is called, not inlined: the sites are many, and an instruction is large.

//go:noinline
func (c *code) newV(length uint8) vreg {
	c.regs = append(c.regs, vinfo{class: classV, len: length})
	return vreg(len(c.regs) - 1)
}

//go:noinline
func (c *code) newG() vreg {
	c.regs = append(c.regs, vinfo{class: classG})
	return vreg(len(c.regs) - 1)
}

//go:noinline
func (c *code) newK() vreg {
	c.regs = append(c.regs, vinfo{class: classK})
	return vreg(len(c.regs) - 1)
}

func (c *code) newLike(r vreg) vreg {
	in := c.regs[r]
	c.regs = append(c.regs, vinfo{class: in.class, len: in.len})
	return vreg(len(c.regs) - 1)
}

//go:noinline
func (c *code) put(in minst) { c.list = append(c.list, in) }

func (c *code) newLabel() label {
	c.labels++
	return label(c.labels - 1)
}

//go:noinline
func (c *code) bind(l label) { c.put(minst{kind: kindLabel, label: l}) }

//go:noinline
func (c *code) jump(to label) { c.put(minst{kind: kindJump, label: to}) }

// branchOp jumps where an instruction that compares or tests finds a condition.
//
//go:noinline
func (c *code) branchOp(cc cond, in minst, to label) {
	in.kind, in.cond, in.label = kindBranch, cc, to
	c.put(in)
}

// branch jumps where x cc y.
func (c *code) branch(cc cond, x, y vreg, to label) { c.branchOp(cc, minst{op: Cmp, a: x, b: y}, to) }

// branchI jumps where x cc n.
func (c *code) branchI(cc cond, x vreg, n int64, to label) {
	if int64(int32(n)) != n {
		c.branch(cc, x, c.gConst(n), to)
		return
	}
	c.branchOp(cc, minst{op: CmpI, b: x, imm: n}, to)
}

// branchBits jumps where the bits of x that are set in mask are zero, or are not.
func (c *code) branchBits(cc cond, x vreg, mask int64, to label) {
	d := c.newG()
	c.regs[d].hint = x
	c.branchOp(cc, minst{op: AndI, d: d, c: x, imm: mask}, to)
}

// countDown subtracts 1 from x and jumps where the rest is not zero.
func (c *code) countDown(x vreg, to label) {
	c.branchOp(Ne, minst{op: AddI, d: x, c: x, imm: -1}, to)
}

// move writes d = s.
//
//go:noinline
func (c *code) move(d, s vreg) {
	if c.regs[d].hint == 0 && s > 0 {
		c.regs[d].hint = s
	}
	if s > 0 && c.regs[s].hint == 0 {
		c.regs[s].hint = d
	}
	c.put(minst{kind: kindMove, d: d, b: s})
}

// copyOf returns a new register with the value of s.
func (c *code) copyOf(s vreg) vreg {
	d := c.newLike(s)
	c.move(d, s)
	return d
}

// poolConst returns the offset of size bytes of bits in the pool.
func (c *code) poolConst(size uint8, bits uint64) int32 {
	key := poolKey{size, bits}
	if off, ok := c.pooled[key]; ok {
		return off
	}
	off := c.poolAlign(int(size))
	for i := range size {
		c.pool = append(c.pool, byte(bits>>(8*i)))
	}
	c.pooled[key] = off
	return off
}

func (c *code) poolAlign(n int) int32 {
	for len(c.pool)%n != 0 {
		c.pool = append(c.pool, 0)
	}
	return int32(len(c.pool))
}

// poolBytes adds a vector to the pool.
func (c *code) poolBytes(b []byte) int32 {
	off := c.poolAlign(min(64, max(16, len(b))))
	c.pool = append(c.pool, b...)
	return off
}

// Vector instructions.

//go:noinline
func (c *code) op1(op Op, length uint8, b vreg) vreg {
	d := c.newV(length)
	c.put(minst{op: op, len: length, d: d, b: b})
	return d
}

//go:noinline
func (c *code) op1I(op Op, length uint8, b vreg, imm int64) vreg {
	d := c.newV(length)
	c.put(minst{op: op, len: length, d: d, b: b, imm: imm})
	return d
}

//go:noinline
func (c *code) op2(op Op, length uint8, a, b vreg) vreg {
	d := c.newV(length)
	c.put(minst{op: op, len: length, d: d, a: a, b: b})
	return d
}

//go:noinline
func (c *code) op2I(op Op, length uint8, a, b vreg, imm int64) vreg {
	d := c.newV(length)
	c.put(minst{op: op, len: length, d: d, a: a, b: b, imm: imm})
	return d
}

// blend returns y where the mask is false, else x: with an AVX-512 blend.
//
//go:noinline
func (c *code) masked(op Op, length uint8, k, a, b vreg) vreg {
	d := c.newV(length)
	c.put(minst{op: op, len: length, d: d, a: a, b: b, k: k})
	return d
}

// General registers.

//go:noinline
func (c *code) gConst(x int64) vreg {
	d := c.newG()
	c.put(minst{op: Const, d: d, imm: x})
	return d
}

//go:noinline
func (c *code) gLoad(base vreg, disp int32) vreg {
	d := c.newG()
	c.put(minst{op: Load64, d: d, mem: true, base: base, disp: disp})
	return d
}

// gTied returns op(x, y) of an instruction that overwrites its first operand.
//
//go:noinline
func (c *code) gTied(op Op, x, y vreg) vreg {
	d := c.newG()
	c.regs[d].hint = x
	c.put(minst{op: op, d: d, b: y, c: x})
	return d
}

// gTiedI returns gTied with an immediate.
//
//go:noinline
func (c *code) gTiedI(op Op, x vreg, imm int64) vreg {
	d := c.newG()
	c.regs[d].hint = x
	c.put(minst{op: op, d: d, c: x, imm: imm})
	return d
}

func (c *code) gAddConst(x vreg, n int64) vreg {
	if n == 0 {
		return x
	}
	if int64(int32(n)) != n {
		return c.gTied(Add, x, c.gConst(n))
	}
	d := c.newG()
	c.put(minst{op: Address, d: d, mem: true, base: x, disp: int32(n)})
	return d
}

func (c *code) gAdd(x, y vreg) vreg {
	d := c.newG()
	c.put(minst{op: Address, d: d, mem: true, base: x, index: y})
	return d
}

func (c *code) gMulConst(x vreg, n int64) vreg {
	switch {
	case n == 1:
		return x
	case n > 0 && n&(n-1) == 0:
		s := int64(0)
		for 1<<s != n {
			s++
		}
		return c.gTiedI(ShlI, x, s)
	case int64(int32(n)) != n:
		return c.gTied(Mul, x, c.gConst(n))
	}
	d := c.newG()
	c.put(minst{op: MulI, d: d, b: x, imm: n})
	return d
}

// gInc adds a constant to x in place.
//
//go:noinline
func (c *code) gInc(x vreg, n int64) { c.put(minst{op: AddI, d: x, c: x, imm: n}) }

// gMin returns the lesser of two integers with signs.
func (c *code) gMin(x, y vreg) vreg { return c.gTied(Min, x, y) }

// gMax returns the greater of two integers with signs.
func (c *code) gMax(x, y vreg) vreg { return c.gTied(Max, x, y) }
