package amd64

import (
	"fmt"
	"slices"

	"github.com/weft-go/weft/lower/native"
)

// A turner writes code that brings a block of rows, whose elements lie side by side,
// into vectors with one element of each row.
type turner struct {
	assembler
	size int // bytes of an element
}

// lanes returns the number of rows of a block.
func (t *turner) lanes() int { return t.isa.vectorBytes() / t.size }

// depth returns the number of elements of each row of a block: as many vectors come out.
func (t *turner) depth() int {
	if t.isa == AVX512 {
		return 32 / t.size
	}
	return 16 / t.size
}

// rowOf returns the rows of which register i takes its lower and its upper half, in the
// order in which the shuffles need them.
func (t *turner) rowOf(i int) (low, high int) {
	n := 16 / t.size // rows whose elements share 16 bytes in the end
	if t.isa == AVX2 {
		return i, i + n
	}
	return i/n*2*n + i%n, i/n*2*n + i%n + n
}

// block loads depth elements of each row and turns them. Addresses of the rows are words
// of the arguments from rows on; pos is the offset in bytes. It returns the registers of
// the vectors; it uses depth registers from in and as many from temp. If partial is set,
// only elements under the mask are read: AVX-512: mask register 3; AVX2: the vector
// register mask. The general register addr changes.
func (t *turner) block(rows int, pos Reg, in, temp Reg, partial bool, addr, mask Reg) Reg {
	d := t.depth()
	half, insert := L256, Vinserti64x4
	if t.isa == AVX2 {
		half, insert = L128, Vinserti128
	}
	for i := range d {
		low, high := t.rowOf(i)
		r := in + Reg(i)
		t.load(addr, word(rows+low))
		t.part(r, half, indexed(addr, pos, 0, 0), partial, mask)
		t.load(addr, word(rows+high))
		m := indexed(addr, pos, 0, 0)
		if partial {
			t.part(temp, half, m, true, mask)
			t.Emit(&Inst{Op: insert, Len: t.length(), R: r, V: r, M: temp, Imm: 1})
			continue
		}
		t.Emit(&Inst{Op: insert, Len: t.length(), R: r, V: r, UseMem: true, Mem: m, Imm: 1})
	}
	return t.shuffle(in, temp)
}

// ahead is the distance, in bytes, of the lines that are requested in advance.
const ahead = 128

// lines loads whole vectors of the rows, twice the depth of a block, as the registers of
// two blocks: those from in and from second on. It uses two registers from temp.
// AVX-512 only: a line of the cache is read at once, since the lines of rows that lie
// apart by a power of two displace each other.
func (t *turner) lines(rows int, pos Reg, in, second, temp, addr Reg) {
	for i := range t.depth() {
		low, high := t.rowOf(i)
		a, b := temp+Reg(i%2*2), temp+Reg(i%2*2+1)
		t.load(addr, word(rows+low))
		t.vectorMem(Vmovups, a, 0, indexed(addr, pos, 0, 0))
		t.generalMem(Prefetcht0, 0, indexed(addr, pos, 0, ahead))
		t.load(addr, word(rows+high))
		t.vectorMem(Vmovups, b, 0, indexed(addr, pos, 0, 0))
		t.generalMem(Prefetcht0, 0, indexed(addr, pos, 0, ahead))
		t.Emit(&Inst{Op: Vinserti64x4, Len: L512, R: in + Reg(i), V: a, M: b, Imm: 1})
		t.Emit(&Inst{Op: Vshufi64x2, Len: L512, R: second + Reg(i), V: a, M: b, Imm: 0xee})
	}
}

