package fuse

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
)

// transposed plans a product with a matrix that is computed from fewer stored bytes, such as integers with scales, as
// Cᵀ = Bᵀ·Aᵀ: columns of B are rows then, of which [RowTiles] computes some at a time and multiplies them while they are
// in the cache. Each sum keeps its order. It reports whether it did.
func (p *planner) transposed(e *jaxpr.Eqn, q prim.DotGeneralP, a, b jaxpr.Atom, out *jaxpr.Var) bool {
	v, ok := b.(*jaxpr.Var)
	if !ok || p.target.RowTiles == 0 || p.of(v).kind == inMemory {
		return false
	}
	cols := v.Type.Rank() - q.RhsBatch.Len() - q.RhsContract.Len() // axes
	rows := out.Type.Rank() - cols
	bytes := v.Type.Size() * v.Type.DType.Size()
	few := 2*(a.Aval().Size()+out.Type.Size())*v.Type.DType.Size() <= bytes
	if q.RhsBatch.Len() > 0 || q.RhsContract != core.Range(cols, v.Type.Rank()) || bytes < 4*p.target.RowTiles || !few || !p.expands(p.of(v), true) {
		return false
	}
	t := out.Type
	t.Shape = core.Range(rows, rows+cols).Append(core.Range(0, rows).Ints()...).Map(t.Shape.At)
	c := jaxpr.NewVar(t)
	q.LhsContract, q.RhsContract = q.RhsContract, q.LhsContract
	p.productOf(e, q, b, a, c)
	back := core.Range(cols, cols+rows).Append(core.Range(0, cols).Ints()...)
	p.eqn(&jaxpr.Eqn{Outs: []*jaxpr.Var{out}, Prim: prim.TransposeP{Perm: back}, Ins: []jaxpr.Atom{c}, Site: e.Site})
	return true
}
