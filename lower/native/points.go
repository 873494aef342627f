package native

import (
	"slices"

	"github.com/weft-go/weft/lower/ir"
)

// Combining the lanes of a short row's result takes more time than combining the row's elements into lanes, and what
// is computed from the result waits for that. So kernels of many short rows compute several points of the grid at
// once: each statement for all of them, then the next statement.
const (
	pointsAtOnce  = 4
	mostShort     = 32      // vectors of a short row, at most
	leastElements = 1 << 13 // elements of all rows
)

// joinsPoints reports whether the kernel computes several points at once: its body has several
// loops, at least one of them a reduction, all of them over short rows, and the rows have many
// elements together.
func (g *Gen) joinsPoints() bool {
	if len(g.k.Grid) != 1 || !g.k.Grid[0].Extent.IsConst() {
		return false
	}
	loops, reductions, longest := 0, 0, int64(0)
	short := func(b ir.Block, n ir.Size, t *ir.Tail) bool {
		loops++
		longest = max(longest, n.Value)
		return t == nil && n.IsConst() && n.Value <= int64(mostShort*g.model.VectorBytes/4) &&
			!slices.ContainsFunc(b, func(s ir.Stmt) bool { return !repeats(s) })
	}
	for _, s := range g.k.Body {
		ok := repeats(s)
		switch s := s.(type) {
		case *ir.Loop:
			ok = s.Kind == ir.Vector && short(s.Body, s.Extent, s.Tail)
		case *ir.Reduce:
			reductions++
			ok = s.Order != ir.Chain && short(s.Body, s.Extent, s.Tail)
		}
		if !ok {
			return false
		}
	}
	if loops < 2 || reductions == 0 || g.k.Grid[0].Extent.Value*longest < leastElements {
		return false
	}
	g.begin(g.k.Body)
	for r := range g.joints {
		if k := g.joints[r].kind; k == jointProduct || k == jointLessProduct {
			return false // one operation writes what another reads
		}
	}
	return true
}

// repeats reports whether a statement has no blocks and accesses no computed positions.
func repeats(s ir.Stmt) bool {
	computed := func(a *ir.Access) bool {
		return slices.ContainsFunc(a.Coords, func(c ir.Coord) bool { return c.Value != ir.NoRef })
	}
	switch s := s.(type) {
	case *ir.Let, *ir.Index:
		return true
	case *ir.Load:
		return !computed(&s.At)
	case *ir.Store:
		return !computed(&s.At)
	}
	return false
}

// joinPoints writes a loop over the points of the grid, several at once while enough are left: count is their number.
func (g *Gen) joinPoints(count VReg) {
	few, again := g.newLabel(), g.newLabel()
	g.branchI(Lt, count, pointsAtOnce, few)
	g.enter()
	g.Put(Inst{Kind: KindLoopStart})
	g.bind(again)
	a := g.k.Grid[0].Axis
	first := g.axes[a].reg
	g.begin(g.k.Body)
	var points [pointsAtOnce]struct {
		axis
		vals     []binding
		deferred []*ir.Let
	}
	for i := range points {
		p := &points[i]
		p.axis, p.vals, p.deferred = axis{first, len(g.scopes) - 1}, slices.Clone(g.vals), slices.Clone(g.deferred)
		if i > 0 {
			p.reg = g.gAddConst(first, int64(i))
		}
	}
	for _, s := range g.k.Body {
		for i := range points {
			p := &points[i]
			g.axes[a], g.vals, g.deferred = p.axis, p.vals, p.deferred
			g.top().forget()
			g.stmt(s)
			p.deferred = g.deferred
		}
	}
	g.axes[a] = points[0].axis
	g.gInc(first, pointsAtOnce)
	g.gInc(count, -pointsAtOnce)
	g.branchI(Ge, count, pointsAtOnce, again)
	g.Put(Inst{Kind: KindLoopEnd})
	g.leave()
	g.bind(few)
}
