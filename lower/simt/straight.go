package simt

import (
	"math/bits"

	"github.com/weft-go/weft/lower/ir"
)

// Short bodies are written out for as many positions as a chunk has, so that their loads are
// under way at once. In a loop this holds only for the few iterations that the assembler unrolls.
const (
	straightOps  = 24 // most operations and loads of a body that is written out
	straightTree = ir.ChunkSize
)

// isShort reports whether a reduction's body is written out.
func (r *reduction) isShort() bool {
	if r.indexed() || r.e.seldom(r.s.Body) {
		return false
	}
	ops := 0
	for _, s := range r.s.Body {
		switch s := s.(type) {
		case *ir.Let:
			ops += weight(s.Inst.Op)
		case *ir.Load, *ir.Index:
			ops++
		default:
			return false
		}
	}
	return ops <= straightOps
}

// straight folds n positions in order, starting from the identity, as run does.
func (r *reduction) straight(from Reg, n int64) []element {
	acc := r.identity()
	for i := range n {
		acc = r.combine(acc, r.element(r.e.plus(from, i)))
	}
	return acc
}

// chunk folds positions lo to hi, a chunk or the last ones.
func (r *reduction) chunk(lo, hi Reg) []element {
	e := r.e
	n := int64(0) // known length of all chunks
	if s := r.s; s.Tail == nil && s.Extent.IsConst() {
		switch {
		case s.Extent.Value%ir.ChunkSize == 0:
			n = ir.ChunkSize
		case s.Extent.Value < ir.ChunkSize:
			n = s.Extent.Value
		}
	}
	switch {
	case !r.isShort():
		return r.run(lo, hi, e.num(1))
	case n > 0:
		return r.straight(lo, n)
	}
	acc := r.hold(r.identity())
	e.add(&If{e.same(e.diff(hi, lo), e.num(ir.ChunkSize)),
		e.block(func() { r.set(acc, r.straight(lo, ir.ChunkSize)) }), e.block(func() { r.set(acc, r.run(lo, hi, e.num(1))) })})
	return acc
}

// tree combines n neighbouring positions pairwise.
func (r *reduction) tree(from Reg, n int64) []element {
	if n == 1 {
		return r.element(from)
	}
	half := int64(1) << (bits.Len64(uint64(n-1)) - 1)
	x := r.tree(from, half)
	return r.combine(x, r.tree(r.e.plus(from, half), n-half))
}

// trees combines a known number of positions pairwise: subtrees that are written out, and their
// results by a counter.
func (r *reduction) trees(n int64) []element {
	e := r.e
	if n <= 2*straightTree {
		return r.tree(e.num(0), n)
	}
	c := r.newCounter(r.private(levels))
	whole := n / straightTree
	e.loop(e.num(0), e.num(whole), e.num(1), func(b Reg) { c.push(b, r.tree(e.times(b, straightTree), straightTree)) })
	if rest := n % straightTree; rest > 0 {
		c.push(e.num(whole), r.tree(e.num(whole*straightTree), rest))
	}
	return c.total()
}

// fewLanes folds n positions, all that there are, in w lanes.
func (r *reduction) fewLanes(n, w int64) []element {
	var lanes [][]element
	for i := range n {
		if i < w {
			lanes = append(lanes, r.identity())
		}
		lanes[i%w] = r.combine(lanes[i%w], r.element(r.e.num(i)))
	}
	for h := w / 2; h > 0; h /= 2 {
		for l := int64(0); l < h && l+h < int64(len(lanes)); l++ {
			lanes[l] = r.combine(lanes[l], lanes[l+h])
		}
		lanes = lanes[:min(h, int64(len(lanes)))]
	}
	return lanes[0]
}
