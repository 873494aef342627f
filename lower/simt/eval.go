package simt

import (
	"encoding/binary"
	"fmt"
	"slices"
	"unsafe"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lower/kernel/ir"
	"github.com/weft-go/weft/lower/scalar"
)

// Run evaluates the program on buffers of the kernel's types with a number of groups,
// one after the other, the threads of a group in step. It reports accesses out of
// bounds, barriers that not all threads reach, and elements that one thread writes and
// another one uses with no barrier between.
func (f *Func) Run(symbols []int64, buffers [][]byte, groups int) error {
	v := &evaluator{f: f, symbols: symbols, buffers: buffers, groups: groups}
	v.regs = make([][]uint64, len(f.Types))
	for i := range v.regs {
		v.regs[i] = make([]uint64, f.Threads)
	}
	v.arrays = make([][]uint64, len(f.Arrays))
	for i, a := range f.Arrays {
		n := a.Len
		if !a.Shared {
			n *= f.Threads
		}
		v.arrays[i] = make([]uint64, n)
	}
	all := make([]bool, f.Threads)
	for i := range all {
		all[i] = true
	}
	for v.group = range groups {
		for _, a := range v.arrays {
			for i := range a {
				a[i] = 0xa5a5a5a5a5a5a5a5 // nothing may rely on what is there
			}
		}
		v.used, v.flight = map[spot]use{}, newFlight(f.Threads)
		v.block(f.Body, all)
		if len(v.flight.spots) > 0 {
			v.fail("the program ends while elements are being fetched")
		}
		if v.err != nil {
			return v.err
		}
	}
	return nil
}

// spot is an element of a buffer, or of a shared array.
type spot struct {
	shared bool
	memory int
	at     int64
}

// use states which thread used a spot since the last barrier: many for several.
type use struct {
	reader, writer, adder int // thread + 1; 0: none, −1: several
}

// usage is a way in which a thread uses a spot.
type usage uint8

const (
	reads usage = iota
	writes
	adds // at once with other threads that add
)

type evaluator struct {
	f       *Func
	symbols []int64
	buffers [][]byte
	regs    [][]uint64 // by register and thread
	arrays  [][]uint64
	groups  int
	group   int
	used    map[spot]use
	flight  *flight
	err     error
}

func (v *evaluator) fail(format string, args ...any) {
	if v.err == nil {
		v.err = &core.Error{Kind: core.ErrCheck, Op: "kernel " + v.f.Name, Msg: fmt.Sprintf(format, args...)}
	}
}

func (v *evaluator) block(b []Stmt, mask []bool) {
	for _, s := range b {
		if v.err != nil {
			return
		}
		v.stmt(s, mask)
	}
}

// some reports whether a thread takes part.
func some(mask []bool) bool {
	for _, m := range mask {
		if m {
			return true
		}
	}
	return false
}

// where returns the threads of mask whose register is true, or is not.
func (v *evaluator) where(mask []bool, r Reg, want bool) []bool {
	out := make([]bool, len(mask))
	for t, m := range mask {
		out[t] = m && (v.regs[r][t] != 0) == want
	}
	return out
}

// position returns a thread's position register as a number.
func (v *evaluator) position(r Reg, t int) int64 {
	if v.f.Types[r] == scalar.I32 {
		return int64(int32(v.regs[r][t]))
	}
	return int64(v.regs[r][t])
}

func (v *evaluator) set(r Reg, t int, x int64) {
	v.regs[r][t] = uint64(x) & (^uint64(0) >> (64 - v.f.Types[r].Bits()))
}

