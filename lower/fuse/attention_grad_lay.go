package fuse

import (
	"slices"

	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
)

// operandDims returns, for each axis of queries or keys, the axis of the scores that it becomes, and feature for the contracted
// one.
func (g *attentionGrad) operandDims(operand int) [][]int {
	q, x := g.first.Prim.(prim.DotGeneralP), g.first.Ins[operand]
	batch, contract, at := q.LhsBatch, q.LhsContract, q.LhsBatch.Len()
	if operand == attnKeys {
		at += freeAxes(g.first.Ins[0], batch, contract).Len()
		batch, contract = q.RhsBatch, q.RhsContract
	}
	dims := make([][]int, x.Aval().Rank())
	of := func(d, i int) {
		if axis := g.axis[i]; axis >= 0 {
			dims[d] = []int{axis}
		}
	}
	for j, d := range batch.All() {
		of(d, j)
	}
	for j, d := range freeAxes(x, batch, contract).All() {
		of(d, at+j)
	}
	dims[contract.At(0)] = []int{feature}
	return dims
}

// layOperands divides the axes of the scores among batch, common and t. It returns false unless s is the only axis that
// keys alone have, and queries alone have an axis t.
func (g *attentionGrad) layOperands() bool {
	has := func(operand int) []int { return slices.Concat(g.operandDims(operand)...) }
	queries, keys := has(attnQueries), has(attnKeys)
	for axis := range g.sizes {
		switch q, k := slices.Contains(queries, axis), slices.Contains(keys, axis); {
		case q && k:
			if axis == g.s {
				return false
			}
			g.batch = append(g.batch, axis)
		case q:
			if axis == g.s {
				return false
			}
			g.common = append(g.common, axis)
		case axis != g.s:
			return false
		}
	}
	for _, axis := range g.common { // the longest, as in layWeights
		if g.t < 0 || g.sizes[axis] >= g.sizes[g.t] {
			g.t = axis
		}
	}
	g.common = slices.DeleteFunc(g.common, func(axis int) bool { return axis == g.t })
	q := g.first.Prim.(prim.DotGeneralP)
	g.h = g.first.Ins[0].Aval().Shape.At(q.LhsContract.At(0))
	return g.t >= 0
}

// layProducts follows the axes of the scores back to the product of cotangents and values, and finds the axes of its operands.
func (g *attentionGrad) layProducts(links []link) bool {
	for _, l := range slices.Backward(links) {
		out, ok := g.merged(l.e.Outs[0].Type.Shape)
		if !ok {
			return false
		}
		switch q := l.e.Prim.(type) {
		case prim.TransposeP:
			in := make([][]int, len(out))
			for i, d := range q.Perm.All() {
				in[d] = out[i]
			}
			g.order = slices.Concat(in...)
		case prim.ReshapeP:
			if _, ok := g.merged(l.e.Ins[0].Aval().Shape); !ok {
				return false
			}
		}
	}
	e := g.products
	groups, ok := g.merged(e.Outs[0].Type.Shape)
	if !ok {
		return false
	}
	q := e.Prim.(prim.DotGeneralP)
	at := q.LhsBatch.Len()
	var dims [2][][]int
	for i, x := range e.Ins {
		batch, contract := q.LhsBatch, q.LhsContract
		if i == 1 {
			batch, contract = q.RhsBatch, q.RhsContract
		}
		dims[i] = make([][]int, x.Aval().Rank())
		for j, d := range batch.All() {
			dims[i][d] = groups[j]
		}
		for _, d := range freeAxes(x, batch, contract).All() {
			dims[i][d] = groups[at]
			at++
		}
		dims[i][contract.At(0)] = []int{feature}
		g.d = x.Aval().Shape.At(contract.At(0))
	}
	if slices.Contains(slices.Concat(dims[0]...), g.s) {
		g.cotangent = 1
	}
	g.dims = [2][][]int{dims[g.cotangent], dims[1-g.cotangent]}
	return sameAxes(slices.Concat(g.dims[0]...), slices.Concat(g.batch, g.common, []int{g.t, feature})) && sameAxes(slices.Concat(g.dims[1]...), append(slices.Clone(g.batch), g.s, feature))
}

func sameAxes(x, y []int) bool {
	return slices.Equal(slices.Sorted(slices.Values(x)), slices.Sorted(slices.Values(y)))
}

// result returns e as the product of v and operand, nil if e is something else. dims and others are the axes of the scores that
// each axis of v, and each axis of operand, merges.
func (g *attentionGrad) result(e *jaxpr.Eqn, v *jaxpr.Var, dims [][]int, operand jaxpr.Atom, others [][]int) *gradResult {
	q := e.Prim.(prim.DotGeneralP)
	all := [2][][]int{dims, others}
	switch {
	case e.Ins[0] == jaxpr.Atom(v) && e.Ins[1] == operand:
	case e.Ins[1] == jaxpr.Atom(v) && e.Ins[0] == operand:
		all = [2][][]int{others, dims}
	default:
		return nil
	}
	if out := e.Outs[0].Type.DType; out != g.tensor && !(out.IsFloat() && out.Bits() == 32) {
		return nil
	}
	r := &gradResult{e: e}
	for i, d := range q.LhsContract.All() {
		if !slices.Equal(all[0][d], all[1][q.RhsContract.At(i)]) || slices.Contains(all[0][d], feature) {
			return nil
		}
	}
	for i, d := range q.LhsBatch.All() {
		if !slices.Equal(all[0][d], all[1][q.RhsBatch.At(i)]) || slices.Contains(all[0][d], feature) {
			return nil
		}
		r.dims = append(r.dims, all[0][d])
	}
	for _, d := range freeAxes(e.Ins[0], q.LhsBatch, q.LhsContract).All() {
		r.dims = append(r.dims, all[0][d])
	}
	for _, d := range freeAxes(e.Ins[1], q.RhsBatch, q.RhsContract).All() {
		r.dims = append(r.dims, all[1][d])
	}
	return r
}

// adds reports whether a result has the axes of queries, or of keys, and features: the product then adds along all others.
func (g *attentionGrad) adds(r *gradResult, ofKeys bool) bool {
	return sameAxes(slices.Concat(r.dims...), g.resultAxes(ofKeys))
}

// resultAxes returns the axes of a derivative of queries, or of keys or values, in the order in which it is computed.
func (g *attentionGrad) resultAxes(ofKeys bool) []int {
	if ofKeys {
		return append(slices.Clone(g.batch), g.s, feature)
	}
	return slices.Concat(g.batch, g.common, []int{g.t, feature})
}
