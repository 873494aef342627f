package schedule

import (
	"fmt"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim/matrices"
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
)

// A Matrices is where the matrices of a batch, or parts of them, lie in a buffer of a kernel: element (i, j) of matrix b
// at Offset + Place + b·Batch + i·Row + j·Col. Row and Col may be negative.
type Matrices struct {
	Buffer                  int
	DType                   core.DType
	Offset, Batch, Row, Col int64
	Place                   ir.Size    // of a kernel that several parts share; else 0
	Steps                   [3]ir.Size // symbols in the place of Batch, Row and Col; else 0
	Conj                    bool       // kernels read and write the conjugates of what lies there
}

// Transposed returns the transposed matrices.
func (m Matrices) Transposed() Matrices {
	m.Row, m.Col = m.Col, m.Row
	m.Steps[1], m.Steps[2] = m.Steps[2], m.Steps[1]
	return m
}

// Adjoint returns the conjugates of the transposed matrices.
func (m Matrices) Adjoint() Matrices {
	m.Conj = !m.Conj
	return m.Transposed()
}

func (m Matrices) from(i, j int64) Matrices {
	m.Offset += i*m.Row + j*m.Col
	return m
}

// backward returns the matrices of n rows with these in the opposite order.
func (m Matrices) backward(n int64) Matrices {
	m.Offset, m.Row = m.Offset+(n-1)*m.Row, -m.Row
	return m
}

// FactorBlock is the greatest number of rows of a matrix that a group factors in shared memory, or whose triangular system
// it solves there. Larger matrices are divided into blocks. No division changes the order of an element's operations.
const FactorBlock = 64

// A Batch is what kernels of factorizations have in common: buffers with Count matrices. Where a matrix is divided into blocks, their
// sizes and places are symbols, so that blocks share kernels.
type Batch struct {
	Buffers []ir.Buffer
	Symbols []string
	Count   int64
}

func (p *Batch) part() *Batch { return p }

// The kernels of factorizations. They compute in the type of the matrices, small floats in f32.
type (
	// A Solve solves systems A·X = B with N unknowns, Most at most, and M right sides, where A is
	// lower triangular. The right sides, one for each thread, are divided among Groups groups.
	Solve struct {
		Batch
		Most         int64
		N, M, Groups ir.Size
		A, B, X      Matrices
		Unit         bool // the diagonal is ones, and is not read
		Adjoint      bool // A is conj Aᵀ of a root, with a real diagonal, but not conjugated, and X is rows of the root: unknowns are the left factors of products
		Skip         int  // the buffer that marks equations whose unknowns are in no other one, −1 if there is none
		SkipFrom     ir.Size
		SkipBatch    int64
		Threads      int
	}
	// A Lower is C −= A·W: K products are subtracted from each element, one after the other, by one fma each.
	Lower struct {
		Batch
		Sizes
		C, A, W   Matrices
		Triangle  bool // only elements on and below the diagonal change
		Skip      int  // the buffer that marks products that are left out, −1 if there is none
		SkipFrom  ir.Size
		SkipBatch int64
	}
	// A Cholesky factors matrices of N rows, FactorBlock at most. If Failed is set, the last buffer
	// has a number for each matrix, which becomes 1 where a pivot is not positive. If it is not set,
	// all elements of a matrix with such a pivot become NaN, and in other matrices the elements above
	// the diagonal are the operand's.
	Cholesky struct {
		Batch
		N      int64
		X, Y   Matrices
		Failed bool
	}
	// A CholeskyEnd brings factored matrices of N rows to their final form. The first buffer is the
	// operand, which gives the elements above the diagonal. The second has a number for each
	// matrix, 1 if it has no root. The third is the result, which contains the factored matrix
	// unless Y has another buffer than X.
	CholeskyEnd struct {
		Batch
		N       int64
		Operand Matrices
		X, Y    Matrices
	}
	// A MatrixCopy converts matrices.
	MatrixCopy struct {
		Batch
		Rows, Cols int64
		X, Y       Matrices
		Upper      bool // with zeros below the diagonal
	}
)