// shuffle turns the registers of a block.
func (t *turner) shuffle(in, temp Reg) Reg {
	d := t.depth()
	from, to := in, temp
	if t.size == 4 { // pairs of rows, by element
		for i := 0; i < d; i += 2 {
			a, b := from+Reg(i), from+Reg(i+1)
			t.vector(Vpunpckldq, to+Reg(i), a, b)
			t.vector(Vpunpckhdq, to+Reg(i+1), a, b)
		}
		from, to = to, from
		for g := 0; g < d; g += 4 { // four rows
			for i := range 2 {
				a, b := from+Reg(g+i), from+Reg(g+i+2)
				t.vector(Vpunpcklqdq, to+Reg(g+2*i), a, b)
				t.vector(Vpunpckhqdq, to+Reg(g+2*i+1), a, b)
			}
		}
	} else {
		for i := 0; i < d; i += 2 {
			a, b := from+Reg(i), from+Reg(i+1)
			t.vector(Vpunpcklqdq, to+Reg(i), a, b)
			t.vector(Vpunpckhqdq, to+Reg(i+1), a, b)
		}
	}
	if t.isa == AVX2 {
		return to
	}
	from, to = to, from
	n := d / 2
	for j := range n { // register j has elements j and n+j of the first half of the rows, n+j of the second
		a, b := from+Reg(j), from+Reg(n+j)
		t.Emit(&Inst{Op: Vshufi32x4, Len: L512, R: to + Reg(j), V: a, M: b, Imm: 0x88})
		t.Emit(&Inst{Op: Vshufi32x4, Len: L512, R: to + Reg(n+j), V: a, M: b, Imm: 0xdd})
	}
	return to
}

// part loads depth elements of a row.
func (t *turner) part(r Reg, half uint8, m Mem, partial bool, mask Reg) {
	switch {
	case !partial:
		t.Emit(&Inst{Op: Vmovups, Len: half, R: r, UseMem: true, Mem: m})
	case t.isa == AVX512 && t.size == 8:
		t.Emit(&Inst{Op: Vmovupd, Len: half, R: r, UseMem: true, Mem: m, K: 3, Zero: true})
	case t.isa == AVX512:
		t.Emit(&Inst{Op: Vmovups, Len: half, R: r, UseMem: true, Mem: m, K: 3, Zero: true})
	case t.size == 8:
		t.Emit(&Inst{Op: VmaskmovpdL, Len: half, R: r, V: mask, UseMem: true, Mem: m})
	default:
		t.Emit(&Inst{Op: VmaskmovpsL, Len: half, R: r, V: mask, UseMem: true, Mem: m})
	}
}

// maskTable returns the address of 32 bytes of ones before 32 of zeros: AVX2's masks.
func (t *turner) maskTable() Mem {
	off := int32(len(t.pool))
	for i := range 64 {
		t.pool = append(t.pool, byte(-(1 - i/32)))
	}
	return Mem{Pool: true, Base: NoReg, Index: NoReg, Disp: off}
}

// maskOf makes a mask of the first n elements, at most a vector of them: AVX-512: mask
// register k; AVX2: the vector register v, by the table's address. n keeps its value;
// temp changes.
func (t *turner) maskOf(k, v Reg, n, temp, table Reg) {
	if t.isa == AVX512 {
		t.immediate(MovI, temp, -1)
		t.Emit(&Inst{Op: Bzhiq, R: temp, M: temp, V: n})
		t.Emit(&Inst{Op: KmovqG, R: k, M: temp})
		return
	}
	t.general(Mov, temp, n)
	t.Emit(&Inst{Op: Neg, R: temp, M: temp})
	scale := uint8(2)
	if t.size == 8 {
		scale = 3
	}
	t.vectorMem(Vmovups, v, 0, indexed(table, temp, scale, 32))
}

// pointers writes the addresses of a group of rows: row i from base on, or the last one
// of n rows if there are fewer. base and n keep their values; addr and left change.
func (t *turner) pointers(rows int, base, n, ld, addr, left Reg) {
	t.general(Mov, addr, base)
	t.general(Mov, left, n)
	for i := range t.lanes() {
		t.store(word(rows+i), addr)
		if i+1 < t.lanes() {
			stay := t.NewLabel()
			t.immediate(SubI, left, 1)
			t.Jump(Jle, stay)
			t.general(Add, addr, ld)
			t.Bind(stay)
		}
	}
}

// A Turn is a transposition of a matrix, Dst[k, r] = Src[r, k], in blocks in registers.
type Turn struct {
	ISA  ISA
	Size int // bytes of an element: 4 or 8
}

// The words of a transposition's block of arguments.
const (
	TurnSrc  = iota // address of the matrix, whose rows' elements lie side by side
	TurnDst         // address of the result
	TurnLdS         // bytes from row to row of the matrix
	TurnLdD         // bytes from row to row of the result
	TurnRows        // of the matrix, at least 1
	TurnCols        // of the matrix, at least 1
	turnPtrs
	TurnArgs = turnPtrs + 16
)

