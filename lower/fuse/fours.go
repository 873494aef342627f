package fuse

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
)

// Products of bytes read four neighbours along k at once: u8 on the left, i8 on the right. What is not
// of that type is moved by 128, and the sums of the other operand's rows times 128 put the result right:
//
//	Σ (a+128)·b = Σ a·b + 128·Σ b        Σ a·(b−128) = Σ a·b − 128·Σ a
//
// Integers wrap, so that every bit is that of the plain sum.

// bytes reports whether a dot_general for which shortPairs holds multiplies bytes, and each operand that is moved has
// enough rows that summing the rows of the other one pays.
func (p *planner) bytes(e *jaxpr.Eqn, q prim.DotGeneralP) bool {
	for i, a := range e.Ins {
		if dt := a.Aval().DType; dt != core.Uint8 && dt != core.Int8 {
			return false
		}
		axes := [2][2]core.Dims{{q.LhsBatch, q.LhsContract}, {q.RhsBatch, q.RhsContract}}[i]
		if moved(e, i) && freeAxes(a, axes[0], axes[1]).Map(a.Aval().Shape.At).Size() < leastPaired {
			return false
		}
	}
	return true
}

// moved reports whether operand i of a product of bytes is moved by 128.
func moved(e *jaxpr.Eqn, i int) bool {
	return e.Ins[i].Aval().DType != [2]core.DType{core.Uint8, core.Int8}[i]
}

// bytesOf makes the steps of a product of bytes.
func (p *planner) bytesOf(e *jaxpr.Eqn, q prim.DotGeneralP) {
	p.fast = core.Uint8
	in := [2]jaxpr.Atom{e.Ins[0], e.Ins[1]}
	for i, to := range [2]core.DType{core.Uint8, core.Int8} {
		if moved(e, i) {
			x := p.apply(e, prim.BitcastConvertTypeP{NewDType: core.Uint8}, in[i])
			in[i] = p.apply(e, prim.BitcastConvertTypeP{NewDType: to}, p.apply(e, prim.XorP{}, x, core.Lit(core.IntNumber(128), core.Uint8)))
		}
	}
	out := e.Outs[0].Type
	base, _ := productType(out.DType)
	if out.DType == base && !moved(e, 0) && !moved(e, 1) {
		p.pairsOf(e, q, in[0], in[1], e.Outs[0])
		return
	}
	t := core.ShapedArray{Shape: out.Shape, DType: base}
	y := jaxpr.NewVar(t)
	p.pairsOf(e, q, in[0], in[1], y)
	batch, contract := [2]core.Dims{q.LhsBatch, q.RhsBatch}, [2]core.Dims{q.LhsContract, q.RhsContract}
	rows := freeAxes(in[0], q.LhsBatch, q.LhsContract).Len()
	at := [2]int{q.LhsBatch.Len(), q.LhsBatch.Len() + rows} // of the free axes in the result
	// With both moved, Σ (a+128)·(b−128) = Σ a·b + 128·Σ (b−128) − 128·Σ a.
	for i, terms := range [2]struct {
		other jaxpr.Atom
		op    core.Primitive
	}{{in[1], prim.SubP{}}, {e.Ins[0], prim.AddP{}}} {
		if moved(e, i) {
			sums := p.rowSums(e, terms.other, batch[1-i], contract[1-i], at[1-i], t)
			y = p.apply(e, terms.op, y, sums)
		}
	}
	p.eqn(&jaxpr.Eqn{Outs: e.Outs, Prim: prim.ConvertElementTypeP{NewDType: out.DType, WeakType: out.Weak}, Ins: []jaxpr.Atom{y}, Site: e.Site})
}

// rowSums returns 128 times the sums of an operand along its contracted axes, in the shape of the result. The operand's free axes
// are the result's axes from at on.
func (p *planner) rowSums(e *jaxpr.Eqn, x jaxpr.Atom, batch, contract core.Dims, at int, t core.ShapedArray) *jaxpr.Var {
	free := freeAxes(x, batch, contract)
	perm := core.MakeDims(append(append(batch.Ints(), free.Ints()...), contract.Ints()...)...)
	if perm != core.Range(0, perm.Len()) {
		x = p.apply(e, prim.TransposeP{Perm: perm}, x)
	}
	kept := batch.Len() + free.Len()
	x = p.apply(e, prim.ConvertElementTypeP{NewDType: t.DType}, x)
	sums := p.apply(e, prim.ReduceSumP{Axes: core.Range(kept, perm.Len())}, x)
	sums = p.apply(e, prim.MulP{}, sums, core.Lit(core.IntNumber(128), t.DType))
	dims := append(core.Range(0, batch.Len()).Ints(), core.Range(at, at+free.Len()).Ints()...)
	return p.apply(e, prim.BroadcastInDimP{Shape: t.Shape, Dims: core.MakeDims(dims...)}, sums)
}
