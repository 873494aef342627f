package stats_test

import (
	"slices"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/internal/test/testcheck"
	"github.com/weft-go/weft/stats"
)

type function = func(weft.Array) weft.Array

// The derivative of the distribution function is the density, the logarithms are those of the
// functions, both tails add up to 1, and quantiles are the inverse.
func TestContinuousLaws(t *testing.T) {
	norm, expon := stats.Norm{Loc: weft.Scalar(0.5), Scale: weft.Scalar(2.)}, stats.Expon{Scale: weft.Scalar(1.5)}
	laplace, logistic := stats.Laplace{Loc: weft.Scalar(0.25)}, stats.Logistic{Scale: weft.Scalar(0.75)}
	uniform, beta := stats.Uniform{Scale: weft.Scalar(3.)}, stats.Beta{A: weft.Scalar(2.5), B: weft.Scalar(3.5)}
	gamma, chi2, student := stats.Gamma{A: weft.Scalar(2.)}, stats.Chi2{DF: weft.Scalar(4.)}, stats.T{DF: weft.Scalar(5.)}
	for name, d := range map[string]struct{ pdf, logPDF, cdf, logCDF, sf, logSF, ppf function }{
		"Norm":     {norm.PDF, norm.LogPDF, norm.CDF, norm.LogCDF, norm.SF, norm.LogSF, norm.PPF},
		"Expon":    {expon.PDF, expon.LogPDF, expon.CDF, expon.LogCDF, expon.SF, expon.LogSF, expon.PPF},
		"Laplace":  {laplace.PDF, laplace.LogPDF, laplace.CDF, laplace.LogCDF, laplace.SF, laplace.LogSF, laplace.PPF},
		"Logistic": {logistic.PDF, logistic.LogPDF, logistic.CDF, logistic.LogCDF, logistic.SF, logistic.LogSF, logistic.PPF},
		"Uniform":  {uniform.PDF, uniform.LogPDF, uniform.CDF, uniform.LogCDF, uniform.SF, uniform.LogSF, uniform.PPF},
		"Beta":     {beta.PDF, beta.LogPDF, beta.CDF, beta.LogCDF, beta.SF, beta.LogSF, nil},
		"Gamma":    {gamma.PDF, gamma.LogPDF, gamma.CDF, gamma.LogCDF, gamma.SF, gamma.LogSF, nil},
		"Chi2":     {chi2.PDF, chi2.LogPDF, chi2.CDF, chi2.LogCDF, chi2.SF, chi2.LogSF, nil},
		"T":        {student.PDF, student.LogPDF, student.CDF, student.LogCDF, student.SF, student.LogSF, nil},
	} {
		t.Run(name, func(t *testing.T) {
			x := f64(0.1, 0.3, 0.45, 0.7, 0.9)
			cdf, sf := d.cdf(x), d.sf(x)
			nearArray(t, "PDF and the derivative of CDF", d.pdf(x), weft.Grad(func(x weft.Array) weft.Array { return d.cdf(x).Sum() })(x))
			nearArray(t, "LogPDF", d.logPDF(x), weft.Log(d.pdf(x)))
			nearArray(t, "LogCDF", d.logCDF(x), weft.Log(cdf))
			nearArray(t, "LogSF", d.logSF(x), weft.Log(sf))
			nearArray(t, "CDF + SF", cdf.Add(sf), weft.OnesLike(x))
			if d.ppf != nil {
				nearArray(t, "PPF of CDF", d.ppf(cdf), x)
			}
		})
	}
}

