package stats

import (
	"math"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/special"
)

// counted evaluates f at whole numbers k ≥ least and the parameters p. Elsewhere the result is −∞. A
// NaN makes NaN.
func counted(op string, k weft.Array, params []param, least float64, f func(k weft.Array, p []weft.Array) weft.Array) weft.Array {
	return apply(op, k, params, func(k weft.Array, p []weft.Array) weft.Array {
		whole := k.Ge(least).And(k.Eq(weft.Floor(k))).And(weft.IsInf(k).Not())
		return within(whole, k, least, -inf, func(k weft.Array) weft.Array { return f(k, p) })
	})
}

// steps evaluates f at ⌊k⌋ where ⌊k⌋ ≥ least, ∞ included. Elsewhere the result is the
// number `below`. A NaN makes NaN.
func steps(op string, k weft.Array, params []param, least, below float64, f func(k weft.Array, p []weft.Array) weft.Array) weft.Array {
	return apply(op, k, params, func(k weft.Array, p []weft.Array) weft.Array {
		k = weft.Floor(k)
		return within(k.Ge(least), k, least, below, func(k weft.Array) weft.Array { return f(k, p) })
	})
}

// Bernoulli is the distribution of 1, with the probability P, and 0.
type Bernoulli struct{ P weft.Array }

func (d Bernoulli) params() []param { return []param{required(d.P)} }

// LogPMF returns the logarithm of the probability of k.
func (d Bernoulli) LogPMF(k weft.Array) weft.Array {
	return apply("Bernoulli.LogPMF", k, d.params(), func(k weft.Array, p []weft.Array) weft.Array {
		q := probability(p[0])
		return within(k.Eq(0).Or(k.Eq(1)), k, 0, -inf, func(k weft.Array) weft.Array {
			return powers(q, k, weft.Sub(1, k))
		})
	})
}

// PMF returns the probability of k.
func (d Bernoulli) PMF(k weft.Array) weft.Array { return weft.Exp(d.LogPMF(k)) }

// CDF returns the probability of at most k.
func (d Bernoulli) CDF(k weft.Array) weft.Array {
	return apply("Bernoulli.CDF", k, d.params(), func(k weft.Array, p []weft.Array) weft.Array {
		q := weft.Sub(1, probability(p[0]))
		return within(k.Lt(1), k, 0, 1, func(k weft.Array) weft.Array { return weft.Where(k.Lt(0), q.Mul(0), weft.Where(weft.IsNaN(k), k, q)) })
	})
}

// SF returns the probability of more than k.
func (d Bernoulli) SF(k weft.Array) weft.Array {
	return apply("Bernoulli.SF", k, d.params(), func(k weft.Array, p []weft.Array) weft.Array {
		q := probability(p[0])
		return within(k.Lt(1), k, 0, 0, func(k weft.Array) weft.Array {
			return weft.Where(k.Lt(0), q.Mul(0).Add(1), weft.Where(weft.IsNaN(k), k, q))
		})
	})
}

// PPF returns the least k with CDF(k) ≥ q; −1 for q = 0 and 1 for q = 1, as SciPy does.
func (d Bernoulli) PPF(q weft.Array) weft.Array {
	return apply("Bernoulli.PPF", q, d.params(), func(q weft.Array, p []weft.Array) weft.Array {
		r := probability(q).Add(probability(p[0]).Mul(0))
		k := weft.Where(q.Le(weft.Sub(1, p[0])).And(q.Lt(1)), 0., 1.)
		return weft.Where(weft.IsNaN(r), r, weft.Where(q.Eq(0), -1., k))
	})
}

// Binom is the distribution of the number of successes among N trials, each with the probability P.
type Binom struct{ N, P weft.Array }

// trials returns n, and NaN where it is not a number of trials.
func trials(n weft.Array) weft.Array {
	return weft.Where(n.Ge(0).And(n.Eq(weft.Floor(n))).And(weft.IsInf(n).Not()), n, math.NaN())
}

func (d Binom) params() []param { return []param{required(d.N), required(d.P)} }

// LogPMF returns the logarithm of the probability of k.
func (d Binom) LogPMF(k weft.Array) weft.Array {
	return counted("Binom.LogPMF", k, d.params(), 0, func(k weft.Array, p []weft.Array) weft.Array {
		n, q := trials(p[0]), probability(p[1])
		return within(k.Le(n), k, 0, -inf, func(k weft.Array) weft.Array {
			trials := weft.Log(n.Add(1))
			return largeShapes(q, k.Add(1), n.Sub(k).Add(1), trials, func(q, a, b weft.Array) weft.Array {
				choose := trials.Add(special.BetaLn(a, b)).Neg()
				some, others := a.Sub(1), b.Sub(1)
				return choose.Add(special.Xlogy(some, fixedAt(0, some, q))).Add(special.Xlog1py(others, fixedAt(1, others, q).Neg()))
			})
		})
	})
}

// PMF returns the probability of k.
func (d Binom) PMF(k weft.Array) weft.Array { return weft.Exp(d.LogPMF(k)) }

// CDF returns the probability of at most k.
func (d Binom) CDF(k weft.Array) weft.Array {
	return steps("Binom.CDF", k, d.params(), 0, 0, func(k weft.Array, p []weft.Array) weft.Array {
		n, q := trials(p[0]), probability(p[1])
		return within(k.Lt(n), k, 0, 1, func(k weft.Array) weft.Array {
			return betaAbove(k.Add(1), weft.Maximum(n.Sub(k), 1.), q)
		})
	})
}