// FactorTile is the number of rows, and of columns, of a product that a group computes.
const FactorTile = 64

// Sizes are those of a product of M×K times K×N, which has Rows × Cols tiles.
type Sizes struct{ M, N, K, Rows, Cols ir.Size }

// factoring builds the kernels of a factorization.
type factoring struct {
	*Sequence
	dt      core.DType // in which numbers are computed
	size    int64      // of these
	most    int64      // bytes of shared memory of a group
	wide    int        // rows of a block
	divided bool       // into blocks, whose kernels have symbols
	symbols []int64    // of the next kernel
	kernels map[string]Kernel
	between [3]region // what is between the products of panels; see apply
}

// number returns n as a size of the next kernel: a symbol if the factorization is divided.
func (f *factoring) number(n int64) ir.Size {
	if !f.divided {
		return ir.Const(n)
	}
	f.symbols = append(f.symbols, n)
	return ir.Size{Symbol: len(f.symbols)}
}

// at returns m for the next kernel, with its offset as a symbol if the factorization is divided.
func (f *factoring) at(m Matrices) Matrices {
	if f.divided {
		m.Offset, m.Place = 0, f.number(m.Offset)
	}
	return m
}

// launch adds a launch of k, or of an equal kernel that the sequence already has.
func (f *factoring) launch(k interface{ part() *Batch }, memory ...Slot) {
	k.part().Symbols = f.names()
	key := fmt.Sprintf("%T %+v", k, k)
	if f.kernels[key] == nil {
		f.kernels[key] = k
	}
	f.Work = append(f.Work, Work{f.kernels[key], memory, f.symbols})
	f.symbols = nil
}

func (f *factoring) names() (names []string) {
	for i := range f.symbols {
		names = append(names, fmt.Sprint("n", i))
	}
	return names
}

func (f *factoring) sizesOf(m, n, k int64) Sizes {
	tiles := func(n int64) ir.Size { return f.number((n + FactorTile - 1) / FactorTile) }
	return Sizes{f.number(m), f.number(n), f.number(k), tiles(m), tiles(n)}
}

// newFactoring begins a factorization of matrices of a type; nil if devices do not compute it.
func (n *Sequence) newFactoring(dt core.DType) *factoring {
	if scalar.IsSmallFloat(dt) {
		dt = core.Float32
	}
	switch dt {
	case core.Float32, core.Float64, core.Complex64, core.Complex128:
	default:
		return nil
	}
	f := &factoring{Sequence: n, dt: dt, size: int64(dt.Size()), most: int64(n.device.known().Shared), wide: FactorBlock, kernels: map[string]Kernel{}}
	for f.most < f.solveBytes(int64(f.wide)) {
		f.wide /= 2
	}
	return f
}

// solveBytes returns the bytes of shared memory of a Solve with n unknowns and leastSides right sides.
func (f *factoring) solveBytes(n int64) int64 {
	n = (n + 3) &^ 3
	return f.size * (n*n + n*leastSides)
}

// leastSides is the least number of right sides, and of threads, of a group.
const leastSides = 32

// threads returns the number of right sides of a group.
func (f *factoring) threads(n, m int64) int {
	if m > leastSides && f.solveBytes(n)+f.size*((n+3)&^3)*leastSides <= f.most/2 {
		return 2 * leastSides
	}
	return leastSides
}

// matricesOf returns the matrices of an array, the elements of buffer 0.
func matricesOf(a core.ShapedArray) Matrices {
	rows, cols := int64(a.Shape.At(-2)), int64(a.Shape.At(-1))
	return Matrices{DType: a.DType, Batch: rows * cols, Row: cols, Col: 1}
}

func (m Matrices) in(buffer int) Matrices {
	m.Buffer = buffer
	return m
}

func buffer(name string, role ir.Role, a core.ShapedArray) ir.Buffer {
	return ir.Buffer{Name: name, Role: role, Type: scalar.Stored(a.DType), Len: ir.Const(components(a.DType, int64(a.Size())))}
}

