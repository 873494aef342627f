package amd64

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/weft-go/weft/lower/native"
)

// TileElem is the type of numbers that a micro-kernel multiplies.
type TileElem uint8

// The types of micro-kernels. Integers wrap.
const (
	TileF32 TileElem = iota
	TileF64
	TileI32
	TileI64
	// TileBF16 is a pair of bf16, neighbours among the contracted elements, which AVX-512 with
	// BF16 multiplies and adds to an f32 that C contains. Subnormal numbers count as 0.
	TileBF16
	// TileI16 is a pair of i16, neighbours among the contracted elements, whose products are
	// added to an i32 that C contains.
	TileI16
)

// Size returns the number of bytes of an element.
func (e TileElem) Size() int {
	if e == TileF64 || e == TileI64 {
		return 8
	}
	return 4
}

// Float reports whether the elements are floating-point numbers.
func (e TileElem) Float() bool { return e <= TileF64 || e == TileBF16 }

// String returns the name of the type.
func (e TileElem) String() string { return [...]string{"f32", "f64", "i32", "i64", "bf16", "i16"}[e] }

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
	tileState  = TileLoops + 3*4     // what the code stores: four words a loop, one more
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
func CompileTile(t Tile) (*native.Code, error) {
	if t.Elem == TileBF16 && t.ISA != AVX512 {
		return nil, fmt.Errorf("BUG: amd64: %v has no products of bf16", t.ISA)
	}
	if t.Rows < 1 || t.Vecs < 1 || t.Rows > t.MaxRows(t.Vecs) || t.Chunk < 4 || t.Chunk%4 != 0 || t.Down && t.Pieces || t.Ahead&(t.Ahead-1) != 0 || t.Ahead > 0 && (t.Rows > 1 || !t.Elem.Float()) {
		return nil, fmt.Errorf("BUG: amd64: no tile of %d rows and %d vectors in chunks of %d", t.Rows, t.Vecs, t.Chunk)
	}
	w := &tileWriter{assembler: assembler{isa: t.ISA}, Tile: t}
	w.code()
	bytes, n := w.Finish()
	return &native.Code{Name: t.String(), ISA: t.ISA, Bytes: slices.Clone(bytes), Size: n, Args: TileArgs}, nil
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
