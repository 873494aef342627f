// Package simteval evaluates programs of one thread with all threads of a group in step. It reports
// what a machine would not: accesses out of bounds, barriers that not all threads reach, and races.
package simteval

import (
	"fmt"
	"slices"
	"sync"
	"unsafe"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/test/ireval"
	"github.com/weft-go/weft/lower/scalar"
	"github.com/weft-go/weft/lower/simt"
)

// Run evaluates a program on buffers of the kernel's types with a number of groups,
// one after the other, the threads of a group, or of the groups of a cluster, in step. It reports accesses out of
// bounds, barriers that not all threads reach, and elements that one thread writes and
// another one uses with no barrier between.
func Run(f *simt.Func, symbols []int64, buffers [][]byte, groups int) error {
	v := &evaluator{f: f, symbols: symbols, buffers: buffers, groups: groups}
	if groups%v.clustered() != 0 {
		v.fail("%d groups in clusters of %d", groups, v.clustered())
	}
	threads := f.Threads * v.clustered()
	registers := pool.Get().(*[]uint64)
	defer pool.Put(registers)
	*registers = slices.Grow((*registers)[:0], (len(f.Types)+1)*threads)[:(len(f.Types)+1)*threads]
	clear(*registers)
	v.regs = slices.Collect(slices.Chunk(*registers, threads))
	v.zeros = v.regs[len(f.Types)]
	v.arrays = make([][]uint64, len(f.Arrays))
	for i, a := range f.Arrays {
		n := a.Len * v.clustered()
		if !a.Shared {
			n = a.Len * threads
		}
		v.arrays[i] = make([]uint64, n)
	}
	v.memory = make([]int, len(buffers))
	for i := range buffers {
		v.memory[i] = v.first(i)
	}
	v.used = v.newUses()
	if v.clustered() > 1 {
		v.usedByGroups = v.newUses()
	}
	all := make([]bool, threads)
	for i := range all {
		all[i] = true
	}
	for v.group = 0; v.group < groups; v.group += v.clustered() {
		for _, a := range v.arrays {
			for i := range a {
				a[i] = 0xa5a5a5a5a5a5a5a5 // nothing may rely on what is there
			}
		}
		v.used.round++
		if v.usedByGroups != nil {
			v.usedByGroups.round++
		}
		if v.flight == nil || v.flight.used {
			v.flight = newFlight(threads, len(f.Arrays))
		}
		v.block(f.Body, all)
		if v.flight.n > 0 {
			v.fail("the program ends while elements are being fetched")
		}
		if v.err != nil {
			return v.err
		}
	}
	return nil
}

// pool has memory for registers: every launch needs some, and that of large kernels is large.
var pool = sync.Pool{New: func() any { return new([]uint64) }}

// spot is an element of a buffer, or of a shared array.
type spot struct {
	shared bool
	memory int
	at     int64
}

type evaluator struct {
	f       *simt.Func
	symbols []int64
	buffers [][]byte
	regs    [][]uint64 // by register and thread
	zeros   []uint64   // by thread: what an operand that an operation lacks is read as
	arrays  [][]uint64
	memory  []int // by buffer: the first one that has its memory
	groups  int
	group   int   // of a cluster the first
	used    *uses // threads + 1 since the last barrier
	flight  *flight
	err     error

	usedByGroups *uses // groups of a cluster + 1 since its last barrier; nil without clusters
}

func (v *evaluator) fail(format string, args ...any) {
	if v.err == nil {
		v.err = &core.Error{Kind: core.ErrCheck, Op: "kernel " + v.f.Name, Msg: fmt.Sprintf("BUG: "+format, args...)}
	}
}

