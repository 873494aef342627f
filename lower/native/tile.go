package native

import (
	"fmt"
	"unsafe"

	"github.com/weft-go/weft/lower/schedule"
)

// A Tile is a micro-kernel of dense products,
//
//	C[i, j] += Σₖ A[i, k] · B[k, j],
//
// for Rows rows and Vecs vectors of columns, which stay in registers. Floats are summed
// in the canonical order: chains of Chunk fused multiply-adds from +0, added to C from
// left to right. Three loops around the tile run within one call; each moves A, B and C
// by steps of its own. Columns of B and C lie side by side. In A the contracted elements
// of a row lie side by side or, where Down is set, the rows' elements of one k.
type Tile struct {
	Elem  schedule.Element // with pairs of bf16, subnormal numbers count as 0
	Rows  int
	Vecs  int
	Chunk int // contracted elements of a chain, a multiple of 4
	Down  bool
	// Pieces is set if the contracted elements of a row of A lie in pieces of memory, which a
	// table of [TilePiece] lists.
	Pieces bool
	// Whole is set if the last vector of columns is whole, which needs no mask: some processors
	// take a dozen cycles for a masked store.
	Whole bool
	// Ahead is the number of contracted elements by which requests of B's vectors from memory precede their
	// use. It is 0, which requests nothing, or a power of two in tiles of one row whose elements are fused.
	Ahead int
	// Beside is set if a tile of several rows requests columns of B that the second loop takes next: a line at each step
	// of a chain. The tile below requests the lines after these.
	Beside bool
}

// TileArgs are the arguments of a tile. Strides and steps are bytes.
type TileArgs struct {
	A, B, C uint64      // addresses
	LdA     uint64      // from row to row of A, or from contracted element to the next where Down is set
	LdB     uint64      // from contracted element to the next of B
	LdC     uint64      // from row to row of C
	K       uint64      // contracted elements, at least 1; in matrices at most schedule.MatrixSide, or a multiple of it
	Flags   uint64      // Accumulate, Final
	Mask    [4]uint64   // of the last vector's columns: see [Model.LaneMask]
	Pieces  uint64      // if [Tile].Pieces is set: address of the table of pieces
	Loops   [3]TileLoop // from the outermost

	state  [3]tileState // of the loops
	flags  uint64       // of the present chain
	beside uint64       // bytes from B to the line that the present tile requests

	shapes [8]uint64 // of matrices: see SetMatrices
}

// A TileLoop is a loop around a tile.
type TileLoop struct {
	Count   uint64
	A, B, C uint64 // steps
}

// tileState is the state of a loop: the present addresses of A, B and C, and the iterations that
// are left.
type tileState struct {
	at   [3]uint64
	left uint64
}

// Flags of products.
const (
	Accumulate = 1 << iota // the result contains sums of earlier contracted elements
	Final                  // these are the last contracted elements: NaNs become canonical
)

// A TilePiece is a piece of a row of A. No chain ends within a piece.
type TilePiece struct {
	Elements uint64 // contracted elements, at least 1
	Gap      uint64 // bytes from its end to the next one's first element
	End      uint64 // 0, PieceEnds or PieceLast
}

// Values of [TilePiece].End: what else ends with the piece.
const (
	PieceEnds = 1 + iota // a chain
	PieceLast            // the last chain
)

func (t Tile) words() int { return int(unsafe.Sizeof(TileArgs{}) / 8) }

func (t Tile) problem(m *Model) string {
	ahead := t.Ahead == 0 || t.Ahead > 0 && t.Ahead&(t.Ahead-1) == 0 && t.Rows == 1 && t.Elem.Fused()
	matrices := t.Elem != schedule.ByteMatrix || !t.Down && !t.Pieces && t.Ahead == 0 && !t.Beside
	if (t.Elem == schedule.BF16Pair || t.Elem >= schedule.I16Dot) && !m.Pairs || t.Rows < 1 || t.Vecs < 1 || t.Rows > m.Processor.TileRows(t.Elem, t.Vecs) ||
		t.Chunk < 4 || t.Chunk%4 != 0 || t.Down && t.Pieces || t.Beside && t.Rows == 1 || !ahead || !matrices {
		return fmt.Sprintf("tile of %d rows and %d vectors of %v in chunks of %d", t.Rows, t.Vecs, t.Elem, t.Chunk)
	}
	return ""
}

