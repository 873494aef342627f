package native

import (
	"unsafe"

	"github.com/weft-go/weft/lower/schedule"
)

// MatrixPatterns are the parts of tiles of [schedule.ByteMatrix]: a target's [MicroPatterns] has them where
// registers, at least eight, contain matrices.
type MatrixPatterns interface {
	StartMatrices(shapes Mem) // gives the registers the shapes that [Model.MatrixShape] wrote
	ZeroMatrix(d int)
	LoadMatrix(d int, m Mem) // rows lie m.Index bytes apart
	StoreMatrix(m Mem, s int)
	MultiplyMatrix(d, x, y int) // d += x·y of fours of bytes
	EndMatrices()               // gives the registers back
}

// Matrices are in registers: four of C from 0 on, row by row, then those of A above each other, then B's.
const (
	matrixA     = 4
	matrixB     = 6
	matrixBytes = 4 * schedule.MatrixSide // of a row
)

// General registers of a tile of matrices besides those of any tile: addresses of the lower
// matrices of A and of C, the distance from B's matrices to the next ones, and the address that is
// prefetched of the columns of B which one of the two inner loops takes next.
const (
	matrixLowA  = g0 + 3
	matrixLowC  = g0 + 5
	matrixNextB = g0 + 7
	matrixAhead = g0 + 8
)

// matrices returns how many matrices n rows or columns are.
func matrices(n int) int { return (n + schedule.MatrixSide - 1) / schedule.MatrixSide }

// columnsOf returns the register of matrix j of the `wide` matrices of B beside each other. The last one has a register
// of its own, since it may be narrower.
func columnsOf(j, wide int) int {
	if j == wide-1 {
		return matrixB + 1
	}
	return matrixB
}

// SetMatrices sets the shapes for a tile of rows × cols results that takes k contracted elements at a time.
func (a *TileArgs) SetMatrices(m *Model, rows, cols, k int) {
	high, wide := matrices(rows), matrices(cols)
	a.shapes = [8]uint64{}
	for i := range high {
		below := min(schedule.MatrixSide, rows-i*schedule.MatrixSide)
		m.MatrixShape(&a.shapes, matrixA+i, below, 4*k)
		for j := range wide {
			across := 4 * min(schedule.MatrixSide, cols-j*schedule.MatrixSide)
			m.MatrixShape(&a.shapes, i*wide+j, below, across)
			m.MatrixShape(&a.shapes, columnsOf(j, wide), k, across)
		}
	}
}

// matrices writes the product of one tile, whose addresses are in registers.
func (t *TileCode) matrices() {
	x := t.MicroPatterns.(MatrixPatterns)
	high, wide := matrices(t.Rows), t.Vecs
	place := func(base, low VReg, ld VReg, i, j int) Mem {
		if i > 0 {
			base = low
		}
		return Indexed(base, ld, 0, j*matrixBytes)
	}
	overC := func(f func(acc int, m Mem)) {
		for i := range high {
			for j := range wide {
				f(i*wide+j, place(tileC, matrixLowC, tileLdC, i, j))
			}
		}
	}
	if high > 1 {
		for _, r := range [][3]VReg{{matrixLowA, tileA, tileLdA}, {matrixLowC, tileC, tileLdC}} {
			t.Move(r[0], r[2])
			t.DoI(ShlI, r[0], 4)
			t.Do(Add, r[0], r[1])
		}
	}
	t.Move(matrixNextB, tileLdB)
	t.DoI(ShlI, matrixNextB, 4)
	t.Move(matrixAhead, tileB)
	for i := range 2 {
		t.DoLoad(Add, matrixAhead, arg(tileLoops+uintptr(1+i)*unsafe.Sizeof(TileLoop{})+unsafe.Offsetof(TileLoop{}.B)))
	}
	fresh, ready := t.newLabel(), t.newLabel()
	t.Load(tileN, arg(unsafe.Offsetof(TileArgs{}.Flags)))
	t.doJump(AndI, tileN, Accumulate, Eq, fresh)
	overC(x.LoadMatrix)
	t.jump(ready)
	t.bind(fresh)
	overC(func(acc int, _ Mem) { x.ZeroMatrix(acc) })
	t.bind(ready)
	t.Load(tileN, t.Contracted())
	t.Backward(func(again Label) {
		for i := range 4 { // the processor's own prefetching does the rest
			t.Request(At(matrixAhead, 4*i*wide*matrixBytes))
		}
		t.Do(Add, matrixAhead, matrixNextB)
		for j := range wide {
			x.LoadMatrix(columnsOf(j, wide), place(tileB, 0, tileLdB, 0, j))
			for i := range high {
				if j == 0 {
					x.LoadMatrix(matrixA+i, place(tileA, matrixLowA, tileLdA, i, 0))
				}
				x.MultiplyMatrix(i*wide+j, matrixA+i, columnsOf(j, wide))
			}
		}
		t.DoI(AddI, tileA, matrixBytes)
		if high > 1 {
			t.DoI(AddI, matrixLowA, matrixBytes)
		}
		t.Do(Add, tileB, matrixNextB)
		t.doJump(SubI, tileN, schedule.MatrixSide, Gt, again)
	})
	overC(func(acc int, m Mem) { x.StoreMatrix(m, acc) })
}
