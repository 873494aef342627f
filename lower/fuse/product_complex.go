package fuse

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
)

// A product of complex numbers is one of real numbers,
//
//	(re c, im c) = (re a, im a) · ⎛  re b   im b ⎞
//	                              ⎝ −im b   re b ⎠
//
// in the order of operations of complex chains. The first operand and the result are read and
// written where they lie, as arrays of parts; of the second one a copy has, behind the row of
// each contracted element, that row times i.

// realType returns the type of the parts of complex numbers.
func realType(dt core.DType) core.DType {
	if dt == core.Complex128 {
		return core.Float64
	}
	return core.Float32
}

// complexClass returns the class of a dot_general whose result is complex.
func complexClass(e *jaxpr.Eqn) (class, string) {
	for _, a := range e.Ins {
		if dt := a.Aval().DType; dt.IsComplex() && dt.Bits() > e.Outs[0].Type.DType.Bits() {
			return fallback, "product of type " + dt.String()
		}
	}
	return product, ""
}

// complexProduct makes a step of a dot_general of complex numbers.
func (p *planner) complexProduct(e *jaxpr.Eqn, q prim.DotGeneralP) {
	out := e.Outs[0]
	dt := out.Type.DType
	a, b := p.converted(e, e.Ins[0], dt), p.converted(e, e.Ins[1], dt)
	nb := q.LhsBatch.Len()
	s := &Product{Eqn: e, Type: realType(dt), Chunk: 2 * dotChunk}

	left, contract, batch := a, q.LhsContract, q.LhsBatch
	free := freeAxes(a, batch, contract)
	v := p.view(a)
	alone := func(axes core.Dims) (axisRun, bool) {
		shape := left.Aval().Shape
		return single(runs(axes.Len(), func(i int) int { return shape.At(axes.At(i)) }, func(i int) [2]int { return [2]int{v.strides[axes.At(i)]} }))
	}
	ks, one := alone(contract)
	rows, fits := alone(free)
	if !one || !fits || ks.n > 1 && ks.step[0] != 1 {
		left = p.ordered(e, a, batch, free, contract)
		v = p.whole(left)
		nf := free.Len()
		batch, free, contract = core.Range(0, nb), core.Range(nb, nb+nf), core.Range(nb+nf, left.Aval().Rank())
		ks, _ = alone(contract)
		rows, _ = alone(free)
	}
	s.M, s.K = rows.n, 2*ks.n
	s.A = ProductView{Offset: 2 * v.offset, Outer: 2 * rows.step[0], K: 1}

	right := p.ordered(e, b, q.RhsBatch, q.RhsContract, freeAxes(b, q.RhsBatch, q.RhsContract))
	sizes := right.Aval().Shape.Slice(0, nb)
	n := right.Aval().Size() / (sizes.Size() * ks.n)
	right = p.apply(e, prim.ReshapeP{Shape: sizes.Append(ks.n, 1, n)}, right)
	turned := p.apply(e, prim.ComplexP{}, p.apply(e, prim.NegP{}, p.apply(e, prim.ImagP{}, right)), p.apply(e, prim.RealP{}, right))
	w := p.whole(p.apply(e, prim.ConcatenateP{Dimension: nb + 1}, right, turned))
	s.N = 2 * n
	s.B = ProductView{Outer: 1, K: 2 * n}
	s.In = [2]int{v.value, w.value}
	for _, r := range runs(nb, func(i int) int { return sizes.At(i) }, func(i int) [2]int { return [2]int{v.strides[batch.At(i)], w.strides[i]} }) {
		s.Batch = append(s.Batch, ProductAxis{r.n, 2 * r.step[0], 2 * r.step[1]})
	}
	p.addProduct(s, out)
}

// freeAxes returns the axes of an operand that are neither batch nor contracted.
func freeAxes(x jaxpr.Atom, batch, contract core.Dims) (free core.Dims) {
	for d := range x.Aval().Rank() {
		if !contract.Has(d) && !batch.Has(d) {
			free = free.Append(d)
		}
	}
	return free
}

// ordered returns an operand with its axes in the order of the lists.
func (p *planner) ordered(e *jaxpr.Eqn, x jaxpr.Atom, lists ...core.Dims) jaxpr.Atom {
	var all []int
	for _, l := range lists {
		all = append(all, l.Ints()...)
	}
	perm := core.MakeDims(all...)
	if perm == core.Range(0, len(all)) {
		return x
	}
	return p.apply(e, prim.TransposeP{Perm: perm}, x)
}
