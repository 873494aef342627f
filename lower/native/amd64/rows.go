package amd64

import (
	"fmt"
	"slices"

	"github.com/weft-go/weft/lower/native"
)

// A RowDots is a micro-kernel of the products of a matrix's rows with a few vectors,
//
//	Y[j, r] += Σₖ W[r, k] · X[j, k],
//
// where the contracted elements of W and of X lie side by side: rows are turned in
// registers, so that each is a lane. The order of operations is that of Tile.
type RowDots struct {
	ISA   ISA
	Elem  TileElem // TileF32 or TileF64
	Vecs  int      // vectors X: 1 to 4
	Twice bool     // two groups of rows at once, which do not wait for each other
	Chunk int
}

// The words of the block of arguments.
const (
	RowsW     = iota // address of W
	RowsX            // address of X
	RowsY            // address of Y
	RowsLdW          // bytes from row to row of W
	RowsLdX          // bytes from vector to vector
	RowsLdY          // bytes from vector to vector of the result; its elements lie side by side
	RowsCount        // rows, at least 1
	RowsK            // contracted elements, at least 1
	RowsFlags        // TileAccumulate, TileFinal
	rowsState        // flags of the current group
	rowsPtrs         // addresses of the rows of two groups
	RowsArgs  = rowsPtrs + 32
)

// String returns the name of the micro-kernel.
func (k RowDots) String() string {
	s := fmt.Sprintf("rows_%v_x%d", k.Elem, k.Vecs)
	if k.Twice {
		s += "_twice"
	}
	return s
}

// CompileRowDots returns the code of a micro-kernel. It takes a block of RowsArgs words.
func CompileRowDots(k RowDots) (*native.Code, error) {
	if k.Elem > TileF64 || k.Vecs < 1 || k.Vecs > 4 || k.Chunk < 8 || k.Chunk%8 != 0 || k.Twice && k.Vecs > 2 {
		return nil, fmt.Errorf("BUG: amd64: no products of rows with %d vectors of %v in chunks of %d", k.Vecs, k.Elem, k.Chunk)
	}
	w := &rowsWriter{turner: turner{assembler: assembler{isa: k.ISA}, size: k.Elem.Size()}, RowDots: k}
	w.code()
	bytes, n := w.Finish()
	return &native.Code{Name: k.String(), ISA: k.ISA, Bytes: slices.Clone(bytes), Size: n, Args: RowsArgs}, nil
}

type rowsWriter struct {
	turner
	RowDots
}

// Registers of RowDots.
const (
	rowsBase  = RSI // the first row of the group
	rowsOut   = RDX
	rowsAddr  = RAX
	rowsTemp  = RCX
	rowsTable = RBX
	rowsLeft  = Reg(11) // contracted elements after the chunk
	rowsN     = Reg(12) // of the chunk
	rowsPos   = Reg(13) // bytes from the start of a row
	rowsRows  = Reg(15) // rows that are left
)

var rowsXs = [4]Reg{8, 9, 10, 14}

func (w *rowsWriter) groups() int {
	if w.Twice {
		return 2
	}
	return 1
}

// Vector registers: blocks use the first 24 (AVX-512) or 8.
func (w *rowsWriter) acc(g, j int) Reg {
	first := Reg(24)
	if w.isa() == AVX2 {
		first = 8
	}
	return first + Reg(g*w.Vecs+j)
}

func (w *rowsWriter) isa() ISA { return w.assembler.isa }

// AVX2's registers behind the sums.
const (
	rowsBcast    = Reg(12)
	rowsKMask    = Reg(13)
	rowsLaneMask = Reg(14)
)

func (w *rowsWriter) code() {
	if w.isa() == AVX2 {
		w.lea(rowsTable, w.maskTable())
	}
	w.load(rowsBase, word(RowsW))
	w.load(rowsOut, word(RowsY))
	w.load(rowsXs[0], word(RowsX))
	for j := 1; j < w.Vecs; j++ {
		w.general(Mov, rowsXs[j], rowsXs[j-1])
		w.generalMem(Add, rowsXs[j], word(RowsLdX))
	}
	w.load(rowsRows, word(RowsCount))
	group := w.NewLabel()
	w.Bind(group)
	w.load(rowsTemp, word(RowsFlags))
	w.store(word(rowsState), rowsTemp)
	w.setUp()
	w.load(rowsLeft, word(RowsK))
	w.general(Xor, rowsPos, rowsPos)
	w.chunks()
	for range w.groups() * w.lanes() {
		w.generalMem(Add, rowsBase, word(RowsLdW))
	}
	w.immediate(AddI, rowsOut, int64(w.groups()*w.assembler.isa.vectorBytes()))
	w.immediate(SubI, rowsRows, int64(w.groups()*w.lanes()))
	w.Jump(Jg, group)
	w.end()
}

