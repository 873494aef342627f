package native

import (
	"fmt"
	"unsafe"

	"github.com/weft-go/weft/lower/schedule"
)

// A RowDots is a micro-kernel of the products of a matrix's rows with a few vectors,
//
//	Y[j, r] += Σₖ W[r, k] · X[j, k],
//
// where the contracted elements of W and of X lie side by side. Rows are transposed in registers, so that each
// row becomes a lane. The order of operations is that of Tile.
type RowDots struct {
	Elem  schedule.Element // F32 or F64
	Vecs  int              // vectors X: 1 to 4
	Twice bool             // two groups of rows at once, which do not wait for each other
	Chunk int
}

// RowDotsArgs are the arguments of a [RowDots].
type RowDotsArgs struct {
	W, X, Y uint64 // addresses
	LdW     uint64 // bytes from row to row of W
	LdX     uint64 // bytes from vector to vector
	LdY     uint64 // bytes from vector to vector of the result, whose elements lie side by side
	Count   uint64 // rows, at least 1
	K       uint64 // contracted elements, at least 1
	Flags   uint64 // Accumulate, Final

	flags uint64     // of the present group
	rows  [32]uint64 // addresses of the rows of two groups
}

func (k RowDots) words() int { return int(unsafe.Sizeof(RowDotsArgs{}) / 8) }

func (k RowDots) problem(*Model) string {
	if k.Elem > schedule.F64 || k.Vecs < 1 || k.Vecs > 4 || k.Chunk < 8 || k.Chunk%8 != 0 || k.Twice && k.Vecs > 2 {
		return fmt.Sprintf("products of rows with %d vectors of %v in chunks of %d", k.Vecs, k.Elem, k.Chunk)
	}
	return ""
}

func (k RowDots) name(*Model) string {
	s := fmt.Sprintf("rows_%v_x%d", k.Elem, k.Vecs)
	if k.Twice {
		s += "_twice"
	}
	return s
}

// General registers of RowDots.
const (
	rowsAddr  = g0
	rowsTemp  = g0 + 1
	rowsOut   = g0 + 2
	rowsTable = g0 + 3
	rowsBase  = g0 + 4  // address of the group's first row
	rowsLeft  = g0 + 8  // contracted elements after the chunk
	rowsN     = g0 + 9  // contracted elements of the chunk
	rowsPos   = g0 + 10 // bytes from the start of a row
	rowsRows  = g0 + 12 // rows that are left
)

// rowsXs are the registers with the addresses of the vectors X.
var rowsXs = [4]VReg{g0 + 5, g0 + 6, g0 + 7, g0 + 11}

const (
	rowsAt    = unsafe.Offsetof(RowDotsArgs{}.rows)
	rowsFlags = unsafe.Offsetof(RowDotsArgs{}.flags)
)

type rowsCode struct {
	*Micro
	RowDots
	groups    int
	sums      VReg // the first vector behind blocks
	temp      VReg
	deep, own Mask // masks of contracted elements and of the group's rows
}

func (k RowDots) write(w *Micro) {
	w.of(k.Elem)
	first := v0 + VReg(w.Model.BlockVectors)
	c := &rowsCode{Micro: w, RowDots: k, groups: 1, sums: first, temp: first + 4, deep: Mask{3, first + 5}, own: Mask{1, first + 6}}
	if k.Twice {
		c.groups = 2
	}
	c.code()
}

func (w *rowsCode) acc(g, j int) VReg { return w.sums + VReg(g*w.Vecs+j) }

func (w *rowsCode) code() {
	w.StartMasks(rowsTable)
	w.Load(rowsBase, arg(unsafe.Offsetof(RowDotsArgs{}.W)))
	w.Load(rowsOut, arg(unsafe.Offsetof(RowDotsArgs{}.Y)))
	w.Load(rowsXs[0], arg(unsafe.Offsetof(RowDotsArgs{}.X)))
	for j := 1; j < w.Vecs; j++ {
		w.Move(rowsXs[j], rowsXs[j-1])
		w.DoLoad(Add, rowsXs[j], arg(unsafe.Offsetof(RowDotsArgs{}.LdX)))
	}
	w.Load(rowsRows, arg(unsafe.Offsetof(RowDotsArgs{}.Count)))
	group := w.newLabel()
	w.bind(group)
	w.Load(rowsTemp, arg(unsafe.Offsetof(RowDotsArgs{}.Flags)))
	w.store(arg(rowsFlags), rowsTemp)
	w.findRows()
	w.Load(rowsLeft, arg(unsafe.Offsetof(RowDotsArgs{}.K)))
	w.clear(rowsPos)
	w.chunks()
	for range w.groups * w.lanes() {
		w.DoLoad(Add, rowsBase, arg(unsafe.Offsetof(RowDotsArgs{}.LdW)))
	}
	w.DoI(AddI, rowsOut, w.groups*w.Model.VectorBytes)
	w.doJump(SubI, rowsRows, w.groups*w.lanes(), Gt, group)
}

