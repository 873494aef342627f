package fuse

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/expand"
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
)

// product writes a dot_general whose results have the bits of a [Product].
func (u unroller) product(e *jaxpr.Eqn, q prim.DotGeneralP, in []operand) small {
	out := e.Outs[0].Type
	base, _ := productType(out.DType)
	t := scalar.Stored(base)
	contract, batch := [2]core.Dims{q.LhsContract, q.RhsContract}, [2]core.Dims{q.LhsBatch, q.RhsBatch}
	var sides [2]small
	var strides [2][]int
	var free [2]core.Dims
	for i := range sides {
		a := e.Ins[i].Aval()
		sides[i] = u.retyped(in[i].small, a.DType, base)
		strides[i] = rowMajor(a.Shape)
		free[i] = freeAxes(e.Ins[i], batch[i], contract[i])
	}
	size := func(i int, axes core.Dims) []int64 {
		out := make([]int64, axes.Len())
		for k, d := range axes.All() {
			out[k] = int64(e.Ins[i].Aval().Shape.At(d))
		}
		return out
	}
	at := func(i int, axes core.Dims, x index) int {
		n := 0
		for k, d := range axes.All() {
			n += int(x.co[k].base) * strides[i][d]
		}
		return n
	}
	ks := size(0, contract[0])
	steps := contracted(q, e)
	sum, step := scalar.OpAdd, scalar.OpMul
	var result small
	shape := dims(out.Shape)
	nb, nl := batch[0].Len(), free[0].Len()
	for o := range out.Size() {
		x := fixed(shape, int64(o))
		part := func(lo, hi int) index { return index{shape: shape[lo:hi], co: x.co[lo:hi]} }
		left := at(0, batch[0], part(0, nb)) + at(0, free[0], part(nb, nb+nl))
		right := at(1, batch[1], part(0, nb)) + at(1, free[1], part(nb+nl, len(shape)))
		acc := u.b.Const(t, 0)
		chain := u.b.Const(t, 0)
		for k := range steps {
			y := fixed(ks, int64(k))
			a, b := sides[0][left+at(0, contract[0], y)][0], sides[1][right+at(1, contract[1], y)][0]
			if !t.IsFloat() {
				acc = u.op(sum, t, acc, u.op(step, t, a, b))
				continue
			}
			chain = u.op(scalar.OpFMA, t, a, b, chain)
			if k%DotChunk == DotChunk-1 || k == steps-1 {
				acc, chain = u.op(sum, t, acc, chain), u.b.Const(t, 0)
			}
		}
		if t.IsFloat() {
			acc = u.op(scalar.OpCanon, t, acc)
		}
		result = append(result, []ir.Ref{acc})
	}
	return u.retyped(result, base, out.DType)
}

func (u unroller) retyped(x small, from, to core.DType) small {
	if from == to {
		return x
	}
	prog, ok := expand.Program(prim.ConvertElementTypeP{NewDType: to}, []core.DType{from}, to)
	if !ok {
		panic("BUG: no conversion from " + from.String() + " to " + to.String())
	}
	out := make(small, len(x))
	for i, r := range x {
		out[i] = u.b.Inline(prog, [][]ir.Ref{r})
	}
	return out
}
