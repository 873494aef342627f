//go:build drivers

package main

import (
	"github.com/weft-go/weft/internal/test/ireval"
	"github.com/weft-go/weft/lower/scalar"
	"github.com/weft-go/weft/lower/simt"
)

// A flight follows the threads of a function's first group through its first iterations. It adds up
// the bytes that they request before one of them needs a value that has not arrived.
type flight struct {
	f       *simt.Func
	values  [][]uint64 // by register and thread
	known   [][]bool   // which values are computed from numbers alone
	pending map[simt.Reg]bool
	uses    map[int]bool // buffers
	unroll  int          // iterations that the assembler has in flight
	bytes   int          // requested since the last wait
	most    int
	times   int // iterations of the loops around a statement
	useful  int // bytes that warps use, in all iterations
	moved   int // bytes that memory moves for them: whole sectors; as many as they use if addresses are not known
}

// unrolled is how often the assembler unrolls innermost loops: with a scalar load in such a loop the sum of
// 2²⁷ numbers reads 2,712 GB/s on an H100 (bench/results/2026-11-24-epyc.md).
const unrolled = 4

const warp = 32

// flightOf returns the flight of a function.
func flightOf(f *simt.Func) *flight {
	l := &flight{f: f, pending: map[simt.Reg]bool{}, unroll: 1, times: 1, uses: map[int]bool{}}
	for range f.Types {
		l.values = append(l.values, make([]uint64, f.Threads))
		l.known = append(l.known, make([]bool, f.Threads))
	}
	all := make([]bool, f.Threads)
	for t := range all {
		all[t] = true
	}
	l.block(f.Body, all)
	l.wait()
	return l
}

func (l *flight) wait() {
	l.most, l.bytes = max(l.most, l.bytes), 0
	clear(l.pending)
}

// use waits if a register has not arrived.
func (l *flight) use(rs ...simt.Reg) {
	for _, r := range rs {
		if r != simt.NoReg && l.pending[r] {
			l.wait()
		}
	}
}

func (l *flight) position(r simt.Reg, t int) int64 {
	if l.f.Types[r] == scalar.I32 {
		return int64(int32(l.values[r][t]))
	}
	return int64(l.values[r][t])
}

// set assigns the results of f to a register of the threads of m.
func (l *flight) set(m []bool, r simt.Reg, f func(t int) (x uint64, known bool)) {
	delete(l.pending, r)
	for t, in := range m {
		if in {
			l.values[r][t], l.known[r][t] = f(t)
		}
	}
}

func unknown(int) (uint64, bool) { return 0, false }

// threads returns those of m for which f is true.
func threads(m []bool, f func(t int) bool) []bool {
	out := make([]bool, len(m))
	for t := range m {
		out[t] = m[t] && f(t)
	}
	return out
}

// where returns the threads of m whose register, as a truth value, is want or may be.
func (l *flight) where(m []bool, r simt.Reg, want bool) []bool {
	return threads(m, func(t int) bool { return !l.known[r][t] || l.values[r][t] != 0 == want })
}

// request adds the requests of n neighbouring elements from at + plus on by the threads of m.
func (l *flight) request(m []bool, buffer int, at simt.Reg, plus int64, n int) {
	l.uses[buffer] = true
	size := l.f.Kernel.Buffers[buffer].Type.Size()
	for first := 0; first < len(m); first += warp {
		sectors, bytes := map[int64]bool{}, map[int64]bool{}
		for t := first; t < min(first+warp, len(m)); t++ {
			if !m[t] {
				continue
			}
			l.bytes += n * size * l.unroll
			if !l.known[at][t] {
				l.useful += n * size * l.times
				l.moved += n * size * l.times
				continue
			}
			for i := range int64(n) {
				byte := (l.position(at, t) + plus + i) * int64(size)
				sectors[byte/sector], bytes[byte] = true, true
			}
		}
		l.useful += len(bytes) * size * l.times
		l.moved += len(sectors) * sector * l.times
	}
}

func (l *flight) block(b []simt.Stmt, m []bool) {
	for _, s := range b {
		l.stmt(s, m)
	}
}

// innermost reports whether a loop's body has no branches or barriers.
func innermost(b []simt.Stmt) bool {
	ok := true
	simt.Walk(b, func(s simt.Stmt) {
		switch s.(type) {
		case *simt.For, *simt.While, *simt.If, *simt.Barrier:
			ok = false
		}
	})
	return ok
}

