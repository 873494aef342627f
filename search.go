package weft

import (
	"math"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
)

// TopK is the k largest elements along the last axis, in descending order, and their
// places.
func TopK(x Array, k int) (values, indices Array) {
	v := valueOf("TopK", x)
	a := v.Aval()
	if a.Rank() == 0 || k < 0 || k > a.Shape.At(a.Rank()-1) {
		core.FailOp(core.ErrShape, "TopK", []core.ShapedArray{a}, "%v has no %s along its last axis; ask for fewer", a.Full(), core.Count(k, "element"))
	}
	reals("TopK", v)
	p, q := prim.TopK(v, k, a.Rank()-1)
	return FromValue(p), FromValue(q)
}

// SearchSorted is where each of values would be put into the sorted vector a so that it
// stays sorted: before equal elements.
func SearchSorted(a, values Array) Array { return searchSorted("SearchSorted", a, values, false) }

// SearchSortedRight is SearchSorted behind equal elements.
func SearchSortedRight(a, values Array) Array {
	return searchSorted("SearchSortedRight", a, values, true)
}

func searchSorted(op string, a, values Array, right bool) Array {
	v, w := together2(op, valueOf(op, a), valueOf(op, values))
	if t := v.Aval(); t.Rank() != 1 {
		core.FailOp(core.ErrShape, op, []core.ShapedArray{t}, "the sorted elements are a vector, got %v; sort what Ravel gives, or map with Vmap", t.Full())
	}
	n := v.Aval().Size()
	sorted, x := FromValue(v), FromValue(w)
	if n == 0 {
		return ZerosOf(Int32, x.Shape()...)
	}
	return alone(func() Array {
		// NaNs are the last of a sorted vector.
		before := func(e Array) Array {
			if right {
				return e.Le(x).Or(IsNaN(x))
			}
			return e.Lt(x).Or(IsNaN(x).And(IsNaN(e).Not()))
		}
		type bounds struct{ Lo, Hi Array }
		b := bounds{ZerosOf(Int32, x.Shape()...), Full(Shape(x.Shape()), int32(n))}
		trips := 0
		for 1<<trips <= n {
			trips++
		}
		return ForI(trips, func(_ Array, b bounds) bounds {
			mid := b.Lo.Add(b.Hi.Sub(b.Lo).FloorDiv(2))
			open := b.Lo.Lt(b.Hi)
			ahead := before(sorted.Index(mid)).And(open)
			return bounds{Where(ahead, mid.Add(1), b.Lo), Where(ahead, b.Hi, Where(open, mid, b.Hi))}
		}, b).Lo
	})
}

// Digitize is for each element of x the number of the bin it falls into: i if it is at
// least bins[i−1] and below bins[i]. The bins rise.
func Digitize(x, bins Array) Array { return searchSorted("Digitize", bins, x, true) }

// IsIn is whether each element of x is among the elements of set.
func IsIn(x, set Array) Array {
	v, w := together2("IsIn", valueOf("IsIn", x), valueOf("IsIn", set))
	return FromValue(prim.ExpandDims(v, core.MakeDims(v.Aval().Rank()))).Eq(FromValue(w).Ravel()).Any(-1)
}

// Unique is the distinct elements of x in ascending order. How many there are decides
// the shape, so x must be known: in a traced function use [UniqueSize].
func Unique(x Array) Array {
	s := alone(func() Array { return x.Ravel().Sort() })
	if s.Size() == 0 {
		return s
	}
	return s.Index(firsts(s))
}

// UniqueSize is the first n distinct elements of x in ascending order; where there are
// fewer, fill stands in the rest, or the least element if it is not given.
func UniqueSize(x Array, n int, fill ...any) Array {
	if n < 0 {
		core.FailOp(core.ErrShape, "UniqueSize", nil, "cannot give %s; ask for 0 or more", core.Count(n, "element"))
	}
	s := FromValue(strong("UniqueSize", valueOf("UniqueSize", x)))
	s = alone(func() Array { return s.Ravel().Sort() })
	var rest Array
	switch {
	case len(fill) > 1:
		core.FailOp(core.ErrShape, "UniqueSize", nil, "takes one number to fill with, got %d; pass one at most", len(fill))
	case len(fill) == 1:
		rest = FromValue(Ref{}.fitted("UniqueSize", s.Value(), valueOf("UniqueSize", fill[0])))
		if a := rest.aval(); a.Rank() > 0 {
			core.FailOp(core.ErrShape, "UniqueSize", []core.ShapedArray{a}, "what fills is one number, got %v; pass a number or an Array without axes", a.Full())
		}
	case s.Size() > 0:
		rest = s.Index(0)
	case n > 0:
		core.FailOp(core.ErrShape, "UniqueSize", []core.ShapedArray{x.aval()}, "%v is empty: nothing fills %s; say what does", x.aval().Full(), core.Count(n, "element"))
	default:
		return s
	}
	return alone(func() Array {
		if s.Size() == 0 || n == 0 {
			return rest.BroadcastTo(n)
		}
		first := firsts(s)
		place := Where(first, first.AsType(Int32).CumSum().Sub(1), n) // beyond the end: dropped
		return rest.BroadcastTo(n).At(place).Set(s)
	})
}

