package ir

import "github.com/weft-go/weft/lower/scalar"

// Ref names a value of a kernel by its index in Kernel.Types. Each value is defined once
// and visible in its block, behind its definition, and in the blocks inside.
type Ref = scalar.Ref

// NoRef is the absent value.
const NoRef = scalar.NoRef

// Axis names the index variable of a grid dimension or a loop by a number below
// Kernel.Axes.
type Axis int32

// NoAxis is the absent axis.
const NoAxis Axis = -1

// Size is a number that is known when the kernel is built, or a symbol whose value
// comes with each launch. The zero Size is 0.
type Size struct {
	Value  int64 // of a constant
	Symbol int   // 1 + index in Kernel.Symbols; 0 for a constant
}

// Const returns the constant size n.
func Const(n int64) Size { return Size{Value: n} }

// IsConst reports whether s is a constant.
func (s Size) IsConst() bool { return s.Symbol == 0 }

// In returns the value of s where the symbols have the given values.
func (s Size) In(symbols []int64) int64 {
	if s.Symbol == 0 {
		return s.Value
	}
	return symbols[s.Symbol-1]
}

// A Kernel is one piece of work: its body runs once for every point of the grid, in
// any order or at the same time. No point reads what another one writes, except where the
// launch runs all points in row-major order, as for a scatter.
type Kernel struct {
	Name    string
	Symbols []string // names of the run-time sizes
	Buffers []Buffer
	Tables  []Table
	Funcs   []*scalar.Prog // that Apply uses
	Grid    []Dim
	Body    Block
	Types   []scalar.Type // types of the values, by Ref
	Axes    int           // number of axes, grid included
}

// A Table is a constant table of at most 32 numbers that OpLookup reads.
type Table = scalar.Table

// Role tells how a kernel uses a buffer.
type Role uint8

// The roles of buffers.
const (
	In      Role = iota // read only
	Out                 // only written
	InOut               // read and written
	Scratch             // memory that holds nothing before or after the launch
)

// Buffer is a parameter of a kernel: a run of scalar values in memory. Complex
// elements are two neighbouring values; small floats are their bits (u8, u16).
type Buffer struct {
	Name string
	Role Role
	Type scalar.Type
	Len  Size // in scalar values
}

// Dim is a dimension of the grid.
type Dim struct {
	Axis   Axis
	Extent Size
}

// Block is a list of statements that run in order.
type Block []Stmt

// Stmt is one of Let, Apply, Index, Load, Store, Loop, While, If, Reduce, Cumulate.
type Stmt interface{ isStmt() }

// Let defines a value by one scalar operation. Inst.Args are values of the kernel;
// OpParam does not occur.
type Let struct {
	Dst  Ref
	Inst scalar.Inst
}

// Index defines a value as Base + Σ Coeff·axis, converted to its integer type (it
// wraps).
type Index struct {
	Dst   Ref
	Base  Size
	Terms []Term
}

// Term is a multiple of an axis.
type Term struct {
	Axis  Axis
	Coeff Size
}

// Mode tells what happens where a coordinate leaves its bounds.
type Mode uint8

// The modes of coordinates.
const (
	Proved Mode = iota // the coordinate stays inside: the checker proves it from the axes' extents
	Clamp              // the nearest coordinate inside is taken
	Drop               // a load yields 0, a store writes nothing
)

// Coord is one coordinate of an access: Base + Σ Coeff·axis + Value. It is inside its bounds if it
// is between 0 and Bound−1.
type Coord struct {
	Stride Size // scalar values of the buffer per unit of the coordinate
	Bound  Size
	Mode   Mode
	Base   Size
	Terms  []Term
	Value  Ref // an I64 or I32 value, or NoRef; not with Proved
}

// Access is a position in a buffer: Offset + Σ Stride·coordinate.
type Access struct {
	Buffer int
	Offset Size
	Coords []Coord
}

// Load defines a value as an element of a buffer.
type Load struct {
	Dst Ref
	At  Access
}

// Store writes an element of a buffer.
type Store struct {
	At    Access
	Value Ref
}

// Kind is the order in which a loop's iterations run.
type Kind uint8

// The kinds of loops.
const (
	Sequential Kind = iota // one after the other; values may be carried
	Vector                 // independent of each other, side by side
)

