package fuse

import (
	"math"
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
)

// attention is two products with a softmax between, whose scores nothing else reads.
type attention struct {
	first, second *jaxpr.Eqn
	parts         []*jaxpr.Eqn // all equations but the second product
	tensor        core.DType
	sizes         []int // of the axes of the scores, without axes of size 1
	axis          []int // by axis of first's result: the axis of the scores, −1 if dropped
	t, s          int   // axes of queries and keys
	weights       [][]int
	scale         float64
	fill          float32
	fills         bool
	bias, mask    scored
	causal        bool   // the mask hides exactly the keys at s > t, which then have no weight
	behind        [2]int // axes of the scores: mask is true where the index along the first is not less than along the second; −1: another mask
	order         []int  // the order of the axes at the equation that is looked at
	defs          map[*jaxpr.Var]*jaxpr.Eqn
}

// scored is a bias or a mask x. axes has, for each axis of x, the axes of the scores that it merges.
type scored struct {
	x    jaxpr.Atom
	axes [][]int
}

// equationFinder finds attentions of a program, and their derivatives.
type equationFinder struct {
	defs    map[*jaxpr.Var]*jaxpr.Eqn
	uses    map[*jaxpr.Var]int
	readers map[*jaxpr.Var][]*jaxpr.Eqn
	place   map[*jaxpr.Eqn]int
	refused Refusals
}

func newFinder(j *jaxpr.Jaxpr, refused Refusals) *equationFinder {
	f := &equationFinder{map[*jaxpr.Var]*jaxpr.Eqn{}, map[*jaxpr.Var]int{}, map[*jaxpr.Var][]*jaxpr.Eqn{}, map[*jaxpr.Eqn]int{}, refused}
	use := func(atoms []jaxpr.Atom) {
		for _, a := range atoms {
			if v, ok := a.(*jaxpr.Var); ok {
				f.uses[v]++
			}
		}
	}
	use(j.Outs)
	for i, e := range j.Eqns {
		use(e.Ins)
		f.place[e] = i
		for _, a := range e.Ins {
			if v, ok := a.(*jaxpr.Var); ok {
				f.readers[v] = append(f.readers[v], e)
			}
		}
		for _, v := range e.Outs {
			f.defs[v] = e
		}
	}
	return f
}

// attentionsOf holds the attentions of a program that a device can run, by their second products; the derivatives of attentions
// that it can run, by the first equation that needs the cotangent; and the equations that are parts of either.
type attentionsOf struct {
	found     map[*jaxpr.Eqn]*attention
	gradients map[*jaxpr.Eqn]*attentionGrad
	parts     map[*jaxpr.Eqn]bool
}

// TensorPlans plans attentions, convolutions and sums in parts for tensor cores. Implementations of [Parts] embed it, so that a Go
// program without them does not contain that code.
type TensorPlans struct{}

type tensorPlans interface {
	attentions(j *jaxpr.Jaxpr, refused Refusals, can Parts) attentionsOf
	attend(p *planner, a *attention)
	differentiate(p *planner, g *attentionGrad)
	inParts(p *planner, s *Product, n int, out *jaxpr.Var)
	convolve(p *planner, e *jaxpr.Eqn) bool
}

