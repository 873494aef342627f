package native

import (
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
)

// deferRare collects in g.deferred the operations of a block that only rarely chosen operands need. They are
// written behind the branch to such an operand. The values in `results` are read behind the block.
func (g *Gen) deferRare(b ir.Block, results []ir.Ref) {
	g.rares.Find(len(g.k.Types), b, results, func(l *ir.Let, cond ir.Ref) {
		if g.deferred == nil {
			g.deferred = make([]*ir.Let, len(g.k.Types))
		}
		g.deferred[l.Dst] = nil
		if cond != ir.NoRef {
			g.deferred[l.Dst] = l
		}
	})
}

// isDeferred reports whether a value waits for the branch that needs it.
func (g *Gen) isDeferred(r ir.Ref) bool { return g.deferred != nil && g.deferred[r] != nil }

// rare selects between two values and computes the first only if an element needs it.
func (g *Gen) rare(in *scalar.Inst) Value {
	first, y := in.Args[1], g.get(in.Args[2])
	var cond func(part func(Value) Value) Value
	b, bounded := g.bounds[in.Args[0]]
	if bounded {
		x := g.get(b.x)
		cond = func(part func(Value) Value) Value { return g.holds(b, part(x), g.get(b.limit)) }
	} else {
		c := g.get(in.Args[0])
		cond = func(part func(Value) Value) Value { return part(c) }
	}
	whole := func(x Value) Value { return x }
	if !g.isDeferred(first) {
		return g.Choose(cond(whole), g.get(first), y)
	}
	v := Value{T: y.T, R: g.RegSlice(), W: y.W}
	for _, r := range y.R {
		v.R = append(v.R, g.copyOf(r))
	}
	done := g.newLabel()
	if g.Lanes.U == 1 {
		c := cond(whole)
		g.BranchIfNone(c, done)
		g.Put(Inst{Kind: KindRareStart})
		g.rareCopy(c, first, v)
	} else {
		if bounded {
			g.BranchIfNone(g.holds(b, g.extremeOf(b, g.get(b.x)), g.get(b.limit)), done)
		} else {
			g.BranchIfNone(cond(whole), done)
		}
		g.Put(Inst{Kind: KindRareStart})
		g.rareCopies(cond, first, v)
	}
	g.Put(Inst{Kind: KindRareEnd})
	g.bind(done)
	return v
}

// rareCopy writes the deferred operations that `first` needs, and assigns `first` to v where c is true.
func (g *Gen) rareCopy(c Value, first ir.Ref, v Value) {
	g.enter()
	g.force(first)
	x := g.Choose(c, g.get(first), v)
	if x.T == scalar.Bool {
		x = g.BoolLike(x, v)
	}
	for i, r := range x.R {
		g.Move(v.R[i], r)
	}
	g.leave()
}

// rareCopies calls rareCopy for each copy that has an element where cond is true. Copies side by side
// would need registers that the common path can use better.
func (g *Gen) rareCopies(cond func(part func(Value) Value) Value, first ir.Ref, v Value) {
	g.inParts([]ir.Ref{first}, nil, 1, func(part func(Value) Value) {
		next := g.newLabel()
		c := cond(part)
		g.BranchIfNone(c, next)
		g.rareCopy(c, first, part(v))
		g.bind(next)
	})
}

// force writes a deferred operation, and before it the deferred operations that it needs.
func (g *Gen) force(r ir.Ref) {
	if !g.isDeferred(r) {
		return
	}
	l := g.deferred[r]
	for _, a := range l.Inst.Args {
		if a != ir.NoRef {
			g.force(a)
		}
	}
	g.deferred[r] = nil
	g.let(l)
}
