package schedule

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
)

// The kernels of LU factorizations. The buffer after those of the matrices contains Each pivots for each matrix. An
// Eliminate writes, and RowSwaps reads, those of the eliminated columns, the first of which is number First of its matrix.
type (
	// An Eliminate factors Cols columns of Rows rows, and exchanges their rows. If Marks is set, it marks in the last
	// buffer the columns that are left as they are because they are zero.
	Eliminate struct {
		Batch
		Panel
		X, Y  Matrices
		First ir.Size
		Each  int64
		Marks bool
	}
	// RowSwaps exchanges rows in the Others columns of the matrices, after an Eliminate of Pivots columns, the first of
	// which has number First.
	RowSwaps struct {
		Batch
		Others, Pivots ir.Size
		Y              Matrices
		First          ir.Size
		Each           int64
	}
	// A Permutation applies the exchanges of N rows to the numbers of Size rows. Buffers are the numbers and, unless N
	// is 0, the exchanges.
	Permutation struct {
		Batch
		N, Size int64
		Shared  bool
	}
)

// A Panel is columns that the threads of a group factor: up to Across threads share the rows of a column, and the others take
// other columns.
type Panel struct {
	Rows, Cols ir.Size
	Steps      ir.Size // the lesser of Rows and Cols
	Shared     int64   // numbers for which there is shared memory; 0: the columns are factored where they lie
	Widest     int64   // columns at most
	Threads    int
	Across     int64
}

func (f *factoring) panelOf(rows, cols int64, shared bool) Panel {
	p := Panel{Rows: f.number(rows), Cols: f.number(cols), Steps: f.number(min(rows, cols)), Widest: cols, Threads: f.eliminators(rows, cols), Across: leastSides}
	for p.Across < min(int64(p.Threads), rows) {
		p.Across *= 2
	}
	switch {
	case shared && f.divided:
		p.Shared, p.Widest = (f.most-besides)/f.size, widestPanel
	case shared:
		p.Shared = (rows | 1) * cols
	}
	return p
}

// widestPanel is the greatest number of columns that are eliminated at once.
const widestPanel = 32

// besides is the shared memory in bytes that a panel needs besides its columns.
const besides = 1 << 10

// panel returns how many columns of a number of rows are eliminated at once, and whether they lie in shared memory.
func (f *factoring) panel(rows int64) (cols int64, shared bool) {
	cols = min(widestPanel, (f.most-besides)/((rows|1)*f.size))
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
	if max(rows, cols) <= FactorBlock && (rows|1)*cols*f.size < f.most-besides {
		f.launch(&Eliminate{Batch: Batch{Buffers: []ir.Buffer{buffer("x", ir.In, a), buffer("y", ir.Out, a), pivots}, Count: count}, Panel: f.panelOf(rows, cols, true), X: m, Y: m.in(1), Each: k},
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
	f.divided = true
	for j := int64(0); j < k; {
		wide, shared := f.panel(rows - j)
		wide = min(wide, k-j)
		block := m.from(j, j)
		here := f.at(block)
		f.launch(&Eliminate{Batch: Batch{Buffers: []ir.Buffer{x, pivots, ints("marks", ir.Out, count*k)}, Count: count}, Panel: f.panelOf(rows-j, wide, shared), X: here, Y: here, First: f.number(j), Each: k, Marks: true},
			to, result(1), marks)
		if cols > wide {
			f.launch(&RowSwaps{Batch{Buffers: []ir.Buffer{x, known}, Count: count}, f.number(cols - wide), f.number(wide), m, f.number(j), k}, to, result(1))
		}
		if behind := cols - j - wide; behind > 0 {
			right := m.from(j, j+wide)
			f.solve(&Solve{Unit: true}, to, x, count, wide, behind, block, right, marks, j, k)
			if below := rows - j - wide; below > 0 {
				f.launch(&Lower{Batch: Batch{Buffers: []ir.Buffer{x, ints("skip", ir.In, count*k)}, Count: count}, Sizes: f.sizesOf(below, behind, wide), C: f.at(m.from(j+wide, j+wide)), A: f.at(m.from(j+wide, j)), W: f.at(right),
					Skip: 1, SkipFrom: f.number(j), SkipBatch: k}, to, marks)
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

func (n *Sequence) permutation(count, k, size int64, pivots, perms Slot) {
	p := &Permutation{Batch{Buffers: []ir.Buffer{ints("permutation", ir.InOut, count*size)}, Count: count}, k, size, 4*size <= int64(n.device.known().Shared)}
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