// firsts is whether each element of a sorted vector differs from the one before.
func firsts(s Array) Array {
	hi, lo := s.Index("1:"), s.Index(":-1")
	differ := hi.Ne(lo)
	if s.DType().IsInexact() {
		differ = differ.And(IsNaN(hi).And(IsNaN(lo)).Not())
	}
	return Concat(0, Full(Shape{1}, true), differ)
}

// NonzeroSize is the places of the first n elements that are not 0, one array an axis;
// where there are fewer, fill stands in all of them.
func NonzeroSize(x Array, n, fill int) []Array {
	if n < 0 {
		core.FailOp(core.ErrShape, "NonzeroSize", nil, "cannot give %s; ask for 0 or more", core.Count(n, "place"))
	}
	m := FromValue(truth(valueOf("NonzeroSize", x)))
	a := m.aval()
	hasPlaces("NonzeroSize", m)
	flat := m.Ravel()
	out := make([]Array, a.Rank())
	alone(func() Array {
		place := Where(flat, flat.AsType(Int32).CumSum().Sub(1), n)
		for i := range out {
			at := FromValue(prim.Iota(core.Int32, a.Shape, i)).Ravel()
			out[i] = Full(Shape{n}, int32(fill)).At(place).Set(at)
		}
		return m
	})
	return out
}

// hasPlaces refuses a scalar, which has an element and no axis to say where.
func hasPlaces(op string, m Array) {
	if a := m.aval(); a.Rank() == 0 {
		core.FailOp(core.ErrShape, op, []core.ShapedArray{a}, "a scalar has no places; give it an axis, as weft.AtLeast(x, 1)")
	}
}

// Bincount is how often each of 0, 1, …, n−1 occurs among the integers x. Others do
// not count.
func Bincount(x Array, n int) Array {
	return BincountOf(x, n, Ones(x.Shape()...).AsType(Int32))
}

// BincountOf is the sums of the weights of each of 0, 1, …, n−1 among the integers x.
func BincountOf(x Array, n int, weights Array) Array {
	a := valueOf("Bincount", x).Aval()
	if !a.DType.IsInteger() || n < 0 || weights.aval().Shape != a.Shape {
		core.FailOp(core.ErrDType, "Bincount", []core.ShapedArray{a, weights.aval()}, "counts integers below n with a weight each, got %v, n = %d and %v; convert with AsType, and give weights of one shape", a.Full(), n, weights.aval().Full())
	}
	return alone(func() Array {
		x, w := roomy("Bincount", x.Value()).Ravel(), weights.Ravel()
		at := Where(x.Lt(0), n, x) // a negative place would count from the end
		return zerosOf(w.aval().WithShape(core.MakeDims(n)).Strong()).At(at).Add(w)
	})
}

// Histogram is how many elements of x lie in each of n bins of equal width from lo to
// hi, hi included, and the bins' edges.
func Histogram(x Array, n int, lo, hi float64) (counts, edges Array) {
	if n <= 0 || !(lo < hi) || math.IsInf(hi-lo, 0) {
		core.FailOp(core.ErrShape, "Histogram", nil, "needs one bin or more and lo < hi, both finite, got %d bins from %g to %g; give other bounds", n, lo, hi)
	}
	v := strong("Histogram", floating("Histogram", valueOf("Histogram", x)))
	if a := v.Aval(); a.DType.IsComplex() {
		core.FailOp(core.ErrDType, "Histogram", []core.ShapedArray{a}, "complex numbers have no order; take Real, Imag or Abs")
	}
	x = FromValue(v).Ravel()
	at := make([]float64, n+1) // in 64 bits, whatever the default is
	for i := range n {
		at[i] = lo + float64(i)*((hi-lo)/float64(n))
	}
	at[n] = hi
	edges = FromSlice(at).AsType(x.DType())
	counts = alone(func() Array {
		bin := SearchSortedRight(edges, x).Sub(1)
		bin = Where(x.Eq(edges.Index(-1)), n-1, bin)
		bin = Where(IsNaN(x), n, bin)
		return Bincount(Where(bin.Lt(0), n, bin), n)
	})
	return counts, edges
}
