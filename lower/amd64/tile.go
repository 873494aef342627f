package amd64

import (
	"fmt"
	"math/bits"
	"slices"
)

// TileElem is the type of numbers that a micro-kernel multiplies.
type TileElem uint8

// The types of micro-kernels. Integers wrap.
const (
	TileF32 TileElem = iota
	TileF64
	TileI32
	TileI64
)

// Size returns the number of bytes of an element.
func (e TileElem) Size() int {
	if e == TileF64 || e == TileI64 {
		return 8
	}
	return 4
}

// Float reports whether the elements are floating-point numbers.
func (e TileElem) Float() bool { return e <= TileF64 }

// String returns the name of the type.
func (e TileElem) String() string { return [...]string{"f32", "f64", "i32", "i64"}[e] }

// A Tile is a micro-kernel of dense products,
//
//	C[i, j] += Σₖ A[i, k] · B[k, j],
//
// for Rows rows and Vecs vectors of columns, which stay in registers. Floats are summed
// in the canonical order: chains of Chunk fused multiply-adds from +0, added to C from
// left to right. Three loops around the tile run within one call; each moves A, B and C
// by steps of its own. Columns of B and C lie side by side; of A either the contracted
// elements of a row do, or, where Down is set, the rows of a contracted element.
type Tile struct {
	ISA   ISA
	Elem  TileElem
	Rows  int
	Vecs  int
	Chunk int // contracted elements of a chain, a multiple of 4
	Down  bool
	// Pieces states that the contracted elements of a row of A are pieces of memory, which a
	// table lists: see TilePieces.
	Pieces bool
	// Ahead is how many contracted elements before their use B's vectors are requested from
	// memory: a power of two, in tiles of one row of floats; 0: they are not.
	Ahead int
}

// The words of a tile's block of arguments, 8 bytes each. Strides and steps are bytes.
const (
	TileA     = iota // address of A
	TileB            // address of B
	TileC            // address of C
	TileLdA          // from row to row of A, or from contracted element to the next where Down is set
	TileLdB          // from contracted element to the next of B
	TileLdC          // from row to row of C
	TileK            // contracted elements, at least 1
	TileFlags        // TileAccumulate, TileFinal
	TileMask         // four words: AVX-512: bits of the last vector's columns; AVX2: −1 in each of its elements
	_
	_
	_
	TilePieces                       // Pieces: address of the table, TilePieceWords words for each piece
	TileLoops                        // three loops from the outermost: count, steps of A, B and C
	tileState  = TileLoops + 3*4     // what the code remembers: four words a loop, one more
	TileArgs   = tileState + 3*4 + 1 // words in all
)

// Flags of a tile.
const (
	TileAccumulate = 1 << iota // C contains sums of earlier contracted elements
	TileFinal                  // these are the last contracted elements: NaNs become canonical
)

// Lanes returns the number of elements of a vector.
func (t Tile) Lanes() int { return t.ISA.vectorBytes() / t.Elem.Size() }

// registers returns the number of vector registers.
func (i ISA) registers() int {
	if i == AVX512 {
		return 32
	}
	return 16
}

// maxTileRows is the number of rows that addresses reach.
const maxTileRows = 16

// MaxRows returns the most rows of a tile with a number of vectors, 0 if there is none.
func (t Tile) MaxRows(vecs int) int {
	free := t.ISA.registers()
	temps := 1 // the element of A
	if t.ISA == AVX2 {
		free-- // the mask
	}
	switch {
	case t.Elem == TileI64 && t.ISA == AVX2:
		temps = 4
	case !t.Elem.Float():
		temps = 2
	}
	// A single row multiplies by B in memory; the last vector needs a register.
	if n := free - temps - 1; t.Elem.Float() && vecs > (n-1)/2 {
		if vecs <= n {
			return 1
		}
		return 0
	}
	return max(0, min(maxTileRows, (free-temps-vecs)/vecs))
}

// CompileTile returns the code of a tile. It takes a block of TileArgs words.
func CompileTile(t Tile) (*Code, error) {
	if t.Rows < 1 || t.Vecs < 1 || t.Rows > t.MaxRows(t.Vecs) || t.Chunk < 4 || t.Chunk%4 != 0 || t.Down && t.Pieces || t.Ahead&(t.Ahead-1) != 0 || t.Ahead > 0 && (t.Rows > 1 || !t.Elem.Float()) {
		return nil, fmt.Errorf("amd64: no tile of %d rows and %d vectors in chunks of %d", t.Rows, t.Vecs, t.Chunk)
	}
	w := &tileWriter{assembler: assembler{isa: t.ISA}, Tile: t}
	w.code()
	bytes, n := w.Finish()
	return &Code{Name: t.String(), ISA: t.ISA, Bytes: slices.Clone(bytes), Size: n, Args: TileArgs}, nil
}

