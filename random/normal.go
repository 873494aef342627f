package random

import (
	"math"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lax"
)

// Normal returns numbers of the standard normal distribution: mean 0, variance 1. Complex
// numbers (see [As]) have variance 1 in both parts together.
func Normal(k Key, dims ...int) weft.Array {
	dt := k.typeOr(defaultFloat())
	if !dt.IsComplex() {
		formatOf("Normal", dt)
		shapeOf("Normal", dims)
		return normal(k.single("Normal"), dt, dims)
	}
	shapeOf("Normal", dims)
	return normalOf(k.single("Normal"), dt, dims)
}

// normalOf is normal for real and complex types.
func normalOf(key weft.Array, dt weft.DType, dims []int) weft.Array {
	if !dt.IsComplex() {
		return normal(key, dt, dims)
	}
	re, im := pair(key)
	root := num(dt.Real(), math.Sqrt2)
	return lax.Complex(
		lax.Div(normal(re, dt.Real(), dims), root),
		lax.Div(normal(im, dt.Real(), dims), root))
}

// normal returns √2·erf⁻¹(u), u uniform in (−1, 1).
func normal(key weft.Array, dt weft.DType, shape []int) weft.Array {
	u := inside(key, dt, formats[dt].eps()/2-1, 1, shape)
	return lax.Mul(num(dt, math.Sqrt2), lax.ErfInv(u))
}

// LogNormal returns e to the power of normal numbers of standard deviation sigma.
func LogNormal[A weft.Operand](k Key, sigma A, dims ...int) weft.Array {
	dt := k.floatOf("LogNormal", sigma)
	formatOf("LogNormal", dt)
	s := param("LogNormal", dt, sigma)
	shape := shapeOf("LogNormal", dims, s.Shape())
	return lax.Exp(lax.Mul(normal(k.single("LogNormal"), dt, shape), spread(s, shape)))
}

// MultivariateNormal returns vectors of a normal distribution with the given mean, of shape (…, n),
// and covariance, of shape (…, n, n), which is symmetric and positive definite. dims are the sizes
// of the axes before that of the vectors.
func MultivariateNormal(k Key, mean, cov weft.Array, dims ...int) weft.Array {
	const op = "MultivariateNormal"
	dt := k.floatOf(op, mean, cov)
	formatOf(op, dt)
	mean, cov = param(op, dt, mean), param(op, dt, cov)
	n := 0
	if mean.Rank() > 0 {
		n = mean.Dim(-1)
	}
	if mean.Rank() < 1 || cov.Rank() < 2 || cov.Dim(-1) != n || cov.Dim(-2) != n {
		core.FailOp(core.ErrShape, op, []core.ShapedArray{mean.Value().Aval(), cov.Value().Aval()}, "a mean of n numbers goes with a covariance of n rows and columns, got the shapes %v and %v; reshape one", mean.Shape(), cov.Shape())
	}
	batch := shapeOf(op, dims, mean.Shape()[:mean.Rank()-1], cov.Shape()[:cov.Rank()-2])
	z := normal(k.single(op), dt, append(append([]int(nil), batch...), n))
	x := weft.Einsum("...ij,...j->...i", lax.Cholesky(cov), z)
	return lax.Add(x, spread(mean, x.Shape()))
}
