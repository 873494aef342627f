// Command neuralode learns a differential equation from trajectories: the right-hand
// side is a small network, trained through the solver by the adjoint equations.
package main

import (
	"fmt"
	"io"
	"log"
	"os"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/ode"
	"github.com/weft-go/weft/random"
)

func main() {
	if err := run(os.Stdout); err != nil {
		log.Fatal(err)
	}
}

// spiral returns the truth: a spiral whose speed grows with the cube of the distance.
func spiral(y, _ weft.Array, _ struct{}) weft.Array {
	return y.Mul(y).Mul(y).Dot(weft.From([][]float32{{-0.1, 2}, {-2, -0.1}}))
}

// Net is a network of two layers, for the right-hand side.
type Net struct{ W1, B1, W2, B2 weft.Array }

func newNet(k random.Key, hidden int) Net {
	k1, k2 := k.Split()
	return Net{
		random.Normal(k1, 2, hidden).Mul(0.3), weft.Zeros(hidden),
		random.Normal(k2, hidden, 2).Mul(0.1), weft.Zeros(2),
	}
}

func (Net) field(y, _ weft.Array, m Net) weft.Array {
	h := weft.Tanh(y.Mul(y).Mul(y).Dot(m.W1).Add(m.B1))
	return h.Dot(m.W2).Add(m.B2)
}

var config = ode.Config{RTol: 1e-4, ATol: 1e-5}

// Adam is the optimizer's memory.
type Adam struct {
	M, V Net
	Step weft.Array
}

// update moves the network against the gradient.
func (a Adam) update(m, g Net, rate float64) (Net, Adam) {
	a.Step = a.Step.Add(1)
	a.M = weft.TreeMap2(func(m, g weft.Array) weft.Array { return m.Mul(0.9).Add(g.Mul(0.1)) }, a.M, g)
	a.V = weft.TreeMap2(func(v, g weft.Array) weft.Array { return v.Mul(0.99).Add(weft.Square(g).Mul(0.01)) }, a.V, g)
	mean, square := weft.Sub(1, weft.Pow(0.9, a.Step)), weft.Sub(1, weft.Pow(0.99, a.Step))
	m = weft.TreeMap3(func(w, m, v weft.Array) weft.Array {
		return w.Sub(m.Div(mean).Div(weft.Sqrt(v.Div(square)).Add(1e-8)).Mul(rate))
	}, m, a.M, a.V)
	return m, a
}

func run(w io.Writer) error {
	// Short pieces of the true trajectory, from many places on it.
	whole := weft.Linspace(0, 10, 161)
	truth := ode.Odeint(spiral, weft.Of(2., 0), whole, struct{}{}, config)
	const pieces, length = 16, 5
	var starts, targets []weft.Array
	for i := range pieces {
		starts = append(starts, truth.Index(i*10))
		targets = append(targets, truth.Index(weft.R(i*10, i*10+length)))
	}
	y0, want := weft.Stack(0, starts...), weft.Stack(0, targets...)
	times := whole.Index(weft.R(0, length))

	loss := func(m Net) weft.Array {
		got := weft.Vmap(func(y weft.Array) weft.Array {
			return ode.Odeint(m.field, y, times, m, config)
		})(y0)
		return weft.Abs(got.Sub(want)).Mean()
	}
	step := weft.Jit(func(m Net, a Adam) (Net, Adam, weft.Array) {
		l, g := weft.ValueAndGrad(loss)(m)
		m, a = a.update(m, g, 0.03)
		return m, a, l
	})

	m := newNet(random.New(1), 24)
	a := Adam{weft.ZerosLike(m), weft.ZerosLike(m), weft.Scalar(float32(0))}
	var l weft.Array
	for i := range 81 {
		m, a, l = step(m, a)
		if i%20 == 0 {
			fmt.Fprintf(w, "step %3d: loss %.4f\n", i, l)
		}
	}

	// The learned equation, followed for longer than the pieces were.
	fmt.Fprintln(w, "\ntime        true            learned")
	const first, last = 40, 80
	learned := ode.Odeint(m.field, truth.Index(first), whole.Index(weft.R(first, last+1)), m, config)
	for i := first; i <= last; i += 8 {
		t, p, q := whole.Index(i), truth.Index(i), learned.Index(i-first)
		fmt.Fprintf(w, "%4.1f  %6.2f %6.2f    %6.2f %6.2f\n",
			t.Float(), p.Index(0).Float(), p.Index(1).Float(), q.Index(0).Float(), q.Index(1).Float())
	}
	return nil
}
