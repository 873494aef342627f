package fuse

import (
	"math"
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
)

// attentionGrad is the derivative of an attention, as reverse mode makes it of two products with a softmax between: the cotangents
// of the weights, those of the scores, and products of both with the operands. Nothing else reads scores, weights or their cotangents.
type attentionGrad struct {
	*attention            // second is nil if the program does not need the attention itself
	at         *jaxpr.Eqn // the first equation that needs the cotangent
	products   *jaxpr.Eqn // the product of the cotangent and the values
	cotangent  int        // the operand of products that is the cotangent
	dims       [2][][]int // of the cotangent and of values: the axes of the scores that each of their axes merges; feature for an axis of features
	factor     float64
	h, d       int
	batch      []int          // axes of the scores that all operands have
	common     []int          // axes that queries have and keys lack, without t
	results    [3]*gradResult // of queries, keys and values; nil: nothing needs it
}

// gradResult is a product whose result is a derivative, with the axes of the scores that each of its axes merges.
type gradResult struct {
	e    *jaxpr.Eqn
	dims [][]int
}

// feature stands for an axis of features among those of the scores.
const feature = -1

// only returns the single equation that reads v, not counting the one in without. It returns nil if there are several, if v does
// not have the given number of uses, or if the equation does not have exactly one result.
func (f *equationFinder) only(v *jaxpr.Var, uses int, without *jaxpr.Eqn) *jaxpr.Eqn {
	var one *jaxpr.Eqn
	if f.uses[v] != uses || len(f.readers[v]) != uses {
		return nil
	}
	for _, e := range f.readers[v] {
		if e == without {
			continue
		}
		if one != nil || len(e.Outs) != 1 {
			return nil
		}
		one = e
	}
	return one
}

// reader returns the only equation that reads v if its primitive is a P, and nil otherwise.
func reader[P core.Primitive](f *equationFinder, v *jaxpr.Var) *jaxpr.Eqn {
	e := f.only(v, 1, nil)
	if e == nil {
		return nil
	}
	if _, ok := e.Prim.(P); !ok {
		return nil
	}
	return e
}

// derivative returns the derivative of an attention with the given exponentials, nil if there is none.
func (f *equationFinder) derivative(exp *jaxpr.Eqn) *attentionGrad {
	m := exp.Outs[0]
	sub := f.made(exp.Ins[0], 1)
	if m.Type.DType != core.Float32 || f.uses[m] != 3 || sub == nil {
		return nil
	}
	if _, ok := sub.Prim.(prim.SubP); !ok {
		return nil
	}
	a := &attention{scale: 1, fill: float32(math.Inf(-1)), behind: [2]int{-1, -1}, t: -1, defs: f.defs, parts: []*jaxpr.Eqn{exp, sub}}
	g := &attentionGrad{attention: a, factor: 1}
	var quotient, last *jaxpr.Eqn
	for _, e := range f.readers[m] {
		switch e.Prim.(type) {
		case prim.DivP:
			quotient = e
		case prim.MulP:
			last = e
		}
	}
	if quotient == nil || last == nil || quotient.Ins[0] != jaxpr.Atom(m) {
		return nil
	}
	sum, axis := f.spread(a, quotient.Ins[1], m, 3)
	most, again := f.spread(a, sub.Ins[1], sub.Ins[0], 1)
	if sum == nil || most == nil || axis != again {
		return nil
	}
	if _, ok := sum.Prim.(prim.ReduceSumP); !ok {
		return nil
	}
	if _, ok := most.Prim.(prim.ReduceMaxP); !ok {
		return nil
	}
	weightCotangent, square := f.softmaxGrad(g, quotient, last, axis)
	if weightCotangent == nil {
		return nil
	}
	links, products := f.back(weightCotangent, 2, 0, false, func(e *jaxpr.Eqn) bool { return tensorType(e) != core.Invalid })
	if products == nil || products.Ins[0].Aval().DType != tensorType(products) {
		return nil
	}
	a.tensor, g.products = tensorType(products), products
	before, first := f.back(sub.Ins[0], 2, 0, true, func(e *jaxpr.Eqn) bool { return tensorType(e) == a.tensor && e.Ins[0].Aval().DType == a.tensor })
	if first == nil || first.Prim.(prim.DotGeneralP).LhsContract.Len() != 1 || products.Prim.(prim.DotGeneralP).LhsContract.Len() != 1 {
		return nil
	}
	a.first = first
	a.parts = append(a.parts, quotient, first, products)
	for _, l := range slices.Concat(before, links) {
		a.parts = append(a.parts, l.e)
	}
	if !a.layScores(before, sub.Ins[0].Aval().Shape, axis) {
		return nil
	}
	scores := a.order
	if !g.layOperands() || !g.layProducts(links) || !f.gradsOfScores(g, last.Outs[0], scores) || !f.gradsOfWeights(g, quotient.Outs[0], square, scores) {
		return nil
	}
	if g.hides(); a.sizes[a.t] < leastTensor || a.sizes[a.s] < leastTensor || !f.findPlace(g) {
		return nil
	}
	return g
}

