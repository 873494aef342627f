package amd64

import (
	"encoding/binary"
	"fmt"
	"math"
)

// maxInst is a bound of the bytes of an instruction: the longest has 15.
const maxInst = 16

// An Encoder appends the bytes of instructions. Its zero value is ready to use.
type Encoder struct {
	buf    []byte
	pool   []byte // constants, placed behind the code
	fixups []poolFixup
	labels []int32 // positions, -1 before they are bound
	jumps  []jumpFixup
}

type poolFixup struct {
	at, next int32 // positions of the displacement and of the next instruction
	offset   int32
}

type jumpFixup struct{ at, label int32 }

// A Label is a position in code that jumps refer to.
type Label int32

// Reset removes all code and keeps the memory.
func (e *Encoder) Reset() {
	e.buf, e.pool = e.buf[:0], e.pool[:0]
	e.fixups, e.labels, e.jumps = e.fixups[:0], e.labels[:0], e.jumps[:0]
}

// Len returns the number of bytes of code.
func (e *Encoder) Len() int { return len(e.buf) }

// NewLabel returns a label that is not bound yet.
func (e *Encoder) NewLabel() Label {
	e.labels = append(e.labels, -1)
	return Label(len(e.labels) - 1)
}

// Bind makes l the position of the next instruction.
func (e *Encoder) Bind(l Label) { e.labels[l] = int32(len(e.buf)) }

// Jump appends a jump to l: Jmp or one of the conditional jumps.
func (e *Encoder) Jump(op Op, l Label) {
	if op != Jmp {
		e.buf = append(e.buf, 0x0f)
	}
	e.buf = append(e.buf, opTable[op].opcode, 0, 0, 0, 0)
	e.jumps = append(e.jumps, jumpFixup{int32(len(e.buf) - 4), int32(l)})
}

// loadAddress appends the load of a label's address into one of the registers R8 to R15.
func (e *Encoder) loadAddress(r Reg, l Label) {
	e.buf = append(e.buf, 0x4c, 0x8d, 0x05|uint8(r&7)<<3, 0, 0, 0, 0)
	e.jumps = append(e.jumps, jumpFixup{int32(len(e.buf) - 4), int32(l)})
}

// jumpTo appends a jump to the address in one of the registers R8 to R15.
func (e *Encoder) jumpTo(r Reg) { e.buf = append(e.buf, 0x41, 0xff, 0xe0|uint8(r&7)) }

// Align appends no-operations up to a multiple of n, a power of two of at most 64.
func (e *Encoder) Align(n int) {
	for pad := -len(e.buf) & (n - 1); pad > 0; {
		k := min(pad, len(longNops))
		e.buf = append(e.buf, longNops[k-1]...)
		pad -= k
	}
}

// longNops are the recommended no-operations of 1 to 9 bytes.
var longNops = [...]string{
	"\x90", "\x66\x90", "\x0f\x1f\x00", "\x0f\x1f\x40\x00", "\x0f\x1f\x44\x00\x00", "\x66\x0f\x1f\x44\x00\x00",
	"\x0f\x1f\x80\x00\x00\x00\x00", "\x0f\x1f\x84\x00\x00\x00\x00\x00", "\x66\x0f\x1f\x84\x00\x00\x00\x00\x00",
}

// Finish places the constants behind the code, at a multiple of 64, resolves references and
// returns the bytes, which are valid until the encoder's next use, and the length of the code.
func (e *Encoder) Finish() ([]byte, int) {
	n := len(e.buf)
	for _, j := range e.jumps {
		to := e.labels[j.label]
		if to < 0 {
			panic("BUG: jump to an unbound label")
		}
		binary.LittleEndian.PutUint32(e.buf[j.at:], uint32(to-(j.at+4)))
	}
	if len(e.pool) > 0 {
		for len(e.buf)%64 != 0 {
			e.buf = append(e.buf, 0xcc)
		}
		base := int32(len(e.buf))
		e.buf = append(e.buf, e.pool...)
		for _, f := range e.fixups {
			binary.LittleEndian.PutUint32(e.buf[f.at:], uint32(base+f.offset-f.next))
		}
	}
	return e.buf, n
}