func (t Tile) name(m *Model) string {
	s := fmt.Sprintf("tile_%v_%dx%d", t.Elem, t.Rows, t.Vecs*m.VectorBytes/t.Elem.Size())
	if t.Down {
		s += "_down"
	}
	if t.Pieces {
		s += "_pieces"
	}
	if t.Whole {
		s += "_whole"
	}
	if t.Beside {
		s += "_beside"
	}
	if t.Ahead > 0 {
		s += fmt.Sprintf("_ahead%d", t.Ahead)
	}
	return s
}

// General registers of a tile. Registers 3 and 5, and 7 to 9, are the target's, except in tiles of
// matrices.
const (
	tileN    = g0 // contracted elements of the chain; elsewhere a temporary
	tileLdB  = g0 + 1
	tileB    = g0 + 2
	tileA    = g0 + 4
	tileLdA  = g0 + 6
	tileC    = g0 + 10
	tileLdC  = g0 + 11
	tileLeft = g0 + 12 // contracted elements after the present chunk or, if Pieces is set, the address of the present piece
)

// TileCode is a tile that is being written.
type TileCode struct {
	*Micro
	Tile
	// General registers: addresses of A and B at the present contracted element, and their strides.
	A, B, LdA, LdB VReg
	PlaceB         Mem    // the address of B at the first contracted element
	Columns        []VReg // registers for the vectors of B, or for the last vector only
	Temps          []VReg // up to four vectors
	Mask           Mask   // of the last vector of columns
}

// A TileChains is a [MicroPatterns] that computes chains in more than one way.
type TileChains interface {
	// Chain writes the sums of a chain. Each call of `write` writes code that computes them by [MicroPatterns.Products].
	Chain(t *TileCode, write func())
}

// Acc returns the register of a sum.
func (t *TileCode) Acc(row, vec int) VReg { return v0 + VReg(row*t.Vecs+vec) }

// Contracted is the number of contracted elements in memory.
func (t *TileCode) Contracted() Mem { return arg(unsafe.Offsetof(TileArgs{}.K)) }

// Single reports whether each vector of B is used once.
func (t *TileCode) Single() bool { return t.Rows == 1 && t.Elem.Fused() }

// masked reports whether a vector of columns is read and written under the mask.
func (t *TileCode) masked(vec int) bool { return vec == t.Vecs-1 && !t.Whole }

// LoadColumn loads a vector of columns of B.
func (t *TileCode) LoadColumn(d VReg, m Mem, vec int) {
	if t.masked(vec) {
		t.LoadMask(d, m, t.Mask)
	} else {
		t.LoadV(d, m)
	}
}

func (t Tile) write(w *Micro) {
	w.of(t.Elem)
	c := &TileCode{Micro: w, Tile: t, A: tileA, B: tileB, LdA: tileLdA, LdB: tileLdB}
	top := v0 + VReg(w.Model.Processor.Registers)
	c.Mask = Mask{1, top}
	if !t.Whole && t.Elem != schedule.ByteMatrix {
		w.ArgMask(c.Mask, arg(unsafe.Offsetof(TileArgs{}.Mask)))
	}
	n, vecs := c.Acc(t.Rows, 0), t.Vecs
	if c.Single() {
		vecs = 1
	}
	for range vecs {
		c.Columns = append(c.Columns, n)
		n++
	}
	for ; n < top && len(c.Temps) < 4; n++ {
		c.Temps = append(c.Temps, n)
	}
	w.Load(tileLdA, arg(unsafe.Offsetof(TileArgs{}.LdA)))
	w.Load(tileLdB, arg(unsafe.Offsetof(TileArgs{}.LdB)))
	w.Load(tileLdC, arg(unsafe.Offsetof(TileArgs{}.LdC)))
	if t.Elem == schedule.ByteMatrix {
		x := w.MicroPatterns.(MatrixPatterns)
		x.StartMatrices(arg(unsafe.Offsetof(TileArgs{}.shapes)))
		c.loop(0)
		x.EndMatrices()
		return
	}
	w.StartTile(c)
	c.loop(0)
}