// setUp writes the addresses of the rows. A group without rows repeats the first one.
func (w *rowsWriter) setUp() {
	lanes := w.lanes()
	base, n, ld := rowsPos, rowsN, rowsLeft
	w.load(ld, word(RowsLdW))
	w.general(Mov, base, rowsBase)
	w.general(Mov, n, rowsRows)
	w.pointers(rowsPtrs, base, n, ld, rowsAddr, rowsTemp)
	if !w.Twice {
		return
	}
	some := w.NewLabel()
	w.general(Mov, rowsAddr, ld)
	w.immediate(ImulI, rowsAddr, int64(lanes))
	w.general(Add, base, rowsAddr)
	w.immediate(SubI, n, int64(lanes))
	w.Jump(Jg, some)
	w.general(Mov, base, rowsBase)
	w.immediate(MovI, n, 1)
	w.Bind(some)
	w.pointers(rowsPtrs+lanes, base, n, ld, rowsAddr, rowsTemp)
}

func (w *rowsWriter) chunks() {
	d := w.depth()
	chunk, inner, partial, done := w.NewLabel(), w.NewLabel(), w.NewLabel(), w.NewLabel()
	w.Bind(chunk)
	for g := range w.groups() {
		for j := range w.Vecs {
			w.zero(w.acc(g, j))
		}
	}
	w.immediate(MovI, rowsN, int64(w.Chunk))
	w.general(Cmp, rowsN, rowsLeft)
	w.general(Cmovg, rowsN, rowsLeft)
	w.general(Sub, rowsLeft, rowsN)
	if w.isa() == AVX512 {
		wide, less := w.NewLabel(), w.NewLabel()
		w.immediate(SubI, rowsN, int64(2*d))
		w.Jump(Jl, less)
		w.Align(32)
		w.Bind(wide)
		for g := range w.groups() {
			w.lines(rowsPtrs+g*w.lanes(), rowsPos, 0, 16, 8, rowsAddr)
			for half, from := range []Reg{0, 16} {
				v := w.shuffle(from, 8)
				for c := range d {
					w.multiply(g, half*d+c, v+Reg(c))
				}
			}
		}
		w.immediate(AddI, rowsPos, int64(2*d*w.size))
		w.immediate(SubI, rowsN, int64(2*d))
		w.Jump(Jge, wide)
		w.Bind(less)
		w.immediate(AddI, rowsN, int64(2*d))
	}
	w.immediate(SubI, rowsN, int64(d))
	w.Jump(Jl, partial)
	w.Align(32)
	w.Bind(inner)
	for g := range w.groups() {
		v := w.rows(g, false)
		for c := range d {
			w.multiply(g, c, v+Reg(c))
		}
	}
	w.immediate(AddI, rowsPos, int64(d*w.size))
	w.immediate(SubI, rowsN, int64(d))
	w.Jump(Jge, inner)
	w.Bind(partial)
	w.immediate(AddI, rowsN, int64(d))
	w.Jump(Jle, done)
	w.maskOf(3, rowsKMask, rowsN, rowsTemp, rowsTable)
	for g := range w.groups() {
		next := w.NewLabel()
		v := w.rows(g, true)
		w.general(Mov, rowsTemp, rowsN)
		for c := range d - 1 {
			w.multiply(g, c, v+Reg(c))
			w.immediate(SubI, rowsTemp, 1)
			w.Jump(Jle, next)
		}
		w.Bind(next)
	}
	w.immediate(ImulI, rowsN, int64(w.size))
	w.general(Add, rowsPos, rowsN)
	w.Bind(done)
	w.update()
	w.general(Test, rowsLeft, rowsLeft)
	w.Jump(Jne, chunk)
}

