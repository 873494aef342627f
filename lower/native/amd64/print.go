package amd64

import (
	"strconv"
	"strings"
)

var gprNames = [4][16]string{
	{"al", "cl", "dl", "bl", "spl", "bpl", "sil", "dil", "r8b", "r9b", "r10b", "r11b", "r12b", "r13b", "r14b", "r15b"},
	{"ax", "cx", "dx", "bx", "sp", "bp", "si", "di", "r8w", "r9w", "r10w", "r11w", "r12w", "r13w", "r14w", "r15w"},
	{"eax", "ecx", "edx", "ebx", "esp", "ebp", "esi", "edi", "r8d", "r9d", "r10d", "r11d", "r12d", "r13d", "r14d", "r15d"},
	{"rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15"},
}

var vectorNames = [3]string{"xmm", "ymm", "zmm"}

var pointerNames = map[int]string{1: "byte", 2: "word", 4: "dword", 8: "qword", 16: "xmmword", 32: "ymmword", 64: "zmmword"}

// String returns the instruction in Intel's syntax: the destination first.
func (in *Inst) String() string {
	info := &opTable[in.Op]
	var ops []string
	switch info.form {
	case formZ:
	case formJ:
	case formRVM:
		ops = []string{in.reg(info), in.second(info), in.rm(info)}
	case formRVMR:
		ops = []string{in.reg(info), in.second(info), in.rm(info), vectorNames[in.Len] + strconv.Itoa(int(in.X))}
	case formR:
		ops = []string{in.reg(info)}
	case formRM:
		ops = []string{in.reg(info), in.rm(info)}
	case formRMV:
		ops = []string{in.reg(info), in.rm(info), in.second(info)}
	case formMR:
		ops = []string{in.rm(info), in.reg(info)}
	case formMVR:
		ops = []string{in.rm(info), in.second(info), in.reg(info)}
	case formVM:
		ops = []string{in.second(info), in.rm(info)}
	case formM, formMI:
		if in.Op != Tilerelease {
			ops = []string{in.rm(info)}
		}
	case formO:
		k := 3
		if in.Imm>>32 == 0 {
			k = 2 // the upper half becomes 0
		}
		ops = []string{gprNames[k][in.R], strconv.FormatInt(in.Imm, 10)}
	}
	if len(ops) > 0 && in.K != 0 {
		ops[0] += "{k" + strconv.Itoa(int(in.K)) + "}"
		if in.Zero {
			ops[0] += "{z}"
		}
	}
	if info.flags&hasImm != 0 {
		ops = append(ops, strconv.FormatInt(in.Imm, 10))
	}
	if len(ops) == 0 {
		return info.name
	}
	return info.name + " " + strings.Join(ops, ", ")
}

// general returns the name of a general register as large as the operation.
func (in *Inst) general(r Reg, info *opInfo) string {
	k := 2
	if info.vexW == 1 || info.evexW == 1 && info.size == 8 {
		k = 3
	}
	return gprNames[k][r]
}

func vectorName(length int, r Reg) string {
	return vectorNames[max(length, 0)] + strconv.Itoa(int(r))
}

func tileName(r Reg) string { return "tmm" + strconv.Itoa(int(r)) }

func (in *Inst) reg(info *opInfo) string {
	switch {
	case info.flags&regTile != 0:
		return tileName(in.R)
	case info.flags&byteRM != 0 && info.form == formMR:
		return gprNames[0][in.R]
	case info.opcode == 0x89 && info.prefix == p66 && info.space == legacy:
		return gprNames[1][in.R]
	case info.flags&regGPR != 0:
		return in.general(in.R, info)
	case info.flags&regMask != 0:
		return "k" + strconv.Itoa(int(in.R))
	case info.flags&regHalf != 0:
		return vectorName(int(in.Len)-1, in.R)
	case info.tuple == tupleT1 && info.flags&(rmGPR|vsib) != 0 && info.form != formRM:
		return vectorName(0, in.R)
	}
	return vectorName(int(in.Len), in.R)
}

func (in *Inst) second(info *opInfo) string {
	switch {
	case info.flags&regMask != 0 && info.flags&rmMask != 0:
		return "k" + strconv.Itoa(int(in.V))
	case info.flags&regTile != 0:
		return tileName(in.V)
	case info.form == formRMV:
		return in.general(in.V, info)
	}
	return vectorName(int(in.Len), in.V)
}

func (in *Inst) memBytes(info *opInfo) int {
	vector := 16 << in.Len
	switch info.tuple {
	case tupleHV, tupleHVM:
		vector /= 2
	case tupleQVM:
		vector /= 4
	case tupleOVM:
		vector /= 8
	case tupleM128:
		return 16
	case tupleM256:
		return 32
	case tupleT1:
		switch {
		case info.flags&byteRM != 0:
			return 1
		case info.space == legacy && (info.opcode == 0xb7 || info.prefix == p66):
			return 2
		case in.Op == Movsxd:
			return 4
		}
		return int(info.size)
	}
	if in.Bcast {
		return int(info.size)
	}
	return vector
}

func (in *Inst) rm(info *opInfo) string {
	if in.UseMem {
		return in.memory(info)
	}
	length := int(in.Len)
	switch {
	case info.flags&regTile != 0:
		return tileName(in.M)
	case info.flags&byteRM != 0:
		return gprNames[0][in.M]
	case info.space == legacy && info.opcode == 0xb7 && info.opmap == m0F:
		return gprNames[1][in.M]
	case in.Op == Movsxd:
		return gprNames[2][in.M]
	case info.flags&rmGPR != 0:
		return in.general(in.M, info)
	case info.flags&rmMask != 0:
		return "k" + strconv.Itoa(int(in.M))
	case info.flags&rm128 != 0 || info.tuple == tupleT1:
		length = 0
	case info.flags&rm256 != 0:
		length = 1
	case info.tuple == tupleHV || info.tuple == tupleHVM:
		length--
	case info.tuple == tupleQVM:
		length -= 2
	case info.tuple == tupleOVM:
		length -= 3
	}
	return vectorName(length, in.M)
}

func (in *Inst) memory(info *opInfo) string {
	var b strings.Builder
	if info.flags&regTile == 0 {
		b.WriteString(pointerNames[in.memBytes(info)] + " ptr ")
	}
	b.WriteString("[")
	m := &in.Mem
	switch {
	case m.Pool:
		b.WriteString("rip+" + strconv.Itoa(int(m.Disp)))
	default:
		sep := ""
		if m.Base != NoReg {
			b.WriteString(gprNames[3][m.Base])
			sep = "+"
		}
		if m.Index != NoReg {
			name := gprNames[3][m.Index&15]
			if info.flags&vsib != 0 {
				length := int(in.Len)
				if in.Op == Vpgatherdq {
					length--
				}
				name = vectorName(length, m.Index)
			}
			b.WriteString(sep + name + "*" + strconv.Itoa(1<<m.Scale))
			sep = "+"
		}
		if m.Disp != 0 || sep == "" {
			if m.Disp >= 0 {
				b.WriteString(sep)
			}
			b.WriteString(strconv.Itoa(int(m.Disp)))
		}
	}
	b.WriteString("]")
	if in.Bcast {
		b.WriteString("{1to" + strconv.Itoa((16<<in.Len)/int(info.size)>>halfTuple(info)) + "}")
	}
	return b.String()
}

func halfTuple(info *opInfo) int {
	if info.tuple == tupleHV {
		return 1
	}
	return 0
}
