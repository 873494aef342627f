package prim

import (
	"slices"

	"github.com/weft-go/weft/core"
)

// Sizes that define in which order sums, products and reductions by programs combine elements:
// see Order.
const (
	reduceBlock = 1024 // elements of a block, which lanes combine
	reduceLanes = 256  // bytes of the lanes of one array
	reduceChunk = 16   // elements of a chunk, combined one after the other
)

// Expand runs the program on slices of the arrays, in the order of a sum.
func (p ReduceP) Expand(in []Value) []Value {
	k := len(in) / 2
	r := folding{p}
	shape := in[0].Aval().Shape
	out := reduced(in[0].Aval(), p.Axes).Shape
	if shape.Size() == 0 {
		return spreadAll(in[k:], out)
	}
	lanes := p.Order.Implied(shape, p.Axes) == OrderLanes

	// Merge neighbours that are both reduced or both kept.
	var sizes []int
	var isReduced []bool
	for i, n := range shape.All() {
		red := p.Axes.Has(i)
		switch last := len(sizes) - 1; {
		case n == 1:
		case last >= 0 && isReduced[last] == red:
			sizes[last] *= n
		default:
			sizes, isReduced = append(sizes, n), append(isReduced, red)
		}
	}
	xs := make([]Value, k)
	for i := range xs {
		xs[i] = Reshape(in[i], core.MakeDims(sizes...))
	}
	for g := len(sizes) - 1; g >= 0; g-- {
		if !isReduced[g] {
			continue
		}
		if lanes {
			xs = r.lanes(g, xs)
		} else {
			xs = r.chunks(g, xs)
		}
		for i, x := range xs {
			xs[i] = Squeeze(x, core.MakeDims(g))
		}
		lanes = false
	}
	for i, x := range xs {
		xs[i] = Reshape(x, out)
	}
	return r.combine(spreadAll(in[k:], out), xs) // initial values that are not neutral must come in only once
}

type folding struct{ p ReduceP }

func (r folding) combine(a, b []Value) []Value {
	out, _ := Applied(r.p.Program, slices.Concat(a, b), make([]Value, 2*len(a)))
	return out
}

func spreadAll(xs []Value, shape core.Dims) []Value {
	out := make([]Value, len(xs))
	for i, v := range xs {
		out[i] = SpreadTo(v, shape)
	}
	return out
}

func cut(xs []Value, axis, lo, hi int) []Value {
	out := make([]Value, len(xs))
	for i, x := range xs {
		out[i] = SliceAxis(x, axis, lo, hi, 1)
	}
	return out
}

func joined(axis int, as, bs []Value) []Value {
	out := make([]Value, len(as))
	for i := range out {
		out[i] = Concatenate(axis, as[i], bs[i])
	}
	return out
}

// inRows cuts the axis, whose size is a multiple of n, into rows of n: axis counts
// the rows, axis+1 goes along them.
func inRows(xs []Value, axis, n int) []Value {
	out := make([]Value, len(xs))
	for i, x := range xs {
		s := x.Aval().Shape
		shape := append(s.Slice(0, axis).Ints(), s.At(axis)/n, n)
		out[i] = Reshape(x, core.MakeDims(append(shape, s.Slice(axis+1, s.Len()).Ints()...)...))
	}
	return out
}

// dropped leaves out an axis of size 1.
func dropped(xs []Value, axis int) []Value {
	out := make([]Value, len(xs))
	for i, x := range xs {
		out[i] = Squeeze(x, core.MakeDims(axis))
	}
	return out
}

// inOrder combines the elements along axis one after the other and leaves the axis with
// size 1.
func (r folding) inOrder(axis int, xs []Value) []Value {
	acc := cut(xs, axis, 0, 1)
	for i := 1; i < xs[0].Aval().Shape.At(axis); i++ {
		acc = r.combine(acc, cut(xs, axis, i, i+1))
	}
	return acc
}

// pieces cuts the axis into pieces of n elements and what remains at the end, and applies f to
// them; f combines the elements of each piece to one.
func (r folding) pieces(axis, n int, xs []Value, f func(axis int, xs []Value) []Value) []Value {
	size := xs[0].Aval().Shape.At(axis)
	if size <= n {
		return f(axis, xs)
	}
	whole := size / n * n
	out := dropped(f(axis+1, inRows(cut(xs, axis, 0, whole), axis, n)), axis+1)
	if whole < size {
		out = joined(axis, out, f(axis, cut(xs, axis, whole, size)))
	}
	return out
}

// chunks combines the elements along axis in chunks, and the chunks' results in a tree.
func (r folding) chunks(axis int, xs []Value) []Value {
	return r.tree(axis, r.pieces(axis, reduceChunk, xs, r.inOrder))
}

// tree combines the elements along axis pairwise, neighbours first, until one is left.
func (r folding) tree(axis int, xs []Value) []Value {
	for n := xs[0].Aval().Shape.At(axis); n > 1; n = (n + 1) / 2 {
		even, odd := make([]Value, len(xs)), make([]Value, len(xs))
		for i, x := range xs {
			even[i] = SliceAxis(x, axis, 0, n&^1, 2)
			odd[i] = SliceAxis(x, axis, 1, n, 2)
		}
		next := r.combine(even, odd)
		if n%2 == 1 {
			next = joined(axis, next, cut(xs, axis, n-1, n))
		}
		xs = next
	}
	return xs
}

// lanes combines the elements along axis in blocks. Element i of a block is combined in lane
// i mod w, where w is the number of lanes; then the lanes are combined in halves. The blocks'
// results are combined in a tree.
func (r folding) lanes(axis int, xs []Value) []Value {
	size := 1
	for _, x := range xs {
		size = max(size, x.Aval().DType.Size())
	}
	w := reduceLanes / size
	xs = r.pieces(axis, reduceBlock, xs, func(axis int, xs []Value) []Value { return r.block(axis, w, xs) })
	return r.tree(axis, xs)
}

func (r folding) block(axis, w int, xs []Value) []Value {
	n := xs[0].Aval().Shape.At(axis)
	used := min(n, w)
	whole := n / used * used
	acc := dropped(r.inOrder(axis, inRows(cut(xs, axis, 0, whole), axis, used)), axis)
	if rest := n - whole; rest > 0 {
		more := r.combine(cut(acc, axis, 0, rest), cut(xs, axis, whole, n))
		acc = joined(axis, more, cut(acc, axis, rest, used))
	}
	for h := w / 2; h > 0; h /= 2 {
		if used <= h {
			continue
		}
		low := r.combine(cut(acc, axis, 0, used-h), cut(acc, axis, h, used))
		if used-h < h {
			low = joined(axis, low, cut(acc, axis, used-h, h))
		}
		acc, used = low, h
	}
	return acc
}
