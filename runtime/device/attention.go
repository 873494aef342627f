package device

import (
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lower/fuse"
	"github.com/weft-go/weft/lower/simt"
)

// Attends reports whether the device has a kernel for an attention of operands of type tensor
// whose rows of keys and of values have features[0] and features[1] elements.
func (c parts) Attends(tensor core.DType, features [2]int) bool {
	return c.cores.Runs(&simt.Attention{Kind: tensorKinds[tensor], H: features[0], D: features[1]})
}

// AttendsGradient reports whether the device has kernels for the derivative of an attention that
// [parts.Attends] describes, which may have a bias and a mask.
func (c parts) AttendsGradient(tensor core.DType, features [2]int, biased, masked bool) bool {
	return c.cores.RunsGradient(&simt.Attention{Kind: tensorKinds[tensor], H: features[0], D: features[1], Biased: biased, Masked: masked})
}

func (b *builder) attentionFunc(plan *fuse.Plan, s *fuse.Attention) *simt.Func {
	a := attentionOf(s)
	b.e.tensorCores(b.request.Options).Choose(&a)
	return simt.AttentionFunc("attention", &a, attentionLens(plan, s))
}

// attentionGradFunc returns the function of half of the derivative of an attention.
func attentionGradFunc(plan *fuse.Plan, s *fuse.AttentionGrad) *simt.Func {
	g := &simt.AttentionGrad{Attention: attentionOf(&s.Attention), OfKeys: s.OfKeys, Factor: s.Factor, Common: s.Common}
	for i, t := range s.Types {
		g.Narrow[i] = t != core.Float32
	}
	name := "attention_queries"
	if s.OfKeys {
		name = "attention_keys"
	}
	return simt.AttentionGradFunc(name, g, attentionLens(plan, &s.Attention))
}

func attentionOf(s *fuse.Attention) simt.Attention {
	a := simt.Attention{Kind: tensorKinds[s.Tensor], Narrow: s.Type != core.Float32, T: s.T, S: s.S, H: s.H, D: s.D,
		Scale: s.Scale, Fill: s.Fill, Fills: s.Fills, Causal: s.Causal, Offset: s.Offset, Row: s.Row, Column: s.Column}
	a.Biased, a.Masked = s.In[3] >= 0, s.In[4] >= 0
	for _, b := range s.Batch {
		a.Batch = append(a.Batch, simt.AttentionAxis(b))
	}
	return a
}

// attentionLens returns the number of elements of each operand and of the result, 0 for operands that are absent.
func attentionLens(plan *fuse.Plan, s *fuse.Attention) [6]int64 {
	lens := [...]int64{simt.Mixed: int64(plan.Values[s.Out].Type.Size()), simt.Mask: 0}
	for i, id := range s.In {
		if id >= 0 {
			lens[[]int{simt.Queries, simt.Keys, simt.Values, simt.Bias, simt.Mask}[i]] = int64(plan.Values[id].Type.Size())
		}
	}
	return lens
}

// attentionBuffers returns the values of an attention in the order of its function's buffers.
func attentionBuffers(s *fuse.Attention) []int {
	ids := append(slices.Clone(s.In[:3]), s.Out)
	for _, id := range s.In[3:] {
		if id >= 0 {
			ids = append(ids, id)
		}
	}
	return ids
}
