package ptxeval

import (
	"encoding/binary"
	"slices"
	"sync"

	"github.com/weft-go/weft/lower/simt"
)

// sized returns the number of bits that a type name ends with.
func sized(t string) int {
	switch t {
	case "u8", "s8", "b8":
		return 8
	case "u16", "s16", "b16":
		return 16
	case "u64", "s64", "b64", "f64":
		return 64
	}
	return 32
}

// A width says how the low bits of a register are extended to 64.
type width struct {
	unused uint8 // high bits
	signed bool
}

// widthOf returns the width of a type.
func widthOf(t string) width { return width{uint8(64 - sized(t)), t[0] == 's'} }

func (w width) extend(x uint64) uint64 {
	if w.signed {
		return uint64(int64(x<<(w.unused&63)) >> (w.unused & 63))
	}
	return x << (w.unused & 63) >> (w.unused & 63)
}

// access runs ld and st.
func (v *machine) access(t *thread, in *inst) {
	if in.space == "param" {
		t.regs[in.args[0].reg], t.written[in.args[0].reg] = v.params[in.args[1].reg], true
		return
	}
	m, xs := &in.args[0], in.args[1:]
	if in.kind == load {
		last := len(in.args) - 1
		m, xs = &in.args[last], in.args[:last]
	}
	if m.kind != memory || !t.written[m.reg] {
		v.fault = errUnset
		return
	}
	how := simt.Reads
	switch in.kind {
	case store:
		how = simt.Writes
	case addition:
		how = simt.Adds
	}
	b := v.place(t, in, t.regs[m.reg]+m.bits, in.bytes*len(xs), how)
	if b == nil {
		return
	}
	if in.kind == addition {
		write(b, in.bytes, in.read(b)+v.value(t, &xs[0]))
		return
	}
	for i := range xs {
		if in.kind == store {
			write(b[i*in.bytes:], in.bytes, v.value(t, &xs[i]))
		} else {
			t.regs[xs[i].reg], t.written[xs[i].reg] = in.read(b[i*in.bytes:]), true
		}
	}
}

// write stores the low bytes of a number.
func write(b []byte, bytes int, bits uint64) {
	switch bytes {
	case 1:
		b[0] = byte(bits)
	case 2:
		binary.LittleEndian.PutUint16(b, uint16(bits))
	case 4:
		binary.LittleEndian.PutUint32(b, uint32(bits))
	default:
		binary.LittleEndian.PutUint64(b, bits)
	}
}

// read returns what a load makes of an element.
func (in *inst) read(b []byte) uint64 {
	var bits uint64
	switch in.bytes {
	case 1:
		bits = uint64(b[0])
	case 2:
		bits = uint64(binary.LittleEndian.Uint16(b))
	case 4:
		bits = uint64(binary.LittleEndian.Uint32(b))
	default:
		bits = binary.LittleEndian.Uint64(b)
	}
	if in.signed && in.bytes < 4 {
		n := 64 - 8*in.bytes
		bits = uint64(int64(bits<<n)>>n) & (1<<32 - 1)
	}
	return bits
}

// registerFile is memory for the registers of a group: every launch needs some, and that of large kernels is large.
type registerFile struct {
	bits    []uint64
	written []bool
}

var registers = sync.Pool{New: func() any { return new(registerFile) }}

func (r *registerFile) resize(n int) {
	r.bits, r.written = slices.Grow(r.bits[:0], n)[:n], slices.Grow(r.written[:0], n)[:n]
}