func (v *evaluator) block(b []simt.Stmt, mask []bool) {
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
func (v *evaluator) where(mask []bool, r simt.Reg, want bool) []bool {
	out := make([]bool, len(mask))
	for t, m := range mask {
		out[t] = m && (v.regs[r][t] != 0) == want
	}
	return out
}

// position returns a thread's position register as a number.
func (v *evaluator) position(r simt.Reg, t int) int64 {
	if v.f.Types[r] == scalar.I32 {
		return int64(int32(v.regs[r][t]))
	}
	return int64(v.regs[r][t])
}

func (v *evaluator) set(r simt.Reg, t int, x int64) {
	v.regs[r][t] = uint64(x) & (^uint64(0) >> (64 - v.f.Types[r].Bits()))
}

func (v *evaluator) stmt(s simt.Stmt, mask []bool) {
	switch s := s.(type) {
	case *simt.For:
		v.loop(s, mask)
		return
	case *simt.While:
		for mask = append([]bool(nil), mask...); v.err == nil; {
			v.block(s.Cond, mask)
			if mask = v.where(mask, s.Test, true); !some(mask) {
				return
			}
			v.block(s.Body, mask)
		}
		return
	case *simt.If:
		if m := v.where(mask, s.Cond, true); some(m) {
			v.block(s.Then, m)
		}
		if m := v.where(mask, s.Cond, false); some(m) {
			v.block(s.Else, m)
		}
		return
	case *simt.Shuffle:
		v.shuffle(s, mask)
		return
	case *simt.Ballot:
		v.ballot(s, mask)
		return
	case *simt.Tensor:
		v.tensor(s)
		return
	case *simt.Attention:
		v.attention(s)
		return
	case *simt.AttentionGrad:
		v.attentionGrad(s)
		return
	case *simt.Barrier:
		v.barrier(mask)
		return
	case *simt.ClusterBarrier:
		v.clusterBarrier(mask)
		return
	case *simt.Op:
		v.op(s, mask)
		return
	case *simt.Move:
		dst, src := v.regs[s.Dst], v.regs[s.Src]
		for t, m := range mask {
			if m {
				dst[t] = src[t]
			}
		}
		return
	}
	for t, m := range mask {
		if m && v.err == nil {
			v.one(s, t)
		}
	}
}

// barrier evaluates a barrier.
func (v *evaluator) barrier(mask []bool) {
	for t, m := range mask {
		if !m {
			v.fail("thread %d does not reach a barrier", t)
			return
		}
	}
	v.used.round++
}

func (v *evaluator) loop(s *simt.For, mask []bool) {
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

// op evaluates an operation of all threads.
func (v *evaluator) op(s *simt.Op, mask []bool) {
	args := [3][]uint64{v.zeros, v.zeros, v.zeros}
	var in scalar.Type
	for i, a := range s.Inst.Args {
		if a != simt.NoReg {
			args[i] = v.regs[a]
			if i == 0 {
				in = v.f.Types[a]
			}
		}
	}
	if s.Inst.Op != scalar.OpLookup {
		ireval.Each(s.Inst, in, mask, v.regs[s.Dst], args[0], args[1], args[2])
		return
	}
	for t, m := range mask {
		if m {
			v.regs[s.Dst][t] = v.f.Kernel.Tables[s.Inst.Imm].At(args[0][t])
		}
	}
}

// one runs a statement for one thread.
func (v *evaluator) one(s simt.Stmt, t int) {
	switch s := s.(type) {
	case *simt.Special:
		switch s.What {
		case simt.Thread:
			v.set(s.Dst, t, int64(t%v.f.Threads))
		case simt.GroupIndex:
			v.set(s.Dst, t, int64(v.group+v.rank(t)))
		case simt.GroupCount:
			v.set(s.Dst, t, int64(v.groups))
		case simt.Symbol:
			v.set(s.Dst, t, v.symbols[s.Index])
		case simt.Aligned:
			v.regs[s.Dst][t] = 0
			if b := v.buffers[s.Index]; len(b) == 0 || uintptr(unsafe.Pointer(&b[0]))%simt.VecBytes == 0 {
				v.regs[s.Dst][t] = 1
			}
		}
	case *simt.Load:
		v.load(s.Dst, s.Buffer, v.position(s.At, t), t)
	case *simt.Store:
		v.store(s.Buffer, v.position(s.At, t), s.Value, t)
	case *simt.Get:
		v.get(s.Dst, s.Array, v.position(s.At, t), t)
	case *simt.Put:
		v.put(s.Array, v.position(s.At, t), s.Value, t)
	case *simt.Add:
		v.addTo(s, t)
	case *simt.AddTo:
		v.addToBuffer(s, t)
	case *simt.LoadVec:
		at := v.position(s.At, t) + s.Plus
		if v.vector(len(s.Dst), v.f.Kernel.Buffers[s.Buffer].Type, at, v.buffers[s.Buffer]) {
			for i, r := range s.Dst {
				v.load(r, s.Buffer, at+int64(i), t)
			}
		}
	case *simt.StoreVec:
		at := v.position(s.At, t) + s.Plus
		if v.vector(len(s.Values), v.f.Kernel.Buffers[s.Buffer].Type, at, v.buffers[s.Buffer]) {
			for i, r := range s.Values {
				v.store(s.Buffer, at+int64(i), r, t)
			}
		}
	case *simt.GetFrom:
		v.getFrom(s, t)
	case *simt.GetVec:
		at := v.position(s.At, t) + s.Plus
		if v.vector(len(s.Dst), v.f.Arrays[s.Array].Type, at, nil) {
			for i, r := range s.Dst {
				v.get(r, s.Array, at+int64(i), t)
			}
		}
	case *simt.PutVec:
		at := v.position(s.At, t) + s.Plus
		if v.vector(len(s.Values), v.f.Arrays[s.Array].Type, at, nil) {
			for i, r := range s.Values {
				v.put(s.Array, at+int64(i), r, t)
			}
		}
	case *simt.Fetch:
		v.fetch(s, t)
	case *simt.Commit:
		v.flight.commit(t)
	case *simt.Await:
		v.await(s.Left, t)
	default:
		panic(fmt.Sprintf("BUG: statement %T", s))
	}
}
