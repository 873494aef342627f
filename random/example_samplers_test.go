package random_test

import (
	"fmt"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/random"
)

func ExampleUniform() {
	k := random.New(7)
	fmt.Printf("%.3f\n", random.Uniform(k, 3))
	// Output:
	// [0.674 0.975 0.303]
}

func ExampleRandInt() {
	k := random.New(7)
	fmt.Printf("%v\n", random.RandInt(k, 1, 7, 10))
	// Output:
	// [2 3 1 2 1 3 5 3 6 4]
}

func ExampleBernoulli() {
	k := random.New(7)
	fmt.Printf("%v\n", random.Bernoulli(k, 0.3, 5))
	// Output:
	// [False False False False False]
}

func ExampleRademacher() {
	k := random.New(7)
	fmt.Printf("%v\n", random.Rademacher(k, 6))
	// Output:
	// [-1 -1  1  1 -1 -1]
}

func ExamplePermutation() {
	k := random.New(7)
	fmt.Printf("%v\n", random.Permutation(k, 8))
	// Output:
	// [4 2 3 5 0 7 6 1]
}

func ExampleChoice() {
	k := random.New(7)
	fmt.Printf("%.3f\n", random.Choice(k, weft.Of(2., 3, 5), 4))
	// Output:
	// [3.000 5.000 2.000 3.000]
}

func ExampleTruncatedNormal() {
	k := random.New(7)
	fmt.Printf("%.3f\n", random.TruncatedNormal(k, -1., 1., 4))
	// Output:
	// [ 0.302  0.931 -0.344 -0.096]
}

func ExampleExponential() {
	k := random.New(7)
	fmt.Printf("%.3f\n", random.Exponential(k, 4))
	// Output:
	// [1.121 3.674 0.361 0.587]
}

func ExampleGumbel() {
	k := random.New(7)
	fmt.Printf("%.3f\n", random.Gumbel(k, 4))
	// Output:
	// [ 0.930  3.661 -0.178  0.208]
}

func ExampleLaplace() {
	k := random.New(7)
	fmt.Printf("%.3f\n", random.Laplace(k, 4))
	// Output:
	// [-0.428 -2.981  0.501  0.119]
}

func ExampleLogistic() {
	k := random.New(7)
	fmt.Printf("%.3f\n", random.Logistic(k, 4))
	// Output:
	// [ 0.727  3.648 -0.834 -0.225]
}

func ExampleCauchy() {
	k := random.New(7)
	fmt.Printf("%.3f\n", random.Cauchy(k, 4))
	// Output:
	// [ 0.609 12.514 -0.713 -0.178]
}

func ExampleGamma() {
	k := random.New(7)
	fmt.Printf("%.3f\n", random.Gamma(k, 2., 4))
	// Output:
	// [2.072 0.864 0.937 3.621]
}

func ExampleBeta() {
	k := random.New(7)
	fmt.Printf("%.3f\n", random.Beta(k, 2., 3., 4))
	// Output:
	// [0.398 0.344 0.268 0.356]
}

func ExampleDirichlet() {
	k := random.New(7)
	fmt.Printf("%.3f\n", random.Dirichlet(k, weft.Of(1., 2, 3)))
	// Output:
	// [0.267 0.246 0.487]
}

func ExamplePoisson() {
	k := random.New(7)
	fmt.Printf("%v\n", random.Poisson(k, weft.Of(0.5, 5, 500)))
	// Output:
	// [  2   2 493]
}

func ExampleGeometric() {
	k := random.New(7)
	fmt.Printf("%v\n", random.Geometric(k, 0.3, 6))
	// Output:
	// [2 1 4 3 1 2]
}

func ExampleStudentT() {
	k := random.New(7)
	fmt.Printf("%.3f\n", random.StudentT(k, 3., 4))
	// Output:
	// [ 2.315  0.150 -0.500 -0.776]
}

func ExampleLogNormal() {
	k := random.New(7)
	fmt.Printf("%.3f\n", random.LogNormal(k, 0.5, 4))
	// Output:
	// [1.253 2.656 0.773 0.932]
}

func ExampleMultivariateNormal() {
	k := random.New(7)
	fmt.Printf("%.3f\n", random.MultivariateNormal(k, weft.Of(1., 2), weft.Of(2., 0.5, 0.5, 1).Reshape(2, 2)))
	// Output:
	// [1.638 3.987]
}

func ExampleBall() {
	k := random.New(7)
	fmt.Printf("%.3f\n", random.Ball(k, 2, 2, 2))
	// Output:
	// [[-0.367  0.397]
	//  [ 0.099 -0.495]]
}

func ExampleBits() {
	k := random.New(7)
	fmt.Printf("%v\n", random.Bits(k, 3))
	// Output:
	// [2895194379 4185947648 1300703658]
}

func ExampleBinomial() {
	k := random.New(7)
	fmt.Printf("%v\n", random.Binomial(k, 10, weft.Of(0, 0.3, 1)))
	// Output:
	// [ 0.  4. 10.]
}

func ExampleMultinomial() {
	k := random.New(7)
	fmt.Printf("%v\n", random.Multinomial(k, 100, weft.Of(0.2, 0.3, 0.5), 2))
	// Output:
	// [[23. 26. 51.]
	//  [18. 38. 44.]]
}

func ExampleOrthogonal() {
	q := random.Orthogonal(random.New(7), 2)
	fmt.Printf("%.3f\n", q)
	fmt.Printf("%.3f\n", weft.Abs(q.MatMul(q.T())))
	// Output:
	// [[ 0.658  0.753]
	//  [-0.753  0.658]]
	// [[1.000 0.000]
	//  [0.000 1.000]]
}

func ExampleSemiOrthogonal() {
	fmt.Printf("%.3f\n", random.SemiOrthogonal(random.New(7), 2, 3))
	// Output:
	// [[ 0.490 -0.560  0.668]
	//  [ 0.870  0.367 -0.330]]
}