// Emit appends an instruction.
func (e *Encoder) Emit(in *Inst) {
	n := len(e.buf)
	if cap(e.buf)-n < maxInst {
		e.buf = append(e.buf, make([]byte, max(256, n))...)[:n]
	}
	b := (*[maxInst]byte)(e.buf[n : n+maxInst])
	var k int
	info := &opTable[in.Op]
	if info.space&legacy != 0 {
		k = e.legacyInst(b, in, info, n)
	} else {
		k = e.vectorInst(b, in, info, n)
	}
	e.buf = e.buf[:n+k]
}

// fields returns the numbers for the register field and the second source field.
func (in *Inst) fields(info *opInfo) (reg, vvvv uint8) {
	switch info.form {
	case formVM:
		return info.ext, uint8(in.V)
	case formM, formMI:
		return info.ext, 0
	case formRVM, formMVR, formRVMR, formRMV:
		return uint8(in.R), uint8(in.V)
	case formZ:
		return 0, 0
	}
	return uint8(in.R), 0
}

// vectorInst writes a VEX or EVEX instruction and returns its length.
func (e *Encoder) vectorInst(b *[maxInst]byte, in *Inst, info *opInfo, at int) int {
	reg, vvvv := in.fields(info)
	if info.flags&regMask != 0 && info.form != formVM {
		// Numbers above 7 would be written as other bits: an illegal instruction.
		masks := info.flags&rmMask != 0
		if reg > 7 || masks && (vvvv > 7 || !in.UseMem && in.M > 7) {
			panic(fmt.Sprintf("BUG: %s of a register that is no mask", mnemonic(in.Op)))
		}
	}
	var rm, index uint8 // register numbers, of which the extension bits are encoded here
	if in.UseMem {
		if !in.Mem.Pool && in.Mem.Base != NoReg {
			rm = uint8(in.Mem.Base)
		}
		if in.Mem.Index != NoReg && !in.Mem.Pool {
			index = uint8(in.Mem.Index)
		}
	} else {
		rm = uint8(in.M)
	}
	if info.space&vex != 0 && in.Len < L512 && in.K == 0 && !in.Bcast && (reg|vvvv|index|rm) < 16 &&
		(info.form != formVM || !in.UseMem) { // VEX shifts by a constant have no memory operand
		return e.vexInst(b, in, info, at, reg, vvvv, rm, index)
	}
	if info.space&evex == 0 {
		panic(fmt.Sprintf("BUG: %s has no EVEX encoding", mnemonic(in.Op)))
	}
	x := index
	hi := uint8(0) // bit 4 of a vector index, which is in V'
	if !in.UseMem {
		x = rm >> 1 // bit 4 of a register operand is in X
	} else if info.flags&vsib != 0 {
		hi = index & 16
	}
	b[0] = 0x62
	b[1] = (^reg&8)<<4 | (^x&8)<<3 | (^rm&8)<<2 | (^reg & 16) | info.opmap
	b[2] = info.evexW<<7 | (^vvvv&15)<<3 | 4 | info.prefix
	p2 := in.Len<<5 | (^(vvvv|hi)&16)>>1 | in.K
	if in.Bcast {
		p2 |= 1 << 4
	}
	if in.Zero {
		p2 |= 1 << 7
	}
	b[3] = p2
	b[4] = info.opcode
	return e.tail(b, 5, in, info, at, reg, uint8(tupleShift(info, in.Len, in.Bcast)))
}

