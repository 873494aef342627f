// Package stats contains probability distributions, after jax.scipy.stats, and covariances.
//
// A distribution is a struct of its parameters. Its methods take the points:
//
//	d := stats.Norm{Loc: mu, Scale: sigma}
//	nll := d.LogPDF(x).Sum().Neg()
//
// A parameter that is the zero Array has its default: Loc 0, Scale 1. Points and parameters
// broadcast to one shape and are promoted to one floating-point type. A distribution is a tree of
// arrays: [weft.Grad] of a function of one, with all fields set, is a struct of derivatives.
//
// Continuous distributions have LogPDF and PDF (the density), discrete ones LogPMF and PMF (the
// probability). CDF is the probability of at most x, SF that of more than x; LogCDF and LogSF are
// accurate where CDF and SF are close to 0 or 1. PPF is the inverse of CDF. Not every distribution
// has every method. Parameters outside their range make NaN.
package stats

import (
	"math"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/internal/nd"
)

// Cov returns the covariances of the variables that are x's rows; its columns are the observations.
// The sums of products are divided by the number of observations less one.
func Cov(x weft.Array) weft.Array { return weft.FromValue(nd.Cov(nd.ValueOf("Cov", x))) }

// CorrCoef returns the correlations of the variables that are x's rows.
func CorrCoef(x weft.Array) weft.Array {
	return weft.FromValue(nd.CorrCoef(nd.ValueOf("CorrCoef", x)))
}

var inf = math.Inf(1)

// param is a parameter with the default that replaces the zero Array.
type param struct {
	x       weft.Array
	without float64
}

func required(x weft.Array) param { return param{x, math.NaN()} }

func loc(x weft.Array) param   { return param{x, 0} }
func scale(x weft.Array) param { return param{x, 1} }

// apply promotes x and the parameters and calls f with them under jax.numpy's promotion, with f16
// and bf16 as f32.
func apply(op string, x weft.Array, params []param, f func(x weft.Array, p []weft.Array) weft.Array) weft.Array {
	in := []any{x}
	for _, p := range params {
		switch {
		case !p.x.IsZero():
			in = append(in, p.x)
		case math.IsNaN(p.without):
			nd.RefuseZero(op)
		default:
			in = append(in, p.without)
		}
	}
	vs := nd.RealOperands(op, in...)
	out := make([]weft.Array, len(vs))
	for i, v := range vs {
		out[i] = weft.FromValue(v)
	}
	return nd.WithJAXPromotion(func() weft.Array {
		dt := out[0].DType()
		if dt.Bits() >= 32 {
			return f(out[0], out[1:])
		}
		// Squares of f16 soon overflow.
		for i, v := range out {
			out[i] = v.AsType(weft.Float32)
		}
		return f(out[0], out[1:]).AsType(dt)
	})
}

// standardized is apply for distributions whose last two parameters are Loc and Scale: f receives
// z = (x − loc)/scale. If logs is set, f returns a log density, and log scale is subtracted from
// it. Scales that are not positive make NaN.
func standardized(op string, x weft.Array, params []param, logs bool, f func(z weft.Array, p []weft.Array) weft.Array) weft.Array {
	return apply(op, x, params, func(x weft.Array, p []weft.Array) weft.Array {
		n := len(p) - 2
		s := positive(p[n+1])
		d := x.Sub(p[n])
		if logs {
			return f(d.Div(s), p[:n]).Sub(weft.Log(s))
		}
		// Probabilities at ∞ do not depend on loc and scale, and their derivatives with respect to x are 0.
		far := weft.IsInf(x).And(weft.IsFinite(p[n])).And(weft.IsFinite(s))
		return f(weft.Where(far, weft.StopGradient(x), weft.Where(far, 0., d).Div(s)), p[:n])
	})
}

// quantile returns loc + scale·f(q), and NaN where q is not a probability.
func quantile(op string, q weft.Array, params []param, f func(q weft.Array, p []weft.Array) weft.Array) weft.Array {
	return apply(op, q, params, func(q weft.Array, p []weft.Array) weft.Array {
		n := len(p) - 2
		return f(probability(q), p[:n]).Mul(positive(p[n+1])).Add(p[n])
	})
}

func positive(x weft.Array) weft.Array { return weft.Where(x.Gt(0), x, math.NaN()) }

// probability returns p, and NaN where it is not within [0, 1].
func probability(p weft.Array) weft.Array {
	return weft.Where(p.Ge(0).And(p.Le(1)), p, math.NaN())
}

// within returns f(x) where ok holds or x is NaN. Elsewhere it returns the number `otherwise`, and f
// receives the number `inside` in place of x, so that derivatives are finite; where f returns NaN
// even so, because a parameter is NaN, within returns NaN.
func within(ok, x weft.Array, inside, otherwise float64, f func(x weft.Array) weft.Array) weft.Array {
	ok = ok.Or(weft.IsNaN(x))
	y := f(weft.Where(ok, x, inside))
	return weft.Where(ok, y, weft.Where(weft.IsNaN(y), math.NaN(), otherwise))
}

// log1mexp returns log(1 − e^(−x)) for x ≥ 0.
func log1mexp(x weft.Array) weft.Array {
	near := x.Lt(math.Ln2)
	a := weft.Log(weft.Expm1(weft.Where(near, x, 0.5).Neg()).Neg())
	return weft.Where(near, a, weft.Log1p(weft.Exp(weft.Where(near, 1., x).Neg()).Neg()))
}

// logOf returns log p, where q is 1 − p.
func logOf(p, q weft.Array) weft.Array {
	return nd.WithJAXPromotion(func() weft.Array {
		large := p.Gt(0.5)
		return weft.Where(large, weft.Log1p(weft.Where(large, q, 0.).Neg()), weft.Log(weft.Where(large, 1., p)))
	})
}
