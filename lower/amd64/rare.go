package amd64

import (
	"github.com/weft-go/weft/lower/kernel/ir"
	"github.com/weft-go/weft/lower/scalar"
)

// deferRare returns the operations of a block that only the seldom taken operand of an
// OpRare needs. They are written behind a branch, where that operand is.
func (g *gen) deferRare(b ir.Block, results []ir.Ref) map[ir.Ref]*ir.Let {
	any := false
	for _, s := range b {
		if l, ok := s.(*ir.Let); ok && l.Inst.Op == scalar.OpRare {
			any = true
			break
		}
	}
	if !any {
		return nil
	}
	// owner[r] is the condition that guards r: noOwner before a use is seen.
	owner := map[ir.Ref]ir.Ref{}
	const free = ir.Ref(-2)
	use := func(r, cond ir.Ref) {
		if r == ir.NoRef {
			return
		}
		if o, ok := owner[r]; ok && o != cond {
			cond = free
		}
		owner[r] = cond
	}
	for _, r := range results {
		use(r, free)
	}
	deferred := map[ir.Ref]*ir.Let{}
	for i := len(b) - 1; i >= 0; i-- {
		l, ok := b[i].(*ir.Let)
		if !ok {
			uses(b[i], func(r ir.Ref) { use(r, free) })
			continue
		}
		cond, used := owner[l.Dst]
		if !used {
			cond = free // read elsewhere, as a result of a loop
		}
		if cond != free && l.Inst.Op != scalar.OpConst {
			deferred[l.Dst] = l
		} else {
			cond = free
		}
		for k, a := range l.Inst.Args {
			if a == ir.NoRef {
				continue
			}
			if l.Inst.Op == scalar.OpRare && k == 1 && l.Inst.Args[0] != a && l.Inst.Args[2] != a {
				if cond == free {
					use(a, l.Inst.Args[0])
				} else {
					use(a, cond) // a rare branch within one: part of it
				}
				continue
			}
			use(a, cond)
		}
	}
	return deferred
}

// uses calls f for the values that a statement reads.
func uses(s ir.Stmt, f func(ir.Ref)) {
	access := func(a *ir.Access) {
		for i := range a.Coords {
			f(a.Coords[i].Value)
		}
	}
	block := func(b ir.Block) {
		for _, s := range b {
			uses(s, f)
		}
	}
	carry := func(cs []ir.Carry) {
		for _, c := range cs {
			f(c.Init)
			f(c.Next)
		}
	}
	switch s := s.(type) {
	case *ir.Let:
		for _, a := range s.Inst.Args {
			f(a)
		}
	case *ir.Load:
		access(&s.At)
		f(s.Else)
	case *ir.Store:
		access(&s.At)
		f(s.Value)
	case *ir.Loop:
		carry(s.Carry)
		block(s.Body)
	case *ir.While:
		carry(s.Carry)
		f(s.Test)
		block(s.Cond)
		block(s.Body)
	case *ir.If:
		f(s.Cond)
		for _, m := range s.Merge {
			f(m.Then)
			f(m.Else)
		}
		block(s.Then)
		block(s.Else)
	case *ir.Reduce:
		for _, d := range s.Folds {
			f(d.Value)
			f(d.Second)
		}
		block(s.Body)
	case *ir.Cumulate:
		f(s.Value)
		block(s.Body)
		block(s.Then)
	}
}

// rare selects between two values, of which the first is computed where an element needs it.
func (g *gen) rare(in *scalar.Inst) value {
	c, y := g.get(in.Args[0]), g.get(in.Args[2])
	first := in.Args[1]
	if _, ok := g.deferred[first]; !ok {
		return g.choose(c, g.get(first), y)
	}
	v := value{t: y.t, r: g.regSlice(), w: y.w}
	for _, r := range y.r {
		v.r = append(v.r, g.copyOf(r))
	}
	done := g.newLabel()
	g.branchIfNone(c, done)
	g.enter()
	g.force(first)
	x := g.choose(c, g.get(first), v)
	if x.t == scalar.Bool && g.isa == AVX2 {
		x = g.width(x, int(v.w))
	}
	for i, r := range x.r {
		g.move(v.r[i], r)
	}
	g.leave()
	g.bind(done)
	return v
}

// force writes a deferred operation and those that it needs.
func (g *gen) force(r ir.Ref) {
	l, ok := g.deferred[r]
	if !ok {
		return
	}
	for _, a := range l.Inst.Args {
		if a != ir.NoRef {
			g.force(a)
		}
	}
	delete(g.deferred, r)
	g.let(l)
}
