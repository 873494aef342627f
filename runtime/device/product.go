package device

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lower/fuse"
	"github.com/weft-go/weft/lower/scalar"
	"github.com/weft-go/weft/lower/schedule"
	"github.com/weft-go/weft/lower/simt"
)

func (b *builder) productOf(plan *fuse.Plan, s *fuse.Product) *simt.Product {
	p := &simt.Product{
		Name: "product", Type: scalar.Stored(s.Type), Chunk: s.Chunk, M: s.M, N: s.N, K: s.K,
		A: simt.Operand(s.A), B: simt.Operand(s.B), Device: b.device,
	}
	for _, a := range s.Batch {
		p.Batch = append(p.Batch, simt.BatchAxis(a))
	}
	for i, id := range []int{s.In[0], s.In[1], s.Out} {
		p.Lens[i] = int64(plan.Values[id].Type.Size())
	}
	return p
}

func (b *builder) convOf(plan *fuse.Plan, s *fuse.Conv) *simt.Conv {
	p := &simt.Conv{
		Name: "convolution", Type: scalar.Stored(s.Type), Chunk: s.Chunk, Batch: s.Batch, Features: s.Features, Channels: s.Channels,
		Outputs: s.Outputs, Groups: s.Groups, BatchGroup: s.BatchGroup, B: simt.Operand(s.B), Device: b.device,
	}
	for _, a := range s.Axes {
		p.Axes = append(p.Axes, simt.ConvAxis(a))
	}
	for i, id := range []int{s.In[0], s.In[1], s.Out} {
		p.Lens[i] = int64(plan.Values[id].Type.Size())
	}
	return p
}

// splitOf returns the sequence of a product or a convolution whose chains are computed side by
// side.
func splitOf(x *simt.Split, dt core.DType) *schedule.Sequence {
	n := &schedule.Sequence{}
	between := n.Add(x.Scratch * int64(scalar.Stored(dt).Size()))
	for r := range x.Rounds {
		first := []int64{int64(r * x.Parts)}
		n.Work = append(n.Work, schedule.Work{Kernel: x.Partial, Memory: append(schedule.Operands(2), between), Symbols: first},
			schedule.Work{Kernel: x.Sum, Memory: []schedule.Slot{between, {Of: schedule.ResultSlot}}, Symbols: first})
	}
	return n
}
