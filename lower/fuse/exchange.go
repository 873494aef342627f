package fuse

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
)

// exchanges finds products of real numbers whose only use is a transposition that exchanges the
// operands' axes: with exchanged operands the product has that result itself, to the bit. Reverse
// mode makes such products for the derivatives with respect to weights. The result maps the
// products and their transpositions to the equations that replace them; a transposition maps to
// nil. Refused products stay as they are, and so do products of attentions.
func exchanges(eqns []*jaxpr.Eqn, results []jaxpr.Atom, refused Refusals, taken attentionsOf) map[*jaxpr.Eqn]*jaxpr.Eqn {
	products := map[*jaxpr.Var]*jaxpr.Eqn{}
	for _, e := range eqns {
		if _, no := refused[e]; no || taken.found[e] != nil || taken.parts[e] {
			continue
		}
		if c, _ := classOf(e); c == product && !e.Outs[0].Type.DType.IsComplex() { // a complex product is not commutative to the bit
			products[e.Outs[0]] = e
		}
	}
	if len(products) == 0 {
		return nil
	}
	uses := map[*jaxpr.Var]int{}
	use := func(atoms []jaxpr.Atom) {
		for _, a := range atoms {
			if v, ok := a.(*jaxpr.Var); ok && products[v] != nil {
				uses[v]++
			}
		}
	}
	use(results)
	for _, e := range eqns {
		use(e.Ins)
	}
	var found map[*jaxpr.Eqn]*jaxpr.Eqn
	for _, e := range eqns {
		t, ok := e.Prim.(prim.TransposeP)
		if !ok {
			continue
		}
		v, _ := e.Ins[0].(*jaxpr.Var)
		if d := products[v]; d != nil && uses[v] == 1 {
			if x := exchanged(d, t, e.Outs[0]); x != nil {
				if found == nil {
					found = map[*jaxpr.Eqn]*jaxpr.Eqn{}
				}
				found[d], found[e] = x, nil
			}
		}
	}
	return found
}

// exchanged returns a product that computes v, the transposition t of product d, nil if there is
// none.
func exchanged(d *jaxpr.Eqn, t prim.TransposeP, v *jaxpr.Var) *jaxpr.Eqn {
	q := d.Prim.(prim.DotGeneralP)
	q.LhsContract, q.RhsContract = q.RhsContract, q.LhsContract
	q.LhsBatch, q.RhsBatch = q.RhsBatch, q.LhsBatch
	batch := q.LhsBatch.Len()
	left := d.Ins[0].Aval().Rank() - batch - q.LhsContract.Len() // axes of the left operand alone
	all := t.Perm.Len()
	want := core.Range(0, batch)
	for i := range all - batch - left {
		want = want.Append(batch + left + i)
	}
	for i := range left {
		want = want.Append(batch + i)
	}
	if t.Perm != want {
		return nil
	}
	return &jaxpr.Eqn{Outs: []*jaxpr.Var{v}, Prim: q, Ins: []jaxpr.Atom{d.Ins[1], d.Ins[0]}, Site: d.Site}
}
