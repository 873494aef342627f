package device

import (
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/lower/fuse"
	"github.com/weft-go/weft/lower/simt"
)

// fewUpdates is the number of points of an update that run in a row on one group, rather
// than being sorted.
const fewUpdates = 64

// update returns how a device runs an update: operands are the buffers of its kernel, and
// the array that is changed; the result is the changed array.
func (b *builder) update(s *fuse.Update) *native {
	if n, ok := b.updates[s]; ok {
		return n
	}
	n := &native{device: b.device}
	b.updates[s] = n
	n.copy(operand(len(s.Buffers)), result(0))
	buffers := make([]slot, len(s.Buffers))
	for i := range buffers {
		buffers[i] = operand(i)
	}
	u := simt.NewUpdate(s.Kernel)
	switch {
	case !s.Ordered:
		n.run(simt.Lower(s.Kernel, simt.Options{}), buffers...)
	case u.Points() <= fewUpdates || u.Points() >= 1<<31 || u.Run() > 1 && !aligned(s):
		n.run(u.InOrder(), buffers...)
	default:
		s := n.newSorter(u.Key(), 1, u.Points())
		n.run(u.Keys(), append(append([]slot(nil), buffers...), s.now.keys, s.now.places)...)
		s.sort(0, u.KeyBits(), true)
		n.run(u.Grouped(), append(buffers, s.now.keys, s.now.places)...)
	}
	return n
}

// aligned reports whether two windows of a scatter are the same elements or have none in
// common: along the axes where they begin anywhere they are one element wide.
func aligned(s *fuse.Update) bool {
	q, ok := s.Eqn.Prim.(prim.ScatterP)
	if !ok {
		return false
	}
	x, u := s.Eqn.Ins[0].Aval().Shape, s.Eqn.Ins[2].Aval().Shape
	window := 0
	for i := range x.Len() {
		size := 1
		if !q.InsertedWindowDims.Has(i) && !q.OperandBatchingDims.Has(i) {
			size = u.At(q.UpdateWindowDims.At(window))
			window++
		}
		if size != 1 && q.ScatterDimsToOperandDims.Has(i) && size != x.At(i) {
			return false
		}
	}
	return true
}
