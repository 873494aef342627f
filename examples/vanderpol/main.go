// Command vanderpol follows Van der Pol's oscillator onto its limit cycle, and
// measures how long the cycle takes and how that depends on the damping.
package main

import (
	"fmt"
	"io"
	"log"
	"math"
	"os"
	"strings"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/ode"
)

func main() {
	if err := run(os.Stdout); err != nil {
		log.Fatal(err)
	}
}

// State is the oscillator's place and speed.
type State struct{ X, V weft.Array }

// oscillate returns x” = μ(1 − x²)x' − x: small swings grow, large ones shrink.
func oscillate(y State, _ weft.Array, mu weft.Array) State {
	return State{y.V, weft.Sub(1, weft.Square(y.X)).Mul(y.V).Mul(mu).Sub(y.X)}
}

func numbers(v ...float64) weft.Array { return weft.FromSlice(v) }

func state(x, v float64) State { return State{numbers(x).Index(0), numbers(v).Index(0)} }

func run(w io.Writer) error {
	mu := numbers(1).Index(0)
	config := ode.Config{RTol: 1e-7, ATol: 1e-7}

	// From near rest and from far out to the same cycle.
	times := weft.Linspace(0, 40, 401).AsType(weft.Float64)
	for _, start := range []State{state(0.05, 0), state(4, 0)} {
		path := ode.Odeint(oscillate, start, times, mu, config)
		fmt.Fprintf(w, "from %.2f:%s\n", start.X, sketch(path.X.Index("0:200")))
		fmt.Fprintf(w, "largest |x| in the last swings: %.4f\n", weft.Abs(path.X.Index("300:")).Max())
	}

	// The period: between two passes upward through 0 on the cycle.
	for _, m := range []float64{0.1, 1, 3} {
		mu := numbers(m).Index(0)
		on := weft.TreeIndex(ode.Odeint(oscillate, state(2, 0), numbers(0, 30), mu, config), 1)
		_, on = pass(on, mu, config)
		period, _ := pass(on, mu, config)
		fmt.Fprintf(w, "\nμ = %-4g period %.4f", m, period)
	}
	// For small damping it is 2π(1 + μ²/16).
	fmt.Fprintf(w, "\n2π(1 + 0.1²/16) = %.4f\n", 2*math.Pi*(1+0.01/16))

	// The derivative of the place at time 10 by the damping, and by the time.
	type in struct{ Mu, T weft.Array }
	slope := weft.GradAt(in{mu, numbers(0, 10)}, func(p in) weft.Array {
		return ode.Odeint(oscillate, state(2, 0), p.T, p.Mu, config).X.Index(1)
	})
	end := weft.TreeIndex(ode.Odeint(oscillate, state(2, 0), numbers(0, 10), mu, config), 1)
	fmt.Fprintf(w, "\nx(10) = %.6f, by μ %.6f, by the end time %.6f, which is the speed %.6f\n", end.X, slope.Mu, slope.T.Index(1), end.V)
	return nil
}

// pass returns when x next passes 0 upward, and the state then. Newton's method begins in
// the interval in which it does: the derivative by time is the speed.
func pass(from State, mu weft.Array, c ode.Config) (after float64, at State) {
	const n = 64
	ts := weft.Linspace(0, 16, n).AsType(weft.Float64)
	path := ode.Odeint(oscillate, from, ts, mu, c)
	xs := weft.ToSlice[float64](path.X)
	for i := 2; i < n; i++ {
		if xs[i-1] < 0 && xs[i] >= 0 {
			before := weft.TreeIndex(path, i-1)
			dt := 0.1
			for range 6 {
				at = weft.TreeIndex(ode.Odeint(oscillate, before, numbers(0, dt), mu, c), 1)
				dt -= at.X.Float() / at.V.Float()
			}
			return ts.Index(i-1).Float() + dt, at
		}
	}
	return math.NaN(), from
}

// sketch draws a line of numbers in rows of text.
func sketch(x weft.Array) string {
	const rows, columns = 9, 66
	xs := weft.ToSlice[float64](x)
	most := weft.Abs(x).Max().Float()
	var canvas [rows][columns]rune
	for r := range canvas {
		for c := range canvas[r] {
			canvas[r][c] = ' '
		}
	}
	for i, v := range xs {
		r := int(math.Round((1 - v/most) / 2 * (rows - 1)))
		canvas[r][i*columns/len(xs)] = '*'
	}
	var b strings.Builder
	for _, row := range canvas {
		b.WriteString("\n  " + strings.TrimRight(string(row[:]), " "))
	}
	return b.String()
}