func (v *evaluator) stmt(s Stmt, mask []bool) {
	switch s := s.(type) {
	case *For:
		v.loop(s, mask)
		return
	case *While:
		for mask = append([]bool(nil), mask...); v.err == nil; {
			v.block(s.Cond, mask)
			if mask = v.where(mask, s.Test, true); !some(mask) {
				return
			}
			v.block(s.Body, mask)
		}
		return
	case *If:
		if m := v.where(mask, s.Cond, true); some(m) {
			v.block(s.Then, m)
		}
		if m := v.where(mask, s.Cond, false); some(m) {
			v.block(s.Else, m)
		}
		return
	case *Shuffle:
		v.shuffle(s, mask)
		return
	case *Ballot:
		v.ballot(s, mask)
		return
	case *Barrier:
		for t, m := range mask {
			if !m {
				v.fail("thread %d does not reach a barrier", t)
				return
			}
		}
		clear(v.used)
		return
	}
	for t, m := range mask {
		if m && v.err == nil {
			v.one(s, t)
		}
	}
}

func (v *evaluator) loop(s *For, mask []bool) {
	mask = append([]bool(nil), mask...)
	for t, m := range mask {
		if m {
			v.set(s.Index, t, v.position(s.From, t))
		}
	}
	for v.err == nil {
		for t := range mask {
			mask[t] = mask[t] && v.position(s.Index, t) < v.position(s.To, t)
		}
		if !some(mask) {
			return
		}
		v.block(s.Body, mask)
		for t, m := range mask {
			if m {
				v.set(s.Index, t, v.position(s.Index, t)+v.position(s.Step, t))
			}
		}
	}
}

// one runs a statement for one thread.
func (v *evaluator) one(s Stmt, t int) {
	switch s := s.(type) {
	case *Op:
		var x [3]uint64
		var in scalar.Type
		for i, a := range s.Inst.Args {
			if a != NoReg {
				x[i] = v.regs[a][t]
				if i == 0 {
					in = v.f.Types[a]
				}
			}
		}
		if s.Inst.Op == scalar.OpLookup {
			v.regs[s.Dst][t] = v.f.Kernel.Tables[s.Inst.Imm].At(x[0])
			return
		}
		v.regs[s.Dst][t] = scalar.Apply(s.Inst, in, x[0], x[1], x[2])
	case *Move:
		v.regs[s.Dst][t] = v.regs[s.Src][t]
	case *Special:
		switch s.What {
		case Thread:
			v.set(s.Dst, t, int64(t))
		case GroupIndex:
			v.set(s.Dst, t, int64(v.group))
		case GroupCount:
			v.set(s.Dst, t, int64(v.groups))
		case Symbol:
			v.set(s.Dst, t, v.symbols[s.Index])
		case Aligned:
			v.regs[s.Dst][t] = 0
			if b := v.buffers[s.Index]; len(b) == 0 || uintptr(unsafe.Pointer(&b[0]))%VecBytes == 0 {
				v.regs[s.Dst][t] = 1
			}
		}
	case *Load:
		v.load(s.Dst, s.Buffer, v.position(s.At, t), t)
	case *Store:
		v.store(s.Buffer, v.position(s.At, t), s.Value, t)
	case *Get:
		v.get(s.Dst, s.Array, v.position(s.At, t), t)
	case *Put:
		v.put(s.Array, v.position(s.At, t), s.Value, t)
	case *Add:
		v.addTo(s, t)
	case *LoadVec:
		at := v.position(s.At, t) + s.Plus
		if v.vector(len(s.Dst), v.f.Kernel.Buffers[s.Buffer].Type, at, v.buffers[s.Buffer]) {
			for i, r := range s.Dst {
				v.load(r, s.Buffer, at+int64(i), t)
			}
		}
	case *StoreVec:
		at := v.position(s.At, t) + s.Plus
		if v.vector(len(s.Values), v.f.Kernel.Buffers[s.Buffer].Type, at, v.buffers[s.Buffer]) {
			for i, r := range s.Values {
				v.store(s.Buffer, at+int64(i), r, t)
			}
		}
	case *GetVec:
		at := v.position(s.At, t) + s.Plus
		if v.vector(len(s.Dst), v.f.Arrays[s.Array].Type, at, nil) {
			for i, r := range s.Dst {
				v.get(r, s.Array, at+int64(i), t)
			}
		}
	case *PutVec:
		at := v.position(s.At, t) + s.Plus
		if v.vector(len(s.Values), v.f.Arrays[s.Array].Type, at, nil) {
			for i, r := range s.Values {
				v.put(s.Array, at+int64(i), r, t)
			}
		}
	case *Fetch:
		v.fetch(s, t)
	case *Commit:
		v.flight.commit(t)
	case *Await:
		v.await(s.Left, t)
	default:
		bug("statement %T", s)
	}
}