// String returns the name of the tile.
func (t Tile) String() string {
	s := fmt.Sprintf("tile_%v_%dx%d", t.Elem, t.Rows, t.Vecs*t.Lanes())
	if t.Down {
		s += "_down"
	}
	if t.Pieces {
		s += "_pieces"
	}
	if t.Ahead > 0 {
		s += fmt.Sprintf("_ahead%d", t.Ahead)
	}
	return s
}

// Registers of a tile.
const (
	tileA    Reg = RSI // row 0 of A, at the current contracted element
	tileB    Reg = RDX
	tileLdb  Reg = RCX
	tileLdb3 Reg = RBX // three times as much
	tileA9   Reg = 8   // row 9
	tileLda  Reg = 9
	tileLda3 Reg = 10
	tileLda5 Reg = 11
	tileLda7 Reg = 12
	tileCol  Reg = 13 // C
	tileLdc  Reg = 14
	tileLeft Reg = 15 // contracted elements after the current chunk, or Pieces: address of the current piece
	tileN    Reg = RAX

	tileAhead = tileA9   // of one row: B, Ahead elements on
	tileStep  = tileLda7 // of one row: bytes that Ahead elements of B take
)

type tileWriter struct {
	assembler
	Tile
	// Vector registers behind the accumulators.
	b     []Reg // of B's vectors
	temps []Reg // elements of A in turn
	mask  Reg   // AVX2
	turn  int
}

// word returns the operand of a word of the arguments.
func word(i int) Mem { return at(RDI, int32(8*i)) }

// acc returns the register of a sum.
func (w *tileWriter) acc(row, vec int) Reg { return Reg(row*w.Vecs + vec) }

func (w *tileWriter) code() {
	n := Reg(w.Rows * w.Vecs)
	top := Reg(w.isa.registers())
	if w.isa == AVX2 {
		top--
		w.mask = top
		w.vectorMem(Vmovups, w.mask, 0, word(TileMask))
	} else {
		w.Emit(&Inst{Op: Kmovq, R: 1, UseMem: true, Mem: word(TileMask)})
	}
	vecs := w.Vecs
	if w.inMemory() {
		vecs = 1
	}
	for range vecs {
		w.b = append(w.b, n)
		n++
	}
	for ; n < top && len(w.temps) < 4; n++ {
		w.temps = append(w.temps, n)
	}
	w.load(tileLda, word(TileLdA))
	w.load(tileLdb, word(TileLdB))
	w.load(tileLdc, word(TileLdC))
	w.lea(tileLda3, indexed(tileLda, tileLda, 1, 0))
	w.lea(tileLda5, indexed(tileLda, tileLda, 2, 0))
	w.lea(tileLda7, indexed(tileLda3, tileLda, 2, 0))
	w.lea(tileLdb3, indexed(tileLdb, tileLdb, 1, 0))
	if w.Ahead > 0 {
		w.general(Mov, tileStep, tileLdb)
		w.immediate(ShlI, tileStep, int64(bits.TrailingZeros(uint(w.Ahead))))
	}
	w.loops(0)
	w.end()
}

// inMemory reports whether B's vectors are memory operands: each is used once.
func (w *tileWriter) inMemory() bool { return w.Rows == 1 && w.Elem.Float() }

// loops writes loop d and those within. A loop's state is A, B, C and the iterations left.
func (w *tileWriter) loops(d int) {
	state := tileState + 4*d
	above, first := tileState+4*(d-1), TileLoops+4*d
	if d == 0 {
		above = TileA
	}
	for i := range 3 {
		w.load(RAX, word(above+i))
		w.store(word(state+i), RAX)
	}
	w.load(RAX, word(first))
	w.store(word(state+3), RAX)
	top, end := w.NewLabel(), w.NewLabel()
	w.general(Test, RAX, RAX)
	w.Jump(Jle, end)
	w.Bind(top)
	if d < 2 {
		w.loops(d + 1)
	} else {
		w.tile(state)
	}
	for i := range 3 {
		w.load(RAX, word(state+i))
		w.generalMem(Add, RAX, word(first+1+i))
		w.store(word(state+i), RAX)
	}
	w.load(RAX, word(state+3))
	w.immediate(SubI, RAX, 1)
	w.store(word(state+3), RAX)
	w.Jump(Jne, top)
	w.Bind(end)
}

