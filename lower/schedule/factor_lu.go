package schedule

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
)

// The kernels of LU factorizations. The buffer after those of the matrices contains the pivots, Each of them for a matrix. An
// Eliminate writes, and RowSwaps reads, those of its columns: the ones from number First of each matrix on.
type (
	// An Eliminate factors Rows × Cols columns of Count matrices, and exchanges their rows. With Marks, the last buffer, it
	// marks columns that are left as they are because they are zero.
	Eliminate struct {
		Buffers           []ir.Buffer
		Count, Rows, Cols int64
		X, Y              Matrices
		First, Each       int64
		Shared            bool // the columns fit in shared memory; else they are eliminated where they lie
		Marks             bool
		Threads           int
	}
	// RowSwaps exchanges rows after an Eliminate of Pivots columns, the first of which has number First: in the other columns of
	// the matrices.
	RowSwaps struct {
		Buffers             []ir.Buffer
		Count, Cols, Pivots int64
		Y                   Matrices
		First, Each         int64
	}
	// A Permutation applies the exchanges of N rows to the numbers of Size rows. Buffers are the exchanges, unless N
	// is 0, and the numbers.
	Permutation struct {
		Buffers        []ir.Buffer
		Count, N, Size int64
		Shared         bool
	}
)

// widestPanel is the greatest number of columns that are eliminated at once.
const widestPanel = 32

// panel returns how many columns of a number of rows are eliminated at once, and whether they lie in shared memory.
func (f *factoring) panel(rows int64) (cols int64, shared bool) {
	const rest = 1 << 10 // bytes of shared memory besides
	cols = min(widestPanel, (f.most-rest)/((rows|1)*f.size))
	if cols < 4 {
		return widestPanel / 2, false
	}
	return cols, true
}

// eliminators returns the number of threads that eliminate columns, a power of two.
func (f *factoring) eliminators(rows, cols int64) int {
	n := leastSides
	for 2*n <= min(512, f.device.GroupThreads()) && int64(n)*16 < rows*cols {
		n *= 2
	}
	return n
}

// lu adds the kernels of an LU factorization.
func (n *Sequence) lu(a core.ShapedArray, perms core.ShapedArray) bool {
	f := n.newFactoring(a.DType)
	if f == nil {
		return false
	}
	rows, cols := int64(a.Shape.At(-2)), int64(a.Shape.At(-1))
	count := int64(perms.Size()) / rows
	k := min(rows, cols)
	if k == 0 {
		f.permutation(count, 0, rows, Slot{}, result(2))
		return true
	}
	m, pivots := matricesOf(a), ints("pivots", ir.Out, count*k)
	if max(rows, cols) <= FactorBlock && (rows|1)*cols*f.size < f.most-1<<10 {
		f.Run(&Eliminate{Buffers: []ir.Buffer{buffer("x", ir.In, a), buffer("y", ir.Out, a), pivots}, Count: count, Rows: rows, Cols: cols, X: m, Y: m.in(1), Each: k, Shared: true, Threads: f.eliminators(rows, cols)},
			operand(0), result(0), result(1))
		f.permutation(count, k, rows, result(1), result(2))
		return true
	}
	to, w := f.work(a)
	f.load(operand(0), to, a, w)
	marks := f.Add(4 * count * k)
	m = matricesOf(w)
	x := buffer("x", ir.InOut, w)
	known := ints("pivots", ir.In, count*k)
	for j := int64(0); j < k; {
		wide, shared := f.panel(rows - j)
		wide = min(wide, k-j)
		block := m.from(j, j)
		f.Run(&Eliminate{Buffers: []ir.Buffer{x, pivots, ints("marks", ir.Out, count*k)}, Count: count, Rows: rows - j, Cols: wide, X: block, Y: block, First: j, Each: k, Shared: shared, Marks: true, Threads: f.eliminators(rows-j, wide)},
			to, result(1), marks)
		if cols > wide {
			f.Run(&RowSwaps{[]ir.Buffer{x, known}, count, cols, wide, m, j, k}, to, result(1))
		}
		if behind := cols - j - wide; behind > 0 {
			right := m.from(j, j+wide)
			f.solve(to, x, count, wide, behind, block, right, true, marks, j, k)
			if below := rows - j - wide; below > 0 {
				f.Run(&Lower{Buffers: []ir.Buffer{x, ints("skip", ir.In, count*k)}, Count: count, M: below, N: behind, K: wide, C: m.from(j+wide, j+wide), A: m.from(j+wide, j), W: right, Skip: 1, SkipFrom: j, SkipBatch: k}, to, marks)
			}
		}
		j += wide
	}
	if to.Of != ResultSlot {
		f.convert(to, result(0), w, a)
	}
	f.permutation(count, k, rows, result(1), result(2))
	return true
}

// permutation adds the kernel that turns exchanges of rows into a permutation.
func (n *Sequence) permutation(count, k, size int64, pivots, perms Slot) {
	p := &Permutation{[]ir.Buffer{ints("permutation", ir.InOut, count*size)}, count, k, size, 4*size <= int64(n.device.known().Shared)}
	slots := []Slot{perms}
	if k > 0 {
		p.Buffers, slots = append(p.Buffers, ints("pivots", ir.In, count*k)), append(slots, pivots)
	}
	n.Run(p, slots...)
}

// pivotsToPermutation adds the kernel of exchanges that are an operand.
func (n *Sequence) pivotsToPermutation(in, out core.ShapedArray) bool {
	if out.Size() == 0 || in.DType != core.Int32 || scalar.Stored(out.DType) != scalar.I32 {
		return false
	}
	size := int64(out.Shape.At(-1))
	n.permutation(int64(out.Size())/size, int64(in.Shape.At(-1)), size, operand(0), result(0))
	return true
}