// SF returns the probability of more than k.
func (d Binom) SF(k weft.Array) weft.Array {
	return steps("Binom.SF", k, d.params(), 0, 1, func(k weft.Array, p []weft.Array) weft.Array {
		n, q := trials(p[0]), probability(p[1])
		return within(k.Lt(n), k, 0, 0, func(k weft.Array) weft.Array {
			return special.BetaInc(k.Add(1), weft.Maximum(n.Sub(k), 1.), q)
		})
	})
}

// Geom is the distribution of the number of trials up to the first success, which has the
// probability P each time: 1, 2, 3, …
type Geom struct{ P weft.Array }

func (d Geom) params() []param { return []param{required(d.P)} }

// LogPMF returns the logarithm of the probability of k.
func (d Geom) LogPMF(k weft.Array) weft.Array {
	return counted("Geom.LogPMF", k, d.params(), 1, func(k weft.Array, p []weft.Array) weft.Array {
		q := probability(p[0])
		return special.Xlog1py(k.Sub(1), fixedAt(1, k.Sub(1), q).Neg()).Add(weft.Log(q))
	})
}

// PMF returns the probability of k.
func (d Geom) PMF(k weft.Array) weft.Array { return weft.Exp(d.LogPMF(k)) }

// CDF returns the probability of at most k.
func (d Geom) CDF(k weft.Array) weft.Array {
	return steps("Geom.CDF", k, d.params(), 1, 0, func(k weft.Array, p []weft.Array) weft.Array {
		return weft.Expm1(special.Xlog1py(k, probability(p[0]).Neg())).Neg()
	})
}

// LogCDF returns the logarithm of CDF(k).
func (d Geom) LogCDF(k weft.Array) weft.Array {
	return steps("Geom.LogCDF", k, d.params(), 1, -inf, func(k weft.Array, p []weft.Array) weft.Array {
		return log1mexp(special.Xlog1py(k, probability(p[0]).Neg()).Neg())
	})
}

// SF returns the probability of more than k.
func (d Geom) SF(k weft.Array) weft.Array { return weft.Exp(d.LogSF(k)) }

// LogSF returns the logarithm of SF(k).
func (d Geom) LogSF(k weft.Array) weft.Array {
	return steps("Geom.LogSF", k, d.params(), 1, 0, func(k weft.Array, p []weft.Array) weft.Array {
		return special.Xlog1py(k, probability(p[0]).Neg())
	})
}

// PPF returns the least k with CDF(k) ≥ q.
func (d Geom) PPF(q weft.Array) weft.Array {
	return apply("Geom.PPF", q, d.params(), func(q weft.Array, p []weft.Array) weft.Array {
		rate := weft.Log1p(probability(p[0]).Neg())
		k := weft.Ceil(weft.Log1p(probability(q).Neg()).Div(rate))
		// Rounding may leave k one too large or too small.
		at := func(k weft.Array) weft.Array { return weft.Expm1(k.Mul(rate)).Neg() }
		k = weft.Where(at(k.Sub(1)).Ge(q), k.Sub(1), k)
		k = weft.Where(at(k).Lt(q).And(weft.IsInf(k).Not()), k.Add(1), k)
		k = weft.Maximum(k, 0.)
		return weft.Where(p[0].Eq(1).And(q.Ne(0)), probability(q).Mul(0).Add(1), k)
	})
}

// Poisson is the distribution of the number of events where Mu are expected. Loc is the least
// number.
type Poisson struct{ Mu, Loc weft.Array }

func (d Poisson) params() []param { return []param{required(d.Mu), loc(d.Loc)} }

// LogPMF returns the logarithm of the probability of k.
func (d Poisson) LogPMF(k weft.Array) weft.Array {
	return apply("Poisson.LogPMF", k, d.params(), func(k weft.Array, p []weft.Array) weft.Array {
		mu, k := notNegative(p[0]), k.Sub(p[1])
		whole := k.Ge(0).And(k.Eq(weft.Floor(k))).And(weft.IsInf(k).Not())
		return within(whole, k, 0, -inf, func(k weft.Array) weft.Array {
			return gammaLogPDF(mu, k.Add(1))
		})
	})
}

// PMF returns the probability of k.
func (d Poisson) PMF(k weft.Array) weft.Array { return weft.Exp(d.LogPMF(k)) }

// CDF returns the probability of at most k.
func (d Poisson) CDF(k weft.Array) weft.Array {
	return apply("Poisson.CDF", k, d.params(), func(k weft.Array, p []weft.Array) weft.Array {
		mu, k := notNegative(p[0]), weft.Floor(k.Sub(p[1]))
		return within(k.Ge(0), k, 0, 0, func(k weft.Array) weft.Array {
			return within(weft.IsInf(k).Not(), k, 0, 1, func(k weft.Array) weft.Array { return special.GammaIncC(k.Add(1), mu) })
		})
	})
}

// SF returns the probability of more than k.
func (d Poisson) SF(k weft.Array) weft.Array {
	return apply("Poisson.SF", k, d.params(), func(k weft.Array, p []weft.Array) weft.Array {
		mu, k := notNegative(p[0]), weft.Floor(k.Sub(p[1]))
		return within(k.Ge(0), k, 0, 1, func(k weft.Array) weft.Array {
			return within(weft.IsInf(k).Not(), k, 0, 0, func(k weft.Array) weft.Array { return special.GammaInc(k.Add(1), mu) })
		})
	})
}

func notNegative(x weft.Array) weft.Array { return weft.Where(x.Ge(0), x, math.NaN()) }
