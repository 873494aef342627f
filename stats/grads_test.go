package stats_test

import (
	"math"
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/internal/test/arraycheck"
	"github.com/weft-go/weft/internal/test/testcheck"
	"github.com/weft-go/weft/stats"
	"github.com/weft-go/weft/wefttest"
)

var f64 = arraycheck.Vector64

func num(x float64) weft.Array { return weft.FromSlice([]float64{x}) }

// at are a distribution and the points at which its methods are evaluated.
type at[D any] struct {
	D D
	X weft.Array
}

func checkGrads[D any](t *testing.T, name string, d D, x weft.Array, methods map[string]func(D, weft.Array) weft.Array) {
	for m, f := range methods {
		t.Run(name+"."+m, func(t *testing.T) {
			wefttest.CheckGrads(t, func(p at[D]) weft.Array { return f(p.D, p.X) }, at[D]{d, x}, wefttest.GradConfig{Order: 2})
		})
	}
}

// Derivatives with respect to points and parameters agree with differences.
func TestGradients(t *testing.T) {
	type methods[D any] = map[string]func(D, weft.Array) weft.Array
	x, loc, scale := f64(-1.5, 0.25, 2), num(0.5), num(1.75)
	checkGrads(t, "Norm", stats.Norm{loc, scale}, x, methods[stats.Norm]{"LogPDF": stats.Norm.LogPDF, "CDF": stats.Norm.CDF, "LogCDF": stats.Norm.LogCDF, "LogSF": stats.Norm.LogSF})
	checkGrads(t, "Laplace", stats.Laplace{loc, scale}, x, methods[stats.Laplace]{"LogPDF": stats.Laplace.LogPDF, "CDF": stats.Laplace.CDF, "LogCDF": stats.Laplace.LogCDF})
	checkGrads(t, "Logistic", stats.Logistic{loc, scale}, x, methods[stats.Logistic]{"LogPDF": stats.Logistic.LogPDF, "SF": stats.Logistic.SF, "LogCDF": stats.Logistic.LogCDF})
	above := f64(0.75, 1.25, 3)
	checkGrads(t, "Expon", stats.Expon{loc, scale}, above, methods[stats.Expon]{"LogPDF": stats.Expon.LogPDF, "CDF": stats.Expon.CDF, "LogCDF": stats.Expon.LogCDF})
	checkGrads(t, "Gamma", stats.Gamma{num(2.5), loc, scale}, above, methods[stats.Gamma]{"LogPDF": stats.Gamma.LogPDF})
	checkGrads(t, "Chi2", stats.Chi2{num(2.5), loc, scale}, above, methods[stats.Chi2]{"LogPDF": stats.Chi2.LogPDF})
	checkGrads(t, "T", stats.T{num(2.5), loc, scale}, f64(-1.5, 0.25, 2), methods[stats.T]{"LogPDF": stats.T.LogPDF})
	checkGrads(t, "Beta", stats.Beta{num(2.5), num(1.5), loc, scale}, f64(0.75, 1.25, 2), methods[stats.Beta]{"LogPDF": stats.Beta.LogPDF})
	checkGrads(t, "Gamma of a large shape", stats.Gamma{num(25), num(0), num(1)}, f64(0.5, 26, 95), methods[stats.Gamma]{"LogPDF": stats.Gamma.LogPDF})
	checkGrads(t, "Beta of large shapes", stats.Beta{num(25), num(15), num(0), num(1)}, f64(0.05, 0.6, 0.95), methods[stats.Beta]{"LogPDF": stats.Beta.LogPDF})
	counts := f64(0, 1, 3)
	for name, f := range map[string]func(p weft.Array) weft.Array{
		"Poisson":   func(p weft.Array) weft.Array { return stats.Poisson{Mu: p}.LogPMF(counts) },
		"Binom":     func(p weft.Array) weft.Array { return stats.Binom{N: num(5), P: p}.LogPMF(counts) },
		"Geom":      func(p weft.Array) weft.Array { return stats.Geom{P: p}.LogPMF(f64(1, 3)) },
		"Bernoulli": func(p weft.Array) weft.Array { return stats.Bernoulli{P: p}.LogPMF(f64(0, 1)) },
	} {
		t.Run(name+".LogPMF", func(t *testing.T) { wefttest.CheckGrads(t, f, num(0.3), wefttest.GradConfig{Order: 2}) })
	}
	vectors := f64(1, 2, 0.5, -1).Reshape(2, 2)
	cov := f64(2, 0.5, 0.5, 1).Reshape(2, 2)
	checkGrads(t, "MultivariateNormal", stats.MultivariateNormal{f64(0.5, -1), cov}, vectors, methods[stats.MultivariateNormal]{"LogPDF": stats.MultivariateNormal.LogPDF})
	checkGrads(t, "GaussianKDE", stats.GaussianKDE{Data: f64(0.5, -1, 2, 0.75), Weights: f64(1, 2, 1, 3)}, x, methods[stats.GaussianKDE]{"LogPDF": stats.GaussianKDE.LogPDF})
}

