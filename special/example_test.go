package special_test

import (
	"fmt"
	"math"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/special"
)

func ExampleGammaIncC() {
	// The probability that a chi-square number of 4 degrees of freedom exceeds x.
	x := weft.Of[float64](1, 5, 9.488)
	fmt.Printf("%.4f\n", special.GammaIncC(2., x.Div(2)))
	// Output:
	// [0.9098 0.2873 0.0500]
}

func ExampleLogNdTr() {
	x := weft.Scalar(-40.).AsType(weft.Float64)
	fmt.Printf("%.6g %.6g\n", special.LogNdTr(x).Float(), weft.Log(special.NdTr(x)).Float())
	// Output:
	// -804.608 -Inf
}

// Functions of the gamma function; n! is Γ(n + 1).
func Example_gamma() {
	x := weft.Of[float64](0.5, 5)
	fmt.Printf("%.4f %.4f\n", special.Gammaln(x), special.GammaSgn(weft.Of(-0.5)))
	fmt.Printf("%.4f %.4f %.4f\n", special.Digamma(x), special.Polygamma(1, x), special.Zeta(2., x))
	fmt.Printf("%.4f %.4f %.4f\n", special.Beta(2., x), special.BetaLn(2., x), special.BetaInc(2., x, 0.3))
	fmt.Printf("%.4f %.4f\n", special.GammaInc(2., x), special.MultiGammaln(x, 2))
	// Output:
	// [0.5724 3.1781] [-1.0000]
	// [-1.9635  1.5061] [4.9348 0.2213] [4.9348 0.2213]
	// [1.3333 0.0333] [ 0.2877 -3.4012] [0.0378 0.5798]
	// [0.0902 0.9596] [  +Inf 6.2042]
}

// Probabilities of normal numbers, and their inverses.
func Example_normal() {
	x := weft.Of[float64](-1, 0.5)
	fmt.Printf("%.4f %.4f %.4f\n", special.Erf(x), special.Erfc(x), special.ErfInv(special.Erf(x)))
	fmt.Printf("%.4f %.4f\n", special.NdTr(x), special.NdTrI(special.NdTr(x)))
	fmt.Printf("%.4f %.4f\n", special.Expit(x), special.Logit(special.Expit(x)))
	// Output:
	// [-0.8427  0.5205] [1.8427 0.4795] [-1.0000  0.5000]
	// [0.1587 0.6915] [-1.0000  0.5000]
	// [0.2689 0.6225] [-1.0000  0.5000]
}

// Entropies, and products with logarithms, where 0·log 0 is 0.
func Example_entropy() {
	p, q := weft.Of[float64](0, 0.25, 0.75), weft.Of[float64](0.5, 0.25, 0.25)
	fmt.Printf("%.4f %.4f %.4f\n", special.Entr(p), special.RelEntr(p, q), special.KlDiv(p, q))
	fmt.Printf("%.4f %.4f\n", special.Xlogy(p, p), special.Xlog1py(p, q))
	fmt.Printf("%.4f\n", special.LogSumExp(weft.Of[float64](1000, 1000)))
	// Output:
	// [0.0000 0.3466 0.2158] [0.0000 0.0000 0.8240] [0.5000 0.0000 0.3240]
	// [ 0.0000 -0.3466 -0.2158] [0.0000 0.0558 0.1674]
	// 1000.6932
}

// Bessel functions; those that end in e are multiplied by exp(−|x|).
func Example_bessel() {
	x := weft.Of[float64](0, 1, -2)
	fmt.Printf("%.4f %.4f\n", special.I0(x), special.I1(x))
	fmt.Printf("%.4f %.4f\n", special.I0e(x), special.I1e(x))
	// Output:
	// [1.0000 1.2661 2.2796] [ 0.0000  0.5652 -1.5906]
	// [1.0000 0.4658 0.3085] [ 0.0000  0.2079 -0.2153]
}

// The spherical harmonic of degree 2 and order 1 at a polar angle of 60° and an azimuth of 90° is imaginary. Squares of the harmonics of
// one degree add up to (2n + 1)/4π in every direction.
func ExampleSphHarm() {
	theta, phi := weft.Of(math.Pi/3), weft.Of(math.Pi/2)
	fmt.Printf("%.4f\n", special.SphHarm(2, 1, theta, phi))
	sum := weft.Zeros(1)
	for m := -2; m <= 2; m++ {
		sum = sum.Add(weft.Square(weft.Abs(special.SphHarm(2, m, theta, phi))))
	}
	fmt.Printf("%.4f %.4f\n", sum, 5/(4*math.Pi))
	// Output:
	// [(0.0000-0.3345i)]
	// [0.3979] 0.3979
}
