package stats

import (
	"math"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/special"
)

// Norm is the normal distribution with the mean Loc and the standard deviation Scale.
type Norm struct{ Loc, Scale weft.Array }

func (d Norm) params() []param { return []param{loc(d.Loc), scale(d.Scale)} }

// LogPDF returns the logarithm of the density at x.
func (d Norm) LogPDF(x weft.Array) weft.Array {
	return standardized("Norm.LogPDF", x, d.params(), true, func(z weft.Array, _ []weft.Array) weft.Array {
		return weft.Square(z).Mul(-0.5).Sub(0.5 * math.Log(2*math.Pi))
	})
}

// PDF returns the density at x.
func (d Norm) PDF(x weft.Array) weft.Array {
	return apply("Norm.PDF", x, d.params(), func(x weft.Array, p []weft.Array) weft.Array {
		s := positive(p[1])
		z := x.Sub(p[0]).Div(s)
		y := within(weft.Abs(z).Lt(1024), z, 0, 0, func(z weft.Array) weft.Array { // beyond, the square may overflow
			return weft.Exp(weft.Square(z).Mul(-0.5).Sub(0.5 * math.Log(2*math.Pi)))
		})
		return y.Div(s)
	})
}

// CDF returns the probability of at most x.
func (d Norm) CDF(x weft.Array) weft.Array {
	return standardized("Norm.CDF", x, d.params(), false, func(z weft.Array, _ []weft.Array) weft.Array { return special.NdTr(z) })
}

// LogCDF returns the logarithm of CDF(x).
func (d Norm) LogCDF(x weft.Array) weft.Array {
	return standardized("Norm.LogCDF", x, d.params(), false, func(z weft.Array, _ []weft.Array) weft.Array { return special.LogNdTr(z) })
}

// SF returns the probability of more than x.
func (d Norm) SF(x weft.Array) weft.Array {
	return standardized("Norm.SF", x, d.params(), false, func(z weft.Array, _ []weft.Array) weft.Array { return special.NdTr(z.Neg()) })
}

// LogSF returns the logarithm of SF(x).
func (d Norm) LogSF(x weft.Array) weft.Array {
	return standardized("Norm.LogSF", x, d.params(), false, func(z weft.Array, _ []weft.Array) weft.Array { return special.LogNdTr(z.Neg()) })
}

// PPF returns the x with CDF(x) = q.
func (d Norm) PPF(q weft.Array) weft.Array {
	return quantile("Norm.PPF", q, d.params(), func(q weft.Array, _ []weft.Array) weft.Array { return special.NdTrI(q) })
}

// Expon is the exponential distribution: Loc is the least number, Scale the mean distance from it.
type Expon struct{ Loc, Scale weft.Array }

func (d Expon) params() []param { return []param{loc(d.Loc), scale(d.Scale)} }

// above returns f(z), z = (x − Loc)/Scale, where z ≥ 0 or z is NaN. Elsewhere it returns the number `below`.
func (d Expon) above(op string, x weft.Array, logs bool, below float64, f func(z weft.Array) weft.Array) weft.Array {
	return standardized(op, x, d.params(), logs, func(z weft.Array, _ []weft.Array) weft.Array {
		return within(z.Ge(0), z, 1, below, f)
	})
}

// LogPDF returns the logarithm of the density at x.
func (d Expon) LogPDF(x weft.Array) weft.Array {
	return d.above("Expon.LogPDF", x, true, -inf, weft.Array.Neg)
}

// PDF returns the density at x.
func (d Expon) PDF(x weft.Array) weft.Array { return weft.Exp(d.LogPDF(x)) }

// CDF returns the probability of at most x.
func (d Expon) CDF(x weft.Array) weft.Array {
	return d.above("Expon.CDF", x, false, 0, func(z weft.Array) weft.Array { return weft.Expm1(z.Neg()).Neg() })
}

// LogCDF returns the logarithm of CDF(x).
func (d Expon) LogCDF(x weft.Array) weft.Array {
	return d.above("Expon.LogCDF", x, false, -inf, log1mexp)
}

