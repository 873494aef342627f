package weft

import "github.com/weft-go/weft/core"

// IsClose is whether |a − b| is at most atol + rtol · |b|, element by element. Equal
// infinities are close; NaN is close to nothing.
func IsClose[A, B Operand](a A, b B, rtol, atol float64) Array {
	x, y := pair("IsClose", a, b)
	p, q := FromValue(x), FromValue(y)
	if !x.Aval().DType.IsInexact() {
		p, q = FromValue(convert("IsClose", x, core.Float64, false)), FromValue(convert("IsClose", y, core.Float64, false))
	}
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
