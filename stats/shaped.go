package stats

import (
	"math"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/internal/stirling"
	"github.com/weft-go/weft/special"
)

// Beta is the beta distribution of the shapes A and B, from Loc to Loc + Scale. A and B have no
// default.
type Beta struct{ A, B, Loc, Scale weft.Array }

func (d Beta) params() []param {
	return []param{required(d.A), required(d.B), loc(d.Loc), scale(d.Scale)}
}

// LogPDF returns the logarithm of the density at x.
func (d Beta) LogPDF(x weft.Array) weft.Array {
	return standardized("Beta.LogPDF", x, d.params(), true, func(z weft.Array, p []weft.Array) weft.Array {
		return within(z.Ge(0).And(z.Le(1)), z, 0.5, -inf, func(z weft.Array) weft.Array {
			return betaLogPDF(z, positive(p[0]), positive(p[1]))
		})
	})
}

// betaLogPDF returns (a − 1)·log z + (b − 1)·log(1 − z) − log B(a, b).
func betaLogPDF(z, a, b weft.Array) weft.Array {
	return largeShapes(z, a, b, weft.Scalar(0.), func(z, a, b weft.Array) weft.Array {
		return powers(z, a.Sub(1), b.Sub(1)).Sub(special.BetaLn(a, b))
	})
}

// powers returns a·log z + b·log(1 − z).
func powers(z, a, b weft.Array) weft.Array {
	return special.Xlogy(a, fixedAt(0, a, z)).Add(special.Xlog1py(b, fixedAt(1, b, z).Neg()))
}

// fixedAt returns z, held constant where it is at the given end and the power of its distance from
// there is 0: that power is 1 everywhere, though the logarithm of the distance has no derivative.
func fixedAt(end float64, power, z weft.Array) weft.Array {
	return weft.Where(power.Eq(0).And(z.Eq(end)), weft.StopGradient(z), z)
}

// largeShapes returns betaLogPDF − scale where both shapes are large and the terms of betaLogPDF
// would cancel. Elsewhere it returns the result of the function `otherwise`. By Stirling's formula
// the logarithm is the sum of (a − 1)·log(z/m), (b − 1)·log((1 − z)/(1 − m)) and a rest that grows
// as log(a + b), with the mean m = a/(a + b).
func largeShapes(z, a, b, scale weft.Array, otherwise func(z, a, b weft.Array) weft.Array) weft.Array {
	large := a.Ge(stirling.Min).And(b.Ge(stirling.Min))
	// Operands of the form that is not chosen are replaced, so that their derivatives are finite.
	small := otherwise(weft.Where(large, 0.5, z), weft.Where(large, 1., a), weft.Where(large, 1., b))
	a, b, z = weft.Where(large, a, stirling.Min), weft.Where(large, b, stirling.Min), weft.Where(large, z, 0.5)
	least, most := weft.Minimum(a, b), weft.Maximum(a, b)
	total := weft.Log1p(least.Div(most)) // log((a + b)/most)
	d := z.Mul(b).Sub(weft.Sub(1, z).Mul(a))
	up := logRatio(d.Div(a), z, a, most, total)
	down := logRatio(d.Div(b).Neg(), weft.Sub(1, z), b, most, total)
	tails := stirling.Tail(a).Add(stirling.Tail(b)).Sub(stirling.Tail(a.Add(b)))
	rest := total.Mul(1.5).Add(weft.Log(most).Sub(weft.Log(least).Mul(0.5))).Sub(0.5 * math.Log(2*math.Pi)).Sub(tails)
	return weft.Where(large, a.Sub(1).Mul(up).Add(b.Sub(1).Mul(down)).Add(rest.Sub(scale)), small)
}

