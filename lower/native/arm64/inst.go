package arm64

import "github.com/weft-go/weft/lower/native"

// An Op is an instruction: one of those that every target has, or one of the following.
type Op = native.Op

// A Reg is the number of a general register or of a vector.
type Reg = native.Reg

// zr is the general register that reads as zero, in the instructions that have it.
const zr Reg = 31

// Vector instructions on elements of 8, 16, 32 and 64 bits, four for each name: see ofSize. The size is that of the
// elements of the first operand, unless a comment states another.
const (
	vAdd Op = native.NumOps + 4*iota
	vSub
	vMul
	vAddp // sums of neighbours, of n and then of m
	vNeg
	vAbs
	vSmax
	vSmin
	vUmax
	vUmin
	vCmgt
	vCmge
	vCmhi
	vCmhs
	vCmeq
	vSshl
	vUshl
	vClz
	vRev64  // the elements of each 64 bits, in the other order
	vUaddlp // sums of neighbours, twice as wide
	vShl
	vSshr
	vUshr
	vSli // shifts to the left; the bits below stay
	vUzp1
	vUzp2
	vTrn1  // the even elements of n and m, in turn
	vTrn2  // the odd ones
	vXtn   // halves; the size is the result's
	vXtn2  // … into the upper half of d
	vSqxtn // … of the nearest number that fits
	vSqxtn2
	vUqxtn
	vUqxtn2
	vUxtl  // twice as wide
	vUxtl2 // … the upper half of n
	vSxtl
	vSxtl2
	vUmull // products, twice as wide
	vUmull2
	vSmull
	vSmull2
	vUmlal // … added to d
	vDup   // an element
	vDupG  // a general register
	vUmov
	vSmov
	vIns // a general register into an element
	vLd1 // an element from memory
	vSt1
	vLd1r
	vMlaE // d += n · an element of m; of 32 bits alone
	endSized
)

// Vector instructions on f32 and f64, two for each name: see ofFloat.
const (
	vFadd Op = endSized + 2*iota
	vFsub
	vFmul
	vFdiv
	vFmax // NaN if one is, as IEEE 754-2019's maximum
	vFmin
	vFmla  // d + n·m, rounded once
	vFmlaE // … m is an element
	vFcmeq
	vFcmge
	vFcmgt
	vFabs
	vFneg
	vFsqrt
	vFrintn // to nearest even
	vFrintm // down
	vFrintp // up
	vFrintz // to zero
	vScvtf  // integers as large, with signs
	vUcvtf
	vFcvtzs // to the nearest integer that is as large, towards 0; NaN to 0
	vFcvtzu
	vFcvtzuFixed // with a number of bits behind the point
	vFcvtn       // to f16, to f32
	vFcvtn2
	vFcvtl // from f16, from f32
	vFcvtl2
	endFloats
)

// The other instructions.
const (
	vAnd = endFloats + iota
	vBic // n & ^m
	vOrr
	vOrn // n | ^m
	vEor
	vBsl // bits of n where those of d are set, else of m
	vBit // bits of n where those of m are set
	vBif // bits of n where those of m are not set
	vNot
	vCnt
	vExt // bytes of m:n from imm on
	vTbl
	vZero // d = 0
	vToG  // the lower half to a general register

	vLdrB // elements and vectors from memory
	vLdrH
	vLdrS
	vLdrD
	vLdrQ
	vStrB
	vStrH
	vStrS
	vStrD
	vStrQ
	vLiteral // a vector at pc + imm

	gLdrB // with zeros above
	gLdrH
	gLdrW
	gLdrX
	gStrB
	gStrH
	gStrW
	gStrX
	gPrfm

	gMovz // imm = bits << 2 | which quarter
	gMovn
	gMovk
	gAdd // n + m<<imm
	gSub
	gSubs
	gMul
	gSmulh
	gUmulh
	gAnd
	gAnds
	gOrr
	gOrn // n | ^m
	gAddI
	gSubI
	gSubsI
	gAddsI
	gAndI // imm is a run of ones that is shifted around: see maskImm
	gLsl
	gLsr
	gAsr
	gCsel // imm is the condition
	gAdr  // pc + imm
	gB    // by imm
	gBcond
	gCbz
	gCbnz
	gTbz // bit imm of d
	gNop
	gBr
	gRet
	endOps
)

// What micro-kernels consist of beside instructions: several, and jumps. K is a general register with the
// number of elements that count, of imm bytes.
const (
	opLoadPart  = endOps + iota // zeros become the other elements
	opStorePart                 // nothing is written to the other elements
)

// ofSize returns the instruction of a name for elements of so many bytes.
func ofSize(op Op, size int) Op {
	for ; size > 1; size /= 2 {
		op++
	}
	return op
}

// ofFloat returns the instruction of a name for f32, or for f64.
func ofFloat(op Op, size int) Op {
	if size == 8 {
		op++
	}
	return op
}

// A cond is the condition of a branch.
type cond uint8

const (
	condEq cond = 0x0
	condNe cond = 0x1
	condGe cond = 0xa
	condLt cond = 0xb
	condGt cond = 0xc
	condLe cond = 0xd
)

// Inst is a machine instruction with its operands. Which of them count is a matter of Op.
type Inst struct {
	Op      Op
	D, N, M Reg
	Index   bool  // the address is n + m<<shift, where a shift is set; else n + imm
	Shift   bool  // … by the size of what is accessed
	Cond    cond  // of a branch
	Imm     int64 // a number, a distance in bytes, or the number of an element
	Bit     uint8 // that is tested
}