const (
	tileLoops  = unsafe.Offsetof(TileArgs{}.Loops)
	tileStates = unsafe.Offsetof(TileArgs{}.state)
	tileFlags  = unsafe.Offsetof(TileArgs{}.flags)
)

func (t *TileCode) loop(d int) {
	state := tileStates + uintptr(d)*unsafe.Sizeof(tileState{})
	loop := tileLoops + uintptr(d)*unsafe.Sizeof(TileLoop{})
	above := state - unsafe.Sizeof(tileState{})
	if d == 0 {
		above = unsafe.Offsetof(TileArgs{}.A)
	}
	for i := range 3 {
		t.Load(g0, word(above, i))
		t.store(word(state, i), g0)
	}
	left := arg(state + unsafe.Offsetof(tileState{}.left))
	t.Load(g0, arg(loop))
	t.store(left, g0)
	top, end := t.newLabel(), t.newLabel()
	t.zeroJump(g0, Le, end)
	if d == 2 && t.Beside {
		t.startRequests()
	}
	t.bind(top)
	if d < 2 {
		t.loop(d + 1)
	} else {
		t.tile(state)
		if t.Beside {
			t.nextRequests()
		}
	}
	for i := range 3 {
		t.Load(g0, word(state, i))
		t.DoLoad(Add, g0, word(loop+unsafe.Offsetof(TileLoop{}.A), i))
		t.store(word(state, i), g0)
	}
	t.CountDown(left, g0, top)
	t.bind(end)
}

// tile writes the product of one tile, whose addresses are in the state of the innermost loop.
func (t *TileCode) tile(state uintptr) {
	chunk := t.newLabel()
	t.Load(tileA, word(state, 0))
	t.PlaceB = word(state, 1)
	t.Load(tileB, t.PlaceB)
	t.Load(tileC, word(state, 2))
	if t.Elem == schedule.ByteMatrix {
		t.matrices()
		return
	}
	t.AtTile(t)
	t.requestC()
	t.Load(tileLeft, arg(unsafe.Offsetof(TileArgs{}.K)))
	if t.Pieces {
		t.Load(tileLeft, arg(unsafe.Offsetof(TileArgs{}.Pieces)))
	}
	t.Load(tileN, arg(unsafe.Offsetof(TileArgs{}.Flags)))
	t.store(arg(tileFlags), tileN)
	t.bind(chunk)
	if c, ok := t.MicroPatterns.(TileChains); ok {
		c.Chain(t, t.chain)
	} else {
		t.chain()
	}
	t.update()
	t.moreJump(chunk)
}

