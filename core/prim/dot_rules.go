package prim

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim/internal/rule"
)

func (p DotGeneralP) JVP(in, out, t []Value) []Value {
	var dx, dy Value
	if t[0] != nil {
		dx = DotGeneral(t[0], in[1], p)
	}
	if t[1] != nil {
		dy = DotGeneral(in[0], t[1], p)
	}
	return SumTangents(out[0], dx, dy)
}

// Transpose contracts the cotangent's axes that came from the other operand:
//
//	x̄[b, i, k] = Σⱼ z̄[b, i, j] · y[b, j, k]
//	ȳ[b, j, k] = Σᵢ z̄[b, i, j] · x[b, i, k]
func (p DotGeneralP) Transpose(ct, in []Value, lin []bool, av []ShapedArray) []Value {
	out := make([]Value, 2)
	nb := p.LhsBatch.Len()
	ni := free(av[0].Rank(), p.LhsContract, p.LhsBatch).Len()
	rank := ct[0].Aval().Rank()
	batch, left, right := core.Range(0, nb), core.Range(nb, nb+ni), core.Range(nb+ni, rank)
	if lin[0] {
		q := DotGeneralP{Precision: p.Precision, Preferred: p.Preferred, LhsBatch: batch, RhsBatch: p.RhsBatch, LhsContract: right, RhsContract: free(av[1].Rank(), p.RhsContract, p.RhsBatch)}
		out[0] = dotCotangent(DotGeneral(ct[0], in[1], q), av[0], p.LhsContract, p.LhsBatch, p.RhsContract)
	}
	if lin[1] {
		q := DotGeneralP{Precision: p.Precision, Preferred: p.Preferred, LhsBatch: batch, RhsBatch: p.LhsBatch, LhsContract: left, RhsContract: free(av[0].Rank(), p.LhsContract, p.LhsBatch)}
		out[1] = dotCotangent(DotGeneral(ct[0], in[0], q), av[1], p.RhsContract, p.RhsBatch, p.LhsContract)
	}
	return out
}

// dotCotangent brings a cotangent whose axes are the batch axes, the free axes of x,
// and the contracted axes in the other operand's order, into the order and dtype of x.
func dotCotangent(v Value, x ShapedArray, contract, batch, otherContract core.Dims) Value {
	perm := make([]int, x.Rank())
	for i, a := range batch.All() {
		perm[a] = i
	}
	kept := free(x.Rank(), contract, batch)
	for i, a := range kept.All() {
		perm[a] = batch.Len() + i
	}
	for i, a := range contract.All() {
		before := 0
		for _, b := range otherContract.All() {
			if b < otherContract.At(i) {
				before++
			}
		}
		perm[a] = batch.Len() + kept.Len() + before
	}
	v = Transpose(v, core.MakeDims(perm...))
	if v.Aval().DType != x.DType {
		v = Convert(v, x.DType, x.Weak)
	}
	return v
}

// Batch computes a batch of dots as one dot. If both operands have the batch's axis, it becomes a
// batch axis of the dot, otherwise a free axis of one operand.
func (p DotGeneralP) Batch(_ int, in []Value, mapped []bool) ([]Value, []bool) {
	at := 0
	switch {
	case mapped[0] && mapped[1]:
		p.LhsContract, p.RhsContract = p.LhsContract.Next(), p.RhsContract.Next()
		p.LhsBatch, p.RhsBatch = rule.BatchAxisThen(p.LhsBatch), rule.BatchAxisThen(p.RhsBatch)
	case mapped[0]:
		at = p.LhsBatch.Len()
		p.LhsContract, p.LhsBatch = p.LhsContract.Next(), p.LhsBatch.Next()
	default:
		at = p.LhsBatch.Len() + free(in[0].Aval().Rank(), p.LhsContract, p.LhsBatch).Len()
		p.RhsContract, p.RhsBatch = p.RhsContract.Next(), p.RhsBatch.Next()
	}
	return []Value{ToFront(DotGeneral(in[0], in[1], p), at)}, []bool{true}
}

// ToFront moves an axis to the front.
func ToFront(v Value, axis int) Value {
	all := core.Range(0, v.Aval().Rank())
	return Transpose(v, all.Remove(axis).Prepend(axis))
}

func fromFront(v Value, axis int) Value {
	rest := core.Range(1, v.Aval().Rank())
	return Transpose(v, rest.Slice(0, axis).Append(0).Append(rest.Slice(axis, rest.Len()).Ints()...))
}
