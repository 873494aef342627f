// Command gaussianprocess fits the length, height and noise of a Gaussian process to observations, by the gradient of their
// log-likelihood, and predicts between them.
package main

import (
	"fmt"
	"io"
	"math"
	"os"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/linalg"
	"github.com/weft-go/weft/optim"
	"github.com/weft-go/weft/random"
)

// Params are logarithms, so that any number is allowed.
type Params struct{ Length, Height, Noise weft.Array }

// covariance returns height²·exp(−|x − y|²/(2·length²)) of all pairs.
func covariance(p Params, x, y weft.Array) weft.Array {
	d := x.ExpandDims(1).Sub(y).Div(weft.Exp(p.Length))
	return weft.Exp(weft.Square(d).Mul(-0.5).Add(p.Height.Mul(2)))
}

// loss returns the negative logarithm of the density of the observations.
func loss(p Params, x, y weft.Array) weft.Array {
	n := x.Len()
	k := covariance(p, x, x).Add(weft.Eye(n).Mul(weft.Exp(p.Noise.Mul(2))))
	l := linalg.Cholesky(k)
	alpha := linalg.CholSolve(l, y)
	return y.Dot(alpha).Mul(0.5).Add(weft.Log(weft.Diagonal(l)).Sum()).Add(float64(n) / 2 * math.Log(2*math.Pi))
}

// predict returns the mean and the standard deviation at points between the observations.
func predict(p Params, x, y, at weft.Array) (mean, deviation weft.Array) {
	k := covariance(p, x, x).Add(weft.Eye(x.Len()).Mul(weft.Exp(p.Noise.Mul(2))))
	cross := covariance(p, at, x)
	l := linalg.Cholesky(k)
	mean = cross.MatMul(linalg.CholSolve(l, y))
	v := linalg.TriangularSolve(l, cross.T(), linalg.Triangle{Lower: true})
	variance := weft.Exp(p.Height.Mul(2)).Sub(weft.Square(v).Sum(0))
	return mean, weft.Sqrt(variance)
}

func run(w io.Writer) error {
	double := func(v float64) weft.Array { return weft.Scalar(v).AsType(weft.Float64) }
	x := weft.Linspace(0, 6, 25).AsType(weft.Float64)
	noise := random.Normal(random.As(random.New(1), weft.Float64), x.Len())
	y := weft.Sin(x.Mul(1.5)).Add(noise.Mul(0.1))

	p := Params{double(0), double(0), double(-1)}
	step := weft.Jit(func(p Params) (weft.Array, Params) {
		return weft.ValueAndGradAt(p, func(p Params) weft.Array { return loss(p, x, y) })
	})
	adam := optim.NewAdam(p, optim.AdamConfig{Rate: optim.Rate(0.05)})
	for i := range 301 {
		l, g := step(p)
		if i%100 == 0 {
			fmt.Fprintf(w, "step %3d: loss %8.4f, length %.3f, height %.3f, noise %.3f\n", i, l.Float(), math.Exp(p.Length.Float()), math.Exp(p.Height.Float()), math.Exp(p.Noise.Float()))
		}
		p = adam.Update(p, g)
	}
	at := weft.Of[float64](0.4, 2.1, 5.3, 9)
	mean, deviation := predict(p, x, y, at)
	for i := range at.Len() {
		fmt.Fprintf(w, "at %.1f: %6.3f ± %.3f (the function is %6.3f)\n", at.Index(i).Float(), mean.Index(i).Float(), deviation.Index(i).Float(), math.Sin(1.5*at.Index(i).Float()))
	}
	return nil
}

func main() {
	if err := run(os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
