package amd64

import (
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
)

// variable returns registers that start with a value and are assigned later.
func (g *gen) variable(x value) value {
	v := value{t: x.t, r: make([]vreg, 0, len(x.r)), w: x.w}
	for _, r := range x.r {
		v.r = append(v.r, g.copyOf(r))
	}
	return v
}

// assign sets a variable.
func (g *gen) assign(v, x value) {
	if v.t == scalar.Bool {
		x = g.boolLike(x, v)
	}
	for i, r := range x.r {
		if r != v.r[i] {
			g.move(v.r[i], r)
		}
	}
}

// carried are the values that a loop hands on.
type carried struct {
	carry []ir.Carry
	vars  []value
}

func (g *gen) startCarry(cs []ir.Carry) carried {
	c := carried{carry: cs}
	for _, x := range cs {
		c.vars = append(c.vars, g.variable(g.get(x.Init)))
	}
	for i, x := range cs {
		g.bindRef(x.Param, c.vars[i])
	}
	return c
}

// step assigns the values of the next iteration, all at once.
func (g *gen) step(c carried) {
	next := make([]value, len(c.carry))
	isVar := map[vreg]bool{}
	for _, v := range c.vars {
		for _, r := range v.r {
			isVar[r] = true
		}
	}
	for i, x := range c.carry {
		next[i] = g.get(x.Next)
		if x.Next == x.Param {
			continue
		}
		for _, r := range next[i].r {
			if isVar[r] {
				next[i] = g.variable(next[i])
				break
			}
		}
	}
	for i := range next {
		if v := c.vars[i]; v.t != scalar.Bool || g.model.masks {
			for j, r := range next[i].r {
				if r != v.r[j] && g.coalesce(r, v.r[j]) {
					for k := range next {
						replace(next[k].r, r, v.r[j])
					}
				}
			}
		}
	}
	for i := range next {
		g.assign(c.vars[i], next[i])
	}
}

func replace(list []vreg, old, by vreg) {
	for i := range list {
		if list[i] == old {
			list[i] = by
		}
	}
}

// coalesce makes the instruction that defines r in the open scope write v instead, where v is
// not read behind it. It reports whether it did.
func (g *gen) coalesce(r, v vreg) bool {
	const window = 400
	info := &g.regs[r]
	if info.konst {
		return false
	}
	at := -1
	for i := len(g.list) - 1; i >= 0 && i > len(g.list)-window; i-- {
		in := &g.list[i]
		if in.kind == kindLoopEnd || in.kind == kindLoopStart || in.kind == kindLabel || in.kind == kindJump || in.kind == kindBranch || in.kind == kindCall {
			return false
		}
		if in.d == r {
			at = i
			break
		}
		if in.a == v || in.b == v || in.c == v || in.k == v || in.base == v || in.index == v || in.d == v {
			return false
		}
	}
	if at < 0 {
		return false
	}
	if in := &g.list[at]; in.kind == kindOp && in.c != 0 && !in.third && in.c != r && in.c != v && (in.a == v || in.b == v || in.k == v || in.base == v || in.index == v) {
		return false
	}
	if in := &g.list[at]; in.a == r || in.b == r || in.c == r || in.k == r || in.base == r || in.index == r {
		return false // there is an earlier definition, which it reads
	}
	for i := at; i < len(g.list); i++ {
		in := &g.list[i]
		for _, f := range [...]*vreg{&in.d, &in.a, &in.b, &in.c, &in.k, &in.base, &in.index} {
			if *f == r {
				*f = v
			}
		}
	}
	return true
}

func (g *gen) finishCarry(c carried) {
	for i, x := range c.carry {
		g.bindRef(x.Result, c.vars[i])
	}
}

func nextRefs(cs []ir.Carry) []ir.Ref {
	var rs []ir.Ref
	for _, c := range cs {
		rs = append(rs, c.Next)
	}
	return rs
}

// loop writes a loop whose iterations follow each other.
func (g *gen) loop(s *ir.Loop) {
	c := g.startCarry(s.Carry)
	e := g.extentOf(s.Extent, s.Tail)
	end := g.newLabel()
	if !g.skipIfEmpty(e, end) {
		g.overAxis(s.Axis, e, func() {
			g.block(s.Body, nextRefs(s.Carry)...)
			g.step(c)
		})
		g.bind(end)
	}
	g.finishCarry(c)
}

// while writes a loop that a condition ends.
func (g *gen) while(s *ir.While) {
	c := g.startCarry(s.Carry)
	end := g.newLabel()
	g.enter()
	again := g.newLabel()
	g.put(minst{kind: kindLoopStart})
	g.bind(again)
	g.block(s.Cond, s.Test)
	g.branchIfNone(g.get(s.Test), end)
	g.block(s.Body, nextRefs(s.Carry)...)
	g.step(c)
	g.jump(again)
	g.put(minst{kind: kindLoopEnd})
	g.leave()
	g.bind(end)
	g.finishCarry(c)
}

// either writes a choice between two blocks.
func (g *gen) either(s *ir.If) {
	other, end := g.newLabel(), g.newLabel()
	// The results exist before the branch, so that both sides assign them.
	var vars []value
	then := make([]ir.Ref, len(s.Merge))
	els := make([]ir.Ref, len(s.Merge))
	for i, m := range s.Merge {
		then[i], els[i] = m.Then, m.Else
		t := g.k.Types[m.Result]
		vars = append(vars, g.variable(g.konst(t, 0)))
	}
	g.branchIfNone(g.get(s.Cond), other)
	g.enter()
	g.block(s.Then, then...)
	for i, m := range s.Merge {
		g.assign(vars[i], g.get(m.Then))
	}
	g.leave()
	g.jump(end)
	g.bind(other)
	g.enter()
	g.block(s.Else, els...)
	for i, m := range s.Merge {
		g.assign(vars[i], g.get(m.Else))
	}
	g.leave()
	g.bind(end)
	for i, m := range s.Merge {
		g.bindRef(m.Result, vars[i])
	}
}
