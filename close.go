package weft

import (
	"github.com/weft-go/weft/internal/nd"
)

// IsClose reports whether |a − b| is at most atol + rtol · |b|, element by element. Equal
// infinities returns close; NaN is close to nothing. Integers differ by what they differ by,
// also where they are beyond the range of f64.
func IsClose[A, B Operand](a A, b B, rtol, atol float64) Array {
	return FromValue(nd.IsClose(unwrap(a), unwrap(b), rtol, atol))
}

// AllClose reports whether all elements of a are close to those of b: see [IsClose].
func AllClose[A, B Operand](a A, b B, rtol, atol float64) Array {
	return FromValue(nd.AllClose(unwrap(a), unwrap(b), rtol, atol))
}