// logRatio returns log(1 + excess), where 1 + excess is z/(part/(a + b)) and total is log((a +
// b)/most). It uses the excess where that is small, and the quotient elsewhere, where the excess
// has lost digits.
func logRatio(excess, z, part, most, total weft.Array) weft.Array {
	near := weft.Abs(excess).Lt(0.5)
	far := weft.Log(weft.Where(near, 1., z)).Add(total).Add(weft.Log(most.Div(part)))
	return weft.Where(near, weft.Log1p(weft.Where(near, excess, 0.)), far)
}

// PDF returns the density at x.
func (d Beta) PDF(x weft.Array) weft.Array { return weft.Exp(d.LogPDF(x)) }

// CDF returns the probability of at most x.
func (d Beta) CDF(x weft.Array) weft.Array {
	return standardized("Beta.CDF", x, d.params(), false, func(z weft.Array, p []weft.Array) weft.Array {
		return between(z, 0, 1, func(z weft.Array) weft.Array { return special.BetaInc(positive(p[0]), positive(p[1]), z) })
	})
}

// between returns f(z) for z between 0 and 1, and the given values below and above.
func between(z weft.Array, below, above float64, f func(z weft.Array) weft.Array) weft.Array {
	return within(z.Gt(0), z, 0.5, below, func(z weft.Array) weft.Array { return within(z.Lt(1), z, 0.5, above, f) })
}

// LogCDF returns the logarithm of CDF(x).
func (d Beta) LogCDF(x weft.Array) weft.Array { return logOf(d.CDF(x), d.SF(x)) }

// SF returns the probability of more than x.
func (d Beta) SF(x weft.Array) weft.Array {
	return standardized("Beta.SF", x, d.params(), false, func(z weft.Array, p []weft.Array) weft.Array {
		return between(z, 1, 0, func(z weft.Array) weft.Array { return betaAbove(positive(p[0]), positive(p[1]), z) })
	})
}

// betaAbove returns 1 − I_z(a, b): as that difference where it loses few digits, and elsewhere as
// I_(1−z)(b, a), with a first-order correction for the rounding of 1 − z, or by expansions for
// small z.
func betaAbove(a, b, z weft.Array) weft.Array {
	least := 0x1p-12
	if z.DType() == weft.Float64 {
		least = 0x1p-26
	}
	below := special.BetaInc(a, b, z)
	half, small := below.Le(0.5), z.Lt(least)
	rest := weft.Sub(1, z)
	lost := weft.Where(half.Or(small), 0., weft.Sub(1, rest).Sub(z))
	moved := lost.Ne(0)
	density := weft.Exp(betaLogPDF(weft.Where(moved, z, 0.5), weft.Where(moved, a, 1.), weft.Where(moved, b, 1.)))
	above := special.BetaInc(b, a, weft.Where(small, 0.5, rest)).Add(density.Mul(lost)) // its derivative at 1 is NaN
	some := b.Ge(math.Sqrt(1 / least)).And(a.Ge(smallShape)).And(a.Lt(2))
	many := b.Ge(1 / least).Or(some)
	limit := small.And(many).And(z.Gt(0))
	tail := gammaTail(a, b, z, limit, some)
	tiny := small.And(many.Not()).And(a.Lt(smallShape)).And(z.Gt(0))
	series := smallAbove(weft.Where(tiny, a, smallShape), weft.Where(tiny, b, 1.), weft.Where(tiny, z, 0.5*least))
	above = weft.Where(limit, tail, weft.Where(tiny, series, weft.Where(small, weft.Sub(1, below), above)))
	return weft.Where(half, weft.Sub(1, below), above)
}

// gammaTail returns 1 − I_z(a, b) for small z and large b where limit holds: the tail of a gamma
// distribution, up to terms in 1/b². Where more holds these are added.
func gammaTail(a, b, z, limit, more weft.Array) weft.Array {
	a = weft.Where(limit, a, 1.)
	trials := weft.Where(limit, b.Add(a.Sub(1).Mul(0.5)), 1.)
	u := trials.Mul(weft.Log1p(weft.Where(limit, z, 0.5).Neg()).Neg())
	tail := special.GammaIncC(a, u)
	more = more.And(limit)
	n, v := weft.Where(more, a, 1.), weft.Where(more, u, 1.)
	density := weft.Exp(n.Mul(weft.Log(v)).Sub(v).Sub(special.Gammaln(n)))
	terms := n.Sub(1).Mul(v.Add(n).Add(1)).Mul(density).Div(weft.Square(trials).Mul(24))
	return weft.Where(more, tail.Add(terms), tail)
}

