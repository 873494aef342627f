package prim

import (
	"strconv"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim/internal/rule"
	"github.com/weft-go/weft/jaxpr"
)

// FloorP is the largest integer ≤ x, as a float; floor(−0) = −0.
type FloorP struct {
	unary[floating]
	constant
}

// Floor rounds towards −∞.
func Floor(x Value) Value { return core.Apply1(FloorP{}, x) }

func (FloorP) Name() string { return "floor" }

// CeilP is the smallest integer ≥ x, as a float; ceil(x) = −0 for −1 < x ≤ −0.
type CeilP struct {
	unary[floating]
	constant
}

// Ceil rounds towards +∞.
func Ceil(x Value) Value { return core.Apply1(CeilP{}, x) }

func (CeilP) Name() string { return "ceil" }

// Rounding selects where round sends numbers half way between two integers. It is printed as its
// number.
type Rounding int

// The ways to round halves.
const (
	AwayFromZero  Rounding = 0 // 0.5 → 1, 2.5 → 3
	ToNearestEven Rounding = 1 // 0.5 → 0, 2.5 → 2
)

// String returns the number.
func (r Rounding) String() string { return strconv.Itoa(int(r)) }

// RoundP is the nearest integer, as a float with the sign of x.
type RoundP struct {
	unary[floating]
	constant
	Method Rounding
}

// Round returns the nearest integer; method decides halves.
func Round(x Value, method Rounding) Value { return core.Apply1(RoundP{Method: method}, x) }

func (RoundP) Name() string { return "round" }

func (RoundP) read(r *jaxpr.ParamReader) core.Primitive {
	return RoundP{Method: Rounding(r.Int("rounding_method"))}
}

func (p RoundP) Params() []core.Param { return []core.Param{rule.Param("rounding_method", p.Method)} }

func (p RoundP) Abstract(in []ShapedArray) []ShapedArray {
	if p.Method != AwayFromZero && p.Method != ToNearestEven {
		core.Failf(core.ErrCheck, "has no rounding method %d; 0 rounds halves away from zero, 1 to even", int(p.Method))
	}
	return p.unary.Abstract(in)
}

// IsFiniteP is true for numbers, false for infinities and NaN.
type IsFiniteP struct{ predicate[floating] }

// IsFinite reports for each element whether it is neither infinite nor NaN.
func IsFinite(x Value) Value { return core.Apply1(IsFiniteP{}, x) }

func (IsFiniteP) Name() string { return "is_finite" }

// NextafterP is the float next to x in the direction of y: y if they are equal,
// NaN if either is. The step from zero is the smallest subnormal number.
type NextafterP struct{ binary[floating] }

// Nextafter returns the float next to x in the direction of y.
func Nextafter(x, y Value) Value { return core.Apply2(NextafterP{}, x, y) }

func (NextafterP) Name() string { return "nextafter" }

func (NextafterP) NoJVP() string {
	return "a step to the neighbouring float has no derivative; use StopGradient around it, or x itself if the step does not matter"
}

// ReducePrecisionP rounds to the nearest float that has the given numbers of bits
// for exponent and mantissa, halves to even, in the same dtype: what overflows
// becomes infinite, what underflows zero (there are no subnormal numbers), NaN
// stays NaN.
type ReducePrecisionP struct {
	unary[floating]
	ExponentBits, MantissaBits int
}

// ReducePrecision rounds x to a float of fewer bits, in its dtype.
func ReducePrecision(x Value, exponent, mantissa int) Value {
	return core.Apply1(ReducePrecisionP{ExponentBits: exponent, MantissaBits: mantissa}, x)
}

func (ReducePrecisionP) Name() string { return "reduce_precision" }

func (ReducePrecisionP) read(r *jaxpr.ParamReader) core.Primitive {
	return ReducePrecisionP{ExponentBits: r.Int("exponent_bits"), MantissaBits: r.Int("mantissa_bits")}
}

func (p ReducePrecisionP) Params() []core.Param {
	return []core.Param{rule.Param("exponent_bits", strconv.Itoa(p.ExponentBits)), rule.Param("mantissa_bits", strconv.Itoa(p.MantissaBits))}
}

func (p ReducePrecisionP) Abstract(in []ShapedArray) []ShapedArray {
	if p.ExponentBits < 1 {
		core.Failf(core.ErrCheck, "exponent_bits must be at least 1 (got %d); use the width of a float type", p.ExponentBits)
	}
	if p.MantissaBits < 0 {
		core.Failf(core.ErrCheck, "mantissa_bits must not be negative (got %d); use the width of a float type", p.MantissaBits)
	}
	return p.unary.Abstract(in)
}

// JVP rounds the tangent likewise.
func (p ReducePrecisionP) JVP(in, out, t []Value) []Value { return rule.One(core.Apply1(p, t[0])) }

func (p ReducePrecisionP) Transpose(ct, in []Value, lin []bool, av []ShapedArray) []Value {
	return rule.One(core.Apply1(p, ct[0]))
}
