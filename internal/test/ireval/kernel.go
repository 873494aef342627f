// Package ireval evaluates scalar operations and kernels, one number after the other. It defines what
// they mean: tests compare every executor's bits with it.
package ireval

import (
	"encoding/binary"
	"fmt"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
)

// Run evaluates a kernel on buffers of its types, one value after the other. It
// defines what a kernel means and is slow; executors compile kernels instead.
func Run(k *ir.Kernel, symbols []int64, buffers [][]byte) error {
	n := int64(1)
	for _, d := range k.Grid {
		n *= d.Extent.In(symbols)
	}
	return RunPoints(k, symbols, buffers, 0, n)
}

// RunPoints runs n points of the grid from the first on, in row-major order, as [Run] does for all points.
func RunPoints(k *ir.Kernel, symbols []int64, buffers [][]byte, first, n int64) error {
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
	k       *ir.Kernel
	symbols []int64
	buffers [][]byte
	values  []uint64
	axes    []int64
}

func (e *evaluator) block(b ir.Block) {
	for _, s := range b {
		e.stmt(s)
	}
}

func (e *evaluator) stmt(s ir.Stmt) {
	switch s := s.(type) {
	case *ir.Let:
		e.let(s)
	case *ir.Apply:
		e.apply(s)
	case *ir.Index:
		t := e.k.Types[s.Dst]
		e.values[s.Dst] = uint64(e.affine(s.Base, s.Terms)) & (^uint64(0) >> (64 - t.Bits()))
	case *ir.Load:
		at, ok := e.place(&s.At)
		e.values[s.Dst] = 0
		if ok {
			e.values[s.Dst] = get(e.k.Buffers[s.At.Buffer].Type, e.buffers[s.At.Buffer], at)
		}
	case *ir.Store:
		if at, ok := e.place(&s.At); ok {
			put(e.k.Buffers[s.At.Buffer].Type, e.buffers[s.At.Buffer], at, e.values[s.Value])
		}
	case *ir.Loop:
		e.start(s.Carry)
		for i := range e.extent(s.Extent, s.Tail) {
			e.axes[s.Axis] = i
			e.block(s.Body)
			e.step(s.Carry)
		}
		e.finish(s.Carry)
	case *ir.While:
		e.start(s.Carry)
		for e.block(s.Cond); e.values[s.Test] != 0; e.block(s.Cond) {
			e.block(s.Body)
			e.step(s.Carry)
		}
		e.finish(s.Carry)
	case *ir.If:
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
	case *ir.Reduce:
		e.reduce(s)
	case *ir.Cumulate:
		e.cumulate(s)
	}
}

func (e *evaluator) let(s *ir.Let) {
	var x [3]uint64
	var t scalar.Type
	for i, a := range s.Inst.Args {
		if a != ir.NoRef {
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
	e.values[s.Dst] = Apply(s.Inst, t, x[0], x[1], x[2])
}

// apply evaluates a function.
func (e *evaluator) apply(s *ir.Apply) {
	p := e.k.Funcs[s.Func]
	v := make([]uint64, len(p.Code))
	for i, in := range p.Code {
		if in.Op == scalar.OpParam {
			v[i] = e.values[s.Args[ir.ParamIndex(p, in.Imm)]]
			continue
		}
		var x [3]uint64
		var t scalar.Type
		for k, a := range in.Args {
			if a != ir.NoRef {
				x[k] = v[a]
				if k == 0 {
					t = p.Code[a].Type
				}
			}
		}
		if in.Op == scalar.OpLookup {
			v[i] = p.Tables[in.Imm].At(x[0])
		} else {
			v[i] = Apply(in, t, x[0], x[1], x[2])
		}
	}
	for i, r := range p.Results {
		e.values[s.Dst[i]] = v[r]
	}
}

func (e *evaluator) extent(n ir.Size, t *ir.Tail) int64 {
	m := n.In(e.symbols)
	if t == nil {
		return m
	}
	return min(m, t.Total.In(e.symbols)-m*e.axes[t.Outer])
}

func (e *evaluator) start(cs []ir.Carry) {
	for _, c := range cs {
		e.values[c.Param] = e.values[c.Init]
	}
}

// step passes the carried values of an iteration to the next one, all at once.
func (e *evaluator) step(cs []ir.Carry) {
	var few [8]uint64
	next := few[:0]
	for _, c := range cs {
		next = append(next, e.values[c.Next])
	}
	for i, c := range cs {
		e.values[c.Param] = next[i]
	}
}

func (e *evaluator) finish(cs []ir.Carry) {
	for _, c := range cs {
		e.values[c.Result] = e.values[c.Param]
	}
}

func (e *evaluator) affine(base ir.Size, terms []ir.Term) int64 {
	x := base.In(e.symbols)
	for _, t := range terms {
		x += t.Coeff.In(e.symbols) * e.axes[t.Axis]
	}
	return x
}

// place returns the position of an access, and false where a coordinate with mode
// Drop is outside.
func (e *evaluator) place(a *ir.Access) (int64, bool) {
	at := a.Offset.In(e.symbols)
	for i := range a.Coords {
		c := &a.Coords[i]
		x := e.affine(c.Base, c.Terms)
		if c.Value != ir.NoRef {
			v := int64(e.values[c.Value])
			if e.k.Types[c.Value] == scalar.I32 {
				v = int64(int32(v))
			}
			x += v
		}
		n := c.Bound.In(e.symbols)
		switch c.Mode {
		case ir.Clamp:
			x = min(max(x, 0), n-1)
		case ir.Drop:
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