// smallShape is the shape a from which on 1 − I_z(a, b) is computed as that difference where z and
// b·z are small: the difference is above 1/8 there, so it loses at most three bits. Below
// tinyShape a difference of two values of log Γ is computed as the derivative times the distance.
const smallShape, tinyShape = 0x1p-4, 0x1p-10

// smallAbove returns 1 − I_z(a, b) for a ≤ smallShape and b·z ≤ 1: the logarithm of I_z is a·log z
// + log(1 + a·s) + log Γ(a + b) − log Γ(a + 1) − log Γ(b) with the sum s of (1 − b)ₖ·z^k/(k!·(k +
// a)). The differences of values of log Γ are computed so that they keep the digits of a.
func smallAbove(a, b, z weft.Array) weft.Array {
	term, s := weft.OnesLike(z), weft.ZerosLike(z)
	for k := 1.; k <= 18; k++ {
		term = term.Mul(weft.Sub(k, b)).Mul(z.Mul(1 / k))
		s = s.Add(term.Div(a.Add(k)))
	}
	middle := a.Mul(0.5).Add(1)
	slope := special.Digamma(b.Add(middle)).Sub(special.Digamma(middle))
	bend := special.Polygamma(2., b.Add(middle)).Sub(special.Polygamma(2., middle)).Mul(weft.Square(a).Mul(1. / 24))
	step := weft.Where(a.Lt(tinyShape), a.Mul(slope.Add(bend)), gammaStep(b, a).Sub(gammaStep(b.Mul(0), a)))
	log := a.Mul(weft.Log(z)).Add(step).Add(weft.Log1p(a.Mul(s))).Sub(weft.Log1p(a.Div(b)))
	return weft.Expm1(log).Neg()
}

// gammaStep returns log Γ(b + 1 + a) − log Γ(b + 1) for small a: that difference at b + 11, by
// Stirling's formula, less the logarithms of the factors between.
func gammaStep(b, a weft.Array) weft.Array {
	x, factors := b.Add(stirling.Min+1), weft.ZerosLike(a)
	for k := 1.; k <= stirling.Min; k++ {
		f := a.Div(b.Add(k))
		factors = factors.Add(f).Add(factors.Mul(f)) // Π (1 + f) − 1
	}
	sum := x.Add(a).Sub(0.5).Mul(weft.Log1p(a.Div(x))).Add(a.Mul(weft.Log(x).Sub(1)))
	return sum.Add(stirling.Tail(x.Add(a)).Sub(stirling.Tail(x))).Sub(weft.Log1p(factors))
}

// LogSF returns the logarithm of SF(x).
func (d Beta) LogSF(x weft.Array) weft.Array { return logOf(d.SF(x), d.CDF(x)) }

// Gamma is the gamma distribution of the shape A, from Loc on. A has no default.
type Gamma struct{ A, Loc, Scale weft.Array }

func (d Gamma) params() []param { return []param{required(d.A), loc(d.Loc), scale(d.Scale)} }