// A density outside the support does not spoil the derivatives.
func TestGradientsOutsideSupport(t *testing.T) {
	for name, f := range map[string]func(x weft.Array) weft.Array{
		"Expon":   func(s weft.Array) weft.Array { return stats.Expon{Scale: s}.PDF(f64(-1, 2)) },
		"Gamma":   func(s weft.Array) weft.Array { return stats.Gamma{A: num(2), Scale: s}.PDF(f64(-1, 2)) },
		"Beta":    func(s weft.Array) weft.Array { return stats.Beta{A: s, B: num(2)}.PDF(f64(-1, 2, 0.5)) },
		"Uniform": func(s weft.Array) weft.Array { return stats.Uniform{Scale: s}.PDF(f64(-1, 5, 0.5)) },
		"Poisson": func(s weft.Array) weft.Array { return stats.Poisson{Mu: s}.PMF(f64(-1, 2, 0.5)) },
		"T.CDF":   func(x weft.Array) weft.Array { return stats.T{DF: num(3)}.CDF(x.Sub(1.5)) },
	} {
		g := weft.Grad(func(s weft.Array) weft.Array { return f(s).Sum() })(weft.Scalar(1.5).AsType(weft.Float64)).Float()
		if g == 0 || g != g {
			t.Errorf("%s: the derivative is %v, want a number that is not 0", name, g)
		}
	}
}

// At an end of the support, at ∞ and at a certain probability a derivative is a one-sided limit.
func TestGradientsAtEnds(t *testing.T) {
	end, one := math.Inf(1), num(1)
	for name, c := range map[string]struct {
		at, want float64
		f        func(p weft.Array) weft.Array
	}{
		"Gamma.LogPDF of scale, at 0":     {2, -0.5, func(s weft.Array) weft.Array { return stats.Gamma{A: one, Scale: s}.LogPDF(num(0)) }},
		"Gamma.LogPDF of 0":               {0, -1, func(x weft.Array) weft.Array { return stats.Gamma{A: one}.LogPDF(x) }},
		"Chi2.LogPDF of scale, at 0":      {2, -0.5, func(s weft.Array) weft.Array { return stats.Chi2{DF: num(2), Scale: s}.LogPDF(num(0)) }},
		"Beta.LogPDF of 0":                {0, -2, func(x weft.Array) weft.Array { return stats.Beta{A: one, B: num(3)}.LogPDF(x) }},
		"Beta.LogPDF of 1":                {1, 2, func(x weft.Array) weft.Array { return stats.Beta{A: num(3), B: one}.LogPDF(x) }},
		"Beta.CDF below":                  {-1, 0, func(x weft.Array) weft.Array { return stats.Beta{A: one, B: num(3)}.CDF(x) }},
		"Beta.CDF above":                  {2, 0, func(x weft.Array) weft.Array { return stats.Beta{A: num(3), B: one}.CDF(x) }},
		"Beta.SF below":                   {-1, 0, func(x weft.Array) weft.Array { return stats.Beta{A: one, B: one}.SF(x) }},
		"Beta.LogSF below":                {-1, 0, func(x weft.Array) weft.Array { return stats.Beta{A: one, B: one}.LogSF(x) }},
		"Uniform.LogCDF below":            {-1, 0, func(x weft.Array) weft.Array { return stats.Uniform{}.LogCDF(x) }},
		"Uniform.LogSF of scale, above":   {2, 0, func(s weft.Array) weft.Array { return stats.Uniform{Scale: s}.LogSF(num(3)) }},
		"Norm.CDF of scale, at ∞":         {2, 0, func(s weft.Array) weft.Array { return stats.Norm{Scale: s}.CDF(num(end)) }},
		"Norm.LogSF of scale, at −∞":      {2, 0, func(s weft.Array) weft.Array { return stats.Norm{Scale: s}.LogSF(num(-end)) }},
		"Laplace.SF of scale, at ∞":       {2, 0, func(s weft.Array) weft.Array { return stats.Laplace{Scale: s}.SF(num(end)) }},
		"Logistic.CDF of scale, at ∞":     {2, 0, func(s weft.Array) weft.Array { return stats.Logistic{Scale: s}.CDF(num(end)) }},
		"T.CDF of scale, at −∞":           {2, 0, func(s weft.Array) weft.Array { return stats.T{DF: num(3), Scale: s}.CDF(num(-end)) }},
		"Bernoulli.LogPMF of a certain 0": {0, -1, func(p weft.Array) weft.Array { return stats.Bernoulli{P: p}.LogPMF(num(0)) }},
		"Bernoulli.LogPMF of a certain 1": {1, 1, func(p weft.Array) weft.Array { return stats.Bernoulli{P: p}.LogPMF(one) }},
		"Binom.LogPMF of a certain 0":     {0, -5, func(p weft.Array) weft.Array { return stats.Binom{N: num(5), P: p}.LogPMF(num(0)) }},
		"Geom.LogPMF of a certain 1":      {1, 1, func(p weft.Array) weft.Array { return stats.Geom{P: p}.LogPMF(one) }},
	} {
		got := weft.Grad(func(p weft.Array) weft.Array { return c.f(p).Sum() })(weft.Scalar(c.at).AsType(weft.Float64)).Float()
		if !testcheck.Close(got, c.want, 1e-14) {
			t.Errorf("%s: the derivative is %v, want %v", name, got, c.want)
		}
	}
}

func TestRefusals(t *testing.T) {
	for want, f := range map[string]func() weft.Array{
		"Gamma.LogPDF: ": func() weft.Array { return stats.Gamma{}.LogPDF(f64(1)) },
		"the covariance of vectors of length 3 must be 3×3 (got f64[3]); pass the matrix, not its diagonal": func() weft.Array {
			return stats.MultivariateNormal{Cov: f64(1, 2, 3)}.LogPDF(f64(1, 2, 3))
		},
		"must have last axes of one length, the vectors; reshape one of them": func() weft.Array {
			return stats.Dirichlet{Alpha: f64(1, 2, 3)}.LogPDF(f64(1, 2))
		},
		"pass as many rows as variables, and two observations or more": func() weft.Array {
			return stats.GaussianKDE{Data: f64(1, 2, 3, 4).Reshape(2, 2)}.LogPDF(f64(1, 2, 3))
		},
	} {
		if _, err := weft.Try(f); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}
