package amd64

// The general registers that code names, of the numbers 0 to 15. Vectors have the numbers 0 to 31, masks 0 to
// 7.
const (
	RAX Reg = iota
	RCX
	RDX
	RBX
	RSP
	RBP
	RSI
	RDI
)

// NoReg is the absent base or index of a memory operand.
const NoReg Reg = 0xff

// Vector lengths of 128, 256 and 512 bits.
const (
	L128 uint8 = iota
	L256
	L512
)

// Mem is a memory operand: [Base + Index·2^Scale + Disp], or the constant at offset Disp of
// the pool behind the code where Pool is set.
type Mem struct {
	Base, Index Reg
	Scale       uint8
	Pool        bool
	Disp        int32
}

// Inst is a machine instruction with its operands. Op determines which of them count.
type Inst struct {
	Op      Op
	Len     uint8 // of the vector
	R, V, M Reg
	X       Reg   // the fourth operand of blends
	K       uint8 // mask register, 0 for none
	Zero    bool  // elements outside of the mask become 0
	Bcast   bool  // the memory operand is one element
	UseMem  bool  // the operand M is Mem
	Mem     Mem
	Imm     int64
}
