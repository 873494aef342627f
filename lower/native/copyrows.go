package native

import (
	"fmt"
	"unsafe"
)

// A RowCopy copies rows of elements that lie side by side.
type RowCopy struct {
	Size int // bytes of an element: 4 or 8
}

// RowCopyArgs are the arguments of a [RowCopy].
type RowCopyArgs struct {
	Src, Dst uint64 // addresses of the first row and of its copy
	LdS      uint64 // bytes from row to row
	LdD      uint64 // bytes from copy to copy
	Rows     uint64 // at least 1
	Cols     uint64 // elements of a row, at least 1
}

func (c RowCopy) words() int { return int(unsafe.Sizeof(RowCopyArgs{}) / 8) }

func (c RowCopy) problem(*Model) string { return sizeProblem("copy", c.Size) }

func (c RowCopy) name(*Model) string { return fmt.Sprintf("copy_%d", c.Size) }

func (c RowCopy) write(w *Micro) {
	const (
		temp, dst, table, src = g0 + 1, g0 + 2, g0 + 3, g0 + 4
		pos, lds, ldd         = g0 + 5, g0 + 6, g0 + 7
		rows, cols, left      = g0 + 8, g0 + 9, g0 + 10
		rest                  = g0 + 11 // columns after the last whole vector
	)
	w.Size = c.Size
	mask := Mask{1, v0 + 15}
	w.Load(src, arg(unsafe.Offsetof(RowCopyArgs{}.Src)))
	w.Load(dst, arg(unsafe.Offsetof(RowCopyArgs{}.Dst)))
	w.Load(lds, arg(unsafe.Offsetof(RowCopyArgs{}.LdS)))
	w.Load(ldd, arg(unsafe.Offsetof(RowCopyArgs{}.LdD)))
	w.Load(rows, arg(unsafe.Offsetof(RowCopyArgs{}.Rows)))
	w.Load(cols, arg(unsafe.Offsetof(RowCopyArgs{}.Cols)))
	w.StartMasks(table)
	lanes := w.lanes()
	row, inner, last, next := w.newLabel(), w.newLabel(), w.newLabel(), w.newLabel()
	w.Move(rest, cols)
	w.doJump(AndI, rest, lanes-1, Eq, row)
	w.FirstMask(mask, rest, temp)
	w.bind(row)
	w.clear(pos)
	w.Move(left, cols)
	w.doJump(SubI, left, lanes, Lt, last)
	w.loopStart(inner)
	w.LoadV(v0, Indexed(src, pos, 0, 0))
	w.storeV(Indexed(dst, pos, 0, 0), v0)
	w.DoI(AddI, pos, w.Model.VectorBytes)
	w.doJump(SubI, left, lanes, Ge, inner)
	w.bind(last)
	w.zeroJump(rest, Eq, next)
	w.LoadMask(v0, Indexed(src, pos, 0, 0), mask)
	w.StoreMask(Indexed(dst, pos, 0, 0), v0, mask)
	w.bind(next)
	w.Do(Add, src, lds)
	w.Do(Add, dst, ldd)
	w.doJump(SubI, rows, 1, Gt, row)
}