// tile writes the product of one tile, whose addresses are in the state of the
// innermost loop.
func (w *tileWriter) tile(state int) {
	chunk, inner, tail, one, done := w.NewLabel(), w.NewLabel(), w.NewLabel(), w.NewLabel(), w.NewLabel()
	w.load(tileA, word(state))
	w.load(tileB, word(state+1))
	w.load(tileCol, word(state+2))
	if !w.Down && w.Rows > 9 {
		w.lea(tileA9, indexed(tileA, tileLda, 3, 0))
		w.general(Add, tileA9, tileLda)
	}
	w.prefetch()
	w.load(tileLeft, word(TileK))
	if w.Pieces {
		w.load(tileLeft, word(TilePieces))
	}
	w.load(tileN, word(TileFlags))
	w.store(word(TileArgs-1), tileN)
	w.Bind(chunk)
	for i := range w.Rows * w.Vecs {
		w.zero(Reg(i))
	}
	piece := w.NewLabel()
	w.Bind(piece)
	if w.Pieces {
		w.load(tileN, at(tileLeft, 0))
	} else {
		w.immediate(MovI, tileN, int64(w.Chunk))
		w.general(Cmp, tileN, tileLeft)
		w.general(Cmovg, tileN, tileLeft)
		w.general(Sub, tileLeft, tileN)
	}
	w.immediate(SubI, tileN, 4)
	w.Jump(Jl, tail)
	w.Align(32)
	w.Bind(inner)
	for k := range 4 {
		w.element(k)
	}
	w.advance(4)
	w.immediate(SubI, tileN, 4)
	w.Jump(Jge, inner)
	w.Bind(tail)
	w.immediate(AddI, tileN, 4)
	w.Jump(Je, done)
	w.Bind(one)
	w.element(0)
	w.advance(1)
	w.immediate(SubI, tileN, 1)
	w.Jump(Jne, one)
	w.Bind(done)
	if w.Pieces {
		w.generalMem(Add, tileA, at(tileLeft, 8))
		if w.Rows > 9 {
			w.generalMem(Add, tileA9, at(tileLeft, 8))
		}
		w.immediate(AddI, tileLeft, 8*TilePieceWords)
		w.load(tileN, at(tileLeft, -8))
		w.general(Test, tileN, tileN)
		w.Jump(Je, piece)
	}
	w.update()
	w.more()
	w.Jump(Jne, chunk)
}

// prefetch requests the tile of C, which is used after the chain.
func (w *tileWriter) prefetch() {
	if w.Rows == 1 {
		return
	}
	w.general(Mov, tileN, tileCol)
	for r := range w.Rows {
		for v := 0; v < w.Vecs*w.isa.vectorBytes(); v += 64 {
			w.generalMem(Prefetcht0, 0, at(tileN, int32(v)))
		}
		if r+1 < w.Rows {
			w.general(Add, tileN, tileLdc)
		}
	}
}

// advance moves A and B by n contracted elements.
func (w *tileWriter) advance(n int) {
	scale := uint8(0)
	if n == 4 {
		scale = 2
	}
	if w.Down {
		w.lea(tileA, indexed(tileA, tileLda, scale, 0))
	} else {
		w.immediate(AddI, tileA, int64(n*w.Elem.Size()))
		if w.Rows > 9 {
			w.immediate(AddI, tileA9, int64(n*w.Elem.Size()))
		}
	}
	w.lea(tileB, indexed(tileB, tileLdb, scale, 0))
}

// times returns [base + n·ld + disp], n < 4.
func times(base, ld, ld3 Reg, n int, disp int32) Mem {
	switch n {
	case 0:
		return at(base, disp)
	case 1:
		return indexed(base, ld, 0, disp)
	case 2:
		return indexed(base, ld, 1, disp)
	}
	return indexed(base, ld3, 0, disp)
}

