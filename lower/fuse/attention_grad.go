package fuse

import (
	"fmt"
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
)

// AttentionGrad computes half of the derivative of an [Attention]: that of the queries or, if OfKeys is set, those of the keys and values.
// The fields of Y describe its cotangent. Neither scores nor weights are in memory. Results are row-major and dense. For the formulas see
// AttentionGrad of package simt.
type AttentionGrad struct {
	Attention
	OfKeys bool
	Factor float32
	Common int // number of axes at the end of Batch that keys and values lack
	Types  []core.DType
	Rows   int // id of an f32 array: three numbers for each row of scores, which the half of queries writes
	Outs   []int
}

func (s *AttentionGrad) Reads() []int {
	in := append(slices.Clone(s.In), s.Out)
	if s.OfKeys {
		in = append(in, s.Rows)
	}
	return in
}

func (s *AttentionGrad) Writes() []int {
	if s.OfKeys {
		return s.Outs
	}
	return append([]int{s.Rows}, s.Outs...)
}

func (s *AttentionGrad) write(w *planWriter) {
	of := "queries"
	if s.OfKeys {
		of = "keys and values"
	}
	w.line("attention derivative of %s %v%s → %s", of, s, w.p.names(s.Reads()), w.p.names(s.Writes()))
}

func (TensorPlans) differentiate(p *planner, g *attentionGrad) {
	source := p.source
	p.source = g.at
	defer func() { p.source = source }()
	p.class = product
	base := AttentionGrad{Factor: float32(g.factor), Common: len(g.common), Attention: Attention{Eqn: g.at, D: g.d}}
	s := &base.Attention
	steps := p.scored(s, g.attention, g.at)
	for i, operand := range []int{attnResult, attnValues} {
		x := g.products.Ins[g.cotangent^i]
		contract := g.products.Prim.(prim.DotGeneralP).LhsContract
		if g.cotangent^i == 1 {
			contract = g.products.Prim.(prim.DotGeneralP).RhsContract
		}
		v := p.rows(g.at, x, contract.At(0))
		s.Offset[operand] = v.offset
		if operand == attnResult {
			s.Out = v.value
		} else {
			s.In[attnValues] = v.value
		}
		for d, axes := range g.dims[i] {
			if x.Aval().Shape.At(d) > 1 && !slices.Contains(axes, feature) {
				spread(steps, operand, axes, g.sizes, v.strides[d])
			}
		}
	}
	s.along(g.attention, steps, slices.Concat(g.batch, g.common, []int{g.t, g.s}))
	batches := 1
	for _, b := range s.Batch {
		batches *= b.N
	}
	base.Rows = p.newValue(Value{Type: core.Aval(core.Float32, 3, batches, s.T)})
	outs := [3]*jaxpr.Var{}
	for i := range outs {
		outs[i] = jaxpr.NewVar(g.resultType(i))
	}
	add := func(ofKeys bool, results ...int) {
		half := base
		half.OfKeys = ofKeys
		nodes := make([]*node, len(results))
		for i, r := range results {
			n := p.bind(outs[r], g.at, 0)
			n.mem, n.value = true, p.newValue(Value{Type: outs[r].Type})
			nodes[i] = n
			half.Types, half.Outs = append(half.Types, outs[r].Type.DType), append(half.Outs, n.value)
		}
		seq := p.add(&half)
		for _, n := range nodes {
			n.seq = seq
		}
	}
	add(false, 0)
	if g.results[1] != nil || g.results[2] != nil {
		add(true, 1, 2)
	}
	for i, r := range g.results {
		if r != nil {
			p.arrange(g, outs[i], g.resultAxes(i > 0), r)
		}
	}
}

func (g *attentionGrad) resultType(i int) core.ShapedArray {
	t := core.ShapedArray{DType: g.tensor}
	if r := g.results[i]; r != nil {
		t.DType = r.e.Outs[0].Type.DType
	}
	features := g.h
	if i == 2 {
		features = g.d
	}
	var shape []int
	for _, axis := range g.resultAxes(i > 0) {
		if axis == feature {
			shape = append(shape, features)
		} else {
			shape = append(shape, g.sizes[axis])
		}
	}
	t.Shape = core.MakeDims(shape...)
	return t
}

// arrange transposes and reshapes x, which has the given axes, into the result that the program has.
func (p *planner) arrange(g *attentionGrad, x *jaxpr.Var, axes []int, r *gradResult) {
	var perm []int
	for _, dims := range r.dims {
		for _, axis := range dims {
			perm = append(perm, slices.Index(axes, axis))
		}
	}
	e := r.e
	if order := core.MakeDims(perm...); order != core.Range(0, len(perm)) {
		t := x.Type
		t.Shape = order.Map(t.Shape.At)
		x = p.made1(e, prim.TransposeP{Perm: order}, x, t)
	}
	p.eqn(&jaxpr.Eqn{Outs: []*jaxpr.Var{e.Outs[0]}, Prim: prim.ReshapeP{Shape: e.Outs[0].Type.Shape}, Ins: []jaxpr.Atom{x}, Site: e.Site})
}

func (s *AttentionGrad) String() string { return fmt.Sprint(&s.Attention) }
