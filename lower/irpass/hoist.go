package irpass

import "github.com/weft-go/weft/lower/ir"

// Hoist moves statements out of loops in which they do not change. It changes k and returns
// it. Loads move, too, so no axis of k may be empty: positions are proved in bounds only for
// axes that have elements.
func Hoist(k *ir.Kernel) *ir.Kernel {
	h := &hoister{depth: make([]int, len(k.Types)), axis: make([]int, k.Axes), written: make([]bool, len(k.Buffers))}
	for i, b := range k.Buffers {
		h.written[i] = b.Role != ir.In
	}
	k.Body = h.block(k.Body)
	return k
}

// hoister records at which depth of loops each value is defined.
type hoister struct {
	depth   []int // by Ref
	axis    []int // by Axis: the depth of the loop's body
	written []bool
	outer   []ir.Block // statements that are moved in front of the loop at each depth
}

// block returns a block without the statements that move out of it.
func (h *hoister) block(b ir.Block) ir.Block {
	at := len(h.outer)
	var out ir.Block
	for _, s := range b {
		if to, ok := h.floor(s); ok && to < at {
			h.outer[to] = append(h.outer[to], s)
			h.define(s, to)
			continue
		}
		s = h.inner(s, &out)
		h.define(s, at)
		out = append(out, s)
	}
	return out
}

// inner rewrites the blocks of a loop. Statements that move out of it are appended to out.
func (h *hoister) inner(s ir.Stmt, out *ir.Block) ir.Stmt {
	at := len(h.outer)
	enter := func(axis ir.Axis, blocks ...*ir.Block) {
		h.outer = append(h.outer, nil)
		if axis != ir.NoAxis {
			h.axis[axis] = at + 1
		}
		for _, b := range blocks {
			*b = h.block(*b)
		}
		*out = append(*out, h.outer[at]...)
		h.outer = h.outer[:at]
	}
	switch s := s.(type) {
	case *ir.Loop:
		for _, c := range s.Carry {
			h.depth[c.Param] = at + 1
		}
		enter(s.Axis, &s.Body)
	case *ir.Reduce:
		enter(s.Axis, &s.Body)
	case *ir.Cumulate:
		h.depth[s.Param] = at + 1
		enter(s.Axis, &s.Body, &s.Then)
	case *ir.While:
		for _, c := range s.Carry {
			h.depth[c.Param] = at + 1
		}
		enter(ir.NoAxis, &s.Cond, &s.Body)
	}
	return s
}

// define notes the depth of the values that a statement defines.
func (h *hoister) define(s ir.Stmt, at int) {
	switch s := s.(type) {
	case *ir.Let:
		h.depth[s.Dst] = at
	case *ir.Apply:
		for _, r := range s.Dst {
			h.depth[r] = at
		}
	case *ir.Index:
		h.depth[s.Dst] = at
	case *ir.Load:
		h.depth[s.Dst] = at
	case *ir.Loop:
		for _, c := range s.Carry {
			h.depth[c.Result] = at
		}
	case *ir.While:
		for _, c := range s.Carry {
			h.depth[c.Result] = at
		}
	case *ir.If:
		for _, m := range s.Merge {
			h.depth[m.Result] = at
		}
	case *ir.Reduce:
		for _, f := range s.Folds {
			h.depth[f.Result] = at
			if f.Other != ir.NoRef {
				h.depth[f.Other] = at
			}
		}
	}
}

// floor returns the least depth at which a statement can stand; ok is false where it
// must stay.
func (h *hoister) floor(s ir.Stmt) (to int, ok bool) {
	use := func(r ir.Ref) {
		if r != ir.NoRef {
			to = max(to, h.depth[r])
		}
	}
	terms := func(ts []ir.Term) {
		for _, t := range ts {
			to = max(to, h.axis[t.Axis])
		}
	}
	switch s := s.(type) {
	case *ir.Let:
		for _, a := range s.Inst.Args {
			use(a)
		}
	case *ir.Apply:
		for _, a := range s.Args {
			use(a)
		}
	case *ir.Index:
		terms(s.Terms)
	case *ir.Load:
		if h.written[s.At.Buffer] {
			return 0, false
		}
		for _, c := range s.At.Coords {
			terms(c.Terms)
			use(c.Value)
		}
	default:
		return 0, false
	}
	return to, true
}
