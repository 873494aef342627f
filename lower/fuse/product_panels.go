package fuse

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
)

// panels plans a product with a matrix that lies in panels, each of some neighbouring columns,
//
//	C[m, p, n] = Σₖ A[m, k] · B[p, k, n]
//
// as a batch of products with A, one for each panel: the columns of all panels have no single stride, so that B would
// be copied otherwise. Where B is computed, [RowTiles] computes some rows of a panel and multiplies them while they are
// in the cache. It reports false for another matrix, for panels of few columns, and for machines without row tiles.
func (p *planner) panels(e *jaxpr.Eqn, q prim.DotGeneralP, a, b jaxpr.Atom, out *jaxpr.Var) bool {
	shape, t := b.Aval().Shape, out.Type
	last := shape.Len() - 1
	first := last - q.RhsContract.Len() // of the contracted axes
	if p.target.RowTiles == 0 || q.LhsBatch.Len() > 0 || first < 1 || first == last || q.RhsContract != core.Range(first, last) ||
		shape.Slice(0, first).Size() < 2 || shape.At(last) < 2*vectorLanes {
		return false
	}
	rows := t.Rank() - first - 1 // axes
	x := a.Aval()
	own := core.Range(first, first+x.Rank())
	x.Shape = shape.Slice(0, first).Append(x.Shape.Ints()...)
	each := p.made1(e, prim.BroadcastInDimP{Shape: x.Shape, Dims: own}, a, x)
	c := jaxpr.NewVar(t)
	c.Type.Shape = core.Range(rows, rows+first).Append(append(core.Range(0, rows).Ints(), rows+first)...).Map(t.Shape.At)
	q.LhsContract = q.LhsContract.Map(func(d int) int { return d + first })
	q.LhsBatch, q.RhsBatch = core.Range(0, first), core.Range(0, first)
	p.productOf(e, q, each, b, c)
	back := core.Range(first, first+rows).Append(append(core.Range(0, first).Ints(), first+rows)...)
	p.eqn(&jaxpr.Eqn{Outs: []*jaxpr.Var{out}, Prim: prim.TransposeP{Perm: back}, Ins: []jaxpr.Atom{c}, Site: e.Site})
	return true
}
