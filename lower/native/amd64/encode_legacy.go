package amd64

import (
	"encoding/binary"
	"math"
)

var prefixBytes = [4]byte{0, 0x66, 0xf3, 0xf2}

// legacyInst writes an instruction on general registers and returns its length.
func (e *Encoder) legacyInst(b *[maxInst]byte, in *Inst, info *opInfo, at int) int {
	k := 0
	if info.prefix != 0 {
		b[0] = prefixBytes[info.prefix]
		k = 1
	}
	reg, _ := in.fields(info)
	if info.form == formO {
		return moveImmediate(b, in)
	}
	rex := info.vexW<<3 | reg&8>>1
	if in.UseMem {
		if !in.Mem.Pool {
			if in.Mem.Index != NoReg {
				rex |= uint8(in.Mem.Index) & 8 >> 2
			}
			if in.Mem.Base != NoReg {
				rex |= uint8(in.Mem.Base) & 8 >> 3
			}
		}
	} else {
		rex |= uint8(in.M) & 8 >> 3
	}
	// The byte registers of RSP, RBP, RSI, RDI need the prefix.
	need := info.flags&byteRM != 0 && (info.form == formMR && in.R >= 4 || !in.UseMem && in.M >= 4)
	if rex != 0 || need {
		b[k] = 0x40 | rex
		k++
	}
	if info.opmap == m0F {
		b[k] = 0x0f
		k++
	}
	op := info.opcode
	if info.flags&hasImm != 0 && info.form != formM && !info.wideImm(in.Imm) {
		op |= 2
	}
	b[k] = op
	k++
	if info.form == formZ {
		if info.ext != 0 {
			b[k] = 0xc0 | info.ext<<3
			k++
		}
		return k
	}
	return e.tail(b, k, in, info, at, reg, 0)
}

// moveImmediate writes the shortest move of a constant to a register.
func moveImmediate(b *[maxInst]byte, in *Inst) int {
	ext, low := uint8(in.R)&8>>3, uint8(in.R)&7
	switch {
	case in.Imm >= 0 && in.Imm <= math.MaxUint32:
		k := 0
		if ext != 0 {
			b[0] = 0x41
			k = 1
		}
		b[k] = 0xb8 | low
		binary.LittleEndian.PutUint32(b[k+1:], uint32(in.Imm))
		return k + 5
	case in.Imm >= math.MinInt32 && in.Imm < 0:
		b[0], b[1], b[2] = 0x48|ext, 0xc7, 0xc0|low
		binary.LittleEndian.PutUint32(b[3:], uint32(in.Imm))
		return 7
	}
	b[0], b[1] = 0x48|ext, 0xb8|low
	binary.LittleEndian.PutUint64(b[2:], uint64(in.Imm))
	return 10
}
