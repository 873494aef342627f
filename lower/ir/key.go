package ir

import (
	"encoding/binary"

	"github.com/weft-go/weft/lower/scalar"
)

// Key returns a text that is the same for kernels that differ only in their names and in the names of their
// sizes and buffers.
func (k *Kernel) Key() string { return string(k.AppendKey(make([]byte, 0, 4096))) }

// AppendKey appends the kernel's key.
func (k *Kernel) AppendKey(to []byte) []byte {
	w := &keyWriter{b: to}
	w.n(len(k.Symbols), len(k.Buffers), len(k.Tables), len(k.Funcs), len(k.Grid), k.Axes)
	for _, b := range k.Buffers {
		w.n(int(b.Role), int(b.Type))
		w.size(b.Len)
	}
	for _, t := range k.Tables {
		w.table(t)
	}
	for _, f := range k.Funcs {
		w.program(f)
	}
	for _, d := range k.Grid {
		w.n(int(d.Axis))
		w.size(d.Extent)
	}
	for _, t := range k.Types {
		w.n(int(t))
	}
	w.block(k.Body)
	return w.b
}

// A keyWriter writes numbers. Each list is preceded by its length, each statement by
// its kind.
type keyWriter struct{ b []byte }

func (w *keyWriter) n(xs ...int) {
	for _, x := range xs {
		w.b = binary.AppendVarint(w.b, int64(x))
	}
}

func (w *keyWriter) refs(rs ...Ref) {
	for _, r := range rs {
		w.b = binary.AppendVarint(w.b, int64(r))
	}
}

func (w *keyWriter) size(s Size) {
	w.b = binary.AppendVarint(w.b, s.Value)
	w.n(s.Symbol)
}

func (w *keyWriter) table(t Table) {
	w.n(int(t.Type), len(t.Bits))
	for _, x := range t.Bits {
		w.b = binary.AppendUvarint(w.b, x)
	}
}

func (w *keyWriter) program(p *scalar.Prog) {
	w.n(len(p.In), len(p.Out), len(p.Tables), len(p.Code), len(p.Results))
	for _, dt := range p.In {
		w.n(int(dt))
	}
	for _, dt := range p.Out {
		w.n(int(dt))
	}
	for _, t := range p.Tables {
		w.table(t)
	}
	for i := range p.Code {
		w.inst(&p.Code[i])
	}
	w.refs(p.Results...)
}

func (w *keyWriter) inst(in *scalar.Inst) {
	w.b = append(w.b, byte(in.Op), byte(in.Type), byte(in.DType))
	w.refs(in.Args[:]...)
	w.b = binary.AppendUvarint(w.b, in.Imm)
}

func (w *keyWriter) block(b Block) {
	w.n(len(b))
	for _, s := range b {
		w.stmt(s)
	}
}

func (w *keyWriter) terms(ts []Term) {
	w.n(len(ts))
	for _, t := range ts {
		w.n(int(t.Axis))
		w.size(t.Coeff)
	}
}

func (w *keyWriter) access(a *Access) {
	w.n(a.Buffer, len(a.Coords))
	w.size(a.Offset)
	for i := range a.Coords {
		c := &a.Coords[i]
		w.size(c.Stride)
		w.size(c.Bound)
		w.size(c.Base)
		w.n(int(c.Mode))
		w.terms(c.Terms)
		w.refs(c.Value)
	}
}

func (w *keyWriter) extent(a Axis, n Size, t *Tail) {
	w.n(int(a))
	w.size(n)
	if t == nil {
		w.n(-1)
		return
	}
	w.n(int(t.Outer))
	w.size(t.Total)
}

func (w *keyWriter) carry(cs []Carry) {
	w.n(len(cs))
	for _, c := range cs {
		w.refs(c.Init, c.Param, c.Next, c.Result)
	}
}

func (w *keyWriter) stmt(s Stmt) {
	kind := func(k byte) { w.b = append(w.b, k) }
	switch s := s.(type) {
	case *Let:
		kind(0)
		w.refs(s.Dst)
		w.inst(&s.Inst)
	case *Apply:
		kind(1)
		w.n(s.Func, len(s.Args), len(s.Dst))
		w.refs(s.Args...)
		w.refs(s.Dst...)
	case *Index:
		kind(2)
		w.refs(s.Dst)
		w.size(s.Base)
		w.terms(s.Terms)
	case *Load:
		kind(3)
		w.refs(s.Dst)
		w.access(&s.At)
	case *Store:
		kind(4)
		w.refs(s.Value)
		w.access(&s.At)
	case *Loop:
		kind(5)
		w.n(int(s.Kind))
		w.extent(s.Axis, s.Extent, s.Tail)
		w.carry(s.Carry)
		w.block(s.Body)
	case *While:
		kind(6)
		w.refs(s.Test)
		w.carry(s.Carry)
		w.block(s.Cond)
		w.block(s.Body)
	case *If:
		kind(7)
		w.refs(s.Cond)
		w.n(len(s.Merge))
		for _, m := range s.Merge {
			w.refs(m.Then, m.Else, m.Result)
		}
		w.block(s.Then)
		w.block(s.Else)
	case *Reduce:
		kind(8)
		w.n(int(s.Order), s.Lanes, len(s.Folds))
		w.extent(s.Axis, s.Extent, s.Tail)
		for _, f := range s.Folds {
			w.n(int(f.Op))
			w.refs(f.Value, f.Second, f.Result, f.Other)
		}
		w.block(s.Body)
	case *Cumulate:
		kind(9)
		w.n(int(s.Op))
		if s.Reverse {
			kind(1)
		} else {
			kind(0)
		}
		w.extent(s.Axis, s.Extent, nil)
		w.refs(s.Value, s.Param)
		w.block(s.Body)
		w.block(s.Then)
	default:
		panic("BUG: a statement without a key")
	}
}