func (e *Encoder) vexInst(b *[maxInst]byte, in *Inst, info *opInfo, at int, reg, vvvv, rm, index uint8) int {
	l := in.Len
	if info.flags&(length0|length1) != 0 {
		l = 0
		if info.flags&length1 != 0 {
			l = 1
		}
	}
	k := 3
	low := (^vvvv&15)<<3 | l<<2 | info.prefix
	if info.opmap == m0F && info.vexW == 0 && rm < 8 && index < 8 {
		b[0] = 0xc5
		b[1] = (^reg&8)<<4 | low
		b[2] = info.opcode
	} else {
		b[0] = 0xc4
		b[1] = (^reg&8)<<4 | (^index&8)<<3 | (^rm&8)<<2 | info.opmap
		b[2] = info.vexW<<7 | low
		b[3] = info.opcode
		k = 4
	}
	if info.form == formZ {
		return k
	}
	return e.tail(b, k, in, info, at, reg, 0)
}

// tupleShift returns the logarithm of the factor of a compressed displacement.
func tupleShift(info *opInfo, length uint8, bcast bool) int {
	size := 0
	for s := info.size; s > 1; s >>= 1 {
		size++
	}
	vector := 4 + int(length)
	switch info.tuple {
	case tupleFV:
		if bcast {
			return size
		}
		return vector
	case tupleHV:
		if bcast {
			return size
		}
		return vector - 1
	case tupleHVM:
		return vector - 1
	case tupleQVM:
		return vector - 2
	case tupleOVM:
		return vector - 3
	case tupleT1:
		return size
	case tupleM128:
		return 4
	case tupleM256:
		return 5
	}
	return vector
}

// wideImm reports whether an immediate takes four bytes: in arithmetic on general registers, if it does not fit
// one byte.
func (info *opInfo) wideImm(imm int64) bool {
	return info.space == legacy && info.form != formM && (imm < math.MinInt8 || imm > math.MaxInt8)
}

// tail writes what follows the opcode: the operand bytes and the immediate. A displacement
// of one byte counts multiples of 1<<shift.
func (e *Encoder) tail(b *[maxInst]byte, k int, in *Inst, info *opInfo, at int, reg, shift uint8) int {
	imm := 0
	switch {
	case info.form == formRVMR:
		imm = 1
	case info.flags&hasImm == 0:
	case info.wideImm(in.Imm):
		imm = 4
	default:
		imm = 1
	}
	reg = reg & 7 << 3
	switch {
	case !in.UseMem:
		b[k] = 0xc0 | reg | uint8(in.M)&7
		k++
	case in.Mem.Pool:
		b[k] = reg | 5
		e.fixups = append(e.fixups, poolFixup{int32(at + k + 1), int32(at + k + 5 + imm), in.Mem.Disp})
		k += 5
	default:
		k = memory(b, k, &in.Mem, reg, shift)
	}
	switch imm {
	case 1:
		if info.form == formRVMR {
			b[k] = uint8(in.X) << 4
		} else {
			b[k] = uint8(in.Imm)
		}
		k++
	case 4:
		binary.LittleEndian.PutUint32(b[k:], uint32(in.Imm))
		k += 4
	}
	return k
}

func memory(b *[maxInst]byte, k int, m *Mem, reg, shift uint8) int {
	base, disp := m.Base, m.Disp
	if base == NoReg { // [index·scale + disp32]
		b[k] = reg | 4
		b[k+1] = m.Scale<<6 | uint8(m.Index)&7<<3 | 5
		binary.LittleEndian.PutUint32(b[k+2:], uint32(disp))
		return k + 6
	}
	mod, size := uint8(0x80), 4
	scaled := disp >> shift
	switch {
	case disp == 0 && base&7 != RBP:
		mod, size = 0, 0
	case scaled<<shift == disp && int32(int8(scaled)) == scaled:
		mod, size = 0x40, 1
	}
	if m.Index != NoReg || base&7 == RSP {
		sib := m.Scale<<6 | uint8(base)&7
		if m.Index != NoReg {
			sib |= uint8(m.Index) & 7 << 3
		} else {
			sib |= 4 << 3
		}
		b[k] = mod | reg | 4
		b[k+1] = sib
		k += 2
	} else {
		b[k] = mod | reg | uint8(base)&7
		k++
	}
	switch size {
	case 1:
		b[k] = uint8(scaled)
	case 4:
		binary.LittleEndian.PutUint32(b[k:], uint32(disp))
	}
	return k + size
}