// operandA returns the place of row r of A at contracted element k from the current one.
func (w *tileWriter) operandA(r, k int) Mem {
	size := int32(w.Elem.Size())
	if w.Down {
		return times(tileA, tileLda, tileLda3, k, int32(r)*size)
	}
	base, disp := tileA, int32(k)*size
	if r >= 9 {
		base, r = tileA9, r-9
	}
	switch r {
	case 0, 1, 2, 3:
		return times(base, tileLda, tileLda3, r, disp)
	case 4:
		return indexed(base, tileLda, 2, disp)
	case 5:
		return indexed(base, tileLda5, 0, disp)
	case 6:
		return indexed(base, tileLda3, 1, disp)
	case 7:
		return indexed(base, tileLda7, 0, disp)
	}
	return indexed(base, tileLda, 3, disp)
}

func (w *tileWriter) operandB(v, k int) Mem {
	return times(tileB, tileLdb, tileLdb3, k, int32(v*w.isa.vectorBytes()))
}

// loadB loads a vector of B, the last one under the mask.
func (w *tileWriter) loadB(r Reg, v int, m Mem) {
	switch {
	case v < w.Vecs-1:
		w.vectorMem(Vmovups, r, 0, m)
	default:
		w.loadMasked(r, m)
	}
}

func (w *tileWriter) loadMasked(r Reg, m Mem) {
	wide := w.Elem.Size() == 8
	switch {
	case w.isa == AVX512 && wide:
		w.Emit(&Inst{Op: Vmovupd, Len: L512, R: r, UseMem: true, Mem: m, K: 1, Zero: true})
	case w.isa == AVX512:
		w.Emit(&Inst{Op: Vmovups, Len: L512, R: r, UseMem: true, Mem: m, K: 1, Zero: true})
	case wide:
		w.vectorMem(VmaskmovpdL, r, w.mask, m)
	default:
		w.vectorMem(VmaskmovpsL, r, w.mask, m)
	}
}

func (w *tileWriter) storeMasked(m Mem, r Reg) {
	wide := w.Elem.Size() == 8
	switch {
	case w.isa == AVX512 && wide:
		w.Emit(&Inst{Op: VmovupdS, Len: L512, R: r, UseMem: true, Mem: m, K: 1})
	case w.isa == AVX512:
		w.Emit(&Inst{Op: VmovupsS, Len: L512, R: r, UseMem: true, Mem: m, K: 1})
	case wide:
		w.Emit(&Inst{Op: VmaskmovpdS, Len: L256, R: r, V: w.mask, UseMem: true, Mem: m})
	default:
		w.Emit(&Inst{Op: VmaskmovpsS, Len: L256, R: r, V: w.mask, UseMem: true, Mem: m})
	}
}

// element adds the products of contracted element k from the current one.
func (w *tileWriter) element(k int) {
	if w.inMemory() {
		t := w.broadcast(w.operandA(0, k))
		if w.Ahead > 0 {
			w.requestB(k)
		}
		for v := range w.Vecs - 1 {
			w.vectorMem(w.fma(), w.acc(0, v), t, w.operandB(v, k))
		}
		w.loadB(w.b[0], w.Vecs-1, w.operandB(w.Vecs-1, k))
		w.vector(w.fma(), w.acc(0, w.Vecs-1), t, w.b[0])
		return
	}
	for v := range w.Vecs {
		w.loadB(w.b[v], v, w.operandB(v, k))
	}
	for r := range w.Rows {
		m := w.operandA(r, k)
		switch {
		case w.Elem.Float() && w.isa == AVX512 && w.Vecs == 1:
			w.Emit(&Inst{Op: w.fma(), Len: L512, R: w.acc(r, 0), V: w.b[0], UseMem: true, Mem: m, Bcast: true})
		case w.Elem.Float():
			t := w.broadcast(m)
			for v := range w.Vecs {
				w.vector(w.fma(), w.acc(r, v), t, w.b[v])
			}
		default:
			w.integers(r, m)
		}
	}
}

// broadcast loads an element of A into all lanes of a register.
func (w *tileWriter) broadcast(m Mem) Reg {
	t := w.temps[w.turn%len(w.temps)]
	w.turn++
	w.spread(t, m)
	return t
}

func (w *tileWriter) spread(t Reg, m Mem) {
	op := Vbroadcastss
	if w.Elem.Size() == 8 {
		op = Vbroadcastsd
	}
	w.vectorMem(op, t, 0, m)
}