// The distribution function is the sum of the probabilities.
func TestDiscreteLaws(t *testing.T) {
	bernoulli, binom := stats.Bernoulli{P: weft.Scalar(0.3)}, stats.Binom{N: weft.Scalar(6.), P: weft.Scalar(0.4)}
	geom, poisson := stats.Geom{P: weft.Scalar(0.35)}, stats.Poisson{Mu: weft.Scalar(1.75)}
	for name, d := range map[string]struct{ pmf, logPMF, cdf, logCDF, sf, logSF, ppf function }{
		"Bernoulli": {pmf: bernoulli.PMF, logPMF: bernoulli.LogPMF, cdf: bernoulli.CDF, sf: bernoulli.SF, ppf: bernoulli.PPF},
		"Binom":     {pmf: binom.PMF, logPMF: binom.LogPMF, cdf: binom.CDF, sf: binom.SF},
		"Geom":      {geom.PMF, geom.LogPMF, geom.CDF, geom.LogCDF, geom.SF, geom.LogSF, geom.PPF},
		"Poisson":   {pmf: poisson.PMF, logPMF: poisson.LogPMF, cdf: poisson.CDF, sf: poisson.SF},
	} {
		t.Run(name, func(t *testing.T) {
			k := f64(0, 1, 2, 3, 4)
			if name == "Geom" {
				k = f64(1, 2, 3, 4, 5)
			}
			cdf, sf := d.cdf(k), d.sf(k)
			nearArray(t, "CDF and the sum of PMF", cdf, d.pmf(k).CumSum(0))
			nearArray(t, "PMF", d.pmf(k), weft.Exp(d.logPMF(k)))
			nearArray(t, "CDF + SF", cdf.Add(sf), weft.OnesLike(k))
			if d.logCDF != nil {
				nearArray(t, "LogCDF", d.logCDF(k), weft.Log(cdf))
				nearArray(t, "LogSF", d.logSF(k), weft.Log(sf))
			}
			if d.ppf != nil {
				k := k.Index(":2")
				nearArray(t, "PPF of CDF", d.ppf(d.cdf(k).Sub(1e-9)), k)
			}
		})
	}
}

// Densities of vectors are the products of the densities of independent elements, or those of the
// distributions of one number.
func TestMultivariateLaws(t *testing.T) {
	x := weft.FromSlice([]float64{0.5, -1, 2, 0.25}, 2, 2)
	independent := stats.MultivariateNormal{}
	nearArray(t, "MultivariateNormal", independent.PDF(x), stats.Norm{}.PDF(x).Prod(-1))
	nearArray(t, "MultivariateNormal.LogPDF", independent.LogPDF(x), weft.Log(independent.PDF(x)))

	p := weft.FromSlice([]float64{0.2, 0.8, 0.6, 0.4}, 2, 2)
	pair := stats.Dirichlet{Alpha: f64(2.5, 1.5)}
	nearArray(t, "Dirichlet and Beta", pair.PDF(p), stats.Beta{A: weft.Scalar(2.5), B: weft.Scalar(1.5)}.PDF(p.Index(":, 0")))
	nearArray(t, "Dirichlet.LogPDF", pair.LogPDF(p), weft.Log(pair.PDF(p)))

	counts := weft.FromSlice([]float64{0, 4, 1, 3, 4, 0}, 3, 2)
	trials := stats.Multinomial{N: weft.Scalar(4.), P: f64(0.3, 0.7)}
	nearArray(t, "Multinomial and Binom", trials.PMF(counts), stats.Binom{N: weft.Scalar(4.), P: weft.Scalar(0.3)}.PMF(counts.Index(":, 0")))
	nearArray(t, "Multinomial.LogPMF", trials.LogPMF(counts), weft.Log(trials.PMF(counts)))

	at := f64(-1, 0, 0.5)
	kde := stats.GaussianKDE{Data: f64(-1, 1), Bandwidth: 0.5}
	// The variance of the two observations is 2, so each density has the deviation 0.5·√2.
	scale := weft.Sqrt(weft.Scalar(0.5))
	left, right := stats.Norm{Loc: weft.Scalar(-1.), Scale: scale}.PDF(at), stats.Norm{Loc: weft.Scalar(1.), Scale: scale}.PDF(at)
	nearArray(t, "GaussianKDE", kde.PDF(at), left.Add(right).Div(2))
	nearArray(t, "GaussianKDE.LogPDF", kde.LogPDF(at), weft.Log(kde.PDF(at)))
}

func nearArray(t *testing.T, what string, got, want weft.Array) {
	t.Helper()
	testcheck.NearAll(t, what, weft.ToSlice[float64](got), weft.ToSlice[float64](want), 1e-7)
}

// Where the first trial succeeds for certain, the least number with at least a probability of 0 is 0, as for other probabilities.
func TestGeomOfCertainSuccess(t *testing.T) {
	d := stats.Geom{P: f64(1, 1, 1, 0.5)}
	if got := weft.ToSlice[float64](d.PPF(f64(0, 0.5, 1, 0))); !slices.Equal(got, []float64{0, 1, 1, 0}) {
		t.Errorf("got %v", got)
	}
}
