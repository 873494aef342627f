package trace

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
)

// AssociativeScan is all prefixes of xs along their leading axis, combined by an
// associative f that works on batches. Neighbours are combined in pairs, the
// prefixes of the pairs are found in the same way, and the others from those: a
// tree of logarithmic depth, the same for every executor.
func AssociativeScan(f func(a, b []core.Value) []core.Value, xs []core.Value) []core.Value {
	if len(xs) == 0 {
		return nil
	}
	n := -1
	for i, x := range xs {
		a := x.Aval()
		if a.Rank() == 0 {
			core.FailOp(core.ErrShape, "AssociativeScan", []core.ShapedArray{a}, "array %d is a scalar; it needs a leading axis to run along", i)
		}
		if n < 0 {
			n = a.Shape.At(0)
		}
		if a.Shape.At(0) != n {
			core.FailOp(core.ErrShape, "AssociativeScan", core.AvalsOf(xs), "array %d has a leading axis of %d, expected %d", i, a.Shape.At(0), n)
		}
	}
	return prefixes(f, xs, n)
}

func prefixes(f func(a, b []core.Value) []core.Value, xs []core.Value, n int) []core.Value {
	if n < 2 {
		return xs
	}
	pairs := f(each(xs, 0, n-1, 2), each(xs, 1, n, 2))
	odd := prefixes(f, pairs, n/2)
	// Even places: the first is itself, the others the prefix before combined with
	// their own element.
	m := n / 2
	if n%2 == 0 {
		m--
	}
	even := f(each(odd, 0, m, 1), each(xs, 2, n, 2))
	out := make([]core.Value, len(xs))
	for i := range xs {
		first := each(xs[i:i+1], 0, 1, 1)[0]
		out[i] = interleave(prim.Concatenate(0, first, even[i]), odd[i], n)
	}
	return out
}

// each is the elements lo, lo+step, … below hi of the leading axis.
func each(xs []core.Value, lo, hi, step int) []core.Value {
	out := make([]core.Value, len(xs))
	for i, x := range xs {
		s := x.Aval().Shape
		start, limit, strides := make([]int, s.Len()), s.Ints(), make([]int, s.Len())
		for k := range strides {
			strides[k] = 1
		}
		start[0], limit[0], strides[0] = lo, hi, step
		if step == 1 {
			out[i] = prim.Slice(x, core.MakeDims(start...), core.MakeDims(limit...), core.Dims{})
		} else {
			out[i] = prim.Slice(x, core.MakeDims(start...), core.MakeDims(limit...), core.MakeDims(strides...))
		}
	}
	return out
}

// interleave puts a at the even and b at the odd places of n: padded apart with
// zeros and merged.
func interleave(a, b core.Value, n int) core.Value {
	t := a.Aval()
	spread := func(v core.Value, lo int) core.Value {
		k := v.Aval().Shape.At(0)
		config := make([]int, 3*t.Rank())
		config[0], config[1], config[2] = lo, n-lo-(2*k-1), 1
		return prim.Pad(v, prim.Num(t, 0), core.MakeDims(config...))
	}
	if t.DType == core.Bool {
		return prim.Or(spread(a, 0), spread(b, 1))
	}
	return prim.Add(spread(a, 0), spread(b, 1))
}