// rows turns a block of the rows of group g.
func (w *rowsWriter) rows(g int, partial bool) Reg {
	temp := Reg(8)
	if w.isa() == AVX2 {
		temp = 4
	}
	return w.block(rowsPtrs+g*w.lanes(), rowsPos, 0, temp, partial, rowsAddr, rowsKMask)
}

// multiply adds the products with element c of the block.
func (w *rowsWriter) multiply(g, c int, v Reg) {
	op := Vfmadd231ps
	if w.size == 8 {
		op = Vfmadd231pd
	}
	for j := range w.Vecs {
		m := indexed(rowsXs[j], rowsPos, 0, int32(c*w.size))
		if w.isa() == AVX512 {
			w.Emit(&Inst{Op: op, Len: L512, R: w.acc(g, j), V: v, UseMem: true, Mem: m, Bcast: true})
			continue
		}
		spread := Vbroadcastss
		if w.size == 8 {
			spread = Vbroadcastsd
		}
		w.vectorMem(spread, rowsBcast, 0, m)
		w.vector(op, w.acc(g, j), v, rowsBcast)
	}
}

// update adds the chunk's sums to Y and writes them.
func (w *rowsWriter) update() {
	spare, nan, add := Reg(0), Reg(1), Vaddps
	if w.size == 8 {
		add = Vaddpd
	}
	bits := w.canonicalNaN(w.size)
	for g := range w.groups() {
		// The lanes that the group has.
		w.general(Mov, rowsN, rowsRows)
		w.immediate(SubI, rowsN, int64(g*w.lanes()))
		w.general(Xor, rowsAddr, rowsAddr)
		w.general(Cmp, rowsN, rowsAddr)
		w.general(Cmovl, rowsN, rowsAddr)
		w.immediate(MovI, rowsAddr, int64(w.lanes()))
		w.general(Cmp, rowsN, rowsAddr)
		w.general(Cmovg, rowsN, rowsAddr)
		w.maskOf(1, rowsLaneMask, rowsN, rowsTemp, rowsTable)
		w.general(Mov, rowsAddr, rowsOut)
		for j := range w.Vecs {
			acc := w.acc(g, j)
			m := at(rowsAddr, int32(g*w.assembler.isa.vectorBytes()))
			fresh, added, stored := w.NewLabel(), w.NewLabel(), w.NewLabel()
			w.load(rowsTemp, word(rowsState))
			w.immediate(AndI, rowsTemp, TileAccumulate)
			w.Jump(Je, fresh)
			w.masked(false, spare, m)
			w.vector(add, acc, acc, spare)
			w.Jump(Jmp, added)
			w.Bind(fresh)
			w.zero(spare)
			w.vector(add, acc, acc, spare) // +0 + −0 = +0
			w.Bind(added)
			w.general(Test, rowsLeft, rowsLeft)
			w.Jump(Jne, stored)
			w.load(rowsTemp, word(rowsState))
			w.immediate(AndI, rowsTemp, TileFinal)
			w.Jump(Je, stored)
			w.vectorMem(Vmovups, nan, 0, bits)
			w.canonical(w.size, acc, nan, spare)
			w.Bind(stored)
			w.masked(true, acc, m)
			if j+1 < w.Vecs {
				w.generalMem(Add, rowsAddr, word(RowsLdY))
			}
		}
	}
	w.load(rowsTemp, word(rowsState))
	w.immediate(OrI, rowsTemp, TileAccumulate)
	w.store(word(rowsState), rowsTemp)
}

// masked loads or stores the lanes of the group.
func (w *rowsWriter) masked(store bool, r Reg, m Mem) {
	in := Inst{Len: w.length(), R: r, UseMem: true, Mem: m}
	switch {
	case w.isa() == AVX512:
		in.K, in.Zero = 1, !store
		in.Op = [2][2]Op{{Vmovups, VmovupsS}, {Vmovupd, VmovupdS}}[w.size/8][b2i(store)]
	default:
		in.V = rowsLaneMask
		in.Op = [2][2]Op{{VmaskmovpsL, VmaskmovpsS}, {VmaskmovpdL, VmaskmovpdS}}[w.size/8][b2i(store)]
	}
	w.Emit(&in)
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}
