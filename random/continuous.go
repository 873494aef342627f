package random

import (
	"github.com/weft-go/weft"
	"github.com/weft-go/weft/lax"
)

// Exponential returns numbers of the exponential distribution of mean 1.
func Exponential(k Key, dims ...int) weft.Array {
	dt := k.typeOr(defaultFloat())
	return plain(k, "Exponential", dt, dims, exponential)
}

// exponential returns −log(1−u).
func exponential(key weft.Array, dt weft.DType, shape []int) weft.Array {
	return lax.Neg(lax.Log1p(lax.Neg(unit(key, dt, shape))))
}

// Gumbel returns numbers of the standard Gumbel distribution, to which the largest of many numbers
// tends after shift and scaling.
func Gumbel(k Key, dims ...int) weft.Array {
	dt := k.typeOr(defaultFloat())
	return plain(k, "Gumbel", dt, dims, gumbel)
}

// gumbel returns −log(−log u), u uniform in (0, 1).
func gumbel(key weft.Array, dt weft.DType, shape []int) weft.Array {
	u := inside(key, dt, formats[dt].tiny, 1, shape)
	return minusLogLog(dt, u)
}

// Laplace returns numbers of the Laplace distribution of mean 0 and scale 1: exponential numbers
// with random signs.
func Laplace(k Key, dims ...int) weft.Array {
	dt := k.typeOr(defaultFloat())
	return plain(k, "Laplace", dt, dims, func(key weft.Array, dt weft.DType, shape []int) weft.Array {
		u := inside(key, dt, formats[dt].eps()/2-1, 1, shape)
		return lax.Mul(lax.Sign(u), lax.Log1p(lax.Neg(lax.Abs(u))))
	})
}

// Logistic returns numbers of the logistic distribution of mean 0 and scale 1, whose
// distribution function is Sigmoid.
func Logistic(k Key, dims ...int) weft.Array {
	dt := k.typeOr(defaultFloat())
	return plain(k, "Logistic", dt, dims, func(key weft.Array, dt weft.DType, shape []int) weft.Array {
		u := inside(key, dt, formats[dt].tiny, 1, shape)
		return lax.Sub(lax.Log(u), lax.Log1p(lax.Neg(u)))
	})
}

// Cauchy returns numbers of the standard Cauchy distribution, which has no mean.
func Cauchy(k Key, dims ...int) weft.Array {
	dt := k.typeOr(defaultFloat())
	return plain(k, "Cauchy", dt, dims, func(key weft.Array, dt weft.DType, shape []int) weft.Array {
		u := inside(key, dt, formats[dt].eps(), 1, shape)
		return tanOfTurns(dt, u)
	})
}

// Maxwell returns numbers of the Maxwell distribution of scale 1: lengths of vectors of
// three normal numbers.
func Maxwell(k Key, dims ...int) weft.Array {
	dt := k.typeOr(defaultFloat())
	return plain(k, "Maxwell", dt, dims, func(key weft.Array, dt weft.DType, shape []int) weft.Array {
		z := normal(key, dt, append(append([]int(nil), shape...), 3))
		return lax.Sqrt(lax.ReduceSum(lax.Mul(z, z), len(shape)))
	})
}

// plain draws from a distribution without parameters.
func plain(k Key, op string, dt weft.DType, dims []int, draw func(key weft.Array, dt weft.DType, shape []int) weft.Array) weft.Array {
	formatOf(op, dt)
	shapeOf(op, dims)
	return draw(k.single(op), dt, dims)
}

// Pareto returns numbers of the Pareto distribution of shape b on [1, ∞).
func Pareto[A weft.Operand](k Key, b A, dims ...int) weft.Array {
	dt := k.floatOf("Pareto", b)
	return one1(k, "Pareto", dt, b, dims, func(key, b weft.Array, shape []int) weft.Array {
		return lax.Exp(lax.Div(exponential(key, dt, shape), b))
	})
}