// gammaLogPDF returns (a − 1)·log z − z − log Γ(a), whose terms cancel where a is large, and −∞ for
// negative z.
func gammaLogPDF(z, a weft.Array) weft.Array {
	return within(z.Ge(0), z, 1, -inf, func(z weft.Array) weft.Array {
		large := a.Ge(stirling.Min)
		// Operands of the form that is not chosen are replaced, so that their derivatives are
		// finite.
		as, zs := weft.Where(large, 1., a), weft.Where(large, 1., z)
		small := special.Xlogy(as.Sub(1), fixedAt(0, as.Sub(1), zs)).Sub(zs).Sub(special.Gammaln(as))
		// By Stirling's formula, from log(z/a) and z − a.
		a, z := weft.Where(large, a, stirling.Min), weft.Where(large, z, stirling.Min)
		d := z.Sub(a)
		excess := d.Div(a)
		near := weft.Abs(excess).Lt(0.5)
		ratio := weft.Where(near, weft.Log1p(weft.Where(near, excess, 0.)), weft.Log(weft.Where(near, 1., z)).Sub(weft.Log(a)))
		rest := weft.Log(a).Mul(0.5).Add(0.5 * math.Log(2*math.Pi)).Add(stirling.Tail(a))
		return weft.Where(large, a.Sub(1).Mul(ratio).Sub(d).Sub(rest), small)
	})
}

// LogPDF returns the logarithm of the density at x.
func (d Gamma) LogPDF(x weft.Array) weft.Array {
	return standardized("Gamma.LogPDF", x, d.params(), true, func(z weft.Array, p []weft.Array) weft.Array {
		return gammaLogPDF(z, positive(p[0]))
	})
}

// PDF returns the density at x.
func (d Gamma) PDF(x weft.Array) weft.Array { return weft.Exp(d.LogPDF(x)) }

// CDF returns the probability of at most x.
func (d Gamma) CDF(x weft.Array) weft.Array {
	return standardized("Gamma.CDF", x, d.params(), false, func(z weft.Array, p []weft.Array) weft.Array {
		return within(z.Gt(0), z, 1, 0, func(z weft.Array) weft.Array { return special.GammaInc(positive(p[0]), z) })
	})
}

// LogCDF returns the logarithm of CDF(x).
func (d Gamma) LogCDF(x weft.Array) weft.Array { return logOf(d.CDF(x), d.SF(x)) }

// SF returns the probability of more than x.
func (d Gamma) SF(x weft.Array) weft.Array {
	return standardized("Gamma.SF", x, d.params(), false, func(z weft.Array, p []weft.Array) weft.Array {
		return within(z.Gt(0), z, 1, 1, func(z weft.Array) weft.Array { return special.GammaIncC(positive(p[0]), z) })
	})
}

// LogSF returns the logarithm of SF(x).
func (d Gamma) LogSF(x weft.Array) weft.Array { return logOf(d.SF(x), d.CDF(x)) }

// Chi2 is the chi-square distribution of DF degrees of freedom: [Gamma] of the shape DF/2 and
// twice the Scale. DF has no default.
type Chi2 struct{ DF, Loc, Scale weft.Array }

func (d Chi2) params() []param { return []param{required(d.DF), loc(d.Loc), scale(d.Scale)} }

// LogPDF returns the logarithm of the density at x.
func (d Chi2) LogPDF(x weft.Array) weft.Array {
	return standardized("Chi2.LogPDF", x, d.params(), true, func(z weft.Array, p []weft.Array) weft.Array {
		return within(z.Ge(0), z, 1, -inf, func(z weft.Array) weft.Array {
			a := positive(p[0]).Mul(0.5)
			tiny := z.Lt(1e-30) // z/2 may round to 0: (a − 1)·log ½ is added instead
			y := gammaLogPDF(weft.Where(tiny, z, z.Mul(0.5)), a)
			return y.Sub(weft.Where(tiny, a.Mul(math.Ln2), math.Ln2))
		})
	})
}

// PDF returns the density at x.
func (d Chi2) PDF(x weft.Array) weft.Array { return weft.Exp(d.LogPDF(x)) }

// CDF returns the probability of at most x.
func (d Chi2) CDF(x weft.Array) weft.Array {
	return standardized("Chi2.CDF", x, d.params(), false, func(z weft.Array, p []weft.Array) weft.Array {
		return within(z.Gt(0), z, 1, 0, func(z weft.Array) weft.Array { return special.GammaInc(positive(p[0]).Mul(0.5), z.Mul(0.5)) })
	})
}

