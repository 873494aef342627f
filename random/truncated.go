package random

import (
	"math"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/lax"
)

// TruncatedNormal returns numbers of the standard normal distribution that lie between lo
// and hi, both excluded.
func TruncatedNormal[A, B weft.Operand](k Key, lo A, hi B, dims ...int) weft.Array {
	const op = "TruncatedNormal"
	dt := k.floatOf(op, lo, hi)
	formatOf(op, dt)
	a, b := param(op, dt, lo), param(op, dt, hi)
	shape := shapeOf(op, dims, a.Shape(), b.Shape())
	v := unit(k.single(op), dt, shape)
	a, b = a.BroadcastTo(shape...), b.BroadcastTo(shape...)
	x := truncated(v, a, b)
	// Rounding, or v at its lower end, may have left the open interval.
	least := lax.Nextafter(lax.StopGradient(a), num(dt, math.Inf(1)))
	most := lax.Nextafter(lax.StopGradient(b), num(dt, math.Inf(-1)))
	return lax.Min(lax.Max(x, least), most)
}

// farOut returns the distance from 0 beyond which intervals are drawn by [outer]: there the values
// of erf are so close to ±1 that its inverse loses accuracy.
func farOut(dt weft.DType) float64 {
	if dt == weft.Float64 {
		return 5
	}
	return 3
}

// truncated returns the v-quantile of the normal distribution between a and b.
func truncated(v, a, b weft.Array) weft.Array {
	dt := v.DType()
	up, down := lax.Gt(a, num(dt, farOut(dt))), lax.Lt(b, num(dt, -farOut(dt)))
	outside := lax.BitwiseOr(up, down)
	some := lax.ReduceOr(outside, axes(v.Rank())...)
	both := func() weft.Array {
		return lax.Select(outside, outer(v, a, b, up, down), inner(v, a, b))
	}
	// If the bounds are known, as numbers are, one formula may be enough.
	if known, err := weft.Try(func() bool { return some.Bool() }); err != nil {
		return weft.Cond(some, both, func() weft.Array { return inner(v, a, b) })
	} else if known {
		return both()
	}
	return inner(v, a, b)
}

// inner is for intervals near 0: it inverts erf. Far from 0 the values of erf crowd near ±1.
func inner(v, a, b weft.Array) weft.Array {
	dt := v.DType()
	root := num(dt, math.Sqrt2)
	lo, hi := lax.Erf(lax.Div(a, root)), lax.Erf(lax.Div(b, root))
	u := lax.Max(lo, lax.Add(lax.Mul(v, lax.Sub(hi, lo)), lo))
	// If u were rounded to ±1, the result would be infinite.
	edge := 1 - formats[dt].eps()/2
	u = lax.Clamp(num(dt, -edge), u, num(dt, edge))
	return lax.Mul(root, lax.ErfInv(u))
}

// outer is for intervals with one bound far from 0. With S(x) the probability of a normal number
// above x and d(x) = φ(x)/S(x), x = a + t has
//
//	−log S(x)/S(a) = a·t + t²/2 + log d(x)/d(a),
//
// which is 0 at a and has the derivative d(x). A few of Newton’s steps find the t of a value. They
// start from the solution without the last term, which is always too large.
func outer(v, a, b, up, down weft.Array) weft.Array {
	own := v.DType()
	dt := drawn(own)
	v, a, b = lax.ConvertElementType(v, dt), lax.ConvertElementType(a, dt), lax.ConvertElementType(b, dt)
	f := func(x float64) weft.Array { return num(dt, x) }
	like := func(x float64) weft.Array { return lax.FullLike(v, x) }
	// Mirrored so that the interval is above 0; other elements get a harmless one.
	outside := lax.BitwiseOr(up, down)
	near := lax.Select(outside, lax.Select(down, lax.Neg(b), a), like(farOut(dt)))
	far := lax.Select(outside, lax.Select(down, lax.Neg(a), b), like(farOut(dt)+1))
	v = lax.Select(down, lax.Sub(f(1-formats[own].eps()), v), v)

	ends := lax.Lt(far, f(math.Inf(1)))
	end := lax.Select(ends, far, lax.Add(near, f(1)))
	logNear := lax.Log(hazard(near))
	fall := lax.Sub(lax.Sub(logNear, lax.Log(hazard(end))), lax.Mul(lax.Mul(lax.Sub(end, near), lax.Add(end, near)), f(0.5)))
	fall = lax.Select(ends, fall, like(math.Inf(-1))) // log S(b)/S(a)
	depth := lax.Neg(lax.Log1p(lax.Mul(v, lax.Expm1(fall))))

	root := lax.Sqrt(lax.Add(lax.Mul(near, near), lax.Mul(f(2), depth)))
	t := lax.Div(lax.Mul(f(2), depth), lax.Add(near, root))
	t = weft.ForI(4, func(_ weft.Array, t weft.Array) weft.Array {
		d := hazard(lax.Add(near, t))
		reached := lax.Add(lax.Add(lax.Mul(near, t), lax.Mul(lax.Mul(t, t), f(0.5))), lax.Sub(lax.Log(d), logNear))
		return lax.Sub(t, lax.Div(lax.Sub(reached, depth), d))
	}, t)
	x := lax.Add(near, t)
	return lax.ConvertElementType(lax.Select(down, lax.Neg(x), x), own)
}

// hazard returns φ(x)/S(x) for x of 3 and more, by the continued fraction
// x + 1/(x + 2/(x + 3/(x + …))).
func hazard(x weft.Array) weft.Array {
	const terms = 32
	return weft.ForI(terms, func(i weft.Array, d weft.Array) weft.Array {
		k := lax.ConvertElementType(lax.Sub(lax.ConvertElementType(terms, i.DType()), i), x.DType())
		return lax.Add(x, lax.Div(k, d))
	}, x)
}