// Rayleigh returns numbers of the Rayleigh distribution: lengths of vectors of two normal
// numbers of standard deviation scale.
func Rayleigh[A weft.Operand](k Key, scale A, dims ...int) weft.Array {
	dt := k.floatOf("Rayleigh", scale)
	return one1(k, "Rayleigh", dt, scale, dims, func(key, scale weft.Array, shape []int) weft.Array {
		return lax.Mul(scale, lax.Sqrt(lax.Mul(lax.Log(unit(key, dt, shape)), num(dt, -2))))
	})
}

// Geometric returns the number of trials, each of which succeeds with probability p, up to and
// including the first success. It is 0 where p is not a probability.
func Geometric[P weft.Operand](k Key, p P, dims ...int) weft.Array {
	dt := k.typeOr(defaultInt())
	f := floatOf("Geometric", p)
	g := one1(k, "Geometric", f, p, dims, func(key, p weft.Array, shape []int) weft.Array {
		u := unit(key, f, shape)
		u = lax.Select(lax.Eq(u, num(f, 0)), weft.OnesLike(u), u)
		trials := lax.Div(lax.Log(u), lax.Log1p(lax.Neg(p)))
		chance := lax.BitwiseAnd(lax.Ge(p, num(f, 0)), lax.Le(p, num(f, 1)))
		n := lax.Add(lax.Floor(trials), num(f, 1))
		return lax.Select(chance.BroadcastTo(shape...), n, lax.FullLike(n, 0.))
	})
	return lax.ConvertElementType(g, dt)
}

// Weibull returns numbers of the Weibull distribution on [0, ∞) with the given scale and the shape
// parameter concentration.
func Weibull[A, B weft.Operand](k Key, scale A, concentration B, dims ...int) weft.Array {
	dt := k.floatOf("Weibull", scale, concentration)
	formatOf("Weibull", dt)
	s, c := param("Weibull", dt, scale), param("Weibull", dt, concentration)
	shape := shapeOf("Weibull", dims, s.Shape(), c.Shape())
	e := exponential(k.single("Weibull"), dt, shape)
	return lax.Mul(lax.Pow(e, spread(lax.Div(num(dt, 1), c), shape)), spread(s, shape))
}

// Wald returns numbers of the inverse Gaussian distribution with the given mean and shape 1.
func Wald[A weft.Operand](k Key, mean A, dims ...int) weft.Array {
	dt := k.floatOf("Wald", mean)
	return one1(k, "Wald", dt, mean, dims, func(key, mean weft.Array, shape []int) weft.Array {
		k1, k2 := pair(key)
		mean = mean.BroadcastTo(shape...)
		z := unit(k2, dt, shape)
		y := lax.Square(normal(k1, dt, shape))
		half := lax.Div(mean, num(dt, 2))
		// Where mean·y/2 is large, the difference in waldNear cancels, in the end to negative numbers, and
		// squares of large means overflow.
		most, largest := 16.0, 1e15
		if dt.Size() < 4 {
			most, largest = 1, 1
		}
		far := lax.BitwiseOr(lax.Gt(lax.Mul(half, y), num(dt, most)), lax.Gt(mean, num(dt, largest)))
		ones := num(dt, 1).BroadcastTo(shape...)
		x, first, other := waldNear(lax.Select(far, ones, mean), y, z) // ones: derivatives of what is not selected are finite
		xFar, firstFar, otherFar := waldFar(lax.Select(far, mean, ones), y, z)
		return lax.Select(lax.Select(far, firstFar, first), lax.Select(far, xFar, x), lax.Select(far, otherFar, other))
	})
}