// components returns how many values n elements of a type have in memory.
func components(dt core.DType, n int64) int64 { return n * int64(scalar.Components(dt)) }

func ints(name string, role ir.Role, n int64) ir.Buffer {
	return ir.Buffer{Name: name, Role: role, Type: scalar.I32, Len: ir.Const(n)}
}

// work returns the memory in which matrices are factored: the result's or, for small floats, scratch memory in f32.
func (f *factoring) work(a core.ShapedArray) (Slot, core.ShapedArray) {
	if scalar.IsSmallFloat(a.DType) {
		return f.Add(4 * int64(a.Size())), a.WithDType(core.Float32)
	}
	return result(0), a
}

// load copies an operand to the memory in which matrices are factored.
func (f *factoring) load(from, to Slot, a, w core.ShapedArray) {
	if a.DType == w.DType && to.Of == ResultSlot {
		f.copy(from, to)
		return
	}
	f.convert(from, to, a, w)
}

func (f *factoring) convert(from, to Slot, a, b core.ShapedArray) {
	m := matricesOf(a)
	rows, cols := int64(a.Shape.At(-2)), int64(a.Shape.At(-1))
	f.launch(&MatrixCopy{Batch{Buffers: []ir.Buffer{buffer("x", ir.In, a), buffer("y", ir.Out, b)}, Count: int64(a.Size()) / (rows * cols)}, rows, cols, m, matricesOf(b).in(1), false}, from, to)
}

func (n *Sequence) cholesky(a core.ShapedArray) bool {
	f := n.newFactoring(a.DType)
	if f == nil || a.Size() == 0 {
		return false
	}
	rows := int64(a.Shape.At(-1))
	count := int64(a.Size()) / (rows * rows)
	m := matricesOf(a)
	if rows <= int64(f.wide) {
		f.launch(&Cholesky{Batch{Buffers: []ir.Buffer{buffer("x", ir.In, a), buffer("y", ir.Out, a)}, Count: count}, rows, m, m.in(1), false}, operand(0), result(0))
		return true
	}
	to, w := f.work(a)
	f.load(operand(0), to, a, w)
	failed := f.Add(4 * count)
	f.Run(zeros(count), failed)
	m = matricesOf(w)
	x := buffer("x", ir.InOut, w)
	wide := int64(f.wide)
	f.divided = true
	for j := int64(0); j < rows; j += wide {
		cols := min(wide, rows-j)
		block := m.from(j, j)
		here := f.at(block)
		f.launch(&Cholesky{Batch{Buffers: []ir.Buffer{x, ints("failed", ir.InOut, count)}, Count: count}, cols, here, here, true}, to, failed)
		if rest := rows - j - cols; rest > 0 {
			below := m.from(j+cols, j)
			f.solve(&Solve{Adjoint: true}, to, x, count, cols, rest, block, below.Transposed(), Slot{}, 0, 0)
			l := f.at(below)
			f.launch(&Lower{Batch: Batch{Buffers: []ir.Buffer{x}, Count: count}, Sizes: f.sizesOf(rest, rest, cols), C: f.at(m.from(j+cols, j+cols)), A: l, W: l.Adjoint(), Triangle: true, Skip: -1}, to)
		}
	}
	end := &CholeskyEnd{Batch{Buffers: []ir.Buffer{buffer("operand", ir.In, a), ints("failed", ir.In, count), x}, Count: count}, rows, matricesOf(a), m.in(2), m.in(2)}
	slots := []Slot{operand(0), failed, to}
	if to.Of != ResultSlot {
		end.Buffers[2].Role = ir.In
		end.Buffers, end.Y = append(end.Buffers, buffer("y", ir.Out, a)), matricesOf(a).in(3)
		slots = append(slots, result(0))
	}
	f.launch(end, slots...)
	return true
}

