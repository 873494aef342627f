package amd64

// space lists the encodings that an instruction has.
type space uint8

const (
	vex space = 1 << iota
	evex
	legacy
)

// Opcode maps and mandatory prefixes, as VEX and EVEX number them.
const (
	m0F   = 1
	m0F38 = 2
	m0F3A = 3

	p66 = 1
	pF3 = 2
	pF2 = 3
)

// form determines which fields of the encoding the operands of an instruction use. R is the
// register field, V the second source field, M the register or memory field.
type form uint8

const (
	formRVM  form = iota // R = op(V, M)
	formRM               // R = op(M)
	formMR               // M = op(R)
	formVM               // V = op(M), the register field extends the opcode
	formMVR              // M = op(V, R): masked stores
	formRVMR             // R = op(V, M, register in the immediate)
	formRMV              // R = op(M, V)
	formR                // R = op()
	formZ                // no operand
	formM                // M = op(M), the register field extends the opcode
	formMI               // the same with an immediate of 8 or 32 bits
	formO                // a register in the opcode, an immediate
	formJ                // a jump
)

// tuple determines the unit of the displacement of an EVEX memory operand.
type tuple uint8

const (
	tupleFV   tuple = iota // a vector, or an element that is broadcast
	tupleFVM               // a vector
	tupleHV                // half a vector, or an element that is broadcast
	tupleHVM               // half a vector
	tupleQVM               // a quarter
	tupleOVM               // an eighth
	tupleT1                // an element
	tupleM128              // 16 bytes
	tupleM256              // 32 bytes
)

type opFlags uint16

const (
	hasImm  opFlags = 1 << iota
	tied            // R is read, too
	regMask         // R is a mask register
	rmMask          // M (and V, if any) is a mask register
	regGPR          // R is a general register
	rmGPR           // M, if a register, is a general register
	vsib            // the index of the memory operand is a vector
	byteRM          // M is a byte
	rm128           // M, if a register, is an xmm register
	rm256           // M, if a register, is a ymm register
	regHalf         // R has half the length of M
	length0         // the length bit is 0
	length1         // the length bit is 1
	regTile         // registers are tiles: matrices
)

type opInfo struct {
	name   string
	space  space
	opmap  uint8
	prefix uint8
	vexW   uint8
	evexW  uint8
	opcode uint8
	form   form
	ext    uint8 // the register field of formVM, formM, formMI, and of formZ if it has one
	tuple  tuple
	size   uint8 // bytes of an element
	flags  opFlags
}

func mnemonic(o Op) string {
	if o >= numOps {
		return "invalid"
	}
	return opTable[o].name
}
