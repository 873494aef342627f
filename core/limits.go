package core

import "math"

// formats are the number of mantissa bits and the largest finite number of each floating type.
var formats = map[DType]struct {
	mantissa int
	largest  float64
}{
	Float4E2M1FN:      {1, 6},
	Float6E2M3FN:      {3, 7.5},
	Float6E3M2FN:      {2, 28},
	Float8E3M4:        {4, 15.5},
	Float8E4M3:        {3, 240},
	Float8E4M3B11FNUZ: {3, 30},
	Float8E4M3FN:      {3, 448},
	Float8E4M3FNUZ:    {3, 240},
	Float8E5M2:        {2, 57344},
	Float8E5M2FNUZ:    {2, 57344},
	Float8E8M0FNU:     {0, 0x1p127},
	BFloat16:          {7, 0x1.fep127},
	Float16:           {10, 65504},
	Float32:           {23, math.MaxFloat32},
	Float64:           {52, math.MaxFloat64},
}

// Limits returns the least and the largest finite number of a type, or of the parts of a complex
// type. Types without numbers have none.
func (d DType) Limits() (least, largest Number, ok bool) {
	switch d.Kind() {
	case KindBool:
		return BoolNumber(false), BoolNumber(true), true
	case KindInt:
		return IntNumber(-1 << (d.Bits() - 1)), IntNumber(1<<(d.Bits()-1) - 1), true
	case KindUint:
		return UintNumber(0), UintNumber(math.MaxUint64 >> (64 - d.Bits())), true
	case KindFloat, KindMinorFloat, KindComplex:
		top := formats[d.Real()].largest
		low := -top
		if d == Float8E8M0FNU { // has no sign, and no zero
			low = 0x1p-127
		}
		return FloatNumber(low), FloatNumber(top), true
	}
	return Number{}, Number{}, false
}

// leastExponents are the binary exponents of the least normal numbers.
var leastExponents = map[DType]int{
	Float4E2M1FN: 0, Float6E2M3FN: 0, Float6E3M2FN: -2, Float8E3M4: -2, Float8E4M3: -6, Float8E4M3B11FNUZ: -10, Float8E4M3FN: -6,
	Float8E4M3FNUZ: -7, Float8E5M2: -14, Float8E5M2FNUZ: -15, Float8E8M0FNU: -127,
	BFloat16: -126, Float16: -14, Float32: -126, Float64: -1022,
}

// SmallestNormal returns the least positive normal number of a floating type, or of the parts of
// a complex type; 0 for the other types.
func (d DType) SmallestNormal() float64 {
	e, ok := leastExponents[d.Real()]
	if !ok || !d.IsInexact() {
		return 0
	}
	return math.Ldexp(1, e)
}

// Epsilon returns the distance from 1 to the next larger number of a floating type, or of the
// parts of a complex type; 0 for the other types.
func (d DType) Epsilon() float64 {
	f, ok := formats[d.Real()]
	if !ok || !d.IsInexact() {
		return 0
	}
	return math.Ldexp(1, -f.mantissa)
}
