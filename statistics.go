package weft

import (
	"github.com/weft-go/weft/internal/nd"
)

// Average returns the mean along an axis, or of all elements, in which each counts as
// much as its weight. The weights have x's shape, or its size along the axis.
func Average(x, weights Array, axis ...int) Array {
	return FromValue(nd.Average(x.value(), weights.value(), axis...))
}

// Median returns the middle element along the given axes, or of all: the mean of two if
// their number is even. NaN if one is.
func Median(x Array, axes ...int) Array { return FromValue(nd.Median(x.value(), axes...)) }

// QuantileMethod is what a quantile between two elements is.
type QuantileMethod uint8

// The methods: on the line between both, the lower, the higher, the nearer one, or
// the mean.
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
	Axes    []int // nil: all
	Keep    bool  // reduced axes stay, with size 1
	Method  QuantileMethod
	SkipNaN bool // NaNs do not count
}

// Quantile returns the element below which the part q of all elements lies; q is from 0
// to 1. The axes of q come first in the result. The result is NaN if an element is.
func Quantile[Q Operand](x Array, q Q, c QuantileConfig) Array {
	return FromValue(nd.Quantile(x.value(), unwrap(q), nd.QuantileConfig{Axes: c.Axes, Keep: c.Keep, Method: nd.QuantileMethod(c.Method), SkipNaN: c.SkipNaN}))
}
