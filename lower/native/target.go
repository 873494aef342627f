package native

import (
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
	"github.com/weft-go/weft/lower/schedule"
)

// An ISA is an instruction set that code is written for. Its values are comparable.
type ISA interface {
	String() string
	Model() *Model
	Target(g *Gen) Target // the target that writes the operations of g's kernels
}

// A Model describes a machine to code generation: its registers, and what pays.
type Model struct {
	VectorBytes int   // of the largest registers
	Masks       bool  // bools are masks of one bit a lane, in registers of their own; else vectors as wide as what was compared
	Broadcasts  bool  // instructions can repeat an element that they read from memory: then constants are single elements, else vectors
	Streams     bool  // VStream writes past the caches
	Scales      bool  // [Target.Scale] is one instruction
	Quotients   int64 // least number of elements whose quotients by one number are computed by products; 0: quotients are never replaced

	// SlowExtremes is set if [Target.Extreme] is one instruction, but the greater of two floats is
	// several, because of NaN and zeros. With SignedExtremes, [SignedTarget.SignedExtreme] is one
	// instruction, too.
	SlowExtremes, SignedExtremes bool

	Registers       [NumClasses]uint32 // registers that are allocated
	FunctionVectors uint32             // vectors that functions use; the others keep the values of the caller
	Args            Reg                // the block of arguments
	Scratch         Reg                // scratch memory
	Link            Reg                // return address of a function
	GeneralTemps    [3]Reg             // for spilled operands
	MaskTemps       [2]Reg

	Room           int // vectors that the values of copies side by side may occupy
	FunctionCopies int // copies of a block that calls functions
	SumCopies      int // least copies of a reduction in any order

	// Dense work.
	Processor    schedule.Processor // with one thread
	MicroGeneral []Reg              // general registers of micro-kernels: 13, and more if the target's own code needs them
	Block        int                // bytes of each row of a block that micro-kernels transpose in registers
	BlockVectors int                // vectors that such blocks use, the first ones
	TileStep     int                // contracted elements of an iteration of a register tile's loop: 1, or 4 where that pays
	TileRoom     int                // instructions of that loop, at most, where it can be shorter; 0: any number
	Pairs        bool               // micro-kernels multiply pairs of bf16, where the processor can
	// LaneMask returns the argument that a [Tile] reads as the mask of the first n lanes of elements of a size.
	LaneMask func(size, n int) [4]uint64
	// MatrixShape writes the shape of a register of matrices to the argument that a [Tile] reads: rows, and bytes of each.
	MatrixShape func(shapes *[8]uint64, register, rows, bytes int)
}

// A Target writes operations for the present lanes. Operands and results have as many registers as [Gen.Layout]
// returns. Every target is also a [RegisterTarget] or a [DraftWriter]. It may implement [MicroTarget], [MaskTarget]
// and the other interfaces below, too.
type Target interface {
	// Numbers, as the table of package scalar defines the operations.
	FloatOp(op scalar.Op, x, y, z Value) Value
	IntOp(op scalar.Op, x, y Value) Value
	ShiftConst(op scalar.Op, x Value, n uint64) Value
	Scale(x, n Value) Value
	Lookup(table ir.Table, x Value) Value
	Convert(t scalar.Type, x Value) Value  // between numbers, and from bools
	Truncate(t scalar.Type, x Value) Value // f32 to I32, f64 to integers of 4 and 8 bytes, within the range of t
	WidenHalf(x Value) Value               // the bits of float16 to f32
	NarrowHalf(x Value) Value              // f32 whose NaNs are canonical to the bits of float16
	Rounded(x Value) Value                 // f32 to the nearest bfloat16, as f32; NaNs stay
	Extreme(x, y Value, least bool) Value  // x > y ? x : y, or x < y ? x : y
	Rotates(t scalar.Type, n int64) bool   // whether Rotate pays
	Rotate(x Value, n int64) Value         // each element to the left by n bits

	// Bools.
	BoolConst(x bool) Value
	BoolLike(x, like Value) Value           // x in the form of another bool
	BoolToInt(t scalar.Type, x Value) Value // 0 or 1
	Compare(op scalar.Op, x, y Value) Value
	Unordered(x, y Value) Value // whether x or y is NaN
	Logic(op scalar.Op, x, y Value) Value
	Not(x Value) Value
	Choose(c, x, y Value) Value
	BranchIfNone(c Value, to Label) // where c is false in every lane that counts

	// Between lanes, and between vectors and general registers.
	Spread(x Value) Value                      // a single element to all lanes
	SpreadGeneral(t scalar.Type, x VReg) Value // an integer to all lanes
	SpreadBool(x VReg) Value                   // all ones or zeros to all lanes
	ToGeneral(x Value) VReg                    // a single I32 or I64
	UpperLanes(x Value, from int) VReg         // a register that begins with lane `from` of a value of one register

	// Memory.
	LoadScalar(t scalar.Type, p *Place) Value
	StoreScalar(x Value, p *Place)
	LoadSame(t scalar.Type, p *Place) Value // one element to all lanes
	LoadRun(t scalar.Type, p *Place) Value  // neighbours
	StoreRun(x Value, p *Place) bool        // false: there is no instruction for these lanes
	Gather(t scalar.Type, p *Place) Value   // at an offset for each lane
}