// LogCDF returns the logarithm of CDF(x).
func (d Chi2) LogCDF(x weft.Array) weft.Array { return logOf(d.CDF(x), d.SF(x)) }

// SF returns the probability of more than x.
func (d Chi2) SF(x weft.Array) weft.Array {
	return standardized("Chi2.SF", x, d.params(), false, func(z weft.Array, p []weft.Array) weft.Array {
		return within(z.Gt(0), z, 1, 1, func(z weft.Array) weft.Array { return special.GammaIncC(positive(p[0]).Mul(0.5), z.Mul(0.5)) })
	})
}

// LogSF returns the logarithm of SF(x).
func (d Chi2) LogSF(x weft.Array) weft.Array { return logOf(d.SF(x), d.CDF(x)) }

// T is Student's t distribution of DF degrees of freedom. DF has no default.
type T struct{ DF, Loc, Scale weft.Array }

func (d T) params() []param { return []param{required(d.DF), loc(d.Loc), scale(d.Scale)} }

// LogPDF returns the logarithm of the density at x.
func (d T) LogPDF(x weft.Array) weft.Array {
	return standardized("T.LogPDF", x, d.params(), true, func(z weft.Array, p []weft.Array) weft.Array {
		normal := weft.IsInf(p[0]).And(p[0].Gt(0))
		df, far := weft.Where(normal, 1., positive(p[0])), squareOverflows(z)
		zz := weft.Square(weft.Where(far, 1., z))
		log := weft.Log(weft.Where(far, weft.Abs(z), 1.)).Mul(2).Sub(weft.Log(df)) // log(1 + z²/df) far out
		kernel := df.Add(1).Mul(0.5).Mul(weft.Where(far, log, weft.Log1p(zz.Div(df))))
		y := special.BetaLn(0.5, df.Mul(0.5)).Neg().Sub(weft.Log(df).Mul(0.5)).Sub(kernel)
		return weft.Where(normal, weft.Square(z).Mul(-0.5).Sub(0.5*math.Log(2*math.Pi)), y)
	})
}

// PDF returns the density at x.
func (d T) PDF(x weft.Array) weft.Array { return weft.Exp(d.LogPDF(x)) }

// studentCDF returns the probability of at most z. A small one is half the incomplete beta function
// at df/(df + z²), with a correction for the rounding of that quotient. Others are ½ plus or minus
// half the complementary function. For many degrees of freedom the result is the CDF of a normal
// distribution.
func studentCDF(z, df weft.Array) weft.Array {
	far := df.Gt(500)
	if z.DType() == weft.Float64 {
		far = df.Gt(1e5)
	}
	dfn := weft.Where(far, df, 1000.)
	beyond := weft.Abs(z).Gt(200) // where the probability is 0 or 1
	normal := special.NdTr(normalized(weft.Where(beyond, 0., z), dfn))
	normal = weft.Where(beyond, weft.Where(z.Gt(0), 1., 0.), normal)
	return weft.Where(far, normal, studentByBeta(z, weft.Where(far, 1., df)))
}

// normalized returns the u that a normal number exceeds as often as Student's t with many degrees
// of freedom exceeds z, by Hill's expansion.
func normalized(z, df weft.Array) weft.Array {
	v := weft.Square(z).Div(df)
	small := v.Lt(1e-6)
	vn := weft.Where(small, 1., v)
	rate := weft.Where(small, weft.Sub(1, v.Mul(weft.Sub(0.5, v.Div(3)))), weft.Log1p(vn).Div(vn)) // log(1 + v)/v
	a := df.Sub(0.5)
	y := z.Mul(weft.Sqrt(rate.Mul(weft.Sub(1, weft.Div(0.5, df)))))
	yy := weft.Square(y)
	yyyy := weft.Square(yy)
	b := weft.Square(a).Mul(48)
	next := yyyy.Mul(yy).Mul(4).Add(yyyy.Mul(33)).Add(yy.Mul(240)).Add(855)
	last := next.Div(b.Mul(10)).Div(b.Add(yyyy.Mul(0.8)).Add(100))
	return y.Add(y.Mul(yy.Add(3).Div(b).Sub(last)))
}

