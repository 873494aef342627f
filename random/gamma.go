package random

import (
	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/custom"
	"github.com/weft-go/weft/lax"
)

// Samplers of the gamma distribution and what is made of it. They draw until a number
// is accepted, each element with keys of its own, so that a sample is no smooth
// function of the shape parameter for Grad to follow. Its derivative is the implicit one: that of the
// number below which the same share of the distribution lies (Figurnov, Mohamed, Mnih, 2018). There is no second derivative.

// Gamma returns numbers of the gamma distribution of shape a, a > 0, and scale 1.
func Gamma[A weft.Operand](k Key, a A, dims ...int) weft.Array {
	dt := k.floatOf("Gamma", a)
	return one1(k, "Gamma", dt, a, dims, func(key, a weft.Array, shape []int) weft.Array {
		return gamma("Gamma", key, a, shape, false)
	})
}

// LogGamma returns logarithms of numbers of the gamma distribution of shape a, also where
// those are too small for the type.
func LogGamma[A weft.Operand](k Key, a A, dims ...int) weft.Array {
	dt := k.floatOf("LogGamma", a)
	return one1(k, "LogGamma", dt, a, dims, func(key, a weft.Array, shape []int) weft.Array {
		return gamma("LogGamma", key, a, shape, true)
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
	x, y := gamma(op, k1, p, shape, true), gamma(op, k2, q, shape, true)
	top := lax.Max(x, y)
	ex, ey := lax.Exp(lax.Sub(x, top)), lax.Exp(lax.Sub(y, top))
	return lax.Div(ex, lax.Add(ex, ey))
}

// Dirichlet returns vectors of positive numbers with sum 1, of the Dirichlet distribution
// whose parameters are along the last axis of alpha. The sizes are those before the
// vectors' axis.
func Dirichlet(k Key, alpha weft.Array, dims ...int) weft.Array {
	const op = "Dirichlet"
	present(op, alpha)
	dt := floatOf(op, alpha)
	formatOf(op, dt)
	if alpha.Rank() == 0 {
		core.FailOp(core.ErrShape, op, []core.ShapedArray{alpha.Value().Aval()}, "the parameters are a vector, or many along the last axis; a single number is none")
	}
	a := param(op, dt, alpha)
	s := a.Shape()
	shape := shapeOf(op, dims, s[:len(s)-1])
	full := append(append([]int(nil), shape...), s[len(s)-1])
	x := gamma(op, k.single(op), a, full, true)
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
		g := gamma("StudentT", k2, half, shape, false)
		return lax.Mul(normal(k1, dt, shape), lax.Sqrt(lax.Div(half, g)))
	})
}

// ChiSquare returns numbers of the chi-square distribution of df degrees of freedom.
func ChiSquare[A weft.Operand](k Key, df A, dims ...int) weft.Array {
	dt := k.floatOf("ChiSquare", df)
	return one1(k, "ChiSquare", dt, df, dims, func(key, df weft.Array, shape []int) weft.Array {
		return chiSquare("ChiSquare", key, df, shape)
	})
}

func chiSquare(op string, key, df weft.Array, shape []int) weft.Array {
	two := num(df.DType(), 2)
	return lax.Mul(lax.Exp(gamma(op, key, lax.Div(df, two), shape, true)), two)
}

// F returns numbers of the F distribution of m and n degrees of freedom.
func F[A, B weft.Operand](k Key, m A, n B, dims ...int) weft.Array {
	const op = "F"
	dt := k.floatOf(op, m, n)
	formatOf(op, dt)
	p, q := param(op, dt, m), param(op, dt, n)
	shape := shapeOf(op, dims, p.Shape(), q.Shape())
	p, q = spread(p, shape), spread(q, shape)
	kd, kn := pair(k.single(op))
	return lax.Div(lax.Div(chiSquare(op, kn, p, shape), p), lax.Div(chiSquare(op, kd, q, shape), q))
}

// GeneralizedNormal returns numbers whose density is proportional to e^−|x|^p.
func GeneralizedNormal(k Key, p float64, dims ...int) weft.Array {
	const op = "GeneralizedNormal"
	dt := k.typeOr(defaultFloat())
	positive(op, p)
	return plain(k, op, dt, dims, func(key weft.Array, dt weft.DType, shape []int) weft.Array {
		return generalizedNormal(op, key, dt, p, shape)
	})
}

func generalizedNormal(op string, key weft.Array, dt weft.DType, p float64, shape []int) weft.Array {
	k1, k2 := pair(key)
	g := gamma(op, k1, num(dt, 1/p), shape, false)
	return lax.Mul(signs(k2, dt, shape), lax.Pow(g, num(dt, 1/p)))
}