// waldNear solves (x − mean)² = mean²·x·y: x is the smaller root, other the larger one, and first tells whether the
// uniform number z chooses x.
func waldNear(mean, y, z weft.Array) (x, first, other weft.Array) {
	dt := mean.DType()
	half := lax.Div(mean, num(dt, 2))
	square := lax.Add(
		lax.Mul(lax.Mul(num(dt, 4), mean), y),
		lax.Mul(lax.Square(mean), lax.Square(y)))
	zero, one := lax.Eq(square, num(dt, 0)), num(dt, 1).BroadcastTo(square.Shape()...)
	root := lax.Select(zero, square, lax.Sqrt(lax.Select(zero, one, square))) // the root of 0 has an infinite derivative
	x = lax.Sub(
		lax.Add(mean, lax.Div(lax.Mul(lax.Square(mean), y), num(dt, 2))),
		lax.Mul(half, root))
	return x, lax.Le(z, lax.Div(mean, lax.Add(mean, x))), lax.Div(lax.Square(mean), x)
}

// waldFar is waldNear for large means: with r = 1/mean and h = y/2, x is 1/(r + h + √h·√(h + 2r)).
func waldFar(mean, y, z weft.Array) (x, first, other weft.Array) {
	dt := mean.DType()
	r, h := lax.Reciprocal(mean), lax.Div(y, num(dt, 2))
	root := lax.Mul(lax.Sqrt(h), lax.Sqrt(lax.Add(h, lax.Mul(num(dt, 2), r))))
	x = lax.Reciprocal(lax.Add(lax.Add(r, h), root))
	first = lax.Le(z, lax.Reciprocal(lax.Add(num(dt, 1), lax.Mul(x, r))))
	one := num(dt, 1).BroadcastTo(x.Shape()...)
	m := lax.Select(first, one, mean)
	return x, first, lax.Mul(m, lax.Div(m, lax.Select(first, one, x)))
}

// Triangular returns numbers from left to right whose density rises evenly to the mode and
// falls evenly from there.
func Triangular[A, B, C weft.Operand](k Key, left A, mode B, right C, dims ...int) weft.Array {
	const op = "Triangular"
	dt := k.floatOf(op, left, mode, right)
	formatOf(op, dt)
	l, m, r := param(op, dt, left), param(op, dt, mode), param(op, dt, right)
	shape := shapeOf(op, dims, l.Shape(), m.Shape(), r.Shape())
	l, m, r = l.BroadcastTo(shape...), m.BroadcastTo(shape...), r.BroadcastTo(shape...)
	u := unit(k.single(op), dt, shape)
	width := lax.Sub(r, l)
	peak := lax.Div(lax.Sub(m, l), width)
	rises := lax.Lt(u, peak)
	square := lax.Mul(lax.Mul(lax.Select(rises, u, lax.Sub(num(dt, 1), u)), width), lax.Select(rises, lax.Sub(m, l), lax.Sub(r, m)))
	// The root has no derivative at 0: on a side without width, where u is 0.
	zero := lax.Eq(square, num(dt, 0))
	d := lax.Select(zero, square, lax.Sqrt(lax.Select(zero, num(dt, 1).BroadcastTo(shape...), square)))
	return lax.Select(rises, lax.Add(l, d), lax.Sub(r, d))
}

// DoubleMaxwell returns numbers around loc whose distances from it have the Maxwell distribution
// of the given scale.
func DoubleMaxwell[A, B weft.Operand](k Key, loc A, scale B, dims ...int) weft.Array {
	const op = "DoubleMaxwell"
	dt := k.floatOf(op, loc, scale)
	formatOf(op, dt)
	l, s := param(op, dt, loc), param(op, dt, scale)
	shape := shapeOf(op, dims, l.Shape(), s.Shape())
	k1, k2 := pair(k.single(op))
	z := normal(k1, dt, append(append([]int(nil), shape...), 3))
	x := lax.Mul(signs(k2, dt, shape), lax.Sqrt(lax.ReduceSum(lax.Mul(z, z), len(shape))))
	return lax.Add(lax.Mul(x, spread(s, shape)), spread(l, shape))
}

// one1 draws from a distribution of one parameter.
func one1[A weft.Operand](k Key, op string, dt weft.DType, p A, dims []int, draw func(key, p weft.Array, shape []int) weft.Array) weft.Array {
	formatOf(op, dt)
	q := param(op, dt, p)
	shape := shapeOf(op, dims, q.Shape())
	return draw(k.single(op), spread(q, shape), shape)
}
