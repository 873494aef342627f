package stats

import (
	"math"

	"github.com/weft-go/weft"
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
		a, b := positive(p[0]), positive(p[1])
		return within(z.Ge(0).And(z.Le(1)), z, 0.5, -inf, func(z weft.Array) weft.Array {
			return special.Xlogy(a.Sub(1), z).Add(special.Xlog1py(b.Sub(1), z.Neg())).Sub(special.BetaLn(a, b))
		})
	})
}

// PDF returns the density at x.
func (d Beta) PDF(x weft.Array) weft.Array { return weft.Exp(d.LogPDF(x)) }

// CDF returns the probability of at most x.
func (d Beta) CDF(x weft.Array) weft.Array {
	return standardized("Beta.CDF", x, d.params(), false, func(z weft.Array, p []weft.Array) weft.Array {
		return special.BetaInc(positive(p[0]), positive(p[1]), weft.Clip(z, 0., 1.))
	})
}

// LogCDF returns the logarithm of CDF(x).
func (d Beta) LogCDF(x weft.Array) weft.Array { return logOf(d.CDF(x), d.SF(x)) }

// SF returns the probability of more than x.
func (d Beta) SF(x weft.Array) weft.Array {
	return standardized("Beta.SF", x, d.params(), false, func(z weft.Array, p []weft.Array) weft.Array {
		return betaAbove(positive(p[0]), positive(p[1]), weft.Clip(z, 0., 1.))
	})
}

// betaAbove returns 1 − I_z(a, b): as that difference where it loses nothing, or where 1 − z has lost z.
func betaAbove(a, b, z weft.Array) weft.Array {
	rest, below := weft.Sub(1, z), special.BetaInc(a, b, z)
	return weft.Where(below.Le(0.5).Or(rest.Eq(1)), weft.Sub(1, below), special.BetaInc(b, a, rest))
}

// LogSF returns the logarithm of SF(x).
func (d Beta) LogSF(x weft.Array) weft.Array { return logOf(d.SF(x), d.CDF(x)) }

// Gamma is the gamma distribution of the shape A, from Loc on. A has no default.
type Gamma struct{ A, Loc, Scale weft.Array }

func (d Gamma) params() []param { return []param{required(d.A), loc(d.Loc), scale(d.Scale)} }

func gammaLogPDF(z, a weft.Array) weft.Array {
	return within(z.Ge(0), z, 1, -inf, func(z weft.Array) weft.Array {
		return special.Xlogy(a.Sub(1), z).Sub(z).Sub(special.Gammaln(a))
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
		return within(z.Ge(0), z, 1, -inf, func(z weft.Array) weft.Array { // a half of the least number is 0
			return gammaLogPDF(z.Mul(0.5), positive(p[0]).Mul(0.5)).Sub(math.Ln2)
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
		df, zz := weft.Where(normal, 1., positive(p[0])), weft.Square(z)
		kernel := df.Add(1).Mul(0.5).Mul(weft.Log1p(zz.Div(df)))
		y := special.BetaLn(0.5, df.Mul(0.5)).Neg().Sub(weft.Log(df).Mul(0.5)).Sub(kernel)
		return weft.Where(normal, zz.Mul(-0.5).Sub(0.5*math.Log(2*math.Pi)), y)
	})
}

// PDF returns the density at x.
func (d T) PDF(x weft.Array) weft.Array { return weft.Exp(d.LogPDF(x)) }

// studentCDF returns the probability of at most z. A small one is a part of the incomplete beta function of
// df/(df + z²), corrected by what that quotient has lost of z. Others are ½ and a part of the complementary function. For many
// degrees of freedom it is a normal distribution's.
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

// normalized returns the u that a normal number exceeds as often as Student's t with many degrees of freedom exceeds z, by Hill's
// expansion.
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

// studentByBeta returns studentCDF of moderate degrees of freedom.
func studentByBeta(z, df weft.Array) weft.Array {
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
