package irpass

import (
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
)

// canonBehind moves canons of carried values behind their while loops: within the loop,
// operations that accept any NaN may read a NaN that is not canonical. After the loop a value is canonical if an
// iteration ran. Otherwise it is the initial value with unchanged bits.
//
// Without this, each iteration of x·a + b waits for the comparison and the select of a canon.
func canonBehind(k *ir.Kernel) {
	c := &carryCanon{k: k, def: make([]*ir.Let, len(k.Types)), exact: make([]bool, len(k.Types))}
	k.Body.Walk(c.scan)
	k.Body = c.block(k.Body)
}

type carryCanon struct {
	k     *ir.Kernel
	def   []*ir.Let // by Ref
	exact []bool    // by Ref: something reads its bits
}

// scan notes definitions, and the values whose bits are read. The next value of a carry counts as
// read: it becomes a parameter, which has readers of its own.
func (c *carryCanon) scan(s ir.Stmt) {
	if l, ok := s.(*ir.Let); ok {
		c.def[l.Dst] = l
		if takesAnyNaN(l.Inst.Op) {
			return
		}
	}
	ir.Reads(s, func(r ir.Ref) { c.exact[r] = true })
}

// block returns a block with canons after its while loops.
func (c *carryCanon) block(b ir.Block) ir.Block {
	var out ir.Block
	for _, s := range b {
		out = append(out, s)
		switch s := s.(type) {
		case *ir.Loop:
			s.Body = c.block(s.Body)
		case *ir.While:
			out = append(out, c.while(s)...)
		}
	}
	return out
}

// while lets a loop carry values that are not canonical, and returns the statements that make its
// results canonical.
func (c *carryCanon) while(w *ir.While) (behind ir.Block) {
	counter := c.counter(w)
	if counter == nil {
		return nil
	}
	inBody := map[ir.Ref]bool{}
	for _, s := range w.Body {
		if l, ok := s.(*ir.Let); ok {
			inBody[l.Dst] = true
		}
	}
	ran := ir.NoRef
	for i := range w.Carry {
		x := &w.Carry[i]
		if !inBody[x.Next] || c.def[x.Next].Inst.Op != scalar.OpCanon || c.exact[x.Param] {
			continue
		}
		if ran == ir.NoRef {
			ran = c.let(&behind, scalar.OpNe, scalar.Bool, counter.Result, counter.Init)
		}
		t := c.k.Types[x.Result]
		last := x.Result
		x.Next, x.Result = c.def[x.Next].Inst.Args[0], c.value(t)
		canon := c.let(&behind, scalar.OpCanon, t, x.Result)
		behind = append(behind, &ir.Let{Dst: last, Inst: inst(scalar.OpSelect, t, ran, canon, x.Result)})
	}
	return behind
}

// counter returns an I64 carry to which each iteration adds the constant 1, nil if there is none.
func (c *carryCanon) counter(w *ir.While) *ir.Carry {
	for i := range w.Carry {
		x := &w.Carry[i]
		if c.k.Types[x.Param] != scalar.I64 {
			continue
		}
		d := c.def[x.Next]
		if d == nil || d.Inst.Op != scalar.OpAdd || d.Inst.Args[0] != x.Param || d.Inst.Args[1] == ir.NoRef {
			continue
		}
		if one := c.def[d.Inst.Args[1]]; one != nil && one.Inst.Op == scalar.OpConst && one.Inst.Imm == 1 {
			return x
		}
	}
	return nil
}

func (c *carryCanon) value(t scalar.Type) ir.Ref {
	c.k.Types = append(c.k.Types, t)
	return ir.Ref(len(c.k.Types) - 1)
}

func (c *carryCanon) let(b *ir.Block, op scalar.Op, t scalar.Type, args ...ir.Ref) ir.Ref {
	r := c.value(t)
	*b = append(*b, &ir.Let{Dst: r, Inst: inst(op, t, args...)})
	return r
}

func inst(op scalar.Op, t scalar.Type, args ...ir.Ref) scalar.Inst {
	in := scalar.Inst{Op: op, Type: t, Args: [3]ir.Ref{ir.NoRef, ir.NoRef, ir.NoRef}}
	copy(in.Args[:], args)
	return in
}
