package native

import (
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
)

// variable returns registers that start with a value and are assigned later.
func (g *Gen) variable(x Value) Value {
	v := Value{T: x.T, R: make([]VReg, 0, len(x.R)), W: x.W}
	for _, r := range x.R {
		v.R = append(v.R, g.copyOf(r))
	}
	return v
}

func (g *Gen) assign(v, x Value) {
	if v.T == scalar.Bool {
		x = g.BoolLike(x, v)
	}
	for i, r := range x.R {
		if r != v.R[i] {
			g.Move(v.R[i], r)
		}
	}
}

type carried struct {
	carry []ir.Carry
	vars  []Value
}

func (g *Gen) startCarry(cs []ir.Carry) carried {
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
func (g *Gen) step(c carried) {
	next := make([]Value, len(c.carry))
	isVar := map[VReg]bool{}
	for _, v := range c.vars {
		for _, r := range v.R {
			isVar[r] = true
		}
	}
	for i, x := range c.carry {
		next[i] = g.get(x.Next)
		if x.Next == x.Param {
			continue
		}
		for _, r := range next[i].R {
			if isVar[r] {
				next[i] = g.variable(next[i])
				break
			}
		}
	}
	for i := range next {
		if v := c.vars[i]; v.T != scalar.Bool || g.model.Masks {
			for j, r := range next[i].R {
				if r != v.R[j] && g.coalesce(r, v.R[j]) {
					for k := range next {
						replace(next[k].R, r, v.R[j])
					}
				}
			}
		}
	}
	for i := range next {
		g.assign(c.vars[i], next[i])
	}
}

func replace(list []VReg, old, by VReg) {
	for i := range list {
		if list[i] == old {
			list[i] = by
		}
	}
}

// coalesce makes the instruction that defines r write v instead, if it is one of the latest, no label or branch
// follows it, and v is not used from there on. It reports whether it did.
func (g *Gen) coalesce(r, v VReg) bool {
	const window = 400
	info := &g.Regs[r]
	if info.Const {
		return false
	}
	at := -1
	for i := len(g.List) - 1; i >= 0 && i > len(g.List)-window; i-- {
		in := &g.List[i]
		if in.Kind == KindLoopEnd || in.Kind == KindLoopStart || in.Kind == KindLabel || in.Kind == KindJump || in.Kind == KindBranch || in.Kind == KindCall {
			return false
		}
		if in.D == r {
			at = i
			break
		}
		if in.A == v || in.B == v || in.C == v || in.K == v || in.Base == v || in.Index == v || in.D == v {
			return false
		}
	}
	if at < 0 {
		return false
	}
	if in := &g.List[at]; in.Kind == KindOp && in.C != 0 && !in.Third && in.C != r && in.C != v && (in.A == v || in.B == v || in.K == v || in.Base == v || in.Index == v) {
		return false
	}
	if in := &g.List[at]; in.A == r || in.B == r || in.C == r || in.K == r || in.Base == r || in.Index == r {
		return false // there is an earlier definition, which it reads
	}
	for i := at; i < len(g.List); i++ {
		in := &g.List[i]
		for _, f := range [...]*VReg{&in.D, &in.A, &in.B, &in.C, &in.K, &in.Base, &in.Index} {
			if *f == r {
				*f = v
			}
		}
	}
	return true
}

func (g *Gen) finishCarry(c carried) {
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
func (g *Gen) loop(s *ir.Loop) {
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

func (g *Gen) while(s *ir.While) {
	c := g.startCarry(s.Carry)
	end := g.newLabel()
	g.enter()
	again := g.newLabel()
	g.Put(Inst{Kind: KindLoopStart})
	g.bind(again)
	g.block(s.Cond, s.Test)
	g.BranchIfNone(g.get(s.Test), end)
	g.block(s.Body, nextRefs(s.Carry)...)
	g.step(c)
	g.jump(again)
	g.Put(Inst{Kind: KindLoopEnd})
	g.leave()
	g.bind(end)
	g.finishCarry(c)
}

func (g *Gen) either(s *ir.If) {
	other, end := g.newLabel(), g.newLabel()
	// The results exist before the branch, so that both sides assign them.
	var vars []Value
	then := make([]ir.Ref, len(s.Merge))
	els := make([]ir.Ref, len(s.Merge))
	for i, m := range s.Merge {
		then[i], els[i] = m.Then, m.Else
		t := g.k.Types[m.Result]
		vars = append(vars, g.variable(g.Splat(t, 0)))
	}
	g.BranchIfNone(g.get(s.Cond), other)
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
