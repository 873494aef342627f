package arm64

import "github.com/weft-go/weft/lower/native"

// An Op is an instruction: one that every target has, or one of the following.
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
	vCmtst // n & m ≠ 0
	vCmgtZ // n > 0
	vCmgeZ
	vCmeqZ
	vCmleZ
	vCmltZ
	vSshl
	vUshl
	vClz
	vRev64  // the elements of each 64 bits, in reverse order
	vUaddlp // sums of neighbours, twice as wide
	vShl
	vSshr
	vUshr
	vSli // shifts to the left; the bits below stay
	vUzp1
	vUzp2
	vTrn1  // the even elements of n and m, in turn
	vTrn2  // the odd elements
	vXtn   // the low halves; the size is the result's
	vXtn2  // … into the upper half of d
	vSqxtn // the nearest numbers of the result's size, which is half
	vSqxtn2
	vUqxtn
	vUqxtn2
	vUxtl  // elements of the lower half of n, twice as wide
	vUxtl2 // … of the upper half
	vSxtl
	vSxtl2
	vUmull // products, twice as wide
	vUmull2
	vSmull
	vSmull2
	vUmlal // … added to d
	vDup   // an element in all lanes
	vDupG  // a general register in all lanes
	vUmov
	vSmov
	vIns // a general register into an element
	vLd1 // an element from memory
	vSt1
	vLd1r
	vMlaE // d += n · an element of m; only of 32 bits
	vMla  // d += n·m; only of 32 bits
	vMls  // d −= n·m; only of 32 bits
	endSized
)

// Vector instructions on f32 and f64, two for each name: see ofFloat.
const (
	vFadd Op = endSized + 2*iota
	vFsub
	vFmul
	vFdiv
	vFmax // NaN if an operand is NaN, as IEEE 754-2019's maximum
	vFmin
	vFmaxnm // the number if one operand is a quiet NaN and the other is a number
	vFmla   // d + n·m, rounded once
	vFmlaE  // … m is an element
	vFcmeq
	vFcmge
	vFcmgt
	vFcmgtZ // n > 0
	vFcmgeZ
	vFcmeqZ
	vFcmleZ
	vFcmltZ
	vFabs
	vFneg
	vFsqrt
	vFrintn // to nearest even
	vFrintm // down
	vFrintp // up
	vFrintz // to zero
	vScvtf  // from integers of the same size, with signs
	vUcvtf
	vFcvtzs // to integers of the same size, truncated and saturated; NaN to 0
	vFcvtzu
	vFcvtzuFixed // to fixed point with imm bits behind the point
	vScvtfFixed  // from fixed point with imm bits behind the point
	vFcvtn       // f32 to f16, f64 to f32
	vFcvtn2
	vFcvtl // f16 to f32, f32 to f64
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
	vLdpQ // d and m, which are neighbours in memory
	vStpQ
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
	gAndI // imm is a run of ones, rotated: see maskImm
	gLsl
	gLsr
	gAsr
	gCsel // imm is the condition
	gAdr  // pc + imm
	gB    // by imm
	gBcond
	gCbz
	gCbnz
	gTbz // by imm, if a bit of d is 0
	gNop
	gBr
	gRet
	endOps
)

// The operations of micro-kernels that are several instructions and jumps. K is a general register with the
// number of elements that count, of imm bytes.
const (
	opLoadPart  = endOps + iota // the other elements become 0
	opStorePart                 // nothing is written to the other elements
)

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

type cond uint8

const (
	condEq cond = 0x0
	condNe cond = 0x1
	condGe cond = 0xa
	condLt cond = 0xb
	condGt cond = 0xc
	condLe cond = 0xd
)

// Inst is a machine instruction with its operands. Op determines which of them count.
type Inst struct {
	Op      Op
	D, N, M Reg
	Index   bool  // the address is n + m, or n + m·size if Shift is set; else it is n + imm
	Shift   bool  // m counts elements of the size that is accessed, not bytes
	Cond    cond  // of a branch
	Imm     int64 // a number, a distance in bytes, or the number of an element
	Bit     uint8 // that is tested
}
