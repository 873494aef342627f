package native

import (
	"fmt"
	"unsafe"
)

// A Transpose is a transposition of a matrix, Dst[k, r] = Src[r, k], in blocks in registers.
type Transpose struct {
	Size int // bytes of an element: 4 or 8
}

// TransposeArgs are the arguments of a [Transpose].
type TransposeArgs struct {
	Src  uint64 // address of the matrix, whose rows' elements lie side by side
	Dst  uint64 // address of the result
	LdS  uint64 // bytes from row to row of the matrix
	LdD  uint64 // bytes from row to row of the result
	Rows uint64 // of the matrix, at least 1
	Cols uint64 // of the matrix, at least 1

	rows [16]uint64 // addresses of a group of rows
}

func (t Transpose) words() int { return int(unsafe.Sizeof(TransposeArgs{}) / 8) }

func (t Transpose) problem(*Model) string { return sizeProblem("transposition", t.Size) }

// sizeProblem returns why work on elements of other than 4 and 8 bytes has no code.
func sizeProblem(work string, size int) string {
	if size != 4 && size != 8 {
		return fmt.Sprintf("%s of elements of %d bytes", work, size)
	}
	return ""
}

func (t Transpose) name(*Model) string { return fmt.Sprintf("transpose_%d", t.Size) }

func (t Transpose) write(w *Micro) {
	const (
		addr, temp, dst, table, src = g0, g0 + 1, g0 + 2, g0 + 3, g0 + 4
		lds, ldd                    = g0 + 6, g0 + 7
		rows, cols                  = g0 + 8, g0 + 9 // that are left
		pos, out                    = g0 + 10, g0 + 11
	)
	lanes, part := Mask{1, v0 + 15}, Mask{3, v0 + 14}
	const pointers = unsafe.Offsetof(TransposeArgs{}.rows)
	w.Size = t.Size
	d := w.depth()
	w.Load(src, arg(unsafe.Offsetof(TransposeArgs{}.Src)))
	w.Load(dst, arg(unsafe.Offsetof(TransposeArgs{}.Dst)))
	w.Load(lds, arg(unsafe.Offsetof(TransposeArgs{}.LdS)))
	w.Load(ldd, arg(unsafe.Offsetof(TransposeArgs{}.LdD)))
	w.Load(rows, arg(unsafe.Offsetof(TransposeArgs{}.Rows)))
	w.StartMasks(table)
	group, few, next := w.newLabel(), w.newLabel(), w.newLabel()
	place := w.rowPlace(pointers, addr, pos)
	columns := func(store func(m Mem, s VReg)) { // of a group of rows
		put := func(r VReg) {
			store(At(out, 0), r)
			w.Do(Add, out, ldd)
		}
		inner, partial := w.newLabel(), w.newLabel()
		w.Load(cols, arg(unsafe.Offsetof(TransposeArgs{}.Cols)))
		w.clear(pos)
		w.Move(out, dst)
		w.doJump(SubI, cols, d, Lt, partial)
		w.loopStart(inner)
		from := w.Block(place, v0, w.half(), nil)
		for i := range d {
			put(from + VReg(i))
		}
		w.DoI(AddI, pos, d*w.Size)
		w.doJump(SubI, cols, d, Ge, inner)
		w.bind(partial)
		w.doJump(AddI, cols, d, Le, next)
		w.FirstMask(part, cols, temp)
		from = w.Block(place, v0, w.half(), &part)
		for i := range d - 1 {
			put(from + VReg(i))
			w.doJump(SubI, cols, 1, Le, next)
		}
	}
	w.bind(group)
	w.pointers(pointers, src, rows, lds, addr, temp)
	w.branchI(Lt, rows, int64(w.lanes()), few)
	columns(func(m Mem, s VReg) {
		w.storeV(m, s)
		m.Disp += writeAhead
		w.Request(m)
	})
	w.jump(next)
	w.bind(few)
	w.FirstMask(lanes, rows, temp)
	columns(func(m Mem, s VReg) { w.StoreMask(m, s, lanes) })
	w.bind(next)
	for range w.lanes() {
		w.Do(Add, src, lds)
	}
	w.DoI(AddI, dst, w.Model.VectorBytes)
	w.doJump(SubI, rows, w.lanes(), Gt, group)
}

// writeAhead is the distance in bytes from a line that is written to one of the same row that is requested then: the
// next write is to another row, and stores that miss the caches wait for one another.
const writeAhead = 256

// pointers writes the addresses of a group of rows: row i from base on, or the last one
// of n rows if there are fewer. base and n keep their values; addr and left change.
func (w *Micro) pointers(rows uintptr, base, n, ld, addr, left VReg) {
	w.Move(addr, base)
	w.Move(left, n)
	for i := range w.lanes() {
		w.store(word(rows, i), addr)
		if i+1 < w.lanes() {
			stay := w.newLabel()
			w.doJump(SubI, left, 1, Le, stay)
			w.Do(Add, addr, ld)
			w.bind(stay)
		}
	}
}

// rowPlace returns a function that loads the address of a row from the arguments into addr and
// returns the row's memory at pos.
func (w *Micro) rowPlace(rows uintptr, addr, pos VReg) func(int) Mem {
	return func(i int) Mem {
		w.Load(addr, word(rows, i))
		return Indexed(addr, pos, 0, 0)
	}
}

// half returns the first vector that a block uses beyond the vectors that it is read into.
func (w *Micro) half() VReg { return v0 + VReg(w.Model.Block/4) }