// solve adds the kernel k that solves systems in place. Unless skipBatch is 0, skip marks unknowns: it has skipBatch numbers for each
// matrix, and that of the first unknown is number skipFrom.
func (f *factoring) solve(k *Solve, to Slot, x ir.Buffer, count, n, m int64, a, b Matrices, skip Slot, skipFrom, skipBatch int64) {
	here := f.at(b)
	k.Batch, k.A, k.B, k.X, k.Skip = Batch{Buffers: []ir.Buffer{x}, Count: count}, f.at(a), here, here, -1
	slots := []Slot{to}
	if skipBatch > 0 {
		k.Buffers, k.Skip, k.SkipFrom, k.SkipBatch = append(k.Buffers, ints("skip", ir.In, count*skipBatch)), 1, f.number(skipFrom), skipBatch
		slots = append(slots, skip)
	}
	f.sides(k, n, m)
	f.launch(k, slots...)
}

// sides divides the right sides of systems with n unknowns among groups.
func (f *factoring) sides(k *Solve, n, m int64) {
	k.Most = (n + 3) &^ 3
	if wide := int64(f.wide); f.divided && n <= wide {
		k.Most = min((n+15)&^15, wide)
	}
	k.Threads = f.threads(k.Most, m)
	t := int64(k.Threads)
	k.N, k.M, k.Groups = f.number(n), f.number(m), f.number((m+t-1)/t)
}

func (n *Sequence) triangularSolve(p matrices.TriangularSolveP, a, b core.ShapedArray) bool {
	f := n.newFactoring(a.DType)
	if f == nil || b.Size() == 0 {
		return false
	}
	size := int64(a.Shape.At(-1))
	count := int64(a.Size()) / (size * size)
	sides := int64(b.Size()) / (count * size)
	// The equations in the order in which they are solved: A is lower triangular.
	transposed := p.TransposeA == p.LeftSide // X·op(A) = B is op(A)ᵀ·Xᵀ = Bᵀ
	of := func(a core.ShapedArray) Matrices {
		m := matricesOf(a)
		if transposed {
			m = m.Transposed()
		}
		if p.Lower == transposed {
			m = m.backward(size).Transposed().backward(size).Transposed()
		}
		m.Conj = p.ConjugateA
		return m
	}
	right := func(b core.ShapedArray) Matrices {
		m := matricesOf(b)
		if !p.LeftSide {
			m = m.Transposed()
		}
		if p.Lower == transposed {
			m = m.backward(size)
		}
		return m
	}
	if size <= int64(f.wide) {
		k := &Solve{Batch: Batch{Buffers: []ir.Buffer{buffer("a", ir.In, a), buffer("b", ir.In, b), buffer("x", ir.Out, b)}, Count: count}, A: of(a), B: right(b).in(1), X: right(b).in(2), Unit: p.UnitDiagonal, Skip: -1}
		f.sides(k, size, sides)
		f.launch(k, operand(0), operand(1), result(0))
		return true
	}
	to, w := f.work(b)
	f.load(operand(1), to, b, w)
	matrix, x := of(a), right(w).in(1)
	buffers := []ir.Buffer{buffer("a", ir.In, a), buffer("x", ir.InOut, w)}
	part, wide := Batch{Buffers: buffers, Count: count}, int64(f.wide)
	f.divided = true
	for i := int64(0); i < size; i += wide {
		rows := min(wide, size-i)
		here := f.at(x.from(i, 0))
		k := &Solve{Batch: part, A: f.at(matrix.from(i, i)), B: here, X: here, Unit: p.UnitDiagonal, Skip: -1}
		f.sides(k, rows, sides)
		f.launch(k, operand(0), to)
		if rest := size - i - rows; rest > 0 {
			f.launch(&Lower{Batch: part, Sizes: f.sizesOf(rest, sides, rows), C: f.at(x.from(i+rows, 0)), A: f.at(matrix.from(i+rows, i)), W: f.at(x.from(i, 0)), Skip: -1}, operand(0), to)
		}
	}
	if to.Of != ResultSlot {
		f.convert(to, result(0), w, b)
	}
	return true
}
