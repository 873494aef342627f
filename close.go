package weft

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
)

// IsClose is whether |a − b| is at most atol + rtol · |b|, element by element. Equal
// infinities are close; NaN is close to nothing. Integers differ by what they differ by,
// also where they are beyond what f64 holds.
func IsClose[A, B Operand](a A, b B, rtol, atol float64) Array {
	x, y := pair("IsClose", a, b)
	if !x.Aval().DType.IsInexact() {
		return closeIntegers(x, y, rtol, atol)
	}
	p, q := FromValue(x), FromValue(y)
	return alone(func() Array {
		near := Abs(p.Sub(q)).Le(Abs(q).Mul(rtol).Add(atol))
		finite := IsFinite(p).And(IsFinite(q))
		return Where(finite, near, p.Eq(q))
	})
}

// AllClose is whether all elements of a are close to those of b: see [IsClose].
func AllClose[A, B Operand](a A, b B, rtol, atol float64) Array {
	return IsClose(a, b, rtol, atol).All()
}

// closeIntegers has the differences as unsigned numbers, which do not wrap.
func closeIntegers(x, y core.Value, rtol, atol float64) Array {
	if x.Aval().DType.Bits() < 64 {
		x, y = convert("IsClose", x, core.Int64, false), convert("IsClose", y, core.Int64, false)
	}
	x, y = strong("IsClose", x), strong("IsClose", y)
	top, low := Maximum(FromValue(x), FromValue(y)).Value(), Minimum(FromValue(x), FromValue(y)).Value()
	if x.Aval().DType.IsSigned() {
		top, low = prim.BitcastConvert(top, core.Uint64), prim.BitcastConvert(low, core.Uint64)
	}
	far := FromValue(convert("IsClose", prim.Sub(top, low), core.Float64, false))
	size := Abs(FromValue(convert("IsClose", y, core.Float64, false)))
	return alone(func() Array { return far.Le(size.Mul(rtol).Add(atol)) })
}
