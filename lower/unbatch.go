package lower

import (
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
)

// unbatched turns a batch of products into one product if one operand is the same array for the
// whole batch, repeated by an equation in `by`: the product reads this array. It returns nil if e
// is no such batch. A mesh whose devices all have a copy of a weight leads to such batches. Sums
// over the contracted axes are the same.
func unbatched(e *jaxpr.Eqn, by map[*jaxpr.Var]*jaxpr.Eqn) []*jaxpr.Eqn {
	p, ok := e.Prim.(prim.DotGeneralP)
	if !ok || p.LhsBatch.Len() == 0 {
		return nil
	}
	batch, contract := [2]core.Dims{p.LhsBatch, p.RhsBatch}, [2]core.Dims{p.LhsContract, p.RhsContract}
	for same := range 2 {
		if dt := e.Outs[0].Type.DType; same == 0 && (dt.IsComplex() || e.Ins[0].Aval().DType != e.Ins[1].Aval().DType) {
			// Its operands would be exchanged: a complex product is not commutative to the bit, and where both types
			// have one width, the result has the left one.
			continue
		}
		other := 1 - same
		v, _ := e.Ins[same].(*jaxpr.Var)
		spread := by[v]
		if spread == nil || !slices.Equal(batch[other].Ints(), core.Range(0, batch[other].Len()).Ints()) {
			continue
		}
		b, ok := spread.Prim.(prim.BroadcastInDimP)
		if !ok || !addsAxes(b, spread, batch[same]) {
			continue
		}
		q := p
		q.LhsBatch, q.RhsBatch = core.Dims{}, core.Dims{}
		q.LhsContract, q.RhsContract = contract[other], contract[same].Map(b.Dims.Index)
		ins := []jaxpr.Atom{e.Ins[other], spread.Ins[0]}
		if same == 1 {
			return []*jaxpr.Eqn{{Outs: e.Outs, Prim: q, Ins: ins, Site: e.Site}}
		}
		// The axes of the array come last.
		out := core.AbstractOf(q, []core.ShapedArray{ins[0].Aval(), ins[1].Aval()})[0]
		z := jaxpr.NewVar(out)
		nb, n := batch[same].Len(), out.Rank()
		own := b.Dims.Len() - contract[same].Len()
		perm := slices.Concat(core.Range(0, nb).Ints(), core.Range(n-own, n).Ints(), core.Range(nb, n-own).Ints())
		return []*jaxpr.Eqn{
			{Outs: []*jaxpr.Var{z}, Prim: q, Ins: ins, Site: e.Site},
			{Outs: e.Outs, Prim: prim.TransposeP{Perm: core.MakeDims(perm...)}, Ins: []jaxpr.Atom{z}, Site: e.Site},
		}
	}
	return nil
}

// addsAxes reports whether an equation only repeats its operand along new axes, and these are the
// given ones.
func addsAxes(b prim.BroadcastInDimP, e *jaxpr.Eqn, axes core.Dims) bool {
	in, out := e.Ins[0].Aval().Shape, e.Outs[0].Type.Shape
	if out.Len() != in.Len()+axes.Len() {
		return false
	}
	for i, d := range b.Dims.All() {
		if axes.Has(d) || in.At(i) != out.At(d) {
			return false
		}
	}
	return true
}
