package fuse

import (
	"fmt"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
)

// The operands of an [Attention], by which its strides are listed.
const (
	attnQueries = iota
	attnKeys
	attnValues
	attnResult
	attnBias
	attnMask
	attnOperands
)

// Attention is a softmax between two products, whose scores are never in memory,
//
//	Y[b, t] = Σₛ softmaxₛ(X[b, t, s])·V[b, s]
//	X[b, t, s] = Scale·Σₕ Q[b, t, h]·K[b, s, h] + Bias[b, t, s], Fill where Mask is Fills
//
// Y is row-major and dense. Sums are taken in f32 in any order, of operands that are rounded as
// [Product].Tensor states. Strides are listed by operand: Q, K, V, Y, Bias, Mask.
type Attention struct {
	step
	Eqn    *jaxpr.Eqn // the second product
	Tensor core.DType // of Q, K and V
	Type   core.DType // of Y: Tensor or Float32
	T, S   int
	H, D   int // elements of a row of Q and K, and of V
	Scale  float32
	Fill   float32
	Fills  bool
	Causal bool // keys at s > t have no weight

	Batch  []AttentionAxis
	Offset [attnOperands]int
	Row    [attnOperands]int // along s for K and V, else along t
	Column [attnOperands]int // along s, of Bias and Mask
	In     []int             // ids of Q, K, V, Bias and Mask; −1: there is none
	Out    int
}

// AttentionAxis is a batch axis with the strides of the operands.
type AttentionAxis struct {
	N     int
	Steps [attnOperands]int
}

func (s *Attention) Reads() []int  { return s.In }
func (s *Attention) Writes() []int { return []int{s.Out} }

func (s *Attention) write(w *planWriter) {
	w.line("attention %v%s → %s", s, w.p.names(s.In), w.p.name(s.Out))
}

func (s *Attention) String() string {
	t := fmt.Sprintf("%v %d×%d×%d×%d", s.Tensor, s.T, s.H, s.S, s.D)
	for _, b := range s.Batch {
		t += fmt.Sprintf(" ×%d", b.N)
	}
	return t
}

func (TensorPlans) attend(p *planner, a *attention) {
	e := a.second
	out := e.Outs[0]
	s := &Attention{Eqn: e, Type: out.Type.DType}
	steps := p.scored(s, a, e)
	q := e.Prim.(prim.DotGeneralP)
	values := freeAxes(e.Ins[1], q.RhsBatch, q.RhsContract)
	s.D = e.Ins[1].Aval().Shape.At(values.At(0))
	v := p.rows(e, e.Ins[1], values.At(0))
	s.In[attnValues], s.Offset[attnValues] = v.value, v.offset
	spread(steps, attnValues, a.weights[q.LhsContract.At(0)], a.sizes, v.strides[q.RhsContract.At(0)])
	result := make([]int, out.Type.Rank())
	for i, step := len(result)-1, 1; i >= 0; i-- {
		result[i] = step
		step *= out.Type.Shape.At(i)
	}
	free := freeAxes(e.Ins[0], q.LhsBatch, q.LhsContract)
	for j, d := range q.LhsBatch.All() {
		spread(steps, attnValues, a.weights[d], a.sizes, v.strides[q.RhsBatch.At(j)])
		spread(steps, attnResult, a.weights[d], a.sizes, result[j])
	}
	for j, d := range free.All() {
		spread(steps, attnResult, a.weights[d], a.sizes, result[q.LhsBatch.Len()+j])
	}
	s.along(a, steps, core.Range(0, len(a.sizes)).Ints())
	n := p.bind(out, e, 0)
	n.mem, n.value = true, p.newValue(Value{Type: out.Type})
	s.Out = n.value
	n.seq = p.add(s)
}