// SF returns the probability of more than x.
func (d Expon) SF(x weft.Array) weft.Array {
	return d.above("Expon.SF", x, false, 1, func(z weft.Array) weft.Array { return weft.Exp(z.Neg()) })
}

// LogSF returns the logarithm of SF(x).
func (d Expon) LogSF(x weft.Array) weft.Array {
	return d.above("Expon.LogSF", x, false, 0, weft.Array.Neg)
}

// PPF returns the x with CDF(x) = q.
func (d Expon) PPF(q weft.Array) weft.Array {
	return quantile("Expon.PPF", q, d.params(), func(q weft.Array, _ []weft.Array) weft.Array { return weft.Log1p(q.Neg()).Neg() })
}

// Laplace is the distribution whose density falls as e^(−|x − Loc|/Scale).
type Laplace struct{ Loc, Scale weft.Array }

func (d Laplace) params() []param { return []param{loc(d.Loc), scale(d.Scale)} }

func (d Laplace) at(op string, x weft.Array, f func(z weft.Array) weft.Array) weft.Array {
	return standardized(op, x, d.params(), false, func(z weft.Array, _ []weft.Array) weft.Array { return f(z) })
}

// LogPDF returns the logarithm of the density at x.
func (d Laplace) LogPDF(x weft.Array) weft.Array {
	return standardized("Laplace.LogPDF", x, d.params(), true, func(z weft.Array, _ []weft.Array) weft.Array {
		return weft.Abs(z).Neg().Sub(math.Ln2)
	})
}

// PDF returns the density at x.
func (d Laplace) PDF(x weft.Array) weft.Array { return weft.Exp(d.LogPDF(x)) }

func laplaceCDF(z weft.Array) weft.Array {
	half := weft.Exp(weft.Abs(z).Neg()).Mul(0.5)
	return weft.Where(z.Gt(0), weft.Sub(1, half), half)
}

func laplaceLogCDF(z weft.Array) weft.Array {
	up := weft.Log1p(weft.Exp(weft.Maximum(z, 0.).Neg()).Mul(-0.5))
	return weft.Where(z.Gt(0), up, z.Sub(math.Ln2))
}

// CDF returns the probability of at most x.
func (d Laplace) CDF(x weft.Array) weft.Array { return d.at("Laplace.CDF", x, laplaceCDF) }

// LogCDF returns the logarithm of CDF(x).
func (d Laplace) LogCDF(x weft.Array) weft.Array { return d.at("Laplace.LogCDF", x, laplaceLogCDF) }

// SF returns the probability of more than x.
func (d Laplace) SF(x weft.Array) weft.Array {
	return d.at("Laplace.SF", x, func(z weft.Array) weft.Array { return laplaceCDF(z.Neg()) })
}

// LogSF returns the logarithm of SF(x).
func (d Laplace) LogSF(x weft.Array) weft.Array {
	return d.at("Laplace.LogSF", x, func(z weft.Array) weft.Array { return laplaceLogCDF(z.Neg()) })
}

// PPF returns the x with CDF(x) = q.
func (d Laplace) PPF(q weft.Array) weft.Array {
	return quantile("Laplace.PPF", q, d.params(), func(q weft.Array, _ []weft.Array) weft.Array {
		lower := q.Lt(0.5)
		a := weft.Log(weft.Where(lower, q, 0.5).Mul(2))
		return weft.Where(lower, a, weft.Log(weft.Sub(1, weft.Where(lower, 0.5, q)).Mul(2)).Neg())
	})
}

// Logistic is the logistic distribution: its CDF is [special.Expit] of (x − Loc)/Scale.
type Logistic struct{ Loc, Scale weft.Array }

func (d Logistic) params() []param { return []param{loc(d.Loc), scale(d.Scale)} }

func (d Logistic) at(op string, x weft.Array, f func(z weft.Array) weft.Array) weft.Array {
	return standardized(op, x, d.params(), false, func(z weft.Array, _ []weft.Array) weft.Array { return f(z) })
}