func (TensorPlans) attentions(j *jaxpr.Jaxpr, refused Refusals, can Parts) attentionsOf {
	f := newFinder(j, refused)
	var products []*jaxpr.Eqn
	for _, e := range j.Eqns {
		if tensorType(e) != core.Invalid {
			products = append(products, e)
		}
	}
	if len(products) < 2 {
		return attentionsOf{}
	}
	found, parts, gradients := map[*jaxpr.Eqn]*attention{}, map[*jaxpr.Eqn]bool{}, map[*jaxpr.Eqn]*attentionGrad{}
	for _, e := range j.Eqns {
		if _, ok := e.Prim.(prim.ExpP); !ok || len(products) < 3 {
			continue
		}
		g := f.derivative(e)
		if g == nil || slices.ContainsFunc(g.parts, func(x *jaxpr.Eqn) bool { return parts[x] || found[x] != nil }) || !can.AttendsGradient(g.tensor, [2]int{g.h, g.d}, g.bias.x != nil, g.mask.x != nil && !g.causal) {
			continue
		}
		gradients[g.at] = g
		if g.second != nil {
			found[g.second] = g.attention
		}
		for _, x := range g.parts {
			parts[x] = true
		}
	}
	for _, e := range products {
		if found[e] != nil {
			continue
		}
		a := f.find(e)
		if a == nil || parts[e] || slices.ContainsFunc(a.parts, func(x *jaxpr.Eqn) bool { return found[x] != nil }) {
			continue
		}
		if can.Attends(a.tensor, a.features()) {
			found[e] = a
			for _, x := range a.parts {
				parts[x] = true
			}
		}
	}
	return attentionsOf{found, gradients, parts}
}

// made returns the equation that makes an operand with the given number of uses. It returns nil if
// there is none, if it has several results, or if it is refused.
func (f *equationFinder) made(a jaxpr.Atom, uses int) *jaxpr.Eqn {
	v, ok := a.(*jaxpr.Var)
	if !ok || f.uses[v] != uses {
		return nil
	}
	e := f.defs[v]
	if e == nil || len(e.Outs) != 1 {
		return nil
	}
	if _, no := f.refused[e]; no {
		return nil
	}
	return e
}

// A link is an equation that passes scores or weights on, and the number of the operand that has them.
type link struct {
	e       *jaxpr.Eqn
	operand int
}

// mostLinks bounds the equations that a search follows.
const mostLinks = 16

// back searches from operand x, which must have the given number of uses, back to an equation for
// which target is true. It returns that equation, nil if it finds none, and the links between, first
// to last. Links with two operands or more are permitted only if arithmetic is set.
func (f *equationFinder) back(x jaxpr.Atom, uses, depth int, arithmetic bool, target func(e *jaxpr.Eqn) bool) ([]link, *jaxpr.Eqn) {
	e := f.made(x, uses)
	if e == nil || depth == mostLinks {
		return nil, nil
	}
	if target(e) {
		return nil, e
	}
	var ways []int
	switch e.Prim.(type) {
	case prim.ReshapeP, prim.TransposeP, prim.ConvertElementTypeP:
		ways = []int{0}
	case prim.DivP:
		ways = []int{0}
	case prim.MulP, prim.AddP:
		ways = []int{0, 1}
	case prim.SelectNP:
		if len(e.Ins) == 3 {
			ways = []int{1, 2}
		}
	}
	for _, i := range ways {
		if arithmetic || len(e.Ins) == 1 {
			if links, end := f.back(e.Ins[i], 1, depth+1, arithmetic, target); end != nil {
				return append(links, link{e, i}), end
			}
		}
	}
	return nil, nil
}

// find returns the attention whose second product is e, nil if there is none.
func (f *equationFinder) find(e *jaxpr.Eqn) *attention {
	q := e.Prim.(prim.DotGeneralP)
	a := &attention{second: e, tensor: tensorType(e), scale: 1, fill: float32(math.Inf(-1)), behind: [2]int{-1, -1}, defs: f.defs}
	out := e.Outs[0].Type.DType
	if _, no := f.refused[e]; no || e.Ins[0].Aval().DType != a.tensor || out != a.tensor && out != core.Float32 {
		return nil
	}
	if q.LhsContract.Len() != 1 || freeAxes(e.Ins[1], q.RhsBatch, q.RhsContract).Len() != 1 {
		return nil
	}
	after, quotient := f.back(e.Ins[0], 1, 0, false, func(e *jaxpr.Eqn) bool { _, ok := e.Prim.(prim.DivP); return ok })
	if quotient == nil || quotient.Outs[0].Type.DType != core.Float32 {
		return nil
	}
	scores, axis := f.softmax(a, quotient)
	if scores == nil {
		return nil
	}
	before, first := f.back(scores, 2, 0, true, func(e *jaxpr.Eqn) bool { return tensorType(e) == a.tensor && e.Ins[0].Aval().DType == a.tensor })
	if first == nil || first.Prim.(prim.DotGeneralP).LhsContract.Len() != 1 {
		return nil
	}
	a.first = first
	a.parts = append(a.parts, first)
	for _, l := range slices.Concat(before, after) {
		a.parts = append(a.parts, l.e)
	}
	if !a.layScores(before, scores.Aval().Shape, axis) || !a.layWeights(after) {
		return nil
	}
	return a
}

