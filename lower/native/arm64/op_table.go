package arm64

// form is which operands an instruction has, and where they stand in its bits.
type form uint8

const (
	formNone    form = iota
	formVVV          // d, n, m
	formVV           // d, n
	formVVZ          // d, n, 0
	formVVF          // d, n, 0.0
	formVVI          // d, n, shift to the left
	formVVR          // d, n, shift to the right
	formVVVI         // d, n, m, byte
	formVVE          // d, n, m[imm]
	formTbl          // d, {n}, m
	formV            // d
	formVE           // d, n[imm]
	formVG           // d, general n
	formGE           // general d, n[imm]
	formEG           // d[imm], general n
	formGV           // general d, n
	formLane         // {d}[imm], [n]
	formAll          // {d}, [n]
	formLoad         // vector d, memory
	formLoadG        // general d, memory
	formPair         // vectors d and m, memory
	formLiteral      // vector d, pc + imm
	formWide         // d, 16 bits
	formGGG          // d, n, m
	formGGS          // d, n, m shifted to the left
	formGGI          // d, n, 12 bits
	formGGM          // d, n, mask
	formGGL          // d, n, shift to the left
	formGGR          // d, n, shift to the right
	formGGC          // d, n, m, condition
	formAdr          // d, pc + imm
	formJump         // pc + imm
	formJumpIf       // condition, pc + imm
	formJumpG        // general d, pc + imm
	formJumpBit      // general d, bit, pc + imm
	formG            // general n
)

// opInfo describes an instruction: its bits without operands, and how it is written.
type opInfo struct {
	name string
	bits uint32
	form form
	size uint8     // log2 of the bytes of an element, or of what is accessed
	arr  [3]string // arrangements of d, n, m
	wide bool      // general operands of 64 bits
}

// The names of whole and of half vectors, and of elements, by log2 of the bytes of an element.
var (
	whole    = [...]string{"16b", "8h", "4s", "2d"}
	half     = [...]string{"8b", "4h", "2s", "1d"}
	elements = [...]string{"b", "h", "s", "d"}
)

var opTable = makeTable()

// classes of vector instructions, for 128 bits.
const (
	sameBits  = 0x4e200400 // three operands of one arrangement
	otherBits = 0x4e200000 // three operands of different arrangements
	miscBits  = 0x4e200800 // two operands
	shiftBits = 0x4f000400
	permBits  = 0x4e000800
	upperBit  = 1 << 29
	fullBit   = 1 << 30
)

