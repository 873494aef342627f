// Command hmc draws from a distribution by Hamiltonian Monte Carlo: one chain is a Scan
// over steps, and Vmap runs many chains at once.
package main

import (
	"fmt"
	"io"
	"log"
	"os"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/random"
)

func main() {
	if err := run(os.Stdout); err != nil {
		log.Fatal(err)
	}
}

// logDensity returns the log density of a banana: x is normal, y is normal around x²/2.
func logDensity(q weft.Array) weft.Array {
	x, y := q.Index(0), q.Index(1)
	return weft.Square(x).Add(weft.Square(y.Sub(weft.Square(x).Mul(0.5))).Mul(4.)).Mul(-0.5)
}

const (
	stepSize = 0.1
	leaps    = 20
)

// phase is a place and a momentum.
type phase struct{ Q, P weft.Array }

// leapfrog follows the motion of a ball in the potential −logDensity.
func leapfrog(s phase) phase {
	grad := weft.Grad(logDensity)
	half := func(s phase) weft.Array { return s.P.Add(grad(s.Q).Mul(stepSize / 2)) }
	return weft.ForI(leaps, func(_ weft.Array, s phase) phase {
		p := half(s)
		q := s.Q.Add(p.Mul(stepSize))
		return phase{q, half(phase{q, p})}
	}, s)
}

func energy(s phase) weft.Array { return s.P.Dot(s.P).Mul(0.5).Sub(logDensity(s.Q)) }

// next returns the next place of a chain, and whether the proposal was taken.
func next(q weft.Array, key random.Key) (weft.Array, weft.Array) {
	kick, coin := key.Split()
	now := phase{q, random.Normal(kick, q.Len())}
	then := leapfrog(now)
	odds := energy(now).Sub(energy(then))
	taken := weft.Log(random.Uniform(coin)).Lt(odds)
	return weft.Where(taken, then.Q, q), taken
}

// chain returns n places, one a step.
func chain(start weft.Array, key random.Key, n int) (places, taken weft.Array) {
	type seen struct{ Q, Taken weft.Array }
	_, all := weft.Scan(func(q weft.Array, k random.Key) (weft.Array, seen) {
		q, taken := next(q, k)
		return q, seen{q, taken}
	}, start, key.SplitN(n))
	return all.Q, all.Taken
}

func run(w io.Writer) error {
	const chains, steps, warm = 32, 400, 100
	keys := random.New(3).SplitN(chains)
	starts := random.Normal(random.New(4), chains, 2)
	sample := weft.Jit(func(starts weft.Array, keys random.Key) (weft.Array, weft.Array) {
		return weft.Vmap(func(q weft.Array, k random.Key) (weft.Array, weft.Array) { return chain(q, k, steps) })(starts, keys)
	})
	q, taken := sample(starts, keys)
	q = q.Index(weft.All, weft.R(warm, weft.End))
	x, y := q.Index("..., 0"), q.Index("..., 1")
	fmt.Fprintf(w, "%d chains of %d steps, the first %d left out\n\n", chains, steps, warm)
	fmt.Fprintf(w, "proposals taken %.0f%%\n", 100*taken.AsType(weft.Float32).Mean().Float())
	fmt.Fprintf(w, "                drawn  exact\n")
	for _, r := range []struct {
		name  string
		got   weft.Array
		exact float64
	}{
		{"mean of x", x.Mean(), 0}, {"deviation of x", x.Std(), 1}, {"mean of y", y.Mean(), 0.5}, {"deviation of y", y.Std(), 0.866},
	} {
		fmt.Fprintf(w, "%-14s %6.2f %6.2f\n", r.name, r.got.Float()+0, r.exact)
	}
	// How far the chains' means lie apart, compared with how far the draws do.
	between := x.Mean(1).Var().Float() * float64(steps-warm)
	fmt.Fprintf(w, "\nvariance between the chains' means, times their length: %.1f times the variance within\n", between/x.Var(1).Mean().Float())
	return nil
}
