// Command acrobat swings a double pendulum up: a Scan follows its motion under a course of
// torques at the shoulder, and Grad through the whole motion finds better torques.
package main

import (
	"fmt"
	"io"
	"log"
	"math"
	"os"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/optim"
)

func main() {
	if err := run(os.Stdout); err != nil {
		log.Fatal(err)
	}
}

const (
	steps   = 120
	dt      = 0.025
	gravity = 9.81
)

// Pendulum is the state of two rods of length and mass 1: their angles from hanging down, and
// how fast they turn.
type Pendulum struct{ A, B, DA, DB weft.Array }

// fall returns the derivative of the state by time, under a torque at the upper end.
func (p Pendulum) fall(torque weft.Array) Pendulum {
	d := p.A.Sub(p.B)
	c, s := weft.Cos(d), weft.Sin(d)
	// Lagrange's equations of two point masses: M · (A″, B″) = F.
	f1 := torque.Sub(s.Mul(weft.Square(p.DB))).Sub(weft.Sin(p.A).Mul(2 * gravity))
	f2 := s.Mul(weft.Square(p.DA)).Sub(weft.Sin(p.B).Mul(gravity))
	det := weft.Sub(2., weft.Square(c))
	return Pendulum{p.DA, p.DB, f1.Sub(c.Mul(f2)).Div(det), f2.Mul(2.).Sub(c.Mul(f1)).Div(det)}
}

// along returns p moved by h times a direction.
func (p Pendulum) along(v Pendulum, h float64) Pendulum {
	return weft.TreeMap2(func(p, v weft.Array) weft.Array { return p.Add(v.Mul(h)) }, p, v)
}

// step returns the state after one step of the Runge–Kutta method.
func (p Pendulum) step(torque weft.Array) Pendulum {
	k1 := p.fall(torque)
	k2 := p.along(k1, dt/2).fall(torque)
	k3 := p.along(k2, dt/2).fall(torque)
	k4 := p.along(k3, dt).fall(torque)
	return p.along(k1, dt/6).along(k2, dt/3).along(k3, dt/3).along(k4, dt/6)
}

// tip returns where the end of the lower rod is.
func (p Pendulum) tip() (x, y weft.Array) {
	return weft.Sin(p.A).Add(weft.Sin(p.B)), weft.Cos(p.A).Add(weft.Cos(p.B)).Neg()
}

// motion follows the pendulum, which hangs at first.
func motion(torques weft.Array) (last Pendulum, heights weft.Array) {
	hanging := Pendulum{weft.Scalar(0.), weft.Scalar(0.), weft.Scalar(0.), weft.Scalar(0.)}
	return weft.Scan(func(p Pendulum, t weft.Array) (Pendulum, weft.Array) {
		p = p.step(t)
		_, y := p.tip()
		return p, y
	}, hanging, torques)
}

// cost returns how far the tip is from standing still, straight up, at the end; torques cost a
// little, too.
func cost(torques weft.Array) weft.Array {
	p, _ := motion(torques)
	_, y := p.tip()
	still := weft.Square(p.DA).Add(weft.Square(p.DB))
	return weft.Square(y.Sub(2.)).Add(still.Mul(0.05)).Add(weft.Square(torques).Mean().Mul(2e-4))
}

var improve = weft.Jit(func(torques *weft.Array, o *optim.Adam[weft.Array]) (weft.Array, error) {
	c, g := weft.ValueAndGrad(cost)(*torques)
	g, _ = optim.ClipByNorm(g, 1)
	*torques = o.Update(*torques, g)
	return c, nil
})

func run(w io.Writer) error {
	t := weft.Linspace(0, steps*dt, steps)
	torques := weft.Sin(t.Mul(math.Pi)).Mul(6.) // swinging at about the right pace
	o := optim.NewAdam(torques, optim.AdamConfig{Rate: optim.Rate(0.3)})
	for i := range 101 {
		c, err := improve(&torques, &o)
		if err != nil {
			return err
		}
		if i%20 == 0 {
			fmt.Fprintf(w, "after %3d steps the cost is %8.4f\n", i, c.Float())
		}
	}
	last, heights := motion(torques)
	fmt.Fprintf(w, "\nheight of the tip, from -2 to 2, every quarter of a second:\n")
	for i := 9; i < steps; i += 10 {
		y := heights.Index(i).Float()
		fmt.Fprintf(w, "%5.2fs %6.2f %*s\n", float64(i+1)*dt, y, 1+int(math.Round((y+2)*12)), "o")
	}
	fmt.Fprintf(w, "\nat the end it turns at %.2f and %.2f a second\n", last.DA.Float(), last.DB.Float())
	return nil
}
