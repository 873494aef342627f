package fuse

import (
	"slices"

	"github.com/weft-go/weft/lower/kernel/ir"
	"github.com/weft-go/weft/lower/scalar"
)

// dropCanon lets arithmetic read the operand of a canon instead of its result: which NaN
// it reads changes no bit, since what it makes of a NaN is canonical only behind a canon
// of its own. Operations without use go.
func dropCanon(k *ir.Kernel) *ir.Kernel {
	c := &canonDropper{of: make([]ir.Ref, len(k.Types))}
	for i := range c.of {
		c.of[i] = ir.NoRef
	}
	c.block(k.Body)
	canonBehind(k)
	c.uses = make([]int, len(k.Types))
	k.Body = c.swept(k.Body)
	return k
}

type canonDropper struct {
	of   []ir.Ref // of a canon: its operand
	uses []int
}

// takesAnyNaN reports whether an operation computes the same, canonical NaNs apart, of
// every NaN.
func takesAnyNaN(o scalar.Op) bool {
	switch o {
	case scalar.OpAdd, scalar.OpSub, scalar.OpMul, scalar.OpDiv, scalar.OpFMA, scalar.OpSqrt, scalar.OpCanon,
		scalar.OpEq, scalar.OpNe, scalar.OpLt, scalar.OpLe, scalar.OpNarrow:
		return true
	}
	return false
}

// block redirects operands and counts uses, from the definitions down.
func (c *canonDropper) block(b ir.Block) {
	for _, s := range b {
		switch s := s.(type) {
		case *ir.Let:
			if takesAnyNaN(s.Inst.Op) {
				for i, a := range s.Inst.Args {
					if a != ir.NoRef && c.of[a] != ir.NoRef {
						s.Inst.Args[i] = c.of[a]
					}
				}
			}
			if s.Inst.Op == scalar.OpCanon {
				c.of[s.Dst] = s.Inst.Args[0]
			}
		case *ir.Loop:
			c.block(s.Body)
		case *ir.Reduce:
			c.block(s.Body)
		case *ir.Cumulate:
			c.block(s.Body)
			c.block(s.Then)
		case *ir.While:
			c.block(s.Cond)
			c.block(s.Body)
		case *ir.If:
			c.block(s.Then)
			c.block(s.Else)
		}
	}
}

func (c *canonDropper) use(rs ...ir.Ref) {
	for _, r := range rs {
		if r != ir.NoRef {
			c.uses[r]++
		}
	}
}

func (c *canonDropper) access(a ir.Access) {
	for _, co := range a.Coords {
		c.use(co.Value)
	}
}

// swept returns a block without operations that have no use, from its end up.
func (c *canonDropper) swept(b ir.Block) ir.Block {
	keep := make([]bool, len(b))
	n := 0
	for i := len(b) - 1; i >= 0; i-- {
		keep[i] = true
		switch s := b[i].(type) {
		case *ir.Let:
			if keep[i] = c.uses[s.Dst] > 0; keep[i] {
				c.use(s.Inst.Args[:]...)
			}
		case *ir.Apply:
			if keep[i] = slices.ContainsFunc(s.Dst, func(r ir.Ref) bool { return c.uses[r] > 0 }); keep[i] {
				c.use(s.Args...)
			}
		case *ir.Index:
			keep[i] = c.uses[s.Dst] > 0
		case *ir.Load:
			if keep[i] = c.uses[s.Dst] > 0; keep[i] {
				c.access(s.At)
				c.use(s.Else)
			}
		case *ir.Store:
			c.access(s.At)
			c.use(s.Value)
		case *ir.Loop:
			c.carry(s.Carry)
			s.Body = c.swept(s.Body)
		case *ir.Reduce:
			keep[i] = slices.ContainsFunc(s.Folds, func(f ir.Fold) bool {
				return c.uses[f.Result] > 0 || f.Other != ir.NoRef && c.uses[f.Other] > 0
			})
			if keep[i] {
				for _, f := range s.Folds {
					c.use(f.Value, f.Second)
				}
				s.Body = c.swept(s.Body)
			}
		case *ir.Cumulate:
			c.use(s.Value)
			s.Then = c.swept(s.Then)
			s.Body = c.swept(s.Body)
		case *ir.While:
			c.use(s.Test)
			c.carry(s.Carry)
			s.Body = c.swept(s.Body)
			s.Cond = c.swept(s.Cond)
		case *ir.If:
			for _, m := range s.Merge {
				c.use(m.Then, m.Else)
			}
			s.Then, s.Else = c.swept(s.Then), c.swept(s.Else)
			c.use(s.Cond)
		}
		if keep[i] {
			n++
		}
	}
	out := make(ir.Block, 0, n)
	for i, s := range b {
		if keep[i] {
			out = append(out, s)
		}
	}
	return out
}

func (c *canonDropper) carry(cs []ir.Carry) {
	for _, x := range cs {
		c.use(x.Init, x.Next)
	}
}
