package native

import (
	"fmt"
	"math/bits"
	"unsafe"

	"github.com/weft-go/weft/lower/schedule"
)

// A LongDot is a micro-kernel of the product of two long vectors,
//
//	Y += Σₖ W[k] · X[k],
//
// whose elements lie side by side. Each lane of a vector sums a chunk of its own; both operands are transposed
// in registers for that. The sums of the chunks are added to Y one after the other. The order of operations is
// that of [Tile].
type LongDot struct {
	Elem  schedule.Element // F32 or F64
	Chunk int
}

// LongDotArgs are the arguments of a [LongDot].
type LongDotArgs struct {
	W, X, Y uint64 // addresses
	Count   uint64 // groups of one chunk for each lane of a vector, at least 1
	Flags   uint64 // Accumulate, Final

	sums [8]uint64 // the chunks' sums
}

func (k LongDot) words() int { return int(unsafe.Sizeof(LongDotArgs{}) / 8) }

func (k LongDot) problem(*Model) string {
	if k.Elem > schedule.F64 || k.Chunk < 16 || k.Chunk%16 != 0 { // whole lines of the cache
		return fmt.Sprintf("product of vectors of %v in chunks of %d", k.Elem, k.Chunk)
	}
	return ""
}

func (k LongDot) name(*Model) string { return fmt.Sprintf("dot_%v", k.Elem) }

func (k LongDot) write(w *Micro) {
	const (
		pos, groups = g0, g0 + 1
		right, out  = g0 + 2, g0 + 3
		left, flags = g0 + 4, g0 + 5
		later       = g0 + 6
		sums        = unsafe.Offsetof(LongDotArgs{}.sums)
	)
	w.of(k.Elem)
	size, d := w.Size, w.depth()
	row := k.Chunk * size
	group := row * w.lanes()
	top := v0 + VReg(bits.Len32(w.Model.Registers[ClassV]))
	acc, sum, part := top-1, top-2, top-3
	w.Load(left, arg(unsafe.Offsetof(LongDotArgs{}.W)))
	w.Load(right, arg(unsafe.Offsetof(LongDotArgs{}.X)))
	w.Load(out, arg(unsafe.Offsetof(LongDotArgs{}.Y)))
	w.Load(groups, arg(unsafe.Offsetof(LongDotArgs{}.Count)))
	w.Load(flags, arg(unsafe.Offsetof(LongDotArgs{}.Flags)))
	w.Zero(sum)
	fresh, again, inner, stored := w.newLabel(), w.newLabel(), w.newLabel(), w.newLabel()
	w.Move(pos, flags)
	w.doJump(AndI, pos, Accumulate, Eq, fresh)
	w.LoadOne(sum, At(out, 0))
	w.bind(fresh)
	w.bind(again)
	w.Zero(acc)
	w.clear(pos)
	w.set(later, group)
	w.loopStart(inner)
	// The next group's lines are requested from the first to the last. The processor does not foresee the order
	// of the blocks, each of which takes a line of every chunk.
	for i := range w.lanes() {
		w.Request(Indexed(left, later, 0, lineBytes*i))
		w.Request(Indexed(right, later, 0, lineBytes*i))
	}
	w.DoI(AddI, later, lineBytes*w.lanes())
	for at := 0; at < lineBytes; at += d * size {
		block := func(base, in, temp VReg) VReg {
			return w.Block(func(i int) Mem { return Indexed(base, pos, 0, i*row+at) }, in, temp, nil)
		}
		// The second operand's blocks take the registers that the first one's left free.
		second := v0 + VReg(d)
		a := block(left, v0, second)
		free := second
		if a != v0 {
			free = v0
		}
		b := block(right, v0+VReg(2*d), free)
		for c := range d {
			w.FMA(acc, a+VReg(c), b+VReg(c))
		}
	}
	w.DoI(AddI, pos, lineBytes)
	w.branchI(Lt, pos, int64(row), inner)
	w.storeV(arg(sums), acc)
	for i := range w.lanes() {
		w.LoadOne(part, arg(sums+uintptr(i*size)))
		w.PlusOne(sum, sum, part)
	}
	w.DoI(AddI, left, group)
	w.DoI(AddI, right, group)
	w.doJump(SubI, groups, 1, Ne, again)
	w.doJump(AndI, flags, Final, Eq, stored)
	w.NaNs(part)
	w.Canonical(sum, part, acc)
	w.bind(stored)
	w.StoreOne(At(out, 0), sum)
}
