package legalize

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/windows"
	"github.com/weft-go/weft/lower"
)

// A product of complex arrays is two products of real ones, whose contracted elements are pairs of parts:
//
//	re = (re a, im a) · (re b, −im b),  im = (re a, im a) · (im b, re b)
//
// with chains of 128 pairs.

// paired returns pairs of elements of first and second, along an axis that is twice as long.
func paired(first, second core.Value, axis int) core.Value {
	shape := first.Aval().Shape.Ints()
	shape[axis] *= 2
	return prim.Reshape(prim.Stack(axis+1, first, second), core.MakeDims(shape...))
}

// pairs returns the pairs of a, and the pairs of b for the real and for the imaginary parts of the product.
func pairs(a core.Value, aAxis int, b core.Value, bAxis int) (x, re, im core.Value) {
	br, bi := prim.Real(b), prim.Imag(b)
	return paired(prim.Real(a), prim.Imag(a), aAxis), paired(br, core.Apply1(prim.NegP{}, bi), bAxis), paired(bi, br, bAxis)
}

func complexDot(p prim.DotGeneralP, out core.ShapedArray) lower.Expansion {
	return func(in []core.Value) []core.Value {
		nb, nk := p.LhsBatch.Len(), p.LhsContract.Len()
		last := func(x core.Value, batch, contract core.Dims) core.Value {
			x = prim.Convert(x, out.DType, false)
			perm := batch.Ints()
			for d := range x.Aval().Rank() {
				if !batch.Has(d) && !contract.Has(d) {
					perm = append(perm, d)
				}
			}
			x = prim.Transpose(x, core.MakeDims(append(perm, contract.Ints()...)...))
			shape := x.Aval().Shape
			free := shape.Slice(0, shape.Len()-nk)
			return prim.Reshape(x, free.Append(shape.Slice(free.Len(), shape.Len()).Size()))
		}
		a, b := last(in[0], p.LhsBatch, p.LhsContract), last(in[1], p.RhsBatch, p.RhsContract)
		ka, kb := a.Aval().Rank()-1, b.Aval().Rank()-1
		x, re, im := pairs(a, ka, b, kb)
		q := PairedDot{DotGeneralP: prim.DotGeneralP{LhsContract: core.MakeDims(ka), RhsContract: core.MakeDims(kb), LhsBatch: core.Range(0, nb), RhsBatch: core.Range(0, nb)}}
		return []core.Value{prim.Complex(core.Bind1(q, x, re), core.Bind1(q, x, im))}
	}
}

func complexConv(p windows.ConvP, out core.ShapedArray) lower.Expansion {
	return func(in []core.Value) []core.Value {
		x, re, im := pairs(prim.Convert(in[0], out.DType, false), p.LhsSpec.At(1), prim.Convert(in[1], out.DType, false), p.RhsSpec.At(1))
		q := PairedConv{ConvP: p}
		q.Preferred = core.Invalid
		return []core.Value{prim.Complex(core.Bind1(q, x, re), core.Bind1(q, x, im))}
	}
}
