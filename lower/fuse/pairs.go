package fuse

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
)

// A pairSide is an operand of a product of pairs: offset and strides count pairs of
// neighbours along the contracted axis.
type pairSide struct {
	value, offset int
	batch         []int // strides
	rows          axisRun
	k, step       int // contracted pairs, and the stride between them
}

// pairs reports whether the product that is planned reads its contracted elements in pairs.
func (p *planner) pairs() bool {
	return p.fast == core.Int16 || p.target.Tensor.Pairs && p.fast != core.Invalid
}

// leastPaired is the least number of contracted elements that are read in pairs, and of rows or
// columns for which the other operand is copied to lie in pairs.
const leastPaired = 8

// shortPairs reports whether a dot_general that is computed in type base reads its operands as pairs
// of i16. Operands whose contracted elements do not lie side by side are copied, if that pays.
func shortPairs(e *jaxpr.Eqn, q prim.DotGeneralP, base core.DType) bool {
	if base != core.Int32 && base != core.Uint32 {
		return false
	}
	contract, batch := [2]core.Dims{q.LhsContract, q.RhsContract}, [2]core.Dims{q.LhsBatch, q.RhsBatch}
	var free [2]int
	for i, a := range e.Ins {
		t := a.Aval()
		if dt := t.DType; dt.Bits() > 16 || dt == core.Uint16 {
			return false
		}
		k := contract[i].Map(t.Shape.At).Size()
		if k < leastPaired {
			return false
		}
		free[i] = freeAxes(a, batch[i], contract[i]).Map(t.Shape.At).Size()
	}
	for i, a := range e.Ins {
		last := contract[i].Len() > 0 && contract[i].At(contract[i].Len()-1) == a.Aval().Rank()-1
		if !last && free[1-i] < leastPaired {
			return false
		}
	}
	return true
}

// pairsOf makes a step of a dot_general of bf16 or i16 whose contracted elements are read in pairs.
func (p *planner) pairsOf(e *jaxpr.Eqn, q prim.DotGeneralP, a, b jaxpr.Atom, out *jaxpr.Var) {
	s := &Product{Eqn: e, Type: out.Type.DType, Chunk: dotChunk, Tensor: p.fast, Pairs: true}
	l, r := p.pairSide(e, a, q.LhsContract, q.LhsBatch), p.pairSide(e, b, q.RhsContract, q.RhsBatch)
	s.M, s.N, s.K = l.rows.n, r.rows.n, l.k
	s.A, s.B = ProductView{l.offset, l.rows.step[0], l.step}, ProductView{r.offset, r.rows.step[0], r.step}
	s.In = [2]int{l.value, r.value}
	for _, x := range runs(q.LhsBatch.Len(), func(i int) int { return a.Aval().Shape.At(q.LhsBatch.At(i)) }, func(i int) [2]int { return [2]int{l.batch[i], r.batch[i]} }) {
		s.Batch = append(s.Batch, ProductAxis{x.n, x.step[0], x.step[1]})
	}
	p.addProduct(s, out)
}

// pairSide returns an operand where it lies if its contracted elements lie side by side, an even
// number of them, at an even offset and even strides; else a copy.
func (p *planner) pairSide(e *jaxpr.Eqn, x jaxpr.Atom, contract, batch core.Dims) pairSide {
	free := freeAxes(x, batch, contract)
	shape := x.Aval().Shape
	v := p.view(x)
	alone := func(axes core.Dims) (axisRun, bool) {
		return single(runs(axes.Len(), func(j int) int { return shape.At(axes.At(j)) }, func(j int) [2]int { return [2]int{v.strides[axes.At(j)]} }))
	}
	ks, one := alone(contract)
	rows, fits := alone(free)
	even := one && fits && ks.step[0] == 1 && ks.n%2 == 0 && v.offset%2 == 0 && rows.step[0]%2 == 0
	for _, d := range batch.All() {
		even = even && v.strides[d]%2 == 0
	}
	if !even {
		return p.paired(e, x, contract, batch, free)
	}
	s := pairSide{value: v.value, offset: v.offset / 2, rows: rows, k: ks.n / 2, step: 1}
	s.rows.step[0] /= 2
	for _, d := range batch.All() {
		s.batch = append(s.batch, v.strides[d]/2)
	}
	return s
}

// paired writes the pairs of an operand to memory as words, one row of pairs after the other.
func (p *planner) paired(e *jaxpr.Eqn, x jaxpr.Atom, contract, batch, free core.Dims) pairSide {
	shape := x.Aval().Shape
	nb := batch.Len()
	perm := core.MakeDims(append(append(batch.Ints(), contract.Ints()...), free.Ints()...)...)
	if perm != core.Range(0, perm.Len()) {
		x = p.apply(e, prim.TransposeP{Perm: perm}, x)
	}
	k, rows := contract.Map(shape.At).Size(), free.Map(shape.At).Size()
	to := batch.Map(shape.At).Append(k, rows)
	x = p.apply(e, prim.ReshapeP{Shape: to}, x)
	if k%2 != 0 {
		config := make([]int, 3*to.Len())
		config[3*nb+1] = 1
		k++
		to = batch.Map(shape.At).Append(k, rows)
		zero := core.Lit(core.FloatNumber(0), core.BFloat16)
		if p.fast == core.Int16 {
			zero = core.Lit(core.IntNumber(0), core.Int16)
		}
		x = p.apply(e, prim.PadP{Config: core.MakeDims(config...)}, x, zero)
	}
	half := func(first int) jaxpr.Atom {
		start, strides := make([]int, to.Len()), make([]int, to.Len())
		for i := range strides {
			strides[i] = 1
		}
		start[nb], strides[nb] = first, 2
		y := p.apply(e, prim.SliceP{Start: core.MakeDims(start...), Limit: to, Strides: core.MakeDims(strides...)}, x)
		y = p.apply(e, prim.BitcastConvertTypeP{NewDType: core.Uint16}, y)
		return p.apply(e, prim.ConvertElementTypeP{NewDType: core.Uint32}, y)
	}
	high := p.apply(e, prim.ShiftLeftP{}, half(1), core.Lit(core.IntNumber(16), core.Uint32))
	v := p.whole(p.apply(e, prim.OrP{}, half(0), high))
	s := pairSide{value: v.value, batch: v.strides[:nb], rows: axisRun{n: rows, step: [2]int{1}}, k: k / 2, step: rows}
	return s
}
