package amd64

import (
	"fmt"
	"slices"

	"github.com/weft-go/weft/lower/native"
)

// A LongDot is a micro-kernel of the product of two long vectors,
//
//	Y += Σₖ W[k] · X[k],
//
// whose elements lie side by side: as many chunks as a vector has lanes are chains at
// once, a chunk a lane, with both operands turned in registers. Their sums are added to Y
// one after the other. The order of operations is that of Tile.
type LongDot struct {
	ISA   ISA
	Elem  TileElem // TileF32 or TileF64
	Chunk int
}

// The words of the block of arguments.
const (
	LongW     = iota // address of W
	LongX            // address of X
	LongY            // address of Y
	LongCount        // groups of chunks, at least 1
	LongFlags        // TileAccumulate, TileFinal
	longSums         // the chunks' sums
	LongArgs  = longSums + 8
)

// String returns the name of the micro-kernel.
func (k LongDot) String() string { return fmt.Sprintf("dot_%v", k.Elem) }

// Group returns the number of elements of a group of chunks.
func (k LongDot) Group() int { return k.Chunk * k.ISA.vectorBytes() / k.Elem.Size() }

// CompileLongDot returns the code of a micro-kernel. It takes a block of LongArgs words.
func CompileLongDot(k LongDot) (*native.Code, error) {
	if k.Elem > TileF64 || k.Chunk < 16 || k.Chunk%16 != 0 { // whole lines of the cache
		return nil, fmt.Errorf("BUG: amd64: no product of vectors of %v in chunks of %d", k.Elem, k.Chunk)
	}
	w := &longDotWriter{turner: turner{assembler: assembler{isa: k.ISA}, size: k.Elem.Size()}, LongDot: k}
	w.code()
	bytes, n := w.Finish()
	return &native.Code{Name: k.String(), ISA: k.ISA, Bytes: slices.Clone(bytes), Size: n, Args: LongArgs}, nil
}

type longDotWriter struct {
	turner
	LongDot
}

func (w *longDotWriter) code() {
	const (
		left, right = RSI, RDX
		out, groups = RBX, RCX
		pos, flags  = RAX, Reg(8)
		later       = Reg(9)
	)
	isa, size := w.assembler.isa, w.size
	d := w.depth()
	top := Reg(isa.registers())
	acc, sum, part := top-1, top-2, top-3
	fma, move, moveS, add := Vfmadd231ps, Vmovss, VmovssS, Vaddps
	if size == 8 {
		fma, move, moveS, add = Vfmadd231pd, Vmovsd, VmovsdS, Vaddpd
	}
	w.load(left, word(LongW))
	w.load(right, word(LongX))
	w.load(out, word(LongY))
	w.load(groups, word(LongCount))
	w.load(flags, word(LongFlags))
	w.zero(sum)
	fresh, group, inner, stored := w.NewLabel(), w.NewLabel(), w.NewLabel(), w.NewLabel()
	w.general(Mov, pos, flags)
	w.immediate(AndI, pos, TileAccumulate)
	w.Jump(Je, fresh)
	w.Emit(&Inst{Op: move, R: sum, UseMem: true, Mem: at(out, 0)})
	w.Bind(fresh)
	w.Bind(group)
	w.zero(acc)
	w.general(Xor, pos, pos)
	w.immediate(MovI, later, int64(w.Group()*w.size))
	w.Align(32)
	w.Bind(inner)
	// The next group's lines are requested from the first to the last: in the order of the
	// blocks, which take a line of each chunk, the processor does not follow by itself.
	for i := range w.lanes() {
		w.generalMem(Prefetcht0, 0, indexed(left, later, 0, int32(64*i)))
		w.generalMem(Prefetcht0, 0, indexed(right, later, 0, int32(64*i)))
	}
	w.immediate(AddI, later, int64(64*w.lanes()))
	for at := 0; at < 64; at += d * size { // a line of the cache
		// The second operand's blocks take the registers that the first one's left free.
		a := w.pieces(left, pos, at, 0, Reg(d))
		free := Reg(d)
		if a != 0 {
			free = 0
		}
		b := w.pieces(right, pos, at, Reg(2*d), free)
		for c := range d {
			w.vector(fma, acc, a+Reg(c), b+Reg(c))
		}
	}
	w.immediate(AddI, pos, 64)
	w.immediate(CmpI, pos, int64(w.Chunk*size))
	w.Jump(Jl, inner)
	w.vectorMem(VmovupsS, acc, 0, word(longSums))
	for i := range w.lanes() {
		m := word(longSums)
		m.Disp += int32(i * size)
		w.Emit(&Inst{Op: move, R: part, UseMem: true, Mem: m})
		w.Emit(&Inst{Op: add, Len: L128, R: sum, V: sum, M: part})
	}
	w.immediate(AddI, left, int64(w.Group()*size))
	w.immediate(AddI, right, int64(w.Group()*size))
	w.immediate(SubI, groups, 1)
	w.Jump(Jne, group)
	w.immediate(AndI, flags, TileFinal)
	w.Jump(Je, stored)
	w.vectorMem(Vmovups, part, 0, w.canonicalNaN(size))
	w.canonical(size, sum, part, acc)
	w.Bind(stored)
	w.Emit(&Inst{Op: moveS, R: sum, UseMem: true, Mem: at(out, 0)})
	w.end()
}

// pieces turns a block: depth elements of each of a group's chunks, at a number of bytes
// behind pos. It uses depth registers from in and as many from temp, and returns the first of
// the result's.
func (w *longDotWriter) pieces(base, pos Reg, offset int, in, temp Reg) Reg {
	half, insert := L256, Vinserti64x4
	if w.assembler.isa == AVX2 {
		half, insert = L128, Vinserti128
	}
	row := int32(w.Chunk * w.size)
	for i := range w.depth() {
		low, high := w.rowOf(i)
		r := in + Reg(i)
		w.part(r, half, indexed(base, pos, 0, int32(low)*row+int32(offset)), false, 0)
		w.Emit(&Inst{Op: insert, Len: w.length(), R: r, V: r, UseMem: true, Mem: indexed(base, pos, 0, int32(high)*row+int32(offset)), Imm: 1})
	}
	return w.shuffle(in, temp)
}