// scored sets the fields from which the scores of an attention are computed: queries, keys, bias and mask. It returns the
// strides of the operands by axis of the scores.
func (p *planner) scored(s *Attention, a *attention, e *jaxpr.Eqn) (steps [][attnOperands]int) {
	s.Tensor, s.Scale, s.Fill, s.Fills, s.Causal = a.tensor, float32(a.scale), a.fill, a.fills, a.causal
	s.In = []int{-1, -1, -1, -1, -1}
	steps = make([][attnOperands]int, len(a.sizes))
	first := a.first.Prim.(prim.DotGeneralP)
	for i, x := range a.first.Ins {
		batch, contract, at := first.LhsBatch, first.LhsContract, first.LhsBatch.Len() // at: its first free axis in the result
		if i == 1 {
			at += freeAxes(a.first.Ins[0], batch, contract).Len()
			batch, contract = first.RhsBatch, first.RhsContract
		}
		v := p.rows(e, x, contract.At(0))
		s.In[i], s.Offset[i] = v.value, v.offset
		s.H = x.Aval().Shape.At(contract.At(0))
		free := freeAxes(x, batch, contract)
		for j, d := range batch.All() {
			a.step(steps, i, j, v.strides[d])
		}
		for j, d := range free.All() {
			a.step(steps, i, at+j, v.strides[d])
		}
	}
	for i, o := range []scored{a.bias, a.mask} {
		if o.x == nil || i == 1 && a.causal {
			continue
		}
		v := p.view(o.x)
		s.In[attnResult+i], s.Offset[attnBias+i] = v.value, v.offset
		for d, axes := range o.axes {
			if o.x.Aval().Shape.At(d) > 1 {
				spread(steps, attnBias+i, axes, a.sizes, v.strides[d])
			}
		}
	}
	return steps
}

// along sets T, S and the batch axes of an attention, with their strides. order lists the axes of the scores; the batch
// axes keep that order.
func (s *Attention) along(a *attention, steps [][attnOperands]int, order []int) {
	for _, axis := range order {
		n := a.sizes[axis]
		switch axis {
		case a.t:
			s.T = n
			for i, step := range steps[axis] {
				if i != attnKeys && i != attnValues {
					s.Row[i] = step
				}
			}
		case a.s:
			s.S = n
			s.Row[attnKeys], s.Row[attnValues] = steps[axis][attnKeys], steps[axis][attnValues]
			s.Column[attnBias], s.Column[attnMask] = steps[axis][attnBias], steps[axis][attnMask]
		default:
			s.Batch = append(s.Batch, AttentionAxis{n, steps[axis]})
		}
	}
}

// step records the stride of operand i along axis d of the first product's result.
func (a *attention) step(steps [][attnOperands]int, i, d, stride int) {
	if axis := a.axis[d]; axis >= 0 {
		steps[axis][i] = stride
	}
}

// spread records the strides of an operand along axes of the scores that one of its axes merges. stride is that of
// the operand's axis.
func spread(steps [][attnOperands]int, operand int, axes, sizes []int, stride int) {
	for i := len(axes) - 1; i >= 0; i-- {
		steps[axes[i]][operand] = stride
		stride *= sizes[axes[i]]
	}
}

// rows returns a view of an operand, or of a transposed copy if necessary, in which neighbours along
// an axis are neighbours in memory.
func (p *planner) rows(e *jaxpr.Eqn, x jaxpr.Atom, axis int) view {
	v := p.view(x)
	if v.strides[axis] == 1 {
		return v
	}
	var perm []int
	for i := range x.Aval().Rank() {
		if i != axis {
			perm = append(perm, i)
		}
	}
	perm = append(perm, axis)
	t := x.Aval()
	t.Shape = core.MakeDims(perm...).Map(t.Shape.At)
	whole := p.whole(p.made1(e, prim.TransposeP{Perm: core.MakeDims(perm...)}, x, t))
	strides := make([]int, len(perm))
	for i, d := range perm {
		strides[d] = whole.strides[i]
	}
	return view{whole.value, whole.offset, strides}
}
