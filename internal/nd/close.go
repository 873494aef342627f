package nd

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
)

// IsClose reports whether |a − b| is at most atol + rtol · |b|, element by element. Infinities of
// the same sign are close; NaN is close to nothing. Integers are subtracted exactly, also those that f64
// could not represent; the difference is then rounded to f64.
func IsClose(a any, b any, rtol, atol float64) core.Value {
	x, y := Pair("IsClose", a, b)
	if !x.Aval().DType.IsInexact() {
		return closeIntegers(x, y, rtol, atol)
	}
	p, q := x, y
	return WithJAXPromotion(func() core.Value {
		near := Le(Abs(Sub(p, q)), Add(Mul(Abs(q), rtol), atol))
		finite := And(IsFinite(p), IsFinite(q))
		return Where(finite, near, Eq(p, q))
	})
}

// AllClose reports whether all elements of a are close to those of b: see [IsClose].
func AllClose(a any, b any, rtol, atol float64) core.Value {
	return AllTrue(IsClose(a, b, rtol, atol))
}

// closeIntegers computes the differences as unsigned numbers, which do not wrap.
func closeIntegers(x, y core.Value, rtol, atol float64) core.Value {
	if x.Aval().DType.Bits() < 64 {
		x, y = Convert("IsClose", x, core.Int64, false), Convert("IsClose", y, core.Int64, false)
	}
	x, y = Strong("IsClose", x), Strong("IsClose", y)
	top, low := Maximum(x, y), Minimum(x, y)
	if x.Aval().DType.IsSigned() {
		top, low = prim.BitcastConvert(top, core.Uint64), prim.BitcastConvert(low, core.Uint64)
	}
	far := Convert("IsClose", prim.Sub(top, low), core.Float64, false)
	size := Abs(Convert("IsClose", y, core.Float64, false))
	return WithJAXPromotion(func() core.Value { return Le(far, Add(Mul(size, rtol), atol)) })
}
