package fuse

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/windows"
	"github.com/weft-go/weft/jaxpr"
)

// A product of complex numbers is one of real numbers,
//
//	(re c, im c) = (re a, im a) · ⎛  re b   im b ⎞
//	                              ⎝ −im b   re b ⎠
//
// with chains of twice as many real terms. The result is written as an array of parts, and the
// first operand is read as one, without a copy if its layout permits. The second operand is copied:
// behind the row of each contracted element, the copy has that row times i.

func realType(dt core.DType) core.DType {
	if dt == core.Complex128 {
		return core.Float64
	}
	return core.Float32
}

func complexClass(e *jaxpr.Eqn) (class, string) {
	for _, a := range e.Ins {
		if dt := a.Aval().DType; dt.IsComplex() && dt.Bits() > e.Outs[0].Type.DType.Bits() {
			return fallback, "product of type " + dt.String()
		}
	}
	return product, ""
}

func (p *planner) complexProduct(e *jaxpr.Eqn, q prim.DotGeneralP) {
	out := e.Outs[0]
	dt := out.Type.DType
	a, b := p.converted(e, e.Ins[0], dt), p.converted(e, e.Ins[1], dt)
	nb := q.LhsBatch.Len()
	s := &Product{Eqn: e, Type: realType(dt), Chunk: 2 * DotChunk}

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
	w := p.whole(p.rowsTimesI(e, p.apply(e, prim.ReshapeP{Shape: sizes.Append(ks.n, 1, n)}, right)))
	s.N = 2 * n
	s.B = ProductView{Outer: 1, K: 2 * n}
	s.In = [2]int{v.value, w.value}
	for _, r := range runs(nb, func(i int) int { return sizes.At(i) }, func(i int) [2]int { return [2]int{v.strides[batch.At(i)], w.strides[i]} }) {
		s.Batch = append(s.Batch, ProductAxis{r.n, 2 * r.step[0], 2 * r.step[1]})
	}
	p.addProduct(s, out)
}

// rowsTimesI returns complex rows, whose last axis but one is of size 1, with that axis of size 2:
// behind each row the row times i.
func (p *planner) rowsTimesI(e *jaxpr.Eqn, rows jaxpr.Atom) *jaxpr.Var {
	products := p.apply(e, prim.ComplexP{}, p.apply(e, prim.NegP{}, p.apply(e, prim.ImagP{}, rows)), p.apply(e, prim.RealP{}, rows))
	return p.apply(e, prim.ConcatenateP{Dimension: rows.Aval().Rank() - 2}, rows, products)
}

// complexConv makes a step of a convolution of complex numbers: one of real numbers with twice as
// many features, whose kernel is the second operand of a product as above.
func (p *planner) complexConv(e *jaxpr.Eqn, q windows.ConvP) {
	out := e.Outs[0].Type
	rank := out.Rank()
	x := p.ordered(e, p.converted(e, e.Ins[0], out.DType), lastOrder(q.LhsSpec))
	w := p.converted(e, e.Ins[1], out.DType)
	order := lastOrder(q.OutSpec)
	z := e.Outs[0]
	if order != core.Range(0, rank) {
		z = jaxpr.NewVar(core.ShapedArray{Shape: order.Map(out.Shape.At), DType: out.DType})
	}
	rows := p.ordered(e, w, lastOrder(q.RhsSpec).Remove(0), core.MakeDims(q.RhsSpec.At(0))) // taps, channels, outputs
	shape := rows.Aval().Shape
	outputs := shape.At(rank - 1)
	rows = p.apply(e, prim.ReshapeP{Shape: shape.Slice(0, rank-1).Append(1, outputs)}, rows)
	q.LhsSpec, q.OutSpec, q.Preferred = lastSpec(rank), lastSpec(rank), core.Invalid
	s := newConv(e, q, x, w, z)
	s.Type, s.Chunk, s.B = realType(out.DType), 2*DotChunk, ProductView{Outer: 1, K: 2 * outputs}
	s.Features, s.Channels, s.Outputs = 2*s.Features, 2*s.Channels, 2*s.Outputs
	p.part(s.Eqn)
	s.In = [2]int{p.memory(x), p.memory(p.rowsTimesI(e, rows))}
	s.Kernel = p.memory(w)
	p.addConv(s, z)
	p.reordered(e, z, order, out.DType)
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
