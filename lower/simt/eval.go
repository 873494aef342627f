package simt

import (
	"fmt"
	"unsafe"

	"github.com/weft-go/weft/core"
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
		v.used, v.flight = map[spot]Users[int]{}, newFlight(f.Threads)
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

type evaluator struct {
	f       *Func
	symbols []int64
	buffers [][]byte
	regs    [][]uint64 // by register and thread
	arrays  [][]uint64
	groups  int
	group   int
	used    map[spot]Users[int] // threads + 1 since the last barrier
	flight  *flight
	err     error
}

func (v *evaluator) fail(format string, args ...any) {
	if v.err == nil {
		v.err = &core.Error{Kind: core.ErrCheck, Op: "kernel " + v.f.Name, Msg: fmt.Sprintf("BUG: "+format, args...)}
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

// where returns the threads of mask whose register has the truth value want.
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
	case *Tensor:
		v.tensor(s)
		return
	case *Attention:
		v.attention(s)
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
	case *AddTo:
		v.addToBuffer(s, t)
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
