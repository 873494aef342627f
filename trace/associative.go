package trace

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
)

// AssociativeScan returns all prefixes of xs along an axis, combined by an associative f that
// works on batches. Neighbours are combined in pairs, the prefixes of the pairs are found in
// the same way, and the others from those: a tree of logarithmic depth, the same for every
// executor.
func AssociativeScan(f func(a, b []core.Value) []core.Value, xs []core.Value, axis int) []core.Value {
	if len(xs) == 0 {
		return nil
	}
	n := -1
	for i, x := range xs {
		a := x.Aval()
		if axis < 0 || axis >= a.Rank() {
			core.FailOp(core.ErrShape, "AssociativeScan", []core.ShapedArray{a}, "array %d is %s; it needs an axis %d to run along", i, a.Full(), axis)
		}
		if n < 0 {
			n = a.Shape.At(axis)
		}
		if a.Shape.At(axis) != n {
			core.FailOp(core.ErrShape, "AssociativeScan", core.AvalsOf(xs), "array %d is %s, with %s along axis %d, where %s has %d; make these axes equal", i, a.Full(), core.Count(a.Shape.At(axis), "element"), axis, xs[0].Aval().Full(), n)
		}
	}
	return along{axis, f}.prefixes(xs, n)
}

type along struct {
	axis int
	f    func(a, b []core.Value) []core.Value
}

func (s along) prefixes(xs []core.Value, n int) []core.Value {
	if n < 2 {
		return xs
	}
	pairs := s.combine(s.each(xs, 0, n-1, 2), s.each(xs, 1, n, 2))
	odd := s.prefixes(pairs, n/2)
	// Even positions: the first is itself, the others the prefix before combined with
	// their own element.
	before := odd
	if n%2 == 0 {
		before = s.each(odd, 0, n/2-1, 1)
	}
	even := s.combine(before, s.each(xs, 2, n, 2))
	for i := range xs {
		even[i] = prim.Concatenate(s.axis, s.each(xs[i:i+1], 0, 1, 1)[0], even[i])
	}
	out := make([]core.Value, len(xs))
	for i := range xs {
		out[i] = s.interleave(even[i], odd[i], n)
	}
	return out
}

// combine returns f of a and b, whose shapes the results must have.
func (s along) combine(a, b []core.Value) []core.Value {
	out := s.f(a, b)
	if len(out) != len(a) {
		core.FailOp(core.ErrTree, "AssociativeScan", nil, "the function returns another number of arrays than it combines (got %d, want %d); return one for each", len(out), len(a))
	}
	for i, v := range out {
		if got, want := v.Aval(), a[i].Aval(); got.Shape != want.Shape {
			core.FailOp(core.ErrShape, "AssociativeScan", []core.ShapedArray{want, got}, "result %d of the function has another shape than its operands (got %s, want %s); return as many elements as it combines", i, got.Full(), want.Full())
		}
	}
	return out
}

// each returns the elements lo, lo+step, … below hi of the axis.
func (s along) each(xs []core.Value, lo, hi, step int) []core.Value {
	out := make([]core.Value, len(xs))
	for i, x := range xs {
		shape := x.Aval().Shape
		start, limit, strides := make([]int, shape.Len()), shape.Ints(), shape.Map(func(int) int { return 1 }).Ints()
		start[s.axis], limit[s.axis], strides[s.axis] = min(lo, limit[s.axis]), min(hi, limit[s.axis]), step
		out[i] = prim.Slice(x, core.MakeDims(start...), core.MakeDims(limit...), core.MakeDims(strides...))
	}
	return out
}

// interleave puts a at the even and b at the odd ones of n positions: both are padded with zeros
// in between and merged.
func (s along) interleave(a, b core.Value, n int) core.Value {
	t := a.Aval().Strong()
	spread := func(v core.Value, lo int) core.Value {
		k := v.Aval().Shape.At(s.axis)
		config := make([]int, 3*t.Rank())
		at := config[3*s.axis:]
		at[0], at[1], at[2] = lo, n-lo-(2*k-1), 1
		return prim.Pad(v, prim.Num(t, 0), core.MakeDims(config...))
	}
	x, y := spread(a, 0), spread(b, 1)
	if t.DType == core.Bool {
		return prim.Or(x, y)
	}
	return prim.Add(x, y)
}