// Carry is a value that a loop passes from one iteration to the next.
type Carry struct {
	Init   Ref // before the first iteration
	Param  Ref // at the start of an iteration
	Next   Ref // at the end of an iteration
	Result Ref // after the loop
}

// A Tail marks an axis as the inner part of a split one: the loop runs for
// min(Extent, Total − Extent·Outer) iterations.
type Tail struct {
	Outer Axis
	Total Size
}

// Loop repeats its body for the values of its axis from 0 to Extent−1; a Tail may end it earlier.
type Loop struct {
	Axis   Axis
	Extent Size
	Tail   *Tail // nil: there are Extent iterations
	Kind   Kind
	Carry  []Carry // Sequential only
	Body   Block
}

// While repeats Body as long as Test, which Cond computes from the parameters, is true. The result of a carry is
// the value of its parameter when Test is false.
type While struct {
	Carry []Carry
	Cond  Block
	Test  Ref
	Body  Block
}

// If runs one of two blocks. Results are the values of the block that ran.
type If struct {
	Cond       Ref
	Then, Else Block
	Merge      []Merge
}

// Merge is a result of If.
type Merge struct{ Then, Else, Result Ref }

// Order is the order in which a reduction combines its elements. Every order except Any is fixed by
// the extent, and Lanes by the size of an element, too.
type Order uint8

// The orders of reductions. "Tree" combines neighbours pairwise in the order of a
// binary counter: after element i, as many times as i+1 is divisible by two, the two
// latest partial results become one; at the end the remaining ones are combined from
// the latest to the first, older operand on the left.
const (
	Any     Order = iota // any order: the operation is associative and commutative to the bit
	Ordered              // one chain from the identity
	Lanes                // blocks of 1024; in a block, element i goes to lane i mod W; then lane l takes lane l+W/2, l+W/4, … down to 1; blocks by Tree
	Chunks               // chunks of 16 in order from the identity, chunk results by Tree
	Tree                 // elements by Tree
	Chain                // fma chains of 128 products Value·Second from +0, added left to right to +0
)

// The constants of the canonical orders.
const (
	BlockSize = 1024 // elements of a block of Lanes
	ChunkSize = 16   // elements of a chunk of Chunks
	ChainSize = 128  // products of an fma chain of Chain
	LaneBytes = 256  // bytes of the accumulators of Lanes
	CumChunk  = 32   // elements of a chunk of Cumulate
)

// Reduce combines the values that Body yields along an axis.
type Reduce struct {
	Axis   Axis
	Extent Size
	Tail   *Tail
	Order  Order
	Lanes  int // W of the order Lanes: a power of two, LaneBytes over the size of an accumulated element; 0 in other orders
	Body   Block
	Folds  []Fold
}

// Fold is one reduction of a Reduce: Result is what Op makes of the elements Value, combined in the order of the
// Reduce.
type Fold struct {
	Op     FoldOp
	Value  Ref
	Second Ref // ComplexProd: the imaginary part; ArgMax, ArgMin: the index; Chain: the factor; else NoRef
	Result Ref
	// Other is the second result of ComplexProd, ArgMax and ArgMin, else NoRef.
	Other Ref
}

// FoldOp is the operation by which a fold combines two elements.
type FoldOp uint8

// The operations of folds.
const (
	Sum FoldOp = iota
	Prod
	Max // NaN wins, −0 < +0
	Min
	And
	Or
	Xor
	ComplexProd // (a+bi)(c+di) = (ac − bd) + (ad + bc)i, each operation rounded
	ArgMax      // the first index of the greatest value, NaN wins; Result is the value, Other the index
	ArgMin
	FoldOps // the number of operations
)

// Cumulate is a running fold along an axis. Each chunk of CumChunk elements is folded in order from the
// identity. Each running value is then combined, on its left, with the fold of the totals of all chunks
// before, computed by the same rule. The block Then runs for each element with its running value.
type Cumulate struct {
	Axis    Axis
	Extent  Size
	Reverse bool // from the end; the axis still counts positions
	Body    Block
	Op      FoldOp
	Value   Ref
	Param   Ref // the running value, visible in Then
	Then    Block
}

func (*Let) isStmt()      {}
func (*Index) isStmt()    {}
func (*Load) isStmt()     {}
func (*Store) isStmt()    {}
func (*Loop) isStmt()     {}
func (*While) isStmt()    {}
func (*If) isStmt()       {}
func (*Reduce) isStmt()   {}
func (*Cumulate) isStmt() {}
