package nd

import (
	"math"
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/indexed"
	"github.com/weft-go/weft/trace"
)

// TopK returns the k largest elements along the last axis, in descending order, and their
// positions.
func TopK(x core.Value, k int) (values, indices core.Value) {
	v := ValueOf("TopK", x)
	a := v.Aval()
	if a.Rank() == 0 || k < 0 || k > a.Shape.At(a.Rank()-1) {
		core.FailOp(core.ErrShape, "TopK", []core.ShapedArray{a}, "%v has no %s along its last axis; ask for fewer", a.Full(), core.Count(k, "element"))
	}
	RequireReal("TopK", v)
	p, q := indexed.TopK(v, k, a.Rank()-1)
	return p, q
}

// SearchSorted returns for each of values the index at which it would be inserted into the sorted
// vector a so that a stays sorted: before equal elements, or after them if right.
func SearchSorted(a, values core.Value, right bool) core.Value {
	return searchSorted("SearchSorted", a, values, right)
}

func searchSorted(op string, a, values core.Value, right bool) core.Value {
	v, w := PromotePair(op, ValueOf(op, a), ValueOf(op, values))
	if t := v.Aval(); t.Rank() != 1 {
		core.FailOp(core.ErrShape, op, []core.ShapedArray{t}, "the sorted elements are a vector, got %v; sort what Ravel returns, or map with Vmap", t.Full())
	}
	n := v.Aval().Size()
	sorted, x := v, w
	if n == 0 {
		return ZerosOf(core.Int32, x.Aval().Shape.Ints()...)
	}
	return WithJAXPromotion(func() core.Value {
		// NaNs are the last of a sorted vector.
		before := func(e core.Value) core.Value {
			if right {
				return Or(Le(e, x), IsNaN(x))
			}
			return Or(Lt(e, x), And(IsNaN(x), Not(IsNaN(e))))
		}
		bounds := []core.Value{ZerosOf(core.Int32, x.Aval().Shape.Ints()...), Full(x.Aval().Shape.Ints(), int32(n))}
		steps := 0
		for 1<<steps <= n {
			steps++
		}
		count := func(n int) core.Value {
			return core.Literal{Num: core.IntNumber(int64(n)), Type: core.Int32, Weak: true}
		}
		return trace.ForI(count(0), count(steps), func(_ core.Value, b []core.Value) []core.Value {
			lo, hi := b[0], b[1]
			mid := Add(lo, FloorDiv(Sub(hi, lo), 2))
			open := Lt(lo, hi)
			ahead := And(before(Index(sorted, mid)), open)
			return []core.Value{Where(ahead, Add(mid, 1), lo), Where(ahead, hi, Where(open, mid, hi))}
		}, bounds)[0]
	})
}

// IsIn reports for each element of x whether it is among the elements of set.
func IsIn(x, set core.Value) core.Value {
	v, w := PromotePair("IsIn", ValueOf("IsIn", x), ValueOf("IsIn", set))
	const few = 1 << 12 // so many pairs at most are compared directly, which is faster than sorting
	n, m := v.Aval().Size(), w.Aval().Size()
	if m == 0 || n <= few/m {
		return AnyTrue(Eq(prim.ExpandDims(v, core.MakeDims(v.Aval().Rank())), Ravel(w)), -1)
	}
	return WithJAXPromotion(func() core.Value {
		x, sorted := Strong("IsIn", v), Sort(Ravel(Strong("IsIn", w)))
		return Eq(Take(sorted, Minimum(SearchSorted(sorted, x, false), m-1)), x)
	})
}

// Unique returns the distinct elements of x in ascending order. How many there are decides
// the shape, so x must be known: in a traced function use [UniqueSize].
func Unique(x core.Value) core.Value {
	s := WithJAXPromotion(func() core.Value { return Sort(Ravel(x)) })
	if s.Aval().Size() == 0 {
		return s
	}
	return Index(s, firsts(s))
}

// Uniques are the distinct elements of an array and their positions in it.
type Uniques struct {
	Values, Indices, Inverse, Counts core.Value
}

