package native

import (
	"fmt"
	"unsafe"
)

// A Largest finds the largest magnitude of floats, to determine whether all are finite.
type Largest struct {
	Size int // bytes of an element: 4 or 8
}

// LargestArgs are the arguments of a [Largest].
type LargestArgs struct {
	Src   uint64     // address of the elements
	Count uint64     // at least 1
	Out   [16]uint32 // updated: for each lane of 32 bits, the largest of the magnitudes' bits as integers, of f64 the upper halves
}

func (l Largest) words() int { return int(unsafe.Sizeof(LargestArgs{}) / 8) }

func (l Largest) problem(*Model) string { return sizeProblem("largest magnitude", l.Size) }

func (l Largest) name(*Model) string { return fmt.Sprintf("largest_%d", l.Size) }

func (l Largest) write(w *Micro) {
	const (
		temp, left, table, src = g0, g0 + 1, g0 + 3, g0 + 4
		most, x, bits          = v0, v0 + 1, v0 + 2
	)
	w.Size = l.Size
	mask := Mask{1, v0 + 15}
	w.StartMasks(table)
	w.Magnitudes(bits)
	w.LoadV(most, arg(unsafe.Offsetof(LargestArgs{}.Out)))
	w.Load(src, arg(unsafe.Offsetof(LargestArgs{}.Src)))
	w.Load(left, arg(unsafe.Offsetof(LargestArgs{}.Count)))
	loop, rest, done := w.newLabel(), w.newLabel(), w.newLabel()
	lanes := w.lanes()
	w.doJump(SubI, left, lanes, Lt, rest)
	w.loopStart(loop)
	w.LargestLoad(most, bits, At(src, 0), x)
	w.DoI(AddI, src, w.Model.VectorBytes)
	w.doJump(SubI, left, lanes, Ge, loop)
	w.bind(rest)
	w.doJump(AddI, left, lanes, Le, done)
	w.FirstMask(mask, left, temp)
	w.LoadMask(x, At(src, 0), mask)
	w.Largest(most, bits, x)
	w.bind(done)
	w.storeV(arg(unsafe.Offsetof(LargestArgs{}.Out)), most)
}
