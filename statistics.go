package weft

import (
	"github.com/weft-go/weft/internal/nd"
)

// NaNSum returns Sum of what is not NaN.
func NaNSum(x Array, axes ...int) Array { return FromValue(nd.NaNSum(x.value(), axes...)) }

// NaNProd returns Prod of what is not NaN.
func NaNProd(x Array, axes ...int) Array { return FromValue(nd.NaNProd(x.value(), axes...)) }

// NaNMean returns Mean of what is not NaN.
func NaNMean(x Array, axes ...int) Array { return FromValue(nd.NaNMean(x.value(), axes...)) }

// NaNVar returns Var of what is not NaN.
func NaNVar(x Array, axes ...int) Array { return FromValue(nd.NaNVar(x.value(), axes...)) }

// NaNStd returns Std of what is not NaN.
func NaNStd(x Array, axes ...int) Array { return FromValue(nd.NaNStd(x.value(), axes...)) }

// NaNMax returns Max of what is not NaN; NaN where nothing is left.
func NaNMax(x Array, axes ...int) Array { return FromValue(nd.NaNMax(x.value(), axes...)) }

// NaNMin returns Min of what is not NaN; NaN where nothing is left.
func NaNMin(x Array, axes ...int) Array { return FromValue(nd.NaNMin(x.value(), axes...)) }

// Ptp returns the distance from the least to the largest element along the given axes, or
// of all.
func Ptp(x Array, axes ...int) Array { return FromValue(nd.Ptp(x.value(), axes...)) }

// CountNonzero returns the number of elements along the given axes, or of all, are not 0.
func CountNonzero(x Array, axes ...int) Array { return FromValue(nd.CountNonzero(x.value(), axes...)) }

// Average returns the mean along an axis, or of all elements, in which each counts as
// much as its weight. The weights have x's shape, or its size along the axis.
func Average(x, weights Array, axis ...int) Array {
	return FromValue(nd.Average(x.value(), weights.value(), axis...))
}

// Median returns the middle element along the given axes, or of all: the mean of two if
// their number is even. NaN if one is.
func Median(x Array, axes ...int) Array { return FromValue(nd.Median(x.value(), axes...)) }

// Percentile returns Quantile with q out of a hundred.
func Percentile[Q Operand](x Array, q Q, axes ...int) Array {
	return FromValue(nd.Percentile(x.value(), unwrap(q), axes...))
}

// Quantile returns the element below which the part q of all lies, along the given axes or
// of all; between two elements it is interpolated. q is from 0 to 1; its axes come
// first in the result. NaN if one is.
func Quantile[Q Operand](x Array, q Q, axes ...int) Array {
	return FromValue(nd.Quantile(x.value(), unwrap(q), axes...))
}

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

// QuantileConfig is what a quantile with more to say takes. Its zero value is that of
// [Quantile].
type QuantileConfig struct {
	Axes    []int // nil: all
	Keep    bool  // reduced axes stay, with size 1
	Method  QuantileMethod
	SkipNaN bool // NaNs do not count
}

// QuantileOf returns Quantile as the configuration has it.
func QuantileOf[Q Operand](x Array, q Q, c QuantileConfig) Array {
	return FromValue(nd.QuantileOf(x.value(), unwrap(q), nd.QuantileConfig{Axes: c.Axes, Keep: c.Keep, Method: nd.QuantileMethod(c.Method), SkipNaN: c.SkipNaN}))
}

// Cov returns the covariances of the variables that are x's rows; its columns are the
// observations. The sum is divided by one less than their number.
func Cov(x Array) Array { return FromValue(nd.Cov(x.value())) }

// CorrCoef returns the correlations of the variables that are x's rows.
func CorrCoef(x Array) Array { return FromValue(nd.CorrCoef(x.value())) }