// UniqueAll returns the distinct elements of x in ascending order (Values); for each of these its first position
// in x (Indices) and how often it occurs (Counts); and for each element of x its position in Values (Inverse).
// Every NaN counts as distinct.
func UniqueAll(x core.Value) Uniques {
	const op = "UniqueAll"
	v := Strong(op, numbersOf(op, x))
	var u Uniques
	WithJAXPromotion(func() core.Value {
		flat, dt := Ravel(v), DefaultInt()
		n := flat.Aval().Size()
		out := indexed.Sort(0, 1, true, flat, prim.Iota(dt, flat.Aval().Shape, 0))
		s, order := out[0], out[1]
		if n == 0 {
			u = Uniques{s, order, ZerosOf(dt, v.Aval().Shape.Ints()...), order}
			return s
		}
		first := Concat(0, Full([]int{1}, true), Ne(Index(s, "1:"), Index(s, ":-1")))
		at := AsType(positionsOf(op, first)[0], dt)
		group := Sub(CumSum(AsType(first, dt)), 1)
		u = Uniques{
			Values: Index(s, at), Indices: Index(order, at),
			Inverse: Reshape(At(ZerosOf(dt, n), order).Unique().Set(group), v.Aval().Shape.Ints()...),
			Counts:  Sub(Concat(0, Index(at, "1:"), AsType(Full([]int{1}, n), dt)), at),
		}
		return s
	})
	return u
}

// UniqueSize returns the first n distinct elements of x in ascending order. If there are fewer,
// the rest is fill, or the least element if fill is not given.
func UniqueSize(x core.Value, n int, fill ...any) core.Value {
	if n < 0 {
		core.FailOp(core.ErrShape, "UniqueSize", nil, "cannot give %s; ask for 0 or more", core.Count(n, "element"))
	}
	s := Strong("UniqueSize", ValueOf("UniqueSize", x))
	s = WithJAXPromotion(func() core.Value { return Sort(Ravel(s)) })
	var rest core.Value
	switch {
	case len(fill) > 1:
		core.FailOp(core.ErrShape, "UniqueSize", nil, "takes one number to fill with, got %d; pass one at most", len(fill))
	case len(fill) == 1:
		rest = fitInto("UniqueSize", s, ValueOf("UniqueSize", fill[0]))
		if a := rest.Aval(); a.Rank() > 0 {
			core.FailOp(core.ErrShape, "UniqueSize", []core.ShapedArray{a}, "what fills is one number, got %v; pass a number or an Array without axes", a.Full())
		}
	case s.Aval().Size() > 0:
		rest = Index(s, 0)
	case n > 0:
		core.FailOp(core.ErrShape, "UniqueSize", []core.ShapedArray{x.Aval()}, "%v is empty: nothing fills %s; pass what does", x.Aval().Full(), core.Count(n, "element"))
	default:
		return s
	}
	return WithJAXPromotion(func() core.Value {
		if s.Aval().Size() == 0 || n == 0 {
			return BroadcastTo(rest, n)
		}
		first := firsts(s)
		place := Where(first, Sub(CumSum(AsType(first, core.Int32)), 1), n) // beyond the end: dropped
		return At(BroadcastTo(rest, n), place).Set(s)
	})
}

// firsts reports for each element of a sorted vector whether it differs from the one before. NaNs do
// not differ.
func firsts(s core.Value) core.Value {
	hi, lo := Index(s, "1:"), Index(s, ":-1")
	differ := Ne(hi, lo)
	if s.Aval().DType.IsInexact() {
		differ = And(differ, Not(And(IsNaN(hi), IsNaN(lo))))
	}
	return Concat(0, Full([]int{1}, true), differ)
}

