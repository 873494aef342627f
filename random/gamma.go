package random

import (
	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lax"
)

// Samplers of the gamma distribution and of distributions derived from it. They draw until a
// number is accepted, each element with keys of its own, so that a sample is no smooth function
// of the shape parameter for Grad to follow. Its derivative is the implicit one: that of the
// quantile at a fixed probability (Figurnov, Mohamed, Mnih, 2018). There is no second derivative.

// Gamma returns numbers of the gamma distribution of shape a, a > 0, and scale 1.
func Gamma[A weft.Operand](k Key, a A, dims ...int) weft.Array {
	dt := k.floatOf("Gamma", a)
	return one1(k, "Gamma", dt, a, dims, func(key, a weft.Array, shape []int) weft.Array {
		return gamma(key, a, shape, false)
	})
}

// LogGamma returns logarithms of numbers of the gamma distribution of shape a, even of numbers
// that are too small for the type.
func LogGamma[A weft.Operand](k Key, a A, dims ...int) weft.Array {
	dt := k.floatOf("LogGamma", a)
	return one1(k, "LogGamma", dt, a, dims, func(key, a weft.Array, shape []int) weft.Array {
		return gamma(key, a, shape, true)
	})
}

// Beta returns numbers in [0, 1] of the beta distribution of shapes a and b.
func Beta[A, B weft.Operand](k Key, a A, b B, dims ...int) weft.Array {
	const op = "Beta"
	dt := k.floatOf(op, a, b)
	formatOf(op, dt)
	p, q := param(op, dt, a), param(op, dt, b)
	shape := shapeOf(op, dims, p.Shape(), q.Shape())
	k1, k2 := pair(k.single(op))
	x, y := gamma(k1, p, shape, true), gamma(k2, q, shape, true)
	top := lax.Max(x, y)
	ex, ey := lax.Exp(lax.Sub(x, top)), lax.Exp(lax.Sub(y, top))
	return lax.Div(ex, lax.Add(ex, ey))
}

// Dirichlet returns vectors of positive numbers with sum 1, of the Dirichlet distribution whose
// parameters are along the last axis of alpha. dims are the sizes of the axes before that of the
// vectors.
func Dirichlet(k Key, alpha weft.Array, dims ...int) weft.Array {
	const op = "Dirichlet"
	present(op, alpha)
	dt := k.floatOf(op, alpha)
	formatOf(op, dt)
	if alpha.Rank() == 0 {
		core.FailOp(core.ErrShape, op, []core.ShapedArray{alpha.Value().Aval()}, "the parameters are a vector, or many along the last axis; a single number is none")
	}
	a := param(op, dt, alpha)
	s := a.Shape()
	shape := shapeOf(op, dims, s[:len(s)-1])
	full := append(append([]int(nil), shape...), s[len(s)-1])
	x := gamma(k.single(op), a, full, true)
	top := lax.ExpandDims(lax.ReduceMax(x, len(shape)), len(shape))
	e := lax.Exp(lax.Sub(x, top))
	return lax.Div(e, lax.ExpandDims(lax.ReduceSum(e, len(shape)), len(shape)))
}

// StudentT returns numbers of Student's t distribution of df degrees of freedom.
func StudentT[A weft.Operand](k Key, df A, dims ...int) weft.Array {
	dt := k.floatOf("StudentT", df)
	return one1(k, "StudentT", dt, df, dims, func(key, df weft.Array, shape []int) weft.Array {
		k1, k2 := pair(key)
		half := lax.Div(df, num(dt, 2))
		g := gamma(k2, half, shape, false)
		return lax.Mul(normal(k1, dt, shape), lax.Sqrt(lax.Div(half, g)))
	})
}

// ChiSquare returns numbers of the chi-square distribution of df degrees of freedom.
func ChiSquare[A weft.Operand](k Key, df A, dims ...int) weft.Array {
	dt := k.floatOf("ChiSquare", df)
	return one1(k, "ChiSquare", dt, df, dims, func(key, df weft.Array, shape []int) weft.Array {
		return chiSquare(key, df, shape)
	})
}

