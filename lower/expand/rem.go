package expand

import "github.com/weft-go/weft/lower/scalar"

// remFloat returns the exact remainder of the truncating division, with the sign of x.
//
// One step q = trunc(x/y), r = x − q·y is exact while q fits the mantissa: x/y may
// round up to the next integer, which leaves r just below zero and is put right.
// Farther apart, the divisor is first y·2^(52k), for k from the top down. f32 is
// computed in f64.
func remFloat(b builder, x, y scalar.Ref) scalar.Ref {
	t := b.TypeOf(x)
	steps := 41 // 52·41 ≥ 2098, and |x/y| < 2²⁰⁹⁸
	xa, ya := b.Abs(x), b.Abs(y)
	if t == scalar.F32 {
		steps = 6
		xa, ya = b.Convert(scalar.F64, xa), b.Convert(scalar.F64, ya)
	}
	zero, inf := b.Float(scalar.F64, 0), b.inf(scalar.F64)
	near := b.Float(scalar.F64, 0x1p52)
	far := b.And(b.Lt(near, b.Div(xa, ya)), b.And(b.Lt(xa, inf), b.Lt(zero, ya)))
	step := func(r, d scalar.Ref) scalar.Ref {
		q := b.Trunc(b.Div(r, d))
		s := b.FMA(b.Neg(q), d, r)
		return b.Select(b.Lt(s, zero), b.Add(s, d), s)
	}
	// divisors[k] is |y|·2^(52k).
	divisors := []scalar.Ref{ya}
	scale := b.Float(scalar.F64, 0x1p52)
	for range steps {
		divisors = append(divisors, b.Mul(divisors[len(divisors)-1], scale))
	}
	r := xa
	for k := steps; k > 0; k-- {
		d := divisors[k]
		r = b.Select(b.Lt(d, inf), step(r, d), r)
	}
	r = b.Rare(far, step(r, ya), step(xa, ya))
	r = b.Select(b.And(b.Lt(xa, inf), b.Eq(ya, inf)), xa, r)
	if t == scalar.F32 {
		r = b.Convert(scalar.F32, r)
	}
	// x rem 0, ∞ rem y and NaN came out as NaN.
	return b.copySign(r, x)
}