// A RegisterTarget is a [Target] of a machine with the registers of its [Model]: code generation
// assigns them, and the target encodes the instructions.
type RegisterTarget interface {
	CombineLoads(c *Draft) // turns loads into memory operands of the instructions that read them
	Assembler(e *Emitter) Assembler
}

// A SignedTarget is a [Target] of a machine with [Model.SignedExtremes].
type SignedTarget interface {
	// SignedExtreme returns the greater or the lesser of two floats, of which −0 is less than +0, where neither is NaN.
	SignedExtreme(x, y Value, least bool) Value
}

// A MaskTarget is a [Target] of a machine with [Model.Masks].
type MaskTarget interface {
	FirstLanes(n VReg, skip, lanes int64) VReg // a mask whose lane i is true if skip + i < n, for lanes 0 … lanes−1
}

// A SumTarget is a [Target] of a machine whose fused multiplications and additions can negate operands.
type SumTarget interface {
	Sum(x, y, z Value, lessProduct, lessOther bool) Value // ±x·y ± z, rounded once
}

// A Permuter is a [Target] that moves elements within vectors: registers of elements of a size, as
// many as [Gen.PerPart] returns.
type Permuter interface {
	Permutes(size int) bool                        // whether there is code for the following two
	Permute(size int, x VReg, from []byte) VReg    // element i is element from[i] of x
	Blend(size int, a, b VReg, second []bool) VReg // element i is that of b where second[i], else of a
}

// A LooseTarget is a [Target] with an instruction for extremes of a constant x, neither zero nor NaN, and a
// float y, where the bits of a NaN do not matter. If y is NaN, so is the result.
type LooseTarget interface {
	LooseExtreme(x, y Value, least bool) Value
}

// A TestTarget is a [Target] with an instruction for x & y ≠ 0 of integers.
type TestTarget interface {
	Test(x, y Value) Value
}

// A SignTarget is a [Target] that joins magnitudes and signs of floats in fewer instructions than bitwise
// operations take.
type SignTarget interface {
	CopySign(x, y Value) Value // |x| with the signs of the floats whose bits are y
}

// A FixedTarget is a [Target] that converts fixed-point numbers.
type FixedTarget interface {
	Fixed(t scalar.Type, x Value, n int64) Value // x · 2⁻ⁿ as a float as large as the integer x
}

// A ShiftedTarget is a [Target] that adds shifted integers of 4 bytes in one instruction.
type ShiftedTarget interface {
	AddShifted(y, x Value, n uint64, less bool) Value // y + x << n, or y − x << n
}

// A QuietTarget is a [Target] that makes quiet NaNs canonical in fewer instructions than others.
type QuietTarget interface {
	CanonQuiet(x Value) Value
}

// An ExtremeTarget is a [Target] whose instructions for the greater and the lesser number return NaN where an
// operand is NaN.
type ExtremeTarget interface {
	BoundsByExtremes() bool // whether one comparison of the extreme of several vectors is faster than a comparison of each
}

// A TiedTarget is a [Target] whose fused multiplication and addition may overwrite the operand that is added, and no
// other of the three.
type TiedTarget interface {
	SumsOverwrite() bool
}

// An Assembler encodes instructions, whose registers it asks the emitter for.
type Assembler interface {
	Begin(labels int, scratch bool)
	Inst(in *Inst) // an operation, or a branch
	CopyReg(c Class, length uint8, d, s Reg)
	LoadSlot(c Class, length uint8, d Reg, at int32)  // from scratch memory
	StoreSlot(c Class, length uint8, s Reg, at int32) // to scratch memory
	LoadConst(d Reg, v *RegInfo)
	Bind(l Label)
	Jump(to Label)
	Call(to Label)
	Ret()
	End(streamed bool)
	Finish(pool []byte) (code []byte, size int)
}
