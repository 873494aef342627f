package ir

import (
	"slices"

	"github.com/weft-go/weft/lower/scalar"
)

// Unsized returns a kernel whose sizes and integers are symbols where they may depend on the shapes of arrays, and the values
// with which it computes what k does, after those of k's own symbols. Kernels of an operation on arrays of different shapes
// are often equal then. The sizes 0 and 1 remain, and those that no code needs are 0.
func (k *Kernel) Unsized() (*Kernel, []int64) {
	u := &unsizer{k: *k}
	u.k.Symbols = slices.Clone(k.Symbols)
	u.k.Buffers = slices.Clone(k.Buffers)
	for i := range u.k.Buffers {
		u.size(&u.k.Buffers[i].Len)
	}
	u.k.Grid = slices.Clone(k.Grid)
	for i := range u.k.Grid {
		u.size(&u.k.Grid[i].Extent)
	}
	u.k.Body = k.Body.Copy(slices.Clone)
	u.block(u.k.Body)
	return &u.k, u.values
}

type unsizer struct {
	k      Kernel
	values []int64
}

// size replaces a constant by a new symbol.
func (u *unsizer) size(s *Size) {
	if !s.IsConst() || s.Value == 0 || s.Value == 1 {
		return
	}
	u.values = append(u.values, s.Value)
	u.k.Symbols = append(u.k.Symbols, "size")
	*s = Size{Symbol: len(u.k.Symbols)}
}

func (u *unsizer) terms(ts []Term) {
	for i := range ts {
		u.size(&ts[i].Coeff)
	}
}

func (u *unsizer) access(a *Access) {
	u.size(&a.Offset)
	for i := range a.Coords {
		c := &a.Coords[i]
		u.size(&c.Stride)
		u.size(&c.Base)
		if c.Mode == Proved {
			c.Bound = Size{}
		}
		u.size(&c.Bound)
		u.terms(c.Terms)
	}
}

func (u *unsizer) extent(n *Size, t *Tail) {
	u.size(n)
	if t != nil {
		u.size(&t.Total)
	}
}

func (u *unsizer) block(b Block) {
	for i, s := range b {
		switch s := s.(type) {
		case *Let:
			b[i] = u.let(s)
		case *Index:
			u.size(&s.Base)
			u.terms(s.Terms)
		case *Load:
			u.access(&s.At)
		case *Store:
			u.access(&s.At)
		case *Loop:
			u.extent(&s.Extent, s.Tail)
		case *Reduce:
			u.extent(&s.Extent, s.Tail)
		case *Cumulate:
			u.extent(&s.Extent, nil)
		}
		first, second := Inner(s)
		if first != nil {
			u.block(*first)
		}
		if second != nil {
			u.block(*second)
		}
	}
}

// let returns the statement in the place of a constant: an index that is a symbol. Other operations remain, and constants that
// positions of 32 bits do not hold.
func (u *unsizer) let(s *Let) Stmt {
	if s.Inst.Op != scalar.OpConst {
		return s
	}
	n := int64(s.Inst.Imm)
	switch s.Inst.Type {
	case scalar.I64:
	case scalar.I32:
		n = int64(int32(n))
	default:
		return s
	}
	if n >= -1 && n <= 1 || n <= -1<<30 || n >= 1<<30 {
		return s
	}
	x := &Index{Dst: s.Dst, Base: Const(n)}
	u.size(&x.Base)
	return x
}