// softmaxGrad finds the equations of the derivative of a softmax and adds them
// to the parts of g. For the quotient P = e/Σe and its cotangent dP, the
// equation last computes
//
//	(dP/Σe + Σ dP·(−(P/Σe)))·e
//
// It returns dP and the equation of P/Σe, or nil if the equations compute
// something else.
func (f *equationFinder) softmaxGrad(g *attentionGrad, quotient, last *jaxpr.Eqn, axis int) (cotangent *jaxpr.Var, square *jaxpr.Eqn) {
	total, _ := quotient.Ins[1].(*jaxpr.Var)
	weights := quotient.Outs[0]
	var share *jaxpr.Eqn
	for _, e := range f.readers[total] {
		if _, ok := e.Prim.(prim.DivP); !ok || e.Ins[1] != jaxpr.Atom(total) {
			return nil, nil
		}
		switch {
		case e == quotient:
		case e.Ins[0] == jaxpr.Atom(weights):
			square = e
		default:
			share = e
		}
	}
	if square == nil || share == nil {
		return nil, nil
	}
	cotangent, _ = share.Ins[0].(*jaxpr.Var)
	neg := reader[prim.NegP](f, square.Outs[0])
	if cotangent == nil || neg == nil {
		return nil, nil
	}
	product := reader[prim.MulP](f, neg.Outs[0])
	if product == nil || product.Ins[0] != jaxpr.Atom(cotangent) && product.Ins[1] != jaxpr.Atom(cotangent) {
		return nil, nil
	}
	g.parts = append(g.parts, square, share, neg, product, last)
	sum := f.spreadBack(g, product.Outs[0], axis)
	var add *jaxpr.Eqn
	if sum != nil {
		add = f.only(sum, 1, nil)
	}
	if add == nil || add != f.only(share.Outs[0], 1, nil) {
		return nil, nil
	}
	switch add.Prim.(type) {
	case prim.AddP, prim.AddAnyP:
	default:
		return nil, nil
	}
	if f.only(add.Outs[0], 1, nil) != last {
		return nil, nil
	}
	g.parts = append(g.parts, add)
	return cotangent, square
}

// spreadBack follows the sum of x along an axis to its broadcast along that axis. It returns the result of the broadcast,
// nil if the equations do something else.
func (f *equationFinder) spreadBack(g *attentionGrad, x *jaxpr.Var, axis int) *jaxpr.Var {
	long := func(shape core.Dims) (axes []int) { // axes of more than one element
		for i, n := range shape.All() {
			if n != 1 {
				axes = append(axes, i)
			}
		}
		return axes
	}
	sizes := func(shape core.Dims) []int { return core.MakeDims(long(shape)...).Map(shape.At).Ints() }
	shape := x.Type.Shape
	e := reader[prim.ReduceSumP](f, x)
	if e == nil || e.Prim.(prim.ReduceSumP).Axes != core.MakeDims(axis) {
		return nil
	}
	for range mostLinks {
		g.parts = append(g.parts, e)
		v := e.Outs[0]
		if e = f.only(v, 1, nil); e == nil {
			return nil
		}
		switch q := e.Prim.(type) {
		case prim.ReshapeP, prim.SqueezeP:
			if !slices.Equal(sizes(v.Type.Shape), sizes(e.Outs[0].Type.Shape)) {
				return nil
			}
		case prim.ReduceSumP:
			for _, d := range q.Axes.All() {
				if v.Type.Shape.At(d) != 1 {
					return nil
				}
			}
		case prim.BroadcastInDimP:
			if q.Shape != shape {
				return nil
			}
			var to []int // the axes that the long ones become
			for _, d := range long(v.Type.Shape) {
				to = append(to, q.Dims.At(d))
			}
			if want := slices.DeleteFunc(long(shape), func(d int) bool { return d == axis }); !slices.Equal(to, want) {
				return nil
			}
			g.parts = append(g.parts, e)
			return e.Outs[0]
		default:
			return nil
		}
	}
	return nil
}