// squareOverflows reports where z, of f32 or f64, is so large that its square is out of range or nearly
// so.
func squareOverflows(z weft.Array) weft.Array {
	limit := 0x1p60
	if z.DType() == weft.Float64 {
		limit = 0x1p500
	}
	return weft.Abs(z).Ge(limit)
}

// studentByBeta returns studentCDF of moderate degrees of freedom.
func studentByBeta(z, df weft.Array) weft.Array {
	far := squareOverflows(z).And(weft.IsInf(z).Not())
	size, dfn := weft.Abs(weft.Where(far, z, 1.)), weft.Where(far, df, 1.)
	// The first term of the series of the incomplete beta function.
	a := dfn.Mul(0.5)
	power := weft.Pow(size.Mul(0x1p-30).Div(weft.Sqrt(dfn)), dfn.Neg()).Mul(weft.Exp2(dfn.Mul(-30)))
	tail := power.Div(special.Beta(a.Add(1), 0.5).Mul(a.Add(0.5))).Mul(0.5)
	near := studentNear(weft.Where(far, 0., z), weft.Where(far, 1., df))
	return weft.Where(far, weft.Where(z.Gt(0), weft.Sub(1, tail), tail), near)
}

// studentNear is studentByBeta where z² does not overflow, or z is infinite.
func studentNear(z, df weft.Array) weft.Array {
	zz, half := weft.Square(z), df.Mul(0.5)
	some := zz.Gt(0).And(zz.Lt(df))
	zn := weft.Where(some, zz, half)
	center := special.BetaInc(0.5, half, zn.Div(df.Add(zn))).Mul(0.5)
	x := df.Div(df.Add(weft.Where(zz.Eq(0), half, zz)))
	tail := special.BetaInc(half, 0.5, x).Mul(0.5)
	// 1 − x is exact, zn/(df + zn) is what it should be.
	rest := zn.Div(df.Add(zn))
	lost := weft.Where(some, weft.Sub(1, x).Sub(rest), 0.)
	slope := weft.Exp(half.Sub(1).Mul(weft.Log1p(rest.Neg())).Sub(special.BetaLn(half, 0.5))).Mul(weft.Rsqrt(rest))
	tail = tail.Add(lost.Mul(slope).Mul(0.5))
	atZero := z.Mul(weft.Exp(special.BetaLn(0.5, half).Neg()).Mul(weft.Rsqrt(df))) // for its derivative
	near := weft.Where(some, weft.Sign(z).Mul(center), atZero).Add(0.5)
	far := weft.Where(z.Gt(0), weft.Sub(1, tail), tail)
	return weft.Where(zz.Eq(0).Or(some.And(tail.Gt(0.05))), near, far)
}

// CDF returns the probability of at most x.
func (d T) CDF(x weft.Array) weft.Array {
	return standardized("T.CDF", x, d.params(), false, func(z weft.Array, p []weft.Array) weft.Array {
		return studentCDF(z, positive(p[0]))
	})
}

// LogCDF returns the logarithm of CDF(x).
func (d T) LogCDF(x weft.Array) weft.Array { return logOf(d.CDF(x), d.SF(x)) }

// SF returns the probability of more than x.
func (d T) SF(x weft.Array) weft.Array {
	return standardized("T.SF", x, d.params(), false, func(z weft.Array, p []weft.Array) weft.Array {
		return studentCDF(z.Neg(), positive(p[0]))
	})
}

// LogSF returns the logarithm of SF(x).
func (d T) LogSF(x weft.Array) weft.Array { return logOf(d.SF(x), d.CDF(x)) }
