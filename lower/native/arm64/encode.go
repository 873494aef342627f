package arm64

import (
	"encoding/binary"
	"math/bits"
)

// encode returns the bits of an instruction. Its operands are in range: see fitsOffset and maskImm.
func encode(in *Inst) uint32 {
	info := &opTable[in.Op]
	b := info.bits
	d, n, m := uint32(in.D), uint32(in.N)<<5, uint32(in.M)<<16
	imm := uint32(in.Imm)
	width := uint32(8) << info.size
	lane := (imm<<1 | 1) << info.size << 16 // the number of an element above a bit for its size
	switch info.form {
	case formNone:
	case formVVV, formTbl, formGGG:
		b |= m | n | d
	case formVV, formVVZ, formVVF, formGV:
		b |= n | d
	case formVVI:
		b |= (width+imm)<<16 | n | d
	case formVVR:
		b |= (2*width-imm)<<16 | n | d
	case formVVVI:
		b |= m | imm<<11 | n | d
	case formVVE:
		if info.size == 2 { // bits of the number: H, L
			b |= imm>>1<<11 | imm&1<<21
		} else {
			b |= imm << 11
		}
		b |= m | n | d
	case formV:
		b |= d
	case formVE, formGE, formEG:
		b |= lane | n | d
	case formVG:
		b |= 1<<info.size<<16&0x1f0000 | n | d
	case formLane:
		at := imm << info.size // the element's first byte, whose bits are Q, S and size
		b |= at>>3<<30 | at&7<<10 | n | d
	case formAll:
		b |= n | d
	case formLoad, formLoadG:
		b |= n | d
		switch {
		case in.Index:
			b |= 0x00206800 | m
			if in.Shift {
				b |= 1 << 12
			}
		case in.Imm >= 0 && in.Imm&(1<<info.size-1) == 0:
			b |= 1<<24 | imm>>info.size<<10
		default:
			b |= imm & 0x1ff << 12
		}
	case formPair:
		b |= imm>>4&0x7f<<15 | uint32(in.M)<<10 | n | d
	case formLiteral, formJumpG:
		b |= imm>>2&0x7ffff<<5 | d
	case formJumpBit:
		b |= uint32(in.Bit)>>5<<31 | uint32(in.Bit)&31<<19 | imm>>2&0x3fff<<5 | d
	case formWide:
		b |= imm&3<<21 | imm>>2<<5 | d
	case formGGS:
		b |= m | imm<<10 | n | d
	case formGGI:
		b |= imm<<10 | n | d
	case formGGM:
		rotate, ones, _ := maskImm(in.Imm)
		b |= rotate<<16 | ones<<10 | n | d
	case formGGL:
		b |= (64-imm)&63<<16 | (63-imm)<<10 | n | d
	case formGGR:
		b |= imm<<16 | n | d
	case formGGC:
		b |= m | uint32(in.Cond)<<12 | n | d
	case formAdr:
		b |= imm&3<<29 | imm>>2&0x7ffff<<5 | d
	case formJump:
		b |= imm >> 2 & 0x3ffffff
	case formJumpIf:
		b |= imm>>2&0x7ffff<<5 | uint32(in.Cond)
	case formG:
		b |= n
	}
	return b
}

// fitsOffset reports whether a load or a store can add a number of bytes to its address.
func fitsOffset(op Op, n int64) bool {
	size := opTable[op].size
	return n >= -256 && n < 256 || n >= 0 && n&(1<<size-1) == 0 && n>>size < 1<<12
}

// maskImm returns the immediate operand of a logical instruction for a number whose ones are neighbours, where
// the highest and the lowest bit are neighbours, too: how far ones are rotated to the right, and their number
// less 1.
func maskImm(x int64) (rotate, ones uint32, ok bool) {
	u := uint64(x)
	if u == 0 || u == 1<<64-1 {
		return 0, 0, false
	}
	n := bits.OnesCount64(u)
	start := bits.TrailingZeros64(u)
	if start == 0 {
		start = 64 - bits.LeadingZeros64(^u)
	}
	if bits.RotateLeft64(1<<n-1, start) != u {
		return 0, 0, false
	}
	return uint32(64-start) & 63, uint32(n - 1), true
}

// An encoder writes instructions, and the distances of jumps once labels are known.
type encoder struct {
	buf    []byte
	labels []int32 // positions, −1 where unknown
	jumps  []jump
	pools  []jump // references to constants: label is the offset in the pool
	bound  int32  // the position of the label bound last
	tooFar bool   // a jump or a constant is out of reach
}

// A jump is an instruction whose distance is not known yet.
type jump struct {
	at    int32
	label int32
	in    Inst
}

// reach is the greatest distance in bytes of conditional jumps, of constants and of adr, and bitReach that of
// jumps on a bit.
const (
	reach    = 1<<20 - 4
	bitReach = 1<<15 - 4
)

func (e *encoder) reset(labels int) {
	e.buf, e.jumps, e.pools, e.tooFar = e.buf[:0], e.jumps[:0], e.pools[:0], false
	e.labels, e.bound = e.labels[:0], -1
	for range labels {
		e.newLabel()
	}
}

func (e *encoder) newLabel() int32 {
	e.labels = append(e.labels, -1)
	return int32(len(e.labels) - 1)
}

func (e *encoder) emit(in *Inst) { e.buf = binary.LittleEndian.AppendUint32(e.buf, encode(in)) }

func (e *encoder) bind(label int32) {
	e.bound = int32(len(e.buf))
	e.labels[label] = e.bound
}

func (e *encoder) emitTo(in *Inst, label int32) {
	e.jumps = append(e.jumps, jump{int32(len(e.buf)), label, *in})
	e.emit(in)
}

// emitPool appends an instruction whose distance is that to an offset in the pool of constants.
func (e *encoder) emitPool(in *Inst, offset int32) {
	e.pools = append(e.pools, jump{int32(len(e.buf)), offset, *in})
	e.emit(in)
}

func (e *encoder) patch(j *jump, to int32) {
	j.in.Imm = int64(to - j.at)
	most := int64(reach)
	if j.in.Op == gTbz {
		most = bitReach
	}
	if j.in.Op != gB && (j.in.Imm > most || j.in.Imm < -most) {
		e.tooFar = true
	}
	binary.LittleEndian.PutUint32(e.buf[j.at:], encode(&j.in))
}

// finish returns the bytes of code and of constants, which begin at a multiple of 64, and the length
// of the code alone. It reports false where the code is longer than its jumps reach.
func (e *encoder) finish(pool []byte) (code []byte, size int, ok bool) {
	size = len(e.buf)
	for i := range e.jumps {
		e.patch(&e.jumps[i], e.labels[e.jumps[i].label])
	}
	for len(pool) > 0 && len(e.buf)%64 != 0 {
		e.buf = append(e.buf, 0)
	}
	start := int32(len(e.buf))
	for i := range e.pools {
		e.patch(&e.pools[i], start+e.pools[i].label)
	}
	e.buf = append(e.buf, pool...)
	return e.buf, size, !e.tooFar
}