// softmax returns the operand and the axis of the softmax whose last equation is quotient, and adds
// its equations to the parts of a. scores is nil if quotient does not end a softmax.
func (f *equationFinder) softmax(a *attention, quotient *jaxpr.Eqn) (scores jaxpr.Atom, axis int) {
	exp := f.made(quotient.Ins[0], 2)
	if exp == nil {
		return nil, 0
	}
	sub := f.made(exp.Ins[0], 1)
	if _, ok := exp.Prim.(prim.ExpP); !ok || sub == nil {
		return nil, 0
	}
	if _, ok := sub.Prim.(prim.SubP); !ok {
		return nil, 0
	}
	a.parts = append(a.parts, quotient, exp, sub)
	sum, over := f.spread(a, quotient.Ins[1], quotient.Ins[0], 1)
	most, again := f.spread(a, sub.Ins[1], sub.Ins[0], 1)
	if sum == nil || most == nil || over != again {
		return nil, 0
	}
	if _, ok := sum.Prim.(prim.ReduceSumP); !ok {
		return nil, 0
	}
	if _, ok := most.Prim.(prim.ReduceMaxP); !ok {
		return nil, 0
	}
	return sub.Ins[0], over
}

// spread returns the equation that reduces x along one axis if operand, which must have the given number of uses, is
// its result broadcast along that axis; nil if operand is something else.
func (f *equationFinder) spread(a *attention, operand, x jaxpr.Atom, uses int) (e *jaxpr.Eqn, axis int) {
	b := f.made(operand, uses)
	if b == nil {
		return nil, 0
	}
	e = f.made(b.Ins[0], 1)
	a.parts = append(a.parts, b)
	if e != nil { // max(−∞, e) is e
		if _, ok := e.Prim.(prim.MaxP); ok {
			for i := range 2 {
				if c, ok := e.Ins[i].(core.Literal); ok && math.IsInf(c.Num.Float(), -1) {
					a.parts = append(a.parts, e)
					e = f.made(e.Ins[1-i], 1)
					break
				}
			}
		}
	}
	if e == nil || e.Ins[0] != x {
		return nil, 0
	}
	a.parts = append(a.parts, e)
	var axes core.Dims
	switch q := e.Prim.(type) {
	case prim.ReduceSumP:
		axes = q.Axes
	case prim.ReduceMaxP:
		axes = q.Axes
	}
	if axes.Len() != 1 {
		return nil, 0
	}
	axis = axes.At(0)
	switch q := b.Prim.(type) {
	case prim.BroadcastInDimP:
		if q.Shape.Len() != x.Aval().Rank() || q.Dims != core.MakeDims(slices.DeleteFunc(core.Range(0, q.Shape.Len()).Ints(), func(d int) bool { return d == axis })...) {
			return nil, 0
		}
	case prim.ReshapeP:
		shape := x.Aval().Shape.Ints()
		if shape[axis] = 1; q.Shape != core.MakeDims(shape...) {
			return nil, 0
		}
	default:
		return nil, 0
	}
	return e, axis
}

// features returns the sizes of the rows of keys and of values.
func (a *attention) features() [2]int {
	q := a.second.Prim.(prim.DotGeneralP)
	h := a.first.Ins[0].Aval().Shape.At(a.first.Prim.(prim.DotGeneralP).LhsContract.At(0))
	return [2]int{h, a.second.Ins[1].Aval().Shape.At(freeAxes(a.second.Ins[1], q.RhsBatch, q.RhsContract).At(0))}
}
