package random

import (
	"math"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/lax"
)

// split returns the high and low parts of u, with u = high + low exactly, where high has at most
// half of the mantissa bits of the type. ok is false for types of 16 bits.
func split(dt weft.DType, u weft.Array) (high, low weft.Array, ok bool) {
	var drop int
	switch dt {
	case weft.Float64:
		drop = 27
	case weft.Float32:
		drop = 12
	default:
		return u, u, false
	}
	unsigned := formats[dt].unsigned
	mask := lax.ConvertElementType(uint64(math.MaxUint64)>>(64-formats[dt].bits)&^(1<<drop-1), unsigned)
	high = lax.BitcastConvertType(lax.BitwiseAnd(lax.BitcastConvertType(u, unsigned), mask), dt)
	return high, lax.Sub(u, high), true
}

// minusLogLog returns −log(−log u). Where −log u is near 1 its rounding would be all of
// the result; there, with t = e·u − 1,
//
//	−log(−log u) = −log1p(−log1p t)
//
// and t is computed from parts of e and u whose leading product is exact.
func minusLogLog(dt weft.DType, u weft.Array) weft.Array {
	v := lax.Neg(lax.Log(u))
	direct := lax.Neg(lax.Log(v))
	high, low, ok := split(dt, u)
	if !ok {
		return direct
	}
	e := math.Float64frombits(math.Float64bits(math.E) &^ (1<<27 - 1))
	rest := math.E - e + 1.4456468917292501e-16 // the constant is the exact e minus math.E in f64
	if dt == weft.Float32 {
		e = float64(math.Float32frombits(math.Float32bits(math.E) &^ (1<<12 - 1)))
		rest = math.E - e
	}
	t := lax.Sub(lax.Mul(high, num(dt, e)), num(dt, 1))
	t = lax.Add(t, lax.Add(lax.Mul(high, num(dt, rest)), lax.Mul(low, num(dt, math.E))))
	near := lax.Neg(lax.Log1p(lax.Neg(lax.Log1p(t))))
	isNear := lax.BitwiseAnd(lax.Ge(v, num(dt, 0.5)), lax.Le(v, num(dt, 2)))
	return lax.Select(isNear, near, direct)
}

// tanOfTurns returns tan(π·(u − ½)) for u in (0, 1). Beyond an eighth of a turn it is the
// reciprocal of the tangent of the angle to the pole, which u determines exactly.
func tanOfTurns(dt weft.DType, u weft.Array) weft.Array {
	w := lax.Sub(u, num(dt, 0.5)) // exact
	if formats[dt].bits == 16 {
		return lax.Tan(lax.Mul(num(dt, math.Pi), w)) // accurate enough: u itself is coarser
	}
	a := lax.Abs(w)
	isSmall := lax.Le(a, num(dt, 0.25))
	tan := lax.Tan(lax.Mul(num(dt, math.Pi), lax.Select(isSmall, a, lax.Sub(num(dt, 0.5), a))))
	size := lax.Select(isSmall, tan, lax.Div(num(dt, 1), tan))
	return lax.Select(lax.Lt(w, num(dt, 0)), lax.Neg(size), size)
}
