package weft

import (
	"github.com/weft-go/weft/internal/nd"
)

// Options that stand among axes.
const (
	// Keep among the axes of a reduction leaves the reduced axes in place, with size 1:
	// x.Mean(-1, weft.Keep).
	Keep = nd.Keep
	// Descending, passed after the axis of a sort, reverses its order: x.Sort(-1,
	// weft.Descending).
	Descending = nd.Descending
	// HalfOpen, passed after the axis of [Linspace], leaves out its end.
	HalfOpen = nd.HalfOpen
)

// Sum returns the sum along the given axes, or of all elements. Small integers are summed in i32
// or u32, or in 64 bits under DefaultBits(64). A list of axes that is empty but not nil, as in
// x.Sum([]int{}...), names none: nothing is summed. This holds for all reductions.
func (x Array) Sum(axes ...int) Array { return FromValue(nd.Sum(x.value(), axes...)) }

// Prod returns the product along the given axes, or of all elements.
func (x Array) Prod(axes ...int) Array { return FromValue(nd.Prod(x.value(), axes...)) }

// Max returns the largest element along the given axes, or of all; NaN if any is NaN.
func (x Array) Max(axes ...int) Array { return FromValue(nd.Max(x.value(), axes...)) }

// Min returns the smallest element along the given axes, or of all; NaN if any is NaN.
func (x Array) Min(axes ...int) Array { return FromValue(nd.Min(x.value(), axes...)) }

// All holds where no element along the given axes is zero. Without axes it is one answer about all
// elements.
func (x Array) All(axes ...int) Array { return FromValue(nd.AllTrue(x.value(), axes...)) }

// Any holds where some element along the given axes is not zero. Without axes it is one answer about all
// elements.
func (x Array) Any(axes ...int) Array { return FromValue(nd.AnyTrue(x.value(), axes...)) }

// Mean returns the average along the given axes, or of all elements: a float for integers.
func (x Array) Mean(axes ...int) Array { return FromValue(nd.Mean(x.value(), axes...)) }

// Var returns the variance along the given axes, or of all elements: the mean of the
// squared distances from the mean.
func (x Array) Var(axes ...int) Array { return FromValue(nd.Var(x.value(), axes...)) }

// Std returns the standard deviation along the given axes, or of all elements. Where it is 0, so is
// its derivative.
func (x Array) Std(axes ...int) Array { return FromValue(nd.Std(x.value(), axes...)) }

// ArgMax returns the index of the largest element along an axis, or among all elements in
// row-major order. NaN counts as the largest. Of equal elements it is the first.
func (x Array) ArgMax(axis ...int) Array { return FromValue(nd.ArgMax(x.value(), axis...)) }

// ArgMin returns the index of the smallest element along an axis, or among all elements, as
// [Array.ArgMax] does. NaN counts as the smallest.
func (x Array) ArgMin(axis ...int) Array { return FromValue(nd.ArgMin(x.value(), axis...)) }

// CumSum returns the sums of all elements up to each, along an axis, or of all elements
// in row-major order.
func (x Array) CumSum(axis ...int) Array { return FromValue(nd.CumSum(x.value(), axis...)) }

// CumProd returns the products of all elements up to each, as [Array.CumSum] does the sums.
func (x Array) CumProd(axis ...int) Array { return FromValue(nd.CumProd(x.value(), axis...)) }

// CumMax returns the largest of all elements up to each, as [Array.CumSum] does the sums.
func (x Array) CumMax(axis ...int) Array { return FromValue(nd.CumMax(x.value(), axis...)) }

// CumMin returns the smallest of all elements up to each, as [Array.CumSum] does the sums.
func (x Array) CumMin(axis ...int) Array { return FromValue(nd.CumMin(x.value(), axis...)) }

// ReduceOp is what [Reduce] computes.
type ReduceOp uint8