// loop follows the first iteration of a loop.
func (l *flight) loop(s *simt.For, m []bool) {
	l.use(s.From, s.To, s.Step)
	l.set(m, s.Index, func(t int) (uint64, bool) { return l.values[s.From][t], l.known[s.From][t] })
	fits := func(t int) bool { return l.known[s.From][t] && l.known[s.To][t] }
	m = threads(m, func(t int) bool { return !fits(t) || l.position(s.From, t) < l.position(s.To, t) })
	n := unrolled // iterations
	for t, in := range m {
		if in && fits(t) && l.known[s.Step][t] {
			n = int((l.position(s.To, t) - l.position(s.From, t) + l.position(s.Step, t) - 1) / l.position(s.Step, t))
			break
		}
	}
	unroll, times := l.unroll, l.times
	if l.times *= n; innermost(s.Body) {
		l.unroll = min(n, unrolled)
	}
	l.block(s.Body, m)
	l.unroll, l.times = unroll, times
	l.set(m, s.Index, unknown)
}

func (l *flight) stmt(s simt.Stmt, m []bool) {
	if len(m) == 0 || !some(m) {
		return
	}
	switch s := s.(type) {
	case *simt.For:
		l.loop(s, m)
	case *simt.While:
		l.block(s.Cond, m)
		l.use(s.Test)
		l.block(s.Body, l.where(m, s.Test, true))
	case *simt.If:
		l.use(s.Cond)
		then, otherwise := l.where(m, s.Cond, true), l.where(m, s.Cond, false)
		l.block(s.Then, then)
		l.block(s.Else, otherwise)
	case *simt.Op:
		l.use(s.Inst.Args[:]...)
		l.set(m, s.Dst, func(t int) (uint64, bool) { return l.apply(s, t) })
	case *simt.Move:
		l.use(s.Src)
		l.set(m, s.Dst, func(t int) (uint64, bool) { return l.values[s.Src][t], l.known[s.Src][t] })
	case *simt.Special:
		l.set(m, s.Dst, func(t int) (uint64, bool) {
			switch s.What {
			case simt.Thread:
				return uint64(t), true
			case simt.GroupCount:
				return uint64(l.f.Groups(nil)), true
			case simt.Aligned:
				return 1, true
			}
			return 0, s.What == simt.GroupIndex
		})
	default:
		l.access(s, m)
	}
}

// apply returns the result of an operation of a thread, if it is known.
func (l *flight) apply(s *simt.Op, t int) (uint64, bool) {
	var x [3]uint64
	in := scalar.NoType
	for i, a := range s.Inst.Args {
		if a == simt.NoReg {
			continue
		}
		if !l.known[a][t] {
			return 0, false
		}
		if x[i] = l.values[a][t]; i == 0 {
			in = l.f.Types[a]
		}
	}
	if s.Inst.Op == scalar.OpLookup {
		return 0, false
	}
	return ireval.Apply(s.Inst, in, x[0], x[1], x[2]), true
}

// access follows a statement that uses memory, or values of other threads.
func (l *flight) access(s simt.Stmt, m []bool) {
	arrive := func(buffer bool, dst ...simt.Reg) {
		for _, r := range dst {
			l.set(m, r, unknown)
			if buffer {
				l.pending[r] = true
			}
		}
	}
	switch s := s.(type) {
	case *simt.Load:
		l.use(s.At)
		l.request(m, s.Buffer, s.At, 0, 1)
		arrive(true, s.Dst)
	case *simt.LoadVec:
		l.use(s.At)
		l.request(m, s.Buffer, s.At, s.Plus, len(s.Dst))
		arrive(true, s.Dst...)
	case *simt.Fetch:
		l.use(s.From, s.To, s.If)
		if s.If != simt.NoReg {
			m = l.where(m, s.If, true)
		}
		l.request(m, s.Buffer, s.From, s.FromPlus, s.N)
	case *simt.Await:
		l.wait()
	case *simt.Store:
		l.use(s.At, s.Value)
		l.request(m, s.Buffer, s.At, 0, 1)
	case *simt.StoreVec:
		l.use(append(s.Values, s.At)...)
		l.request(m, s.Buffer, s.At, s.Plus, len(s.Values))
	case *simt.Get:
		l.use(s.At)
		arrive(false, s.Dst)
	case *simt.GetVec:
		l.use(s.At)
		arrive(false, s.Dst...)
	case *simt.Put:
		l.use(s.At, s.Value)
	case *simt.PutVec:
		l.use(append(s.Values, s.At)...)
	case *simt.Add:
		l.use(s.At, s.Value)
	case *simt.AddTo:
		l.use(s.At, s.Value)
	case *simt.Shuffle:
		l.use(s.Src)
		arrive(false, s.Dst)
	case *simt.Ballot:
		l.use(s.Src)
		arrive(false, s.Dst)
	}
}

// some reports whether a thread takes part.
func some(m []bool) bool {
	for _, in := range m {
		if in {
			return true
		}
	}
	return false
}
