package simt

import (
	"fmt"

	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
)

// TensorKind is the format in which tensor cores read the operands of a product. Sums are
// in f32.
type TensorKind uint8

// The formats.
const (
	TF32 TensorKind = iota // f32 whose mantissa is rounded to 10 bits
	BF16
	F16
)

// String returns the format's name, as PTX has it.
func (k TensorKind) String() string { return [...]string{"tf32", "bf16", "f16"}[k] }

// Size returns the bytes of an operand's element in memory.
func (k TensorKind) Size() int {
	if k == TF32 {
		return 4
	}
	return 2
}

// Stored returns the type of an operand's buffer.
func (k TensorKind) Stored() scalar.Type {
	if k == TF32 {
		return scalar.F32
	}
	return scalar.U16
}

// TensorUnit is the instruction that multiplies.
type TensorUnit uint8

// The units.
const (
	MMA     TensorUnit = iota // mma.sync: a warp multiplies registers; from compute capability 8.0 on
	WGMMA                     // wgmma: four warps multiply from shared memory, which TMA fills or, in convolutions, all threads; only 9.0a
	TCGEN05                   // tcgen05: a thread multiplies from shared memory, which TMA fills, into tensor memory; only 10.0f
)

// Tensor is the statement of a product on tensor cores,
//
//	C[b, m, n] = Σₖ A[b, m, k]·B[b, k, n]
//
// with C row-major and dense, except in a convolution: there Windows states where the elements of A, B and
// C lie. Tensor is the whole body of its function: printers write the loops over tiles, the copies to
// shared memory and the layout of lanes.
type Tensor struct {
	Unit    TensorUnit
	Kind    TensorKind
	Narrow  bool // C has the operands' format, rounded once; else f32
	M, N, K int  // at least 1
	Batch   []BatchAxis
	A, B    Operand
	Windows *Windows // of a convolution, by MMA or WGMMA; A and B count only where such an operand has single strides

	Tile   [3]int // rows, columns and k of a group's tile
	Warps  [2]int // along rows and columns, of MMA and of convolutions; by WGMMA each four share blocks of 64 rows
	Stages int    // stages of tiles in shared memory
	Rows   int    // tiles of rows that neighbouring groups take before the next column
}

func (*Tensor) isStmt() {}

// Copied reports whether TMA copies the operands.
func (t *Tensor) Copied() bool { return t.Unit != MMA && t.Windows == nil }

// Out returns the type of C's buffer.
func (t *Tensor) Out() scalar.Type {
	if t.Narrow {
		return t.Kind.Stored()
	}
	return scalar.F32
}

// Threads returns the number of threads of a group.
func (t *Tensor) Threads() int {
	switch {
	case !t.Copied():
	case t.Unit == WGMMA:
		return 128 * (1 + t.Tile[0]/64)
	default:
		return 32 * 6 // four warps store, one copies, one multiplies
	}
	return 32 * t.Warps[0] * t.Warps[1]
}

// Tiles returns the number of tiles along rows and columns.
func (t *Tensor) Tiles() (m, n int) {
	return (t.M + t.Tile[0] - 1) / t.Tile[0], (t.N + t.Tile[1] - 1) / t.Tile[1]
}

// Batches returns the number of products.
func (t *Tensor) Batches() int {
	n := 1
	for _, b := range t.Batch {
		n *= b.N
	}
	return n
}

// StageBytes returns the bytes of shared memory of one stage.
func (t *Tensor) StageBytes() int { return (t.Tile[0] + t.Tile[1]) * t.Tile[2] * t.Kind.Size() }

// Accumulators is the number of tiles of sums that a group with TCGEN05 has in tensor memory: one is computed
// while the other one is stored.
const Accumulators = 2

// TensorColumns returns the number of columns of tensor memory of a group, a power of two.
func (t *Tensor) TensorColumns() int { return Accumulators * t.Tile[1] }

// SharedBytes returns the size of a group's shared memory: the stages, aligned to 1024 bytes, and
// two barriers for each. With TCGEN05, two barriers for each tile of sums follow, and the address
// of tensor memory. A convolution has entries of its rows, and no barriers.
func (t *Tensor) SharedBytes() int {
	if t.Windows != nil {
		return 1024 + t.Stages*t.StageBytes() + 4*t.Tile[0]*t.Windows.EntryWords()
	}
	n := 1024 + t.Stages*(t.StageBytes()+16)
	if t.Unit == TCGEN05 {
		n += 16*Accumulators + 16
	}
	return n
}

// Resident returns the number of groups, at most two, that a multiprocessor runs at once. They need
// shared memory, with TCGEN05 tensor memory, and with WGMMA registers, of which a thread needs some
// 56 besides those of its results.
func (t *Tensor) Resident() int {
	const shared, registers, columns = 227 << 10, 64 << 10, 512
	room := registers/(2*t.Threads()) >= t.Tile[1]/2+56
	if t.Unit == TCGEN05 {
		room = 2*t.TensorColumns() <= columns
	}
	if room && 2*t.SharedBytes() <= shared {
		return 2
	}
	return 1
}

// TensorFunc returns the function of a product on tensor cores. Its buffers are A, B and C; lens
// are their numbers of elements.
func TensorFunc(name string, t *Tensor, lens [3]int64) *Func {
	k := &ir.Kernel{Name: name, Buffers: []ir.Buffer{
		{Name: "a", Role: ir.In, Type: t.Kind.Stored(), Len: ir.Const(lens[0])},
		{Name: "b", Role: ir.In, Type: t.Kind.Stored(), Len: ir.Const(lens[1])},
		{Name: "c", Role: ir.Out, Type: t.Out(), Len: ir.Const(lens[2])},
	}}
	m, n := t.Tiles()
	f := &Func{Name: name, Kernel: k, Group: true, Threads: t.Threads(), Tensor: t, Body: []Stmt{t}, extents: []ir.Size{ir.Const(int64(t.Batches())), ir.Const(int64(m)), ir.Const(int64(n))}}
	if t.Copied() {
		f.Resident = t.Resident()
	}
	return f
}

func (t *Tensor) String() string {
	return fmt.Sprintf("%v %d×%d×%d", t.Kind, t.M, t.K, t.N)
}

// RoundOut returns the relative error of the result's one rounding, 0 where it is f32.
func (t *Tensor) RoundOut() float64 {
	switch {
	case !t.Narrow:
		return 0
	case t.Kind == BF16:
		return 0x1p-8
	}
	return 0x1p-11
}

// Bound returns b such that an element of C, before RoundOut, differs from the exact one by
// at most b·Σ|A||B|, unless a number overflows or is subnormal. Operands of 16 bits are
// exact; those of tf32 are rounded to 11 digits, by 2⁻¹¹ of themselves each. Products are
// exact. A tensor core adds at least four of them and the sum so far at once. It cuts off
// each number, and then the sum, after the last of the 24 digits of the greatest number: at
// most six errors of 2⁻²³ for four products. NVIDIA states none of this. An H100 keeps to it; for TCGEN05 it is assumed.
func (t *Tensor) Bound() float64 {
	b := float64(t.K+9) * 0x1p-22
	if t.Kind == TF32 {
		b += 2 * 0x1p-11
	}
	return b
}