// String returns the name of the transposition.
func (t Turn) String() string { return fmt.Sprintf("turn_%d", t.Size) }

// CompileTurn returns the code of a transposition. It takes a block of TurnArgs words.
func CompileTurn(t Turn) (*native.Code, error) {
	if t.Size != 4 && t.Size != 8 {
		return nil, fmt.Errorf("BUG: amd64: no transposition of elements of %d bytes", t.Size)
	}
	w := &turner{assembler: assembler{isa: t.ISA}, size: t.Size}
	w.turn()
	bytes, n := w.Finish()
	return &native.Code{Name: t.String(), ISA: t.ISA, Bytes: slices.Clone(bytes), Size: n, Args: TurnArgs}, nil
}

func (t *turner) turn() {
	const (
		src, dst   = RSI, RDX
		lds, ldd   = Reg(9), Reg(10)
		rows, cols = Reg(11), Reg(12) // that are left
		pos, out   = Reg(13), Reg(14)
		addr, temp = RAX, RCX
		table      = RBX
		laneMask   = Reg(15) // AVX2
		kMask      = Reg(14) // AVX2
	)
	d := t.depth()
	t.load(src, word(TurnSrc))
	t.load(dst, word(TurnDst))
	t.load(lds, word(TurnLdS))
	t.load(ldd, word(TurnLdD))
	t.load(rows, word(TurnRows))
	if t.isa == AVX2 {
		t.lea(table, t.maskTable())
	}
	group, inner, partial, next := t.NewLabel(), t.NewLabel(), t.NewLabel(), t.NewLabel()
	store := func(r Reg) {
		m := at(out, 0)
		switch {
		case t.isa == AVX512 && t.size == 8:
			t.Emit(&Inst{Op: VmovupdS, Len: L512, R: r, UseMem: true, Mem: m, K: 1})
		case t.isa == AVX512:
			t.Emit(&Inst{Op: VmovupsS, Len: L512, R: r, UseMem: true, Mem: m, K: 1})
		case t.size == 8:
			t.Emit(&Inst{Op: VmaskmovpdS, Len: L256, R: r, V: laneMask, UseMem: true, Mem: m})
		default:
			t.Emit(&Inst{Op: VmaskmovpsS, Len: L256, R: r, V: laneMask, UseMem: true, Mem: m})
		}
		t.general(Add, out, ldd)
	}
	t.Bind(group)
	t.pointers(turnPtrs, src, rows, lds, addr, temp)
	t.immediate(MovI, pos, int64(t.lanes()))
	t.general(Cmp, pos, rows)
	t.general(Cmovg, pos, rows)
	t.maskOf(1, laneMask, pos, temp, table)
	t.load(cols, word(TurnCols))
	t.general(Xor, pos, pos)
	t.general(Mov, out, dst)
	t.immediate(SubI, cols, int64(d))
	t.Jump(Jl, partial)
	t.Align(32)
	t.Bind(inner)
	in, tmp := Reg(0), Reg(8)
	if t.isa == AVX2 {
		tmp = 4
	}
	from := t.block(turnPtrs, pos, in, tmp, false, addr, 0)
	for i := range d {
		store(from + Reg(i))
	}
	t.immediate(AddI, pos, int64(d*t.size))
	t.immediate(SubI, cols, int64(d))
	t.Jump(Jge, inner)
	t.Bind(partial)
	t.immediate(AddI, cols, int64(d))
	t.Jump(Jle, next)
	t.maskOf(3, kMask, cols, temp, table)
	from = t.block(turnPtrs, pos, in, tmp, true, addr, kMask)
	for i := range d - 1 {
		store(from + Reg(i))
		t.immediate(SubI, cols, 1)
		t.Jump(Jle, next)
	}
	t.Bind(next)
	for range t.lanes() {
		t.general(Add, src, lds)
	}
	t.immediate(AddI, dst, int64(t.isa.vectorBytes()))
	t.immediate(SubI, rows, int64(t.lanes()))
	t.Jump(Jg, group)
	t.end()
}
