package ir

import (
	"encoding/binary"
	"fmt"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lower/scalar"
)

// Run evaluates the kernel on buffers of its types, one value after the other. It
// defines what a kernel means and is slow; executors compile kernels instead.
func (k *Kernel) Run(symbols []int64, buffers [][]byte) error {
	n := int64(1)
	for _, d := range k.Grid {
		n *= d.Extent.In(symbols)
	}
	return k.RunPoints(symbols, buffers, 0, n)
}

// RunPoints runs n points of the grid from the first on, in row-major order, as [Kernel.Run] runs
// all.
func (k *Kernel) RunPoints(symbols []int64, buffers [][]byte, first, n int64) error {
	if len(buffers) != len(k.Buffers) {
		return &core.Error{Kind: core.ErrCheck, Op: "kernel " + k.Name, Msg: fmt.Sprintf("wrong number of buffers (got %d, want %d); pass one for each of the kernel", len(buffers), len(k.Buffers))}
	}
	lens := make([]int64, len(buffers))
	for i, b := range buffers {
		lens[i] = int64(len(b) / k.Buffers[i].Type.Size())
	}
	if err := k.CheckLaunch(symbols, lens); err != nil {
		return err
	}
	e := &evaluator{k: k, symbols: symbols, buffers: buffers, values: make([]uint64, len(k.Types)), axes: make([]int64, k.Axes)}
	for p := first; p < first+n; p++ {
		rest := p
		for i := len(k.Grid) - 1; i >= 0; i-- {
			m := k.Grid[i].Extent.In(symbols)
			e.axes[k.Grid[i].Axis] = rest % m
			rest /= m
		}
		e.block(k.Body)
	}
	return nil
}

type evaluator struct {
	k       *Kernel
	symbols []int64
	buffers [][]byte
	values  []uint64
	axes    []int64
}

func (e *evaluator) block(b Block) {
	for _, s := range b {
		e.stmt(s)
	}
}

func (e *evaluator) stmt(s Stmt) {
	switch s := s.(type) {
	case *Let:
		e.let(s)
	case *Apply:
		e.apply(s)
	case *Index:
		t := e.k.Types[s.Dst]
		e.values[s.Dst] = uint64(e.affine(s.Base, s.Terms)) & (^uint64(0) >> (64 - t.Bits()))
	case *Load:
		at, ok := e.place(&s.At)
		switch {
		case ok:
			e.values[s.Dst] = get(e.k.Buffers[s.At.Buffer].Type, e.buffers[s.At.Buffer], at)
		case s.Else != NoRef:
			e.values[s.Dst] = e.values[s.Else]
		default:
			e.values[s.Dst] = 0
		}
	case *Store:
		if at, ok := e.place(&s.At); ok {
			put(e.k.Buffers[s.At.Buffer].Type, e.buffers[s.At.Buffer], at, e.values[s.Value])
		}
	case *Loop:
		e.start(s.Carry)
		for i := range e.extent(s.Extent, s.Tail) {
			e.axes[s.Axis] = i
			e.block(s.Body)
			e.step(s.Carry)
		}
		e.finish(s.Carry)
	case *While:
		e.start(s.Carry)
		for e.block(s.Cond); e.values[s.Test] != 0; e.block(s.Cond) {
			e.block(s.Body)
			e.step(s.Carry)
		}
		e.finish(s.Carry)
	case *If:
		then := e.values[s.Cond] != 0
		if then {
			e.block(s.Then)
		} else {
			e.block(s.Else)
		}
		for _, m := range s.Merge {
			if then {
				e.values[m.Result] = e.values[m.Then]
			} else {
				e.values[m.Result] = e.values[m.Else]
			}
		}
	case *Reduce:
		e.reduce(s)
	case *Cumulate:
		e.cumulate(s)
	}
}

func (e *evaluator) let(s *Let) {
	var x [3]uint64
	var t scalar.Type
	for i, a := range s.Inst.Args {
		if a != NoRef {
			x[i] = e.values[a]
			if i == 0 {
				t = e.k.Types[a]
			}
		}
	}
	if s.Inst.Op == scalar.OpLookup {
		e.values[s.Dst] = e.k.Tables[s.Inst.Imm].At(x[0])
		return
	}
	e.values[s.Dst] = scalar.Apply(s.Inst, t, x[0], x[1], x[2])
}

func (e *evaluator) extent(n Size, t *Tail) int64 {
	m := n.In(e.symbols)
	if t == nil {
		return m
	}
	return min(m, t.Total.In(e.symbols)-m*e.axes[t.Outer])
}

func (e *evaluator) start(cs []Carry) {
	for _, c := range cs {
		e.values[c.Param] = e.values[c.Init]
	}
}

// step hands the values of an iteration to the next one, all at once.
func (e *evaluator) step(cs []Carry) {
	var few [8]uint64
	next := few[:0]
	for _, c := range cs {
		next = append(next, e.values[c.Next])
	}
	for i, c := range cs {
		e.values[c.Param] = next[i]
	}
}

func (e *evaluator) finish(cs []Carry) {
	for _, c := range cs {
		e.values[c.Result] = e.values[c.Param]
	}
}

func (e *evaluator) affine(base Size, terms []Term) int64 {
	x := base.In(e.symbols)
	for _, t := range terms {
		x += t.Coeff.In(e.symbols) * e.axes[t.Axis]
	}
	return x
}

// place returns the position of an access, and false where a coordinate with mode
// Drop is outside.
func (e *evaluator) place(a *Access) (int64, bool) {
	at := a.Offset.In(e.symbols)
	for i := range a.Coords {
		c := &a.Coords[i]
		x := e.affine(c.Base, c.Terms)
		if c.Value != NoRef {
			v := int64(e.values[c.Value])
			if e.k.Types[c.Value] == scalar.I32 {
				v = int64(int32(v))
			}
			x += v
		}
		n := c.Bound.In(e.symbols)
		switch c.Mode {
		case Clamp:
			x = min(max(x, 0), n-1)
		case Drop:
			if x < 0 || x >= n {
				return 0, false
			}
		}
		at += x * c.Stride.In(e.symbols)
	}
	return at, true
}

func get(t scalar.Type, b []byte, i int64) uint64 {
	switch t.Size() {
	case 1:
		return uint64(b[i])
	case 2:
		return uint64(binary.NativeEndian.Uint16(b[2*i:]))
	case 4:
		return uint64(binary.NativeEndian.Uint32(b[4*i:]))
	}
	return binary.NativeEndian.Uint64(b[8*i:])
}

func put(t scalar.Type, b []byte, i int64, v uint64) {
	switch t.Size() {
	case 1:
		b[i] = byte(v)
	case 2:
		binary.NativeEndian.PutUint16(b[2*i:], uint16(v))
	case 4:
		binary.NativeEndian.PutUint32(b[4*i:], uint32(v))
	default:
		binary.NativeEndian.PutUint64(b[8*i:], v)
	}
}