func chiSquare(key, df weft.Array, shape []int) weft.Array {
	two := num(df.DType(), 2)
	return lax.Mul(lax.Exp(gamma(key, lax.Div(df, two), shape, true)), two)
}

// F returns numbers of the F distribution of m and n degrees of freedom.
func F[A, B weft.Operand](k Key, m A, n B, dims ...int) weft.Array {
	const op = "F"
	dt := k.floatOf(op, m, n)
	f := formatOf(op, dt)
	p, q := param(op, dt, m), param(op, dt, n)
	shape := shapeOf(op, dims, p.Shape(), q.Shape())
	p, q = spread(p, shape), spread(q, shape)
	kd, kn := pair(k.single(op))
	two := num(dt, 2)
	x, y := gamma(kn, lax.Div(p, two), shape, true), gamma(kd, lax.Div(q, two), shape, true)
	ex, ey := lax.Mul(lax.Exp(x), two), lax.Mul(lax.Exp(y), two)
	// Of few degrees of freedom both may be too small for the type.
	few := lax.Lt(lax.Min(ex, ey), num(dt, f.tiny))
	return lax.Select(few, lax.Mul(lax.Exp(lax.Sub(x, y)), lax.Div(q, p)), lax.Div(lax.Div(ex, p), lax.Div(ey, q)))
}

// GeneralizedNormal returns numbers whose density is proportional to e^−|x|^p.
func GeneralizedNormal(k Key, p float64, dims ...int) weft.Array {
	const op = "GeneralizedNormal"
	dt := k.typeOr(defaultFloat())
	positive(op, p)
	return plain(k, op, dt, dims, func(key weft.Array, dt weft.DType, shape []int) weft.Array {
		return generalizedNormal(key, dt, p, shape)
	})
}

func generalizedNormal(key weft.Array, dt weft.DType, p float64, shape []int) weft.Array {
	k1, k2 := pair(key)
	most := 1e6 // the logarithm of a gamma number of shape 1/p is of the order of −p: it must not overflow
	if dt.Size() < 4 {
		most = 1e3
	}
	if p > most { // e^−|x|^p is nearly 1 within (−1, 1) and 0 beyond
		return lax.Mul(signs(k2, dt, shape), unit(k1, dt, shape))
	}
	if p > 2 { // many of the numbers of the gamma distribution may be too small for the type
		logs := gamma(k1, num(dt, 1/p), shape, true)
		return lax.Mul(signs(k2, dt, shape), lax.Exp(lax.Div(logs, num(dt, p))))
	}
	g := gamma(k1, num(dt, 1/p), shape, false)
	return lax.Mul(signs(k2, dt, shape), lax.Pow(g, num(dt, 1/p)))
}

// Ball returns points of n coordinates, along the last axis, uniformly distributed over the ball of
// all x with Σ|x|^p ≤ 1: for p = 2 the usual ball.
func Ball(k Key, n int, p float64, dims ...int) weft.Array {
	const op = "Ball"
	dt := k.typeOr(defaultFloat())
	positive(op, p)
	if n < 0 {
		core.FailOp(core.ErrShape, op, nil, "a point cannot have %d coordinates; give 0 or more", n)
	}
	return plain(k, op, dt, dims, func(key weft.Array, dt weft.DType, shape []int) weft.Array {
		k1, k2 := pair(key)
		g := generalizedNormal(k1, dt, p, append(append([]int(nil), shape...), n))
		var powers weft.Array
		switch p {
		case 1:
			powers = lax.Abs(g)
		case 2:
			powers = lax.Square(g)
		default:
			powers = lax.Pow(lax.Abs(g), num(dt, p))
		}
		sum := lax.Add(lax.ReduceSum(powers, len(shape)), exponential(k2, dt, shape))
		size := lax.Pow(sum, num(dt, 1/p))
		return lax.Div(g, lax.ExpandDims(size, len(shape)))
	})
}

func positive(op string, p float64) {
	if !(p > 0) {
		core.FailOp(core.ErrDType, op, nil, "the exponent must be positive, got %v; give another", p)
	}
}

// gamma draws numbers of shape a, or their logarithms.
func gamma(key, a weft.Array, shape []int, logs bool) weft.Array {
	return lax.RandomGamma(key, a.BroadcastTo(shape...), logs)
}