// Ball returns points of n coordinates, along the last axis, evenly spread over the ball of
// all x with Σ|x|^p ≤ 1; of p = 2, the usual one.
func Ball(k Key, n int, p float64, dims ...int) weft.Array {
	const op = "Ball"
	dt := k.typeOr(defaultFloat())
	positive(op, p)
	if n < 0 {
		core.FailOp(core.ErrShape, op, nil, "a point cannot have %d coordinates; give 0 or more", n)
	}
	return plain(k, op, dt, dims, func(key weft.Array, dt weft.DType, shape []int) weft.Array {
		k1, k2 := pair(key)
		g := generalizedNormal(op, k1, dt, p, append(append([]int(nil), shape...), n))
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
func gamma(op string, key, a weft.Array, shape []int, logs bool) weft.Array {
	a = a.BroadcastTo(shape...)
	type params struct{ Key, A weft.Array }
	draw := custom.JVP(
		func(p params) weft.Array {
			keys := lax.RandomSplit(p.Key, a.Size())
			one := func(key, a weft.Array) weft.Array { return gammaOne(key, a, logs) }
			return weft.Vmap(one)(keys, p.A.Ravel()).Reshape(shape...)
		},
		func(p, t params) (weft.Array, weft.Array) {
			x := gamma(op, p.Key, p.A, shape, logs)
			return x, lax.Mul(t.A, gammaSlope(x, p.A, logs))
		}, weft.NameOption("gamma"))
	return draw(params{key, a})
}

// gammaSlope returns the derivatives of samples x, or of their logarithms, with respect to their shapes, where the
// probability of at most x stays. A sample whose logarithm is that of 0 counts as the least normal number.
func gammaSlope(x, a weft.Array, logs bool) weft.Array {
	if !logs {
		return lax.RandomGammaGrad(a, x)
	}
	y := lax.Exp(x)
	tiny := 0x1p-126
	switch x.DType() {
	case weft.Float64:
		tiny = 0x1p-1022
	case weft.Float16:
		tiny = 0x1p-14
	}
	y = lax.Select(lax.Eq(y, num(x.DType(), 0)), weft.FullLike(y, tiny), y)
	return lax.Div(lax.RandomGammaGrad(a, y), y)
}

// gammaOne draws one number by the method of Marsaglia and Tsang (ACM TOMS 26, 2000):
// d·v with d = a − 1/3, c = 1/(3√d), v = (1 + c·x)³ for normal x, accepted against a
// uniform u where
//
//	u < 1 − 0.0331·x⁴  or  log u < x²/2 + d·(1 − v + log v)
//
// For a < 1 it draws of shape a+1 and multiplies by u^(1/a).
func gammaOne(key, a weft.Array, logs bool) weft.Array {
	dt := a.DType()
	zero, one := num(dt, 0), num(dt, 1)
	large := lax.Ge(a, one)
	d := lax.Sub(lax.Select(large, a, lax.Add(a, one)), num(dt, 1./3))
	c := lax.Div(num(dt, 1./3), lax.Sqrt(d))

	type trial struct{ Key, X, V, U weft.Array } // X is x²
	again := func(t trial) weft.Array {
		return lax.BitwiseAnd(
			lax.Ge(t.U, lax.Sub(one, lax.Mul(num(dt, 0.0331), lax.Mul(t.X, t.X)))),
			lax.Ge(lax.Log(t.U), lax.Add(lax.Mul(t.X, num(dt, 0.5)), lax.Mul(d, lax.Add(lax.Sub(one, t.V), lax.Log(t.V))))))
	}
	type root struct{ Key, X, V weft.Array } // V is 1 + c·x, which must be positive
	attempt := func(t trial) trial {
		s := lax.RandomSplit(t.Key, 3)
		key, forX, forU := lax.IndexInDim(s, 0, 0, false), lax.IndexInDim(s, 1, 0, false), lax.IndexInDim(s, 2, 0, false)
		r := weft.While(
			func(r root) weft.Array { return lax.Le(r.V, zero) },
			func(r root) root {
				next, sub := pair(r.Key)
				x := normal(sub, dt, nil)
				return root{next, x, lax.Add(one, lax.Mul(x, c))}
			},
			root{forX, zero, num(dt, -1)})
		cube := lax.Mul(lax.Mul(r.V, r.V), r.V)
		return trial{key, lax.Mul(r.X, r.X), cube, unit(forU, dt, nil)}
	}
	first, forBoost := pair(key)
	t := weft.While(again, attempt, trial{first, zero, one, num(dt, 2)}) // which is not accepted

	inverse := lax.Div(one, a)
	if logs {
		u := lax.Neg(exponential(forBoost, dt, nil))
		boost := lax.Select(lax.BitwiseOr(large, lax.Eq(u, zero)), zero, lax.Mul(u, inverse))
		return lax.Add(lax.Add(lax.Log(d), lax.Log(t.V)), boost)
	}
	u := lax.Sub(one, unit(forBoost, dt, nil))
	return lax.Mul(lax.Mul(d, t.V), lax.Select(large, one, lax.Pow(u, inverse)))
}
