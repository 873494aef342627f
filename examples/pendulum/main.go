// Command pendulum lets a pendulum go almost upright, follows it, and computes how its
// place a second later depends on everything: the derivative of a differential
// equation's solution. Then it finds the friction that explains the measurements.
package main

import (
	"fmt"
	"io"
	"log"
	"math"
	"os"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/ode"
)

func main() {
	if err := run(os.Stdout); err != nil {
		log.Fatal(err)
	}
}

// State is the state of the pendulum.
type State struct{ Angle, Speed weft.Array }

// World contains what acts on the pendulum.
type World struct{ Friction, Gravity weft.Array }

// swing returns the pendulum's equation: θ' = ω, ω' = −mω − g sin θ.
func swing(y State, _ weft.Array, q World) State {
	return State{y.Speed, y.Speed.Mul(q.Friction).Neg().Sub(weft.Sin(y.Angle).Mul(q.Gravity))}
}

func number(v float64) weft.Array { return weft.FromSlice([]float64{v}).Index(0) }

func run(w io.Writer) error {
	start := State{number(math.Pi - 0.1), number(0)}
	world := World{number(0.25), number(9.8)}

	times := weft.Linspace(0, 5, 11).AsType(weft.Float64)
	path := ode.Odeint(swing, start, times, world, ode.Config{})
	fmt.Fprintln(w, "time   angle   speed")
	for i, t := range times.Rows() {
		fmt.Fprintf(w, "%4.1f %7.3f %7.3f\n", t.Float(), path.Angle.Index(i).Float(), path.Speed.Index(i).Float())
	}

	// The state after one second, and how the sum of angle and speed depends on the
	// first state and the world.
	second := weft.FromSlice([]float64{0, 1})
	type all struct {
		Start State
		World World
	}
	value, slope := weft.ValueAndGradAt(all{start, world}, func(a all) weft.Array {
		end := weft.TreeIndex(ode.Odeint(swing, a.Start, second, a.World, ode.Config{}), 1)
		return end.Angle.Add(end.Speed)
	})
	fmt.Fprintf(w, "\nangle + speed after a second: %.6f\n", value)
	fmt.Fprintf(w, "its slope: %.5f by the angle, %.5f by the speed, %.5f by the friction, %.5f by gravity\n",
		slope.Start.Angle, slope.Start.Speed, slope.World.Friction, slope.World.Gravity)

	// Many pendulums at once, each with its own friction and steps of its own size.
	ends := weft.Vmap(func(friction weft.Array) weft.Array {
		q := World{friction, world.Gravity}
		return ode.Odeint(swing, start, times, q, ode.Config{}).Angle.Index(-1)
	})(weft.FromSlice([]float64{0, 0.1, 0.25, 1}))
	fmt.Fprintf(w, "\nangles after 5 seconds with friction 0, 0.1, 0.25, 1: %.3f\n", ends)

	// The other way round: from angles that were measured to the friction, by gradient
	// descent through the solution.
	seen := path.Angle
	step := weft.Jit(func(friction weft.Array) (weft.Array, weft.Array) {
		loss, g := weft.ValueAndGrad(func(friction weft.Array) weft.Array {
			got := ode.Odeint(swing, start, times, World{friction, world.Gravity}, ode.Config{RTol: 1e-6, ATol: 1e-6})
			return weft.Square(got.Angle.Sub(seen)).Mean()
		})(friction)
		return friction.Sub(g.Mul(0.012)), loss
	})
	friction := number(0.4)
	fmt.Fprintln(w, "\nfitting the friction")
	for i := range 21 {
		next, loss := step(friction)
		if i%5 == 0 {
			fmt.Fprintf(w, "step %2d: friction %.4f, loss %.1e\n", i, friction, loss.Float())
		}
		friction = next
	}
	return nil
}