// NonzeroSize returns the positions of the first n elements that are not 0, one array per axis.
// If there are fewer, the rest of every array is fill.
func NonzeroSize(x core.Value, n, fill int) []core.Value {
	if n < 0 {
		core.FailOp(core.ErrShape, "NonzeroSize", nil, "cannot give %s; ask for 0 or more", core.Count(n, "place"))
	}
	l, _ := Number(fill)
	RequireFits("NonzeroSize", l, core.Int32)
	m := Truth(ValueOf("NonzeroSize", x))
	a := m.Aval()
	requireAxes("NonzeroSize", m)
	flat := Ravel(m)
	out := make([]core.Value, a.Rank())
	if n == 0 {
		return slices.Repeat([]core.Value{ZerosOf(core.Int32, 0)}, len(out))
	}
	WithJAXPromotion(func() core.Value {
		place := Where(flat, Sub(CumSum(AsType(flat, core.Int32)), 1), n)
		for i := range out {
			at := Ravel(prim.Iota(core.Int32, a.Shape, i))
			out[i] = At(Full([]int{n}, int32(fill)), place).Set(at)
		}
		return m
	})
	return out
}

func requireAxes(op string, m core.Value) {
	if a := m.Aval(); a.Rank() == 0 {
		core.FailOp(core.ErrShape, op, []core.ShapedArray{a}, "a scalar has no positions; give it an axis, as weft.AtLeast(x, 1)")
	}
}

// Bincount returns how often each of 0, 1, …, n−1 occurs among the integers x, or, given weights, the sum of
// the weights of each.
func Bincount(x core.Value, n int, given ...core.Value) core.Value {
	weights := Ones(ValueOf("Bincount", x).Aval().Shape.Ints()...)
	switch len(given) {
	case 0:
		weights = AsType(weights, core.Int32)
	case 1:
		weights = ValueOf("Bincount", given[0])
	default:
		core.FailOp(core.ErrStatic, "Bincount", nil, "too many weights (got %d arrays, want at most 1); pass one", len(given))
	}
	a := ValueOf("Bincount", x).Aval()
	if !a.DType.IsInteger() || n < 0 || weights.Aval().Shape != a.Shape {
		core.FailOp(core.ErrDType, "Bincount", []core.ShapedArray{a, weights.Aval()}, "counts integers below n with a weight each, got %v, n = %d and %v; convert with AsType, and give weights of one shape", a.Full(), n, weights.Aval().Full())
	}
	return WithJAXPromotion(func() core.Value {
		x, w := Ravel(wideIndices("Bincount", x)), Ravel(weights)
		none := ZerosOfType(w.Aval().WithShape(core.MakeDims(n)).Strong())
		if n == 0 {
			return none
		}
		at := Where(Lt(x, 0), n, x) // a negative position would count from the end
		return At(none, at).Add(w)
	})
}

// Histogram returns the number of elements of x in each of n bins of equal width from lo to hi,
// hi included, and the edges of the bins.
func Histogram(x core.Value, n int, lo, hi float64) (counts, edges core.Value) {
	if n <= 0 || !(lo < hi) || math.IsInf(hi-lo, 0) {
		core.FailOp(core.ErrShape, "Histogram", nil, "needs one bin or more and lo < hi, both finite, got %d bins from %g to %g; give other bounds", n, lo, hi)
	}
	v := Strong("Histogram", Floating("Histogram", ValueOf("Histogram", x)))
	if a := v.Aval(); a.DType.IsComplex() {
		core.FailOp(core.ErrDType, "Histogram", []core.ShapedArray{a}, "complex numbers have no order; take Real, Imag or Abs")
	}
	Room("Histogram", []int{n}, core.Float64)
	x = Ravel(v)
	at := make([]float64, n+1) // in 64 bits, regardless of the default
	for i := range n {
		at[i] = lo + float64(i)*((hi-lo)/float64(n))
	}
	at[n] = hi
	edges = AsType(fromSlice(at), x.Aval().DType)
	counts = WithJAXPromotion(func() core.Value {
		bin := Sub(SearchSorted(edges, x, true), 1)
		bin = Where(Eq(x, Index(edges, -1)), n-1, bin)
		bin = Where(IsNaN(x), n, bin)
		return Bincount(Where(Lt(bin, 0), n, bin), n)
	})
	return counts, edges
}