func (t *TileCode) chain() {
	inner, tail, one, done := t.newLabel(), t.newLabel(), t.newLabel(), t.newLabel()
	for i := range t.Rows * t.Vecs {
		t.Zero(v0 + VReg(i))
	}
	if t.Beside {
		t.Load(tileC, arg(tileBeside)) // C's address is loaded again after the chain
	}
	piece := t.newLabel()
	t.bind(piece)
	if t.Pieces {
		t.Load(tileN, At(tileLeft, int(unsafe.Offsetof(TilePiece{}.Elements))))
	} else {
		t.set(tileN, t.Chunk)
		t.Do(Min, tileN, tileLeft)
		t.Do(Sub, tileLeft, tileN)
	}
	if n := t.step(); n > 1 {
		t.doJump(SubI, tileN, n, Lt, tail)
		t.loopStart(inner)
		if t.Beside {
			t.Request(Indexed(tileB, tileC, 0, 0))
		}
		t.Products(t, n)
		t.doJump(SubI, tileN, n, Ge, inner)
		t.bind(tail)
		t.doJump(AddI, tileN, n, Eq, done)
	}
	t.bind(one)
	t.Products(t, 1)
	t.doJump(SubI, tileN, 1, Ne, one)
	t.bind(done)
	if t.Pieces {
		t.Skip(t, At(tileLeft, int(unsafe.Offsetof(TilePiece{}.Gap))))
		t.DoI(AddI, tileLeft, int(unsafe.Sizeof(TilePiece{})))
		t.Load(tileN, lastPiece)
		t.zeroJump(tileN, Eq, piece)
	}
}

func (t *TileCode) step() int {
	n, each := t.Model.TileStep, t.Rows*t.Vecs+t.Rows+t.Vecs
	for most := t.Model.TileRoom; most > 0 && n > 1 && n*each > most; {
		n /= 2
	}
	return n
}

// lastPiece is the End of the piece before the present one.
var lastPiece = At(tileLeft, int(unsafe.Offsetof(TilePiece{}.End))-int(unsafe.Sizeof(TilePiece{})))

// moreJump jumps if chains follow. It changes only tileN.
func (t *TileCode) moreJump(to Label) {
	if !t.Pieces {
		t.zeroJump(tileLeft, Ne, to)
		return
	}
	t.Load(tileN, lastPiece)
	t.branchI(Ne, tileN, PieceLast, to)
}

// update adds the chunk's sums to C and writes them.
func (t *TileCode) update() {
	fresh, added, stored := t.newLabel(), t.newLabel(), t.newLabel()
	temp := t.Columns[0]
	t.loadC()
	t.Load(tileN, arg(tileFlags))
	t.doJump(AndI, tileN, Accumulate, Eq, fresh)
	t.overC(func(acc VReg, m Mem, masked bool) {
		if !masked {
			t.PlusLoad(acc, acc, m, temp)
			return
		}
		t.LoadMask(temp, m, t.Mask)
		t.Plus(acc, acc, temp)
	})
	t.jump(added)
	t.bind(fresh)
	if t.Elem.Float() { // +0 + −0 = +0
		t.Zero(temp)
		for i := range t.Rows * t.Vecs {
			t.Plus(v0+VReg(i), v0+VReg(i), temp)
		}
	}
	t.Load(tileN, arg(tileFlags))
	t.DoI(OrI, tileN, Accumulate)
	t.store(arg(tileFlags), tileN)
	t.bind(added)
	if t.Elem.Float() {
		t.moreJump(stored)
		t.Load(tileN, arg(tileFlags))
		t.doJump(AndI, tileN, Final, Eq, stored)
		nan := t.Temps[0]
		t.NaNs(nan)
		for i := range t.Rows * t.Vecs {
			t.Canonical(v0+VReg(i), nan, temp)
		}
	}
	t.bind(stored)
	t.loadC()
	t.overC(func(acc VReg, m Mem, masked bool) {
		if !masked {
			t.storeV(m, acc)
			return
		}
		t.StoreMask(m, acc, t.Mask)
	})
}

func (t *TileCode) loadC() {
	t.Load(tileC, word(tileStates+2*unsafe.Sizeof(tileState{})+unsafe.Offsetof(tileState{}.at), 2))
}

// overC calls f for every vector of C and moves the pointer to C down.
func (t *TileCode) overC(f func(acc VReg, m Mem, masked bool)) {
	for r := range t.Rows {
		for v := range t.Vecs {
			f(t.Acc(r, v), At(tileC, v*t.Model.VectorBytes), t.masked(v))
		}
		if r+1 < t.Rows {
			t.Do(Add, tileC, tileLdC)
		}
	}
}