// logExpit returns log(1/(1 + e^(−z))).
func logExpit(z weft.Array) weft.Array { return weft.LogAddExp(z.Neg(), 0.).Neg() }

// LogPDF returns the logarithm of the density at x.
func (d Logistic) LogPDF(x weft.Array) weft.Array {
	return standardized("Logistic.LogPDF", x, d.params(), true, func(z weft.Array, _ []weft.Array) weft.Array {
		far := weft.Abs(z).Neg()
		return far.Sub(weft.Log1p(weft.Exp(far)).Mul(2))
	})
}

// PDF returns the density at x.
func (d Logistic) PDF(x weft.Array) weft.Array { return weft.Exp(d.LogPDF(x)) }

// CDF returns the probability of at most x.
func (d Logistic) CDF(x weft.Array) weft.Array { return d.at("Logistic.CDF", x, special.Expit) }

// LogCDF returns the logarithm of CDF(x).
func (d Logistic) LogCDF(x weft.Array) weft.Array { return d.at("Logistic.LogCDF", x, logExpit) }

// SF returns the probability of more than x.
func (d Logistic) SF(x weft.Array) weft.Array {
	return d.at("Logistic.SF", x, func(z weft.Array) weft.Array { return special.Expit(z.Neg()) })
}

// LogSF returns the logarithm of SF(x).
func (d Logistic) LogSF(x weft.Array) weft.Array {
	return d.at("Logistic.LogSF", x, func(z weft.Array) weft.Array { return logExpit(z.Neg()) })
}

// PPF returns the x with CDF(x) = q.
func (d Logistic) PPF(q weft.Array) weft.Array {
	return quantile("Logistic.PPF", q, d.params(), func(q weft.Array, _ []weft.Array) weft.Array { return special.Logit(q) })
}

// Uniform is the uniform distribution from Loc to Loc + Scale.
type Uniform struct{ Loc, Scale weft.Array }

func (d Uniform) params() []param { return []param{loc(d.Loc), scale(d.Scale)} }

// at returns f of the place between 0 and 1, and the given values below and above.
func (d Uniform) at(op string, x weft.Array, below, above float64, f func(z weft.Array) weft.Array) weft.Array {
	return standardized(op, x, d.params(), false, func(z weft.Array, _ []weft.Array) weft.Array {
		return between(z, below, above, f)
	})
}

// LogPDF returns the logarithm of the density at x.
func (d Uniform) LogPDF(x weft.Array) weft.Array {
	return standardized("Uniform.LogPDF", x, d.params(), true, func(z weft.Array, _ []weft.Array) weft.Array {
		return within(z.Ge(0).And(z.Le(1)), z, 0, -inf, func(z weft.Array) weft.Array { return z.Mul(0) })
	})
}

// PDF returns the density at x.
func (d Uniform) PDF(x weft.Array) weft.Array { return weft.Exp(d.LogPDF(x)) }

// CDF returns the probability of at most x.
func (d Uniform) CDF(x weft.Array) weft.Array {
	return d.at("Uniform.CDF", x, 0, 1, func(z weft.Array) weft.Array { return z })
}

// LogCDF returns the logarithm of CDF(x).
func (d Uniform) LogCDF(x weft.Array) weft.Array { return d.at("Uniform.LogCDF", x, -inf, 0, weft.Log) }

// SF returns the probability of more than x.
func (d Uniform) SF(x weft.Array) weft.Array {
	return d.at("Uniform.SF", x, 1, 0, func(z weft.Array) weft.Array { return weft.Sub(1, z) })
}

// LogSF returns the logarithm of SF(x).
func (d Uniform) LogSF(x weft.Array) weft.Array {
	return d.at("Uniform.LogSF", x, 0, -inf, func(z weft.Array) weft.Array { return weft.Log1p(z.Neg()) })
}

// PPF returns the x with CDF(x) = q.
func (d Uniform) PPF(q weft.Array) weft.Array {
	return quantile("Uniform.PPF", q, d.params(), func(q weft.Array, _ []weft.Array) weft.Array { return q })
}
