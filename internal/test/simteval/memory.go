package simteval

import (
	"encoding/binary"
	"slices"
	"unsafe"

	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
	"github.com/weft-go/weft/lower/simt"
)

// first returns the first buffer that has the memory of buffer i.
func (v *evaluator) first(i int) int {
	for j, b := range v.buffers[:i] {
		if len(b) > 0 && len(v.buffers[i]) > 0 && &b[0] == &v.buffers[i][0] {
			return j
		}
	}
	return i
}

// load reads an element of a buffer.
func (v *evaluator) load(dst simt.Reg, buffer int, at int64, t int) {
	b, size := v.element(buffer, at, t)
	if b == nil {
		return
	}
	v.touch(spot{false, v.memory[buffer], at}, t, simt.Reads)
	v.touchGroup(spot{false, v.memory[buffer], at}, v.rank(t), simt.Reads)
	v.regs[dst][t] = bitsOf(b, size)
}

// bitsOf returns the bits of an element in memory.
func bitsOf(b []byte, size int64) uint64 {
	switch size {
	case 1:
		return uint64(b[0])
	case 2:
		return uint64(binary.NativeEndian.Uint16(b))
	case 4:
		return uint64(binary.NativeEndian.Uint32(b))
	}
	return binary.NativeEndian.Uint64(b)
}

// store writes an element of a buffer.
func (v *evaluator) store(buffer int, at int64, value simt.Reg, t int) {
	b, size := v.element(buffer, at, t)
	if b == nil {
		return
	}
	if v.f.Kernel.Buffers[buffer].Role == ir.In {
		v.fail("buffer %d is read only and written", buffer)
		return
	}
	v.touch(spot{false, v.memory[buffer], at}, t, simt.Writes)
	v.touchGroup(spot{false, v.memory[buffer], at}, v.rank(t), simt.Writes)
	putBits(b, size, v.regs[value][t])
}

// putBits sets the bits of an element in memory.
func putBits(b []byte, size int64, x uint64) {
	switch size {
	case 1:
		b[0] = byte(x)
	case 2:
		binary.NativeEndian.PutUint16(b, uint16(x))
	case 4:
		binary.NativeEndian.PutUint32(b, uint32(x))
	default:
		binary.NativeEndian.PutUint64(b, x)
	}
}

// get reads an element of an array.
func (v *evaluator) get(dst simt.Reg, array int, at int64, t int) {
	if i, ok := v.slot(array, at, t, simt.Reads); ok {
		v.regs[dst][t] = v.arrays[array][i] & (^uint64(0) >> (64 - v.f.Types[dst].Bits()))
	}
}

// put writes an element of an array.
func (v *evaluator) put(array int, at int64, value simt.Reg, t int) {
	if i, ok := v.slot(array, at, t, simt.Writes); ok {
		v.arrays[array][i] = v.regs[value][t]
	}
}

// vector reports whether n elements of type t from at on are one access, in memory of a
// buffer or, where that is nil, in an array, which begins at a multiple of VecBytes.
func (v *evaluator) vector(n int, t scalar.Type, at int64, memory []byte) bool {
	bytes := int64(n * t.Size())
	switch {
	case n != 1 && n != 2 && n != 4 || bytes > simt.VecBytes:
		v.fail("an access of %d elements of type %v", n, t)
	case at*int64(t.Size())%bytes != 0, len(memory) > 0 && int64(uintptr(unsafe.Pointer(&memory[0])))%bytes != 0:
		v.fail("an access of %d elements of type %v at element %d is not aligned", n, t, at)
	default:
		return true
	}
	return false
}

// shuffle exchanges values among the threads of a warp.
func (v *evaluator) shuffle(s *simt.Shuffle, mask []bool) {
	old := slices.Clone(v.regs[s.Src])
	for t, m := range mask {
		if !m {
			v.fail("thread %d does not reach a shuffle", t)
			return
		}
		if s.Xor <= 0 || s.Xor >= 32 || t^s.Xor >= len(mask) {
			v.fail("a shuffle by %d among %d threads", s.Xor, len(mask))
			return
		}
		v.regs[s.Dst][t] = old[t^s.Xor]
	}
}

// element returns the memory of an element of a buffer, nil if it is outside.
func (v *evaluator) element(buffer int, at int64, t int) (data []byte, size int64) {
	size = int64(v.f.Kernel.Buffers[buffer].Type.Size())
	b := v.buffers[buffer]
	if at < 0 || at >= int64(len(b))/size {
		v.fail("thread %d uses element %d of buffer %d, which has %d", t, at, buffer, int64(len(b))/size)
		return nil, 0
	}
	return b[at*size:], size
}

// slot returns the index of an element in an array's memory.
func (v *evaluator) slot(array int, at int64, t int, how simt.Usage) (int, bool) {
	a := v.f.Arrays[array]
	if at < 0 || at >= int64(a.Len) {
		v.fail("thread %d uses element %d of array %d, which has %d", t, at, array, a.Len)
		return 0, false
	}
	if !a.Shared {
		return t*a.Len + int(at), true
	}
	if v.flight.comes(array, at) {
		v.fail("thread %d uses element %d of array %d, which is being fetched", t, at, array)
		return 0, false
	}
	at += int64(v.rank(t) * a.Len)
	v.touch(spot{true, array, at}, t, how)
	v.touchGroup(spot{true, array, at}, v.rank(t), how)
	return int(at), true
}

// touch records a use and reports two threads that use a spot where one writes, or where
// only one adds.
func (v *evaluator) touch(s spot, t int, how simt.Usage) {
	if u := v.used.of(s); !u.Use(int32(t+1), how) {
		v.fail("threads use element %d of memory %d (shared: %t) at once, and one writes it (thread %d; read by %d, written by %d)", s.at, s.memory, s.shared, t, u.Reader-1, u.Writer-1)
	}
}