// The reductions.
const (
	ReduceSum ReduceOp = iota
	ReduceProd
	ReduceMax
	ReduceMin
	ReduceMean
	ReduceVar
	ReduceStd
)

// ReduceConfig configures [Reduce]. Its zero value is the sum of all elements.
type ReduceConfig struct {
	Op    ReduceOp
	Axes  []int   // nil: all; empty: none
	Keep  bool    // reduced axes stay, with size 1
	Where Array   // only elements where this holds take part
	DType DType   // type of the computation and the result; 0: as for the methods, such as Sum
	DDof  float64 // subtracted from the number of elements by ReduceVar and ReduceStd
	// Initial, one number, takes part in sums, products, maxima and minima as one more
	// element; maxima and minima need it where possibly no element takes part. nil: none.
	Initial any
	SkipNaN bool // NaNs do not take part
	// Cumulative asks for the reduction of the elements up to each position, along one axis or, if
	// Axes is nil, in row-major order. Op must be a sum, a product, a maximum or a minimum. Initial
	// counts as an element before the first, so there is one more result.
	Cumulative bool
}

// Reduce returns a reduction of x with the settings of the configuration. For a
// reduction along axes, the methods [Array.Sum], [Array.Max] and so on are shorter.
func Reduce(x Array, c ReduceConfig) Array { return FromValue(nd.Reduce(x.value(), c.values())) }

func (c ReduceConfig) values() nd.ReduceConfig {
	return nd.ReduceConfig{Op: nd.ReduceOp(c.Op), Axes: c.Axes, Keep: c.Keep, Where: c.Where.value(), DType: c.DType, DDof: c.DDof, Initial: optional(c.Initial), SkipNaN: c.SkipNaN, Cumulative: c.Cumulative}
}

// Average returns the weighted mean along an axis, or of all elements. The weights have x's
// shape, or its size along the axis.
func Average(x, weights Array, axis ...int) Array {
	return FromValue(nd.Average(x.value(), weights.value(), axis...))
}

// Median returns the middle element along the given axes, or of all elements; of an even number, the
// mean of the two middle ones. It is NaN if any element is NaN.
func Median(x Array, axes ...int) Array { return FromValue(nd.Median(x.value(), axes...)) }

// QuantileMethod selects the value of a quantile that lies between two elements.
type QuantileMethod uint8

// The methods: linear interpolation, the lower element, the higher, the nearer, or the mean of
// both.
const (
	QuantileLinear QuantileMethod = iota
	QuantileLower
	QuantileHigher
	QuantileNearest
	QuantileMidpoint
)

// QuantileConfig configures [Quantile]. Its zero value reduces all elements and
// interpolates linearly.
type QuantileConfig struct {
	Axes    []int // nil: all; empty: none
	Keep    bool  // reduced axes stay, with size 1
	Method  QuantileMethod
	SkipNaN bool // NaNs do not count
}

// Quantile returns the value below which the fraction q of the elements lies; q is from 0 to 1.
// The axes of q come first in the result. The result is NaN if any element is NaN, unless
// c.SkipNaN is set.
func Quantile[Q Operand](x Array, q Q, c QuantileConfig) Array {
	return FromValue(nd.Quantile(x.value(), unwrap(q), nd.QuantileConfig{Axes: c.Axes, Keep: c.Keep, Method: nd.QuantileMethod(c.Method), SkipNaN: c.SkipNaN}))
}

// SegmentReduce reduces the slices of x along its first axis: the i-th slice belongs to
// segment ids[i], and the result has a slice for each of n segments. Slices whose segment is
// not among 0, 1, …, n−1 do not count. by is ReduceSum, ReduceProd, ReduceMax or
// ReduceMin; a product has no derivative with respect to x. An empty segment has the
// identity of the reduction: 0, 1, or the least or largest number of the type.
func SegmentReduce(x, ids Array, n int, by ReduceOp) Array {
	return FromValue(nd.SegmentReduce(x.value(), ids.value(), n, nd.ReduceOp(by)))
}