func (w *tileWriter) fma() Op {
	if w.Elem == TileF64 {
		return Vfmadd231pd
	}
	return Vfmadd231ps
}

// add returns the instruction that adds elements.
func (w *tileWriter) add() Op {
	return [...]Op{TileF32: Vaddps, TileF64: Vaddpd, TileI32: Vpaddd, TileI64: Vpaddq}[w.Elem]
}

// integers adds the products of one row.
func (w *tileWriter) integers(r int, m Mem) {
	t := w.temps
	w.spread(t[0], m)
	if w.Elem == TileI64 && w.isa == AVX2 {
		w.vectorImm(VpsrlqI, t[1], t[0], 32)
	}
	for v := range w.Vecs {
		acc, b := w.acc(r, v), w.b[v]
		switch {
		case w.Elem == TileI32:
			w.vector(Vpmulld, t[1], b, t[0])
		case w.isa == AVX512:
			w.vector(Vpmullq, t[1], b, t[0])
		default: // low·low + (low·high + high·low)·2³²
			w.vectorImm(VpsrlqI, t[2], b, 32)
			w.vector(Vpmuludq, t[2], t[2], t[0])
			w.vector(Vpmuludq, t[3], b, t[1])
			w.vector(Vpaddq, t[2], t[2], t[3])
			w.vectorImm(VpsllqI, t[2], t[2], 32)
			w.vector(Vpaddq, acc, acc, t[2])
			w.vector(Vpmuludq, t[2], b, t[0])
			w.vector(Vpaddq, acc, acc, t[2])
			continue
		}
		w.vector(w.add(), acc, acc, t[1])
	}
}

// vectorImm appends r = m shifted by a constant.
func (w *tileWriter) vectorImm(op Op, r, m Reg, n int64) {
	w.Emit(&Inst{Op: op, Len: w.length(), V: r, M: m, Imm: n})
}

// update adds the chunk's sums to C and writes them.
func (w *tileWriter) update() {
	fresh, added, stored := w.NewLabel(), w.NewLabel(), w.NewLabel()
	t := w.b[0]
	w.load(tileCol, word(tileState+2*4+2))
	w.load(tileN, word(TileArgs-1))
	w.immediate(AndI, tileN, TileAccumulate)
	w.Jump(Je, fresh)
	w.overC(func(r, v int, m Mem) {
		if v < w.Vecs-1 {
			w.vectorMem(w.add(), w.acc(r, v), w.acc(r, v), m)
			return
		}
		w.loadMasked(t, m)
		w.vector(w.add(), w.acc(r, v), w.acc(r, v), t)
	})
	w.Jump(Jmp, added)
	w.Bind(fresh)
	if w.Elem.Float() { // +0 + −0 = +0
		w.zero(t)
		for i := range w.Rows * w.Vecs {
			w.vector(w.add(), Reg(i), Reg(i), t)
		}
	}
	w.load(tileN, word(TileArgs-1))
	w.immediate(OrI, tileN, TileAccumulate)
	w.store(word(TileArgs-1), tileN)
	w.Bind(added)
	if w.Elem.Float() {
		w.more()
		w.Jump(Jne, stored)
		w.load(tileN, word(TileArgs-1))
		w.immediate(AndI, tileN, TileFinal)
		w.Jump(Je, stored)
		w.canonical()
	}
	w.Bind(stored)
	w.load(tileCol, word(tileState+2*4+2))
	w.overC(func(r, v int, m Mem) {
		if v < w.Vecs-1 {
			w.vectorMem(VmovupsS, w.acc(r, v), 0, m)
			return
		}
		w.storeMasked(m, w.acc(r, v))
	})
}

// overC calls f for every vector of C and moves the pointer to C down.
func (w *tileWriter) overC(f func(r, v int, m Mem)) {
	for r := range w.Rows {
		for v := range w.Vecs {
			f(r, v, at(tileCol, int32(v*w.isa.vectorBytes())))
		}
		if r+1 < w.Rows {
			w.general(Add, tileCol, tileLdc)
		}
	}
}

// canonical replaces every NaN by the canonical one.
func (w *tileWriter) canonical() {
	nan := w.canonicalNaN(w.Elem.Size())
	t := w.temps[0]
	w.vectorMem(Vmovups, t, 0, nan)
	for i := range w.Rows * w.Vecs {
		w.assembler.canonical(w.Elem.Size(), Reg(i), t, w.b[0])
	}
}