// memory returns the first buffer that has the memory of buffer i.
func (v *evaluator) memory(i int) int {
	for j, b := range v.buffers[:i] {
		if len(b) > 0 && len(v.buffers[i]) > 0 && &b[0] == &v.buffers[i][0] {
			return j
		}
	}
	return i
}

// load reads an element of a buffer.
func (v *evaluator) load(dst Reg, buffer int, at int64, t int) {
	b, size := v.element(buffer, at, t)
	if b == nil {
		return
	}
	v.touch(spot{false, v.memory(buffer), at}, t, reads)
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
func (v *evaluator) store(buffer int, at int64, value Reg, t int) {
	b, size := v.element(buffer, at, t)
	if b == nil {
		return
	}
	if v.f.Kernel.Buffers[buffer].Role == ir.In {
		v.fail("buffer %d is read only and written", buffer)
		return
	}
	v.touch(spot{false, v.memory(buffer), at}, t, writes)
	switch x := v.regs[value][t]; size {
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
func (v *evaluator) get(dst Reg, array int, at int64, t int) {
	if i, ok := v.slot(array, at, t, reads); ok {
		v.regs[dst][t] = v.arrays[array][i] & (^uint64(0) >> (64 - v.f.Types[dst].Bits()))
	}
}

// put writes an element of an array.
func (v *evaluator) put(array int, at int64, value Reg, t int) {
	if i, ok := v.slot(array, at, t, writes); ok {
		v.arrays[array][i] = v.regs[value][t]
	}
}

// vector reports whether n elements of type t from at on are one access, in memory of a
// buffer or, where that is nil, in an array, which begins at a multiple of VecBytes.
func (v *evaluator) vector(n int, t scalar.Type, at int64, memory []byte) bool {
	bytes := int64(n * t.Size())
	switch {
	case n != 2 && n != 4 || bytes > VecBytes:
		v.fail("an access of %d elements of type %v", n, t)
	case at*int64(t.Size())%bytes != 0, len(memory) > 0 && int64(uintptr(unsafe.Pointer(&memory[0])))%bytes != 0:
		v.fail("an access of %d elements of type %v at element %d is not aligned", n, t, at)
	default:
		return true
	}
	return false
}

// shuffle exchanges values among the threads of a warp.
func (v *evaluator) shuffle(s *Shuffle, mask []bool) {
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
func (v *evaluator) slot(array int, at int64, t int, how usage) (int, bool) {
	a := v.f.Arrays[array]
	if at < 0 || at >= int64(a.Len) {
		v.fail("thread %d uses element %d of array %d, which has %d", t, at, array, a.Len)
		return 0, false
	}
	if !a.Shared {
		return t*a.Len + int(at), true
	}
	if v.flight.spots[spot{true, array, at}] {
		v.fail("thread %d uses element %d of array %d, which is being fetched", t, at, array)
		return 0, false
	}
	v.touch(spot{true, array, at}, t, how)
	return int(at), true
}

// touch records a use and reports two threads that use a spot where one writes, or where
// only one adds.
func (v *evaluator) touch(s spot, t int, how usage) {
	u := v.used[s]
	t++
	other := func(who int) bool { return who != 0 && who != t }
	if other(u.writer) || how != reads && other(u.reader) || how != adds && other(u.adder) {
		v.fail("threads use element %d of memory %d (shared: %t) at once, and one writes it (thread %d; read by %d, written by %d)", s.at, s.memory, s.shared, t-1, u.reader-1, u.writer-1)
	}
	who := &u.reader
	switch how {
	case writes:
		who = &u.writer
	case adds:
		who = &u.adder
	}
	if *who == 0 {
		*who = t
	} else if *who != t {
		*who = -1
	}
	v.used[s] = u
}
