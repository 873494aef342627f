package stats_test

import (
	"fmt"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/stats"
)

// The most likely mean and deviation of a sample: the derivatives there are 0.
func ExampleNorm() {
	x := weft.Of[float64](2, 4, 4, 5, 5, 7, 9, 4)
	loss := func(d stats.Norm) weft.Array { return d.LogPDF(x).Sum().Neg() }
	g := weft.Grad(loss)(stats.Norm{Loc: x.Mean(), Scale: x.Std()})
	fmt.Printf("%.3f %.3f\n", g.Loc, g.Scale)
	// Output:
	// 0.000 0.000
}

func ExampleBinom() {
	d := stats.Binom{N: weft.Scalar(10), P: weft.Scalar(0.5)}
	fmt.Printf("%.4f\n", d.PMF(weft.Of(4., 5, 6)))
	// Output:
	// [0.2051 0.2461 0.2051]
}

// Quantiles, densities and tails of continuous distributions.
func Example_continuous() {
	x := weft.Of[float64](0.5, 2)
	two := weft.Of[float64](2)
	fmt.Printf("%.4f %.4f\n", stats.Gamma{A: two}.PDF(x), stats.Chi2{DF: two}.SF(x))
	fmt.Printf("%.4f %.4f\n", stats.T{DF: two}.CDF(x), stats.Beta{A: two, B: two, Scale: two}.CDF(x))
	q := weft.Of[float64](0.5, 0.9)
	fmt.Printf("%.4f %.4f\n", stats.Expon{Scale: two}.PPF(q), stats.Laplace{}.PPF(q))
	fmt.Printf("%.4f %.4f\n", stats.Logistic{}.PPF(q), stats.Uniform{Loc: two}.PPF(q))
	// Output:
	// [0.3033 0.2707] [0.7788 0.3679]
	// [0.6667 0.9082] [0.1562 1.0000]
	// [1.3863 4.6052] [0.0000 1.6094]
	// [0.0000 2.1972] [2.5000 2.9000]
}

// Probabilities of counts.
func Example_discrete() {
	k := weft.Of[float64](0, 1, 2)
	p := weft.Of[float64](0.25)
	fmt.Printf("%.4f %.4f\n", stats.Bernoulli{P: p}.PMF(k), stats.Geom{P: p}.CDF(k))
	fmt.Printf("%.4f\n", stats.Poisson{Mu: weft.Of[float64](1.5)}.SF(k))
	// Output:
	// [0.7500 0.2500 0.0000] [0.0000 0.2500 0.4375]
	// [0.7769 0.4422 0.1912]
}

// Distributions of vectors, and what samples estimate of them.
func Example_vectors() {
	x := weft.From([][]float64{{1, 2, 4, 5}, {2, 3, 3, 6}}) // variables are rows
	fmt.Printf("%.3f\n%.3f\n", stats.Cov(x), stats.CorrCoef(x))
	d := stats.MultivariateNormal{Mean: x.Mean(1), Cov: stats.Cov(x)}
	fmt.Printf("%.3f\n", d.LogPDF(weft.Of[float64](3, 3)))
	p := weft.Of[float64](0.2, 0.3, 0.5)
	fmt.Printf("%.3f %.3f\n", stats.Dirichlet{Alpha: weft.Of[float64](2, 3, 5)}.LogPDF(p), stats.Multinomial{N: weft.Of[float64](3), P: p}.LogPMF(weft.Of[float64](1, 1, 1)))
	kde := stats.GaussianKDE{Data: weft.Of[float64](1, 2, 4, 5)}
	fmt.Printf("%.3f\n", kde.PDF(weft.Of[float64](3)))
	// Output:
	// [[3.333 2.667]
	//  [2.667 3.000]]
	// [[1.000 0.843]
	//  [0.843 1.000]]
	// -2.513
	// 2.141 [-1.715]
	// [0.162]
}