// gradsOfScores follows the derivatives of scores to the products with keys and queries.
func (f *equationFinder) gradsOfScores(g *attentionGrad, v *jaxpr.Var, scores []int) bool {
	g.order = scores
	masked := false
	for {
		e := f.only(v, 1, nil)
		if e == nil {
			break
		}
		if _, ok := e.Prim.(prim.DotGeneralP); ok {
			break
		}
		in, ok := g.merged(v.Type.Shape)
		if !ok {
			return false
		}
		other := func() (jaxpr.Atom, bool) { // the operand besides v
			if len(e.Ins) != 2 || v.Type.Shape != e.Outs[0].Type.Shape {
				return nil, false
			}
			if e.Ins[0] == jaxpr.Atom(v) {
				return e.Ins[1], true
			}
			return e.Ins[0], true
		}
		switch e.Prim.(type) {
		case prim.ReshapeP, prim.TransposeP, prim.ConvertElementTypeP:
			if !g.pass(link{e, 0}) {
				return false
			}
		case prim.MulP, prim.DivP:
			x, ok := other()
			if !ok {
				return false
			}
			c, ok := g.number(x)
			if _, div := e.Prim.(prim.DivP); div {
				ok, c = ok && e.Ins[0] == jaxpr.Atom(v), 1/c
			}
			if !ok {
				return false
			}
			g.factor *= c
		case prim.SelectNP:
			if len(e.Ins) != 3 || masked || e.Ins[0] != g.mask.x || !slices.EqualFunc(in, g.mask.axes, slices.Equal[[]int]) {
				return false
			}
			hidden, kept := 1, 2
			if g.fills {
				hidden, kept = 2, 1
			}
			if c, ok := g.number(e.Ins[hidden]); !ok || c != 0 || e.Ins[kept] != jaxpr.Atom(v) {
				return false
			}
			masked = true
		default:
			return false
		}
		g.parts = append(g.parts, e)
		v = e.Outs[0]
	}
	if masked != (g.mask.x != nil) || math.Abs(g.factor) > math.MaxFloat32 || g.factor != 0 && math.Abs(g.factor) < 0x1p-126 {
		return false
	}
	dims, ok := g.merged(v.Type.Shape)
	if !ok || f.uses[v] != len(f.readers[v]) || len(f.readers[v]) == 0 {
		return false
	}
	for _, e := range f.readers[v] {
		if tensorType(e) != g.tensor {
			return false
		}
		for i, operand := range []int{attnKeys, attnQueries} { // the product with keys is the derivative of queries, and the other way round
			if r := g.result(e, v, dims, g.first.Ins[operand], g.operandDims(operand)); r != nil && g.adds(r, i == 1) {
				if g.results[i] != nil {
					return false
				}
				g.results[i] = r
				break
			}
			if i == 1 {
				return false
			}
		}
		g.parts = append(g.parts, e)
	}
	return true
}

// gradsOfWeights follows the weights to the second product and to that with cotangents. square is another equation that reads them.
func (f *equationFinder) gradsOfWeights(g *attentionGrad, v *jaxpr.Var, square *jaxpr.Eqn, scores []int) bool {
	g.order = scores
	var after []link
	for uses := 2; ; uses = 1 {
		e := f.only(v, uses, square)
		if e == nil {
			break
		}
		l := link{e, 0}
		switch e.Prim.(type) {
		case prim.ReshapeP, prim.TransposeP, prim.ConvertElementTypeP:
		default:
			l.e = nil
		}
		if l.e == nil {
			break
		}
		if !g.pass(l) {
			return false
		}
		g.parts = append(g.parts, e)
		after, v, square = append(after, l), e.Outs[0], nil
	}
	dims, ok := g.merged(v.Type.Shape)
	if !ok || f.uses[v] != len(f.readers[v]) {
		return false
	}
	cotangent, operand := g.dims[0], g.products.Ins[g.cotangent]
	for _, e := range f.readers[v] {
		if e == square {
			continue
		}
		if tensorType(e) != g.tensor {
			return false
		}
		if r := g.result(e, v, dims, operand, cotangent); r != nil && g.adds(r, true) && g.results[2] == nil {
			g.results[2] = r
			g.parts = append(g.parts, e)
			continue
		}
		q := e.Prim.(prim.DotGeneralP)
		out := e.Outs[0].Type.DType
		if g.second != nil || e.Ins[0] != jaxpr.Atom(v) || e.Ins[1] != g.products.Ins[1-g.cotangent] || out != g.tensor && out != core.Float32 ||
			q.LhsContract.Len() != 1 || freeAxes(e.Ins[1], q.RhsBatch, q.RhsContract).Len() != 1 {
			return false
		}
		g.second = e
	}
	if g.second == nil {
		return true
	}
	t := g.t
	g.order = scores
	return g.layWeights(after) && g.t == t
}

// findPlace finds the first equation of the derivative that needs the cotangent. It returns false if an operand is
// not made before it, or if an equation of the derivative is refused.
func (f *equationFinder) findPlace(g *attentionGrad) bool {
	g.at = g.products
	for _, r := range g.results {
		if r != nil && f.place[r.e] < f.place[g.at] {
			g.at = r.e
		}
	}
	for _, x := range append([]jaxpr.Atom{g.products.Ins[0], g.products.Ins[1], g.bias.x, g.mask.x}, g.first.Ins...) {
		if v, ok := x.(*jaxpr.Var); ok && f.defs[v] != nil && f.place[f.defs[v]] >= f.place[g.at] {
			return false
		}
	}
	for _, e := range g.parts {
		if _, no := f.refused[e]; no {
			return false
		}
	}
	return true
}
