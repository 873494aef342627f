package ode_test

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/internal/test/testcheck"
	"github.com/weft-go/weft/ode"
)

// problem is a row of testdata/scipy.json, which testdata/make.py wrote.
type problem struct {
	Problem  string
	Y0, P    []float64
	Ts       []float64
	Ys       [][]float64
	DY0, DP  []float64
	DT0, DT1 float64
}

// dynamics are the problems' functions of a state of one axis.
var dynamics = map[string]func(y, t, p weft.Array) weft.Array{
	"pendulum": func(y, _, p weft.Array) weft.Array {
		return weft.Stack(0, y.Index(1), y.Index(1).Mul(p.Index(0)).Neg().Sub(weft.Sin(y.Index(0)).Mul(p.Index(1))))
	},
	"vanderpol": func(y, _, p weft.Array) weft.Array {
		return weft.Stack(0, y.Index(1), weft.Sub(1, weft.Square(y.Index(0))).Mul(y.Index(1)).Mul(p.Index(0)).Sub(y.Index(0)))
	},
	"lotka": func(y, _, p weft.Array) weft.Array {
		prey, hunters := y.Index(0), y.Index(1)
		met := prey.Mul(hunters)
		return weft.Stack(0, prey.Mul(p.Index(0)).Sub(met.Mul(p.Index(1))), met.Mul(p.Index(3)).Sub(hunters.Mul(p.Index(2))))
	},
	"forced": func(y, t, p weft.Array) weft.Array {
		push := weft.Sin(t.Mul(p.Index(1))).Mul(t)
		return weft.Stack(0, y.Index(1), push.Sub(y.Index(0).Mul(p.Index(0))).Sub(y.Index(1).Mul(0.1)))
	},
	"lorenz": func(y, _, p weft.Array) weft.Array {
		a, b, c := y.Index(0), y.Index(1), y.Index(2)
		return weft.Stack(0, b.Sub(a).Mul(p.Index(0)), a.Mul(p.Index(1).Sub(c)).Sub(b), a.Mul(b).Sub(c.Mul(p.Index(2))))
	},
}

// Against SciPy: states at all times, and the gradients of the sum of the last state
// with respect to the first state, the arguments, and the first and last time.
func TestSciPy(t *testing.T) {
	text, err := os.ReadFile("testdata/scipy.json")
	if err != nil {
		t.Fatal(err)
	}
	var data struct{ Problems []problem }
	if err := json.Unmarshal(text, &data); err != nil {
		t.Fatal(err)
	}
	if len(data.Problems) < 7 {
		t.Fatalf("only %d problems", len(data.Problems))
	}
	for _, p := range data.Problems {
		for name, c := range map[string]struct {
			config ode.Config
			tol    float64
		}{
			// The solver bounds the error of a step; these bound what it becomes over the interval, in
			// parts of the largest component. Measured: 6.7e-6 and 9.0e-8.
			"default": {ode.Config{}, 1e-5},
			"tight":   {ode.Config{RTol: 1e-10, ATol: 1e-10}, 1e-7},
		} {
			t.Run(p.Problem+"/"+name, func(t *testing.T) { p.check(t, c.config, c.tol) })
		}
	}
}

func (p problem) check(t *testing.T, c ode.Config, tol float64) {
	type in struct{ Y, T, P weft.Array }
	last := len(p.Ts) - 1
	args := in{times(p.Y0...), times(p.Ts...), times(p.P...)}
	var ys weft.Array
	_, g, ys := weft.ValueAndGradAux(func(a in) (weft.Array, weft.Array) {
		ys := ode.Odeint(dynamics[p.Problem], a.Y, a.T, a.P, c)
		return ys.Index(last).Sum(), ys
	})(args)
	compare := func(what string, got weft.Array, want ...float64) {
		t.Helper()
		testcheck.NearLargest(t, what, got.Shape(), []int{len(want)}, weft.ToSlice[float64](got), want, tol)
	}
	for i, want := range p.Ys {
		compare("state at "+weft.Scalar(p.Ts[i]).String(), ys.Index(i), want...)
	}
	compare("dy0", g.Y, p.DY0...)
	compare("dp", g.P, p.DP...)
	compare("first time", g.T.Index(weft.R(0, 1)), p.DT0)
	compare("last time", g.T.Index(weft.R(last, last+1)), p.DT1)
}
