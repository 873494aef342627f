package native

// An Op is an instruction: one of the following, which every target has, or one of a target's own
// from NumOps on. A suffix I marks the form with an immediate operand.
type Op uint16

const (
	NoOp Op = iota

	// General registers.
	Const   // d = imm
	Clear   // d = 0
	Address // d = base + index·2^scale + disp
	Add     // d = c + b
	AddI
	Sub
	SubI
	Mul
	MulI
	AndI
	Or
	OrI
	Not
	Neg
	ShlI
	ShrI
	SarI
	Min // of integers with signs
	Max
	Load8 // with zeros above
	Load16
	Load32
	Load64
	Store8
	Store16
	Store32
	Store64
	Prefetch // requests a line of memory
	Align    // what follows is a loop that runs often, best at a multiple of imm bytes

	// Comparisons and tests of branches.
	Cmp  // a with b
	CmpI // b with imm
	Test // a & b with 0

	// Vectors of len, and elements of 1 to 8 bytes, which are the lowest of a vector.
	VLoad
	VStore
	VStream // a store past the caches, to a multiple of the length
	VLoad1
	VLoad2
	VLoad4
	VLoad8
	VStore1
	VStore2
	VStore4
	VStore8

	NumOps
)
