// Command kalman follows a point that moves at a nearly constant speed from noisy observations, by a Kalman filter written
// with Scan, and compares the last estimate with the closed form: the mean of a normal distribution given all observations.
package main

import (
	"fmt"
	"io"
	"os"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/linalg"
	"github.com/weft-go/weft/random"
	"github.com/weft-go/weft/stats"
)

// State is an estimate: the mean of place and speed, and their covariance.
type State struct{ Mean, Cov weft.Array }

func matrix(rows ...[]float64) weft.Array { return weft.From(rows) }

var (
	move    = matrix([]float64{1, 1}, []float64{0, 1})       // place += speed
	jolt    = matrix([]float64{0.01, 0}, []float64{0, 0.02}) // the covariance of the disturbances
	observe = matrix([]float64{1, 0})                        // the place is measured
	blur    = matrix([]float64{0.5})                         // with this variance
	prior   = State{weft.FromSlice([]float64{0, 1}), weft.Eye(2).AsType(weft.Float64)}
)

// filter returns the estimates after each observation, and the log-density of all observations.
func filter(ys weft.Array) (means, density weft.Array) {
	type out struct{ Mean, LogPDF weft.Array }
	_, outs := weft.Scan(func(s State, y weft.Array) (State, out) {
		mean := move.MatMul(s.Mean)
		cov := move.MatMul(s.Cov).MatMul(move.T()).Add(jolt)
		seen := observe.MatMul(cov).MatMul(observe.T()).Add(blur)
		gain := linalg.Solve(seen, observe.MatMul(cov)).T()
		expected := observe.MatMul(mean)
		next := State{
			Mean: mean.Add(gain.MatMul(y.Sub(expected))),
			Cov:  cov.Sub(gain.MatMul(observe).MatMul(cov)),
		}
		return next, out{next.Mean, stats.MultivariateNormal{Mean: expected, Cov: seen}.LogPDF(y)}
	}, prior, ys)
	return outs.Mean, outs.LogPDF.Sum()
}

// conditioned returns the last mean and the log-density without a filter: all places and speeds and all observations are
// one normal vector.
func conditioned(ys weft.Array) (mean, density weft.Array) {
	n := ys.Dim(0)
	// The state k is Σ move^(k−i)·e[i] over i ≤ k, where e[0] is the prior's first step.
	zero := weft.ZerosOf(weft.Float64, 2, 2)
	powers := make([]weft.Array, n)
	for k := range n {
		powers[k] = linalg.MatrixPower(move, k)
	}
	var rows []weft.Array
	for k := range n {
		row := make([]weft.Array, n)
		for i := range n {
			row[i] = zero
			if i <= k {
				row[i] = powers[k-i]
			}
		}
		rows = append(rows, weft.Concat(1, row...))
	}
	states := weft.Concat(0, rows...)
	noises := []weft.Array{move.MatMul(prior.Cov).MatMul(move.T()).Add(jolt)}
	means := []weft.Array{move.MatMul(prior.Mean)}
	for range n - 1 {
		noises, means = append(noises, jolt), append(means, weft.ZerosOf(weft.Float64, 2))
	}
	m := states.MatMul(weft.Concat(0, means...))
	c := states.MatMul(linalg.BlockDiag(noises...)).MatMul(states.T())
	see := linalg.Kron(weft.Eye(n).AsType(weft.Float64), observe)
	seen := see.MatMul(c).MatMul(see.T()).Add(weft.Eye(n).Mul(blur))
	left := ys.Ravel().Sub(see.MatMul(m))
	all := m.Add(c.MatMul(see.T()).MatMul(linalg.Solve(seen, left)))
	return all.Index(weft.R(2*n-2, weft.End)), stats.MultivariateNormal{Cov: seen}.LogPDF(left)
}

func run(w io.Writer) error {
	const n = 30
	k1, k2 := random.New(4).Split()
	jolts := random.Normal(random.As(k1, weft.Float64), n, 2).MatMul(linalg.Cholesky(jolt).T())
	_, truth := weft.Scan(func(x, e weft.Array) (weft.Array, weft.Array) {
		x = move.MatMul(x).Add(e)
		return x, x
	}, prior.Mean, jolts)
	ys := truth.Index(weft.All, weft.R(0, 1)).Add(random.Normal(random.As(k2, weft.Float64), n, 1).Mul(weft.Sqrt(blur)))

	means, density := weft.Jit(filter)(ys)
	for k := 4; k < n; k += 5 {
		fmt.Fprintf(w, "step %2d: observed %7.3f, estimated %7.3f at speed %6.3f, in truth %7.3f at %6.3f\n", k+1,
			ys.Index(k, 0).Float(), means.Index(k, 0).Float(), means.Index(k, 1).Float(), truth.Index(k, 0).Float(), truth.Index(k, 1).Float())
	}
	last, closed := conditioned(ys)
	apart := weft.Abs(last.Sub(means.Index(-1))).Max().Float()
	fmt.Fprintf(w, "log-density %.6f; closed form %.6f\n", density.Float(), closed.Float())
	fmt.Fprintf(w, "the last estimates agree to 1e-9: %v\n", apart < 1e-9)
	return nil
}

func main() {
	if err := run(os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