// findRows writes the addresses of the rows. A second group without rows repeats the first row of the first
// group.
func (w *rowsCode) findRows() {
	base, n, ld := rowsPos, rowsN, rowsLeft
	w.Load(ld, arg(unsafe.Offsetof(RowDotsArgs{}.LdW)))
	w.Move(base, rowsBase)
	w.Move(n, rowsRows)
	w.pointers(rowsAt, base, n, ld, rowsAddr, rowsTemp)
	if !w.Twice {
		return
	}
	some := w.newLabel()
	w.Move(rowsAddr, ld)
	w.mulI(rowsAddr, w.lanes())
	w.Do(Add, base, rowsAddr)
	w.doJump(SubI, n, w.lanes(), Gt, some)
	w.Move(base, rowsBase)
	w.set(n, 1)
	w.bind(some)
	w.pointers(rowsAt+uintptr(8*w.lanes()), base, n, ld, rowsAddr, rowsTemp)
}

// place returns a function that returns the memory of a row of group g at the present position.
func (w *rowsCode) place(g int) func(int) Mem {
	return w.rowPlace(rowsAt+uintptr(8*g*w.lanes()), rowsAddr, rowsPos)
}

func (w *rowsCode) chunks() {
	d := w.depth()
	chunk, inner, partial, done := w.newLabel(), w.newLabel(), w.newLabel(), w.newLabel()
	w.bind(chunk)
	for g := range w.groups {
		for j := range w.Vecs {
			w.Zero(w.acc(g, j))
		}
	}
	w.set(rowsN, w.Chunk)
	w.Do(Min, rowsN, rowsLeft)
	w.Do(Sub, rowsLeft, rowsN)
	if pairs, ok := w.MicroPatterns.(BlockPairer); ok && w.Model.VectorBytes == lineBytes { // a line of the cache is read at once
		wide, less := w.newLabel(), w.newLabel()
		w.doJump(SubI, rowsN, 2*d, Lt, less)
		w.loopStart(wide)
		for g := range w.groups {
			pairs.TwoBlocks(w.place(g), v0, v0+16, w.half())
			for half, from := range []VReg{v0, v0 + 16} {
				v := w.Transposed(from, w.half())
				for c := range d {
					w.multiply(g, half*d+c, v+VReg(c))
				}
			}
		}
		w.DoI(AddI, rowsPos, 2*d*w.Size)
		w.doJump(SubI, rowsN, 2*d, Ge, wide)
		w.bind(less)
		w.DoI(AddI, rowsN, 2*d)
	}
	w.doJump(SubI, rowsN, d, Lt, partial)
	w.loopStart(inner)
	for g := range w.groups {
		v := w.Block(w.place(g), v0, w.half(), nil)
		for c := range d {
			w.multiply(g, c, v+VReg(c))
		}
	}
	w.DoI(AddI, rowsPos, d*w.Size)
	w.doJump(SubI, rowsN, d, Ge, inner)
	w.bind(partial)
	w.doJump(AddI, rowsN, d, Le, done)
	w.FirstMask(w.deep, rowsN, rowsTemp)
	for g := range w.groups {
		next := w.newLabel()
		v := w.Block(w.place(g), v0, w.half(), &w.deep)
		w.Move(rowsTemp, rowsN)
		for c := range d - 1 {
			w.multiply(g, c, v+VReg(c))
			w.doJump(SubI, rowsTemp, 1, Le, next)
		}
		w.bind(next)
	}
	w.mulI(rowsN, w.Size)
	w.Do(Add, rowsPos, rowsN)
	w.bind(done)
	w.update()
	w.zeroJump(rowsLeft, Ne, chunk)
}

// multiply adds the products of v, which is column c of group g's block, with element c of each vector.
func (w *rowsCode) multiply(g, c int, v VReg) {
	for j := range w.Vecs {
		w.FMASame(w.acc(g, j), v, Indexed(rowsXs[j], rowsPos, 0, c*w.Size), w.temp)
	}
}

// update adds the chunk's sums to Y and writes them.
func (w *rowsCode) update() {
	spare, nan := v0, v0+1
	for g := range w.groups {
		// The lanes that the group has.
		w.Move(rowsN, rowsRows)
		w.DoI(SubI, rowsN, g*w.lanes())
		w.clear(rowsAddr)
		w.Do(Max, rowsN, rowsAddr)
		w.set(rowsAddr, w.lanes())
		w.Do(Min, rowsN, rowsAddr)
		w.FirstMask(w.own, rowsN, rowsTemp)
		w.Move(rowsAddr, rowsOut)
		for j := range w.Vecs {
			acc := w.acc(g, j)
			m := At(rowsAddr, g*w.Model.VectorBytes)
			fresh, added, stored := w.newLabel(), w.newLabel(), w.newLabel()
			w.Load(rowsTemp, arg(rowsFlags))
			w.doJump(AndI, rowsTemp, Accumulate, Eq, fresh)
			w.LoadMask(spare, m, w.own)
			w.Plus(acc, acc, spare)
			w.jump(added)
			w.bind(fresh)
			w.Zero(spare)
			w.Plus(acc, acc, spare) // +0 + −0 = +0
			w.bind(added)
			w.zeroJump(rowsLeft, Ne, stored)
			w.Load(rowsTemp, arg(rowsFlags))
			w.doJump(AndI, rowsTemp, Final, Eq, stored)
			w.NaNs(nan)
			w.Canonical(acc, nan, spare)
			w.bind(stored)
			w.StoreMask(m, acc, w.own)
			if j+1 < w.Vecs {
				w.DoLoad(Add, rowsAddr, arg(unsafe.Offsetof(RowDotsArgs{}.LdY)))
			}
		}
	}
	w.Load(rowsTemp, arg(rowsFlags))
	w.DoI(OrI, rowsTemp, Accumulate)
	w.store(arg(rowsFlags), rowsTemp)
}