func makeTable() *[endOps]opInfo {
	t := new([endOps]opInfo)
	// same adds the forms of an instruction whose operands have the same elements.
	same := func(op Op, name string, f form, bits uint32, sizes int) {
		for s := range sizes {
			a := whole[s]
			b := bits
			if f != formVVI && f != formVVR {
				b |= uint32(s) << 22
			}
			t[int(op)+s] = opInfo{name: name, bits: b, form: f, size: uint8(s), arr: [3]string{a, a, a}}
		}
	}
	same(vAdd, "add", formVVV, sameBits|0x10<<11, 4)
	same(vSub, "sub", formVVV, sameBits|upperBit|0x10<<11, 4)
	same(vMul, "mul", formVVV, sameBits|0x13<<11, 3)
	same(vAddp, "addp", formVVV, sameBits|0x17<<11, 4)
	same(vNeg, "neg", formVV, miscBits|upperBit|0x0b<<12, 4)
	same(vAbs, "abs", formVV, miscBits|0x0b<<12, 4)
	same(vSmax, "smax", formVVV, sameBits|0x0c<<11, 3)
	same(vSmin, "smin", formVVV, sameBits|0x0d<<11, 3)
	same(vUmax, "umax", formVVV, sameBits|upperBit|0x0c<<11, 3)
	same(vUmin, "umin", formVVV, sameBits|upperBit|0x0d<<11, 3)
	same(vCmgt, "cmgt", formVVV, sameBits|0x06<<11, 4)
	same(vCmge, "cmge", formVVV, sameBits|0x07<<11, 4)
	same(vCmhi, "cmhi", formVVV, sameBits|upperBit|0x06<<11, 4)
	same(vCmhs, "cmhs", formVVV, sameBits|upperBit|0x07<<11, 4)
	same(vCmeq, "cmeq", formVVV, sameBits|upperBit|0x11<<11, 4)
	same(vCmtst, "cmtst", formVVV, sameBits|0x11<<11, 4)
	same(vCmgtZ, "cmgt", formVVZ, miscBits|0x08<<12, 4)
	same(vCmgeZ, "cmge", formVVZ, miscBits|upperBit|0x08<<12, 4)
	same(vCmeqZ, "cmeq", formVVZ, miscBits|0x09<<12, 4)
	same(vCmleZ, "cmle", formVVZ, miscBits|upperBit|0x09<<12, 4)
	same(vCmltZ, "cmlt", formVVZ, miscBits|0x0a<<12, 4)
	same(vSshl, "sshl", formVVV, sameBits|0x08<<11, 4)
	same(vUshl, "ushl", formVVV, sameBits|upperBit|0x08<<11, 4)
	same(vClz, "clz", formVV, miscBits|upperBit|0x04<<12, 3)
	same(vRev64, "rev64", formVV, miscBits, 3)
	same(vShl, "shl", formVVI, shiftBits|0x0a<<11, 4)
	same(vSshr, "sshr", formVVR, shiftBits, 4)
	same(vUshr, "ushr", formVVR, shiftBits|upperBit, 4)
	same(vSli, "sli", formVVI, shiftBits|upperBit|0x0a<<11, 4)
	same(vUzp1, "uzp1", formVVV, permBits|1<<12, 4)
	same(vUzp2, "uzp2", formVVV, permBits|5<<12, 4)
	same(vTrn1, "trn1", formVVV, permBits|2<<12, 4)
	same(vTrn2, "trn2", formVVV, permBits|6<<12, 4)

	// twice adds an instruction whose result has elements of twice the size: it reads half of a vector.
	twice := func(op Op, name string, f form, bits uint32) {
		for s := range 3 {
			b := bits | uint32(s)<<22
			if f == formVV && bits&^fullBit&^upperBit == shiftBits&^fullBit|0x14<<11 {
				b = bits | 1<<(19+s)
			}
			in := half[s]
			if b&fullBit != 0 {
				in = whole[s]
			}
			t[int(op)+s] = opInfo{name: name, bits: b, form: f, size: uint8(s), arr: [3]string{whole[s+1], in, in}}
		}
	}
	const long, multiply, accumulate = shiftBits | 0x14<<11, otherBits | 0x0c<<12, otherBits | 0x08<<12
	twice(vUaddlp, "uaddlp", formVV, miscBits|upperBit|0x02<<12)
	twice(vUxtl, "uxtl", formVV, long&^fullBit|upperBit)
	twice(vUxtl2, "uxtl2", formVV, long|upperBit)
	twice(vSxtl, "sxtl", formVV, long&^fullBit)
	twice(vSxtl2, "sxtl2", formVV, long)
	twice(vUmull, "umull", formVVV, multiply&^fullBit|upperBit)
	twice(vUmull2, "umull2", formVVV, multiply|upperBit)
	twice(vSmull, "smull", formVVV, multiply&^fullBit)
	twice(vSmull2, "smull2", formVVV, multiply)
	twice(vUmlal, "umlal", formVVV, accumulate&^fullBit|upperBit)

	// halve adds the pair of instructions whose results have elements of half the size.
	halve := func(op Op, name string, bits uint32) {
		for s := range 3 {
			b := bits | uint32(s)<<22
			t[int(op)+s] = opInfo{name: name, bits: b &^ fullBit, form: formVV, size: uint8(s), arr: [3]string{half[s], whole[s+1]}}
			t[int(op)+4+s] = opInfo{name: name + "2", bits: b, form: formVV, size: uint8(s), arr: [3]string{whole[s], whole[s+1]}}
		}
	}
	halve(vXtn, "xtn", miscBits|0x12<<12)
	halve(vSqxtn, "sqxtn", miscBits|0x14<<12)
	halve(vUqxtn, "uqxtn", miscBits|upperBit|0x14<<12)

	for s := range 4 {
		e, wide := elements[s], s == 3
		lane := [...]uint32{0x0d400000, 0x0d404000, 0x0d408000, 0x0d408400}[s]
		for op, in := range map[Op]opInfo{
			vDup:  {"dup", 0x4e000400, formVE, 0, [3]string{whole[s], e}, wide},
			vDupG: {"dup", 0x4e000c00, formVG, 0, [3]string{whole[s]}, wide},
			vUmov: {"umov", 0x0e003c00, formGE, 0, [3]string{1: e}, wide},
			vSmov: {"smov", 0x4e002c00, formGE, 0, [3]string{1: e}, true},
			vIns:  {"ins", 0x4e001c00, formEG, 0, [3]string{e}, wide},
			vLd1:  {"ld1", lane, formLane, 0, [3]string{e}, true},
			vSt1:  {"st1", lane &^ (1 << 22), formLane, 0, [3]string{e}, true},
			vLd1r: {"ld1r", 0x4d40c000 | uint32(s)<<10, formAll, 0, [3]string{whole[s]}, true},
		} {
			if op == vUmov && wide {
				in.bits |= fullBit
			}
			in.size = uint8(s)
			t[int(op)+s] = in
		}
	}
	t[vSmov+3] = opInfo{} // is vUmov+3

	// floats adds the forms for f32 and f64.
	floats := func(op Op, name string, f form, bits uint32) {
		for s := range 2 {
			a := whole[2+s]
			t[int(op)+s] = opInfo{name: name, bits: bits | uint32(s)<<22, form: f, size: uint8(2 + s), arr: [3]string{a, a, a}}
		}
	}
	const minus = 1 << 23
	floats(vFadd, "fadd", formVVV, sameBits|0x1a<<11)
	floats(vFsub, "fsub", formVVV, sameBits|minus|0x1a<<11)
	floats(vFmul, "fmul", formVVV, sameBits|upperBit|0x1b<<11)
	floats(vFdiv, "fdiv", formVVV, sameBits|upperBit|0x1f<<11)
	floats(vFmax, "fmax", formVVV, sameBits|0x1e<<11)
	floats(vFmin, "fmin", formVVV, sameBits|minus|0x1e<<11)
	floats(vFmaxnm, "fmaxnm", formVVV, sameBits|0x18<<11)
	floats(vFmla, "fmla", formVVV, sameBits|0x19<<11)
	floats(vFcmeq, "fcmeq", formVVV, sameBits|0x1c<<11)
	floats(vFcmge, "fcmge", formVVV, sameBits|upperBit|0x1c<<11)
	floats(vFcmgt, "fcmgt", formVVV, sameBits|upperBit|minus|0x1c<<11)
	floats(vFcmgtZ, "fcmgt", formVVF, miscBits|minus|0x0c<<12)
	floats(vFcmgeZ, "fcmge", formVVF, miscBits|upperBit|minus|0x0c<<12)
	floats(vFcmeqZ, "fcmeq", formVVF, miscBits|minus|0x0d<<12)
	floats(vFcmleZ, "fcmle", formVVF, miscBits|upperBit|minus|0x0d<<12)
	floats(vFcmltZ, "fcmlt", formVVF, miscBits|minus|0x0e<<12)
	floats(vFabs, "fabs", formVV, miscBits|minus|0x0f<<12)
	floats(vFneg, "fneg", formVV, miscBits|upperBit|minus|0x0f<<12)
	floats(vFsqrt, "fsqrt", formVV, miscBits|upperBit|minus|0x1f<<12)
	floats(vFrintn, "frintn", formVV, miscBits|0x18<<12)
	floats(vFrintm, "frintm", formVV, miscBits|0x19<<12)
	floats(vFrintp, "frintp", formVV, miscBits|minus|0x18<<12)
	floats(vFrintz, "frintz", formVV, miscBits|minus|0x19<<12)
	floats(vScvtf, "scvtf", formVV, miscBits|0x1d<<12)
	floats(vUcvtf, "ucvtf", formVV, miscBits|upperBit|0x1d<<12)
	floats(vFcvtzs, "fcvtzs", formVV, miscBits|minus|0x1b<<12)
	floats(vFcvtzu, "fcvtzu", formVV, miscBits|upperBit|minus|0x1b<<12)
	for s := range 2 {
		fixed := opInfo{form: formVVR, size: uint8(2 + s), arr: [3]string{whole[2+s], whole[2+s]}}
		fixed.name, fixed.bits = "fcvtzu", shiftBits|upperBit|0x1f<<11
		t[int(vFcvtzuFixed)+s] = fixed
		fixed.name, fixed.bits = "scvtf", shiftBits|0x1c<<11
		t[int(vScvtfFixed)+s] = fixed
	}
	words := [3]string{whole[2], whole[2], whole[2]}
	t[ofSize(vMla, 4)] = opInfo{name: "mla", bits: sameBits | 2<<22 | 0x12<<11, form: formVVV, size: 2, arr: words}
	t[ofSize(vMls, 4)] = opInfo{name: "mls", bits: sameBits | upperBit | 2<<22 | 0x12<<11, form: formVVV, size: 2, arr: words}
	t[ofSize(vMlaE, 4)] = opInfo{name: "mla", bits: 0x6f800000, form: formVVE, size: 2, arr: [3]string{whole[2], whole[2], "s"}}
	for s := range 2 {
		t[int(vFmlaE)+s] = opInfo{name: "fmla", bits: 0x4f801000 | uint32(s)<<22, form: formVVE, size: uint8(2 + s), arr: [3]string{whole[2+s], whole[2+s], elements[2+s]}}
		narrow, wide := miscBits|0x16<<12|uint32(s)<<22, miscBits|0x17<<12|uint32(s)<<22
		low, high, to := half[1+s], whole[1+s], whole[2+s]
		t[int(vFcvtn)+s] = opInfo{name: "fcvtn", bits: narrow &^ fullBit, form: formVV, arr: [3]string{low, to}}
		t[int(vFcvtn2)+s] = opInfo{name: "fcvtn2", bits: narrow, form: formVV, arr: [3]string{high, to}}
		t[int(vFcvtl)+s] = opInfo{name: "fcvtl", bits: wide &^ fullBit, form: formVV, arr: [3]string{to, low}}
		t[int(vFcvtl2)+s] = opInfo{name: "fcvtl2", bits: wide, form: formVV, arr: [3]string{to, high}}
	}

	bytes := [3]string{"16b", "16b", "16b"}
	logical := func(op Op, name string, bits uint32) {
		t[op] = opInfo{name: name, bits: sameBits | 0x03<<11 | bits, form: formVVV, arr: bytes}
	}
	logical(vAnd, "and", 0)
	logical(vBic, "bic", 1<<22)
	logical(vOrr, "orr", 2<<22)
	logical(vOrn, "orn", 3<<22)
	logical(vEor, "eor", upperBit)
	logical(vBsl, "bsl", upperBit|1<<22)
	logical(vBit, "bit", upperBit|2<<22)
	logical(vBif, "bif", upperBit|3<<22)
	t[vNot] = opInfo{name: "not", bits: miscBits | upperBit | 0x05<<12, form: formVV, arr: bytes}
	t[vCnt] = opInfo{name: "cnt", bits: miscBits | 0x05<<12, form: formVV, arr: bytes}
	t[vExt] = opInfo{name: "ext", bits: 0x6e000000, form: formVVVI, arr: bytes}
	t[vTbl] = opInfo{name: "tbl", bits: 0x4e000000, form: formTbl, arr: bytes}
	t[vZero] = opInfo{name: "movi", bits: 0x6f00e400, form: formV, arr: [3]string{"2d"}}
	t[vToG] = opInfo{name: "fmov", bits: 0x9e660000, form: formGV, wide: true}

	for s := range 5 {
		b := uint32(s) << 30 // 128 bits have a size of 0 and bit 23
		if s == 4 {
			b = 1 << 23
		}
		t[int(vLdrB)+s] = opInfo{name: "ldr", bits: 0x3c400000 | b, form: formLoad, size: uint8(s)}
		t[int(vStrB)+s] = opInfo{name: "str", bits: 0x3c000000 | b, form: formLoad, size: uint8(s)}
	}
	for s, suffix := range [...]string{"b", "h", "", ""} {
		b := uint32(s) << 30
		t[int(gLdrB)+s] = opInfo{name: "ldr" + suffix, bits: 0x38400000 | b, form: formLoadG, size: uint8(s), wide: s == 3}
		t[int(gStrB)+s] = opInfo{name: "str" + suffix, bits: 0x38000000 | b, form: formLoadG, size: uint8(s), wide: s == 3}
	}
	t[gPrfm] = opInfo{name: "prfm", bits: 0xf8800000, form: formLoadG, size: 3}
	t[vLdpQ] = opInfo{name: "ldp", bits: 0xad400000, form: formPair, size: 4}
	t[vStpQ] = opInfo{name: "stp", bits: 0xad000000, form: formPair, size: 4}
	t[vLiteral] = opInfo{name: "ldr", bits: 0x9c000000, form: formLiteral}

	for op, in := range map[Op]opInfo{
		gMovz:  {name: "movz", bits: 0xd2800000, form: formWide},
		gMovn:  {name: "movn", bits: 0x92800000, form: formWide},
		gMovk:  {name: "movk", bits: 0xf2800000, form: formWide},
		gAdd:   {name: "add", bits: 0x8b000000, form: formGGS},
		gSub:   {name: "sub", bits: 0xcb000000, form: formGGG},
		gSubs:  {name: "subs", bits: 0xeb000000, form: formGGG},
		gMul:   {name: "mul", bits: 0x9b007c00, form: formGGG},
		gSmulh: {name: "smulh", bits: 0x9b407c00, form: formGGG},
		gUmulh: {name: "umulh", bits: 0x9bc07c00, form: formGGG},
		gAnd:   {name: "and", bits: 0x8a000000, form: formGGG},
		gAnds:  {name: "ands", bits: 0xea000000, form: formGGG},
		gOrr:   {name: "orr", bits: 0xaa000000, form: formGGG},
		gOrn:   {name: "orn", bits: 0xaa200000, form: formGGG},
		gAddI:  {name: "add", bits: 0x91000000, form: formGGI},
		gSubI:  {name: "sub", bits: 0xd1000000, form: formGGI},
		gSubsI: {name: "subs", bits: 0xf1000000, form: formGGI},
		gAddsI: {name: "adds", bits: 0xb1000000, form: formGGI},
		gAndI:  {name: "and", bits: 0x92400000, form: formGGM},
		gLsl:   {name: "lsl", bits: 0xd3400000, form: formGGL},
		gLsr:   {name: "lsr", bits: 0xd340fc00, form: formGGR},
		gAsr:   {name: "asr", bits: 0x9340fc00, form: formGGR},
		gCsel:  {name: "csel", bits: 0x9a800000, form: formGGC},
		gAdr:   {name: "adr", bits: 0x10000000, form: formAdr},
		gB:     {name: "b", bits: 0x14000000, form: formJump},
		gBcond: {name: "b.", bits: 0x54000000, form: formJumpIf},
		gCbz:   {name: "cbz", bits: 0xb4000000, form: formJumpG},
		gCbnz:  {name: "cbnz", bits: 0xb5000000, form: formJumpG},
		gTbz:   {name: "tbz", bits: 0x36000000, form: formJumpBit},
		gNop:   {name: "nop", bits: 0xd503201f, form: formNone},
		gBr:    {name: "br", bits: 0xd61f0000, form: formG},
		gRet:   {name: "ret", bits: 0xd65f03c0, form: formNone},
	} {
		in.wide = true
		t[op] = in
	}
	return t
}
