package ode_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/internal/test/testcheck"
	"github.com/weft-go/weft/ode"
)

// A state of f16 or bf16 is as exact as its type, with tolerances that no caller chose, and so is the derivative.
func TestHalves(t *testing.T) {
	decay := func(y, _ weft.Array, rate weft.Array) weft.Array { return y.Mul(rate).Neg() }
	for dt, eps := range map[weft.DType]float64{weft.Float16: 1. / 1024, weft.BFloat16: 1. / 128} {
		for _, time := range []weft.DType{dt, weft.Float32} {
			times := weft.Linspace(0., 4, 5).AsType(time)
			run := func(rate weft.Array) weft.Array {
				return ode.Odeint(decay, weft.Of(1., 0, 8).AsType(dt), times, rate, ode.Config{})
			}
			rate := weft.Scalar(1.).AsType(dt)
			for how, f := range map[string]func(weft.Array) weft.Array{"eagerly": run, "under Jit": weft.Jit(run)} {
				ys := f(rate)
				if ys.DType() != dt {
					t.Errorf("%v becomes %v", dt, ys.DType())
				}
				for i, row := range ys.Rows() {
					for k, y0 := range []float64{1, 0, 8} {
						want := y0 * math.Exp(-float64(i))
						// The solver's default tolerance is ε of the type: 0.5 measured.
						testcheck.Within(t, fmt.Sprintf("%v over %v %s: at %d from %v", dt, time, how, i, y0), row.Index(k).Float(), want, eps*math.Max(1, y0))
					}
				}
			}
			last := func(rate weft.Array) weft.Array { return run(rate).Index(-1, 2) }
			want := -4 * 8 * math.Exp(-4)
			// The slope is a sum over four intervals, each off by ε: 4.0 measured.
			if g := weft.Grad(last)(rate); g.DType() != dt || !(math.Abs(g.Float()-want) < 5*eps) {
				t.Errorf("%v over %v: the derivative is %v, want %v", dt, time, g, want)
			}
		}
	}
}

// A tree of two types is integrated as exactly as the coarser one allows.
func TestMixedHalves(t *testing.T) {
	type state struct{ X, V weft.Array }
	f := func(y state, _ weft.Array, _ struct{}) state {
		return state{y.V.AsType(weft.Float32), y.X.Neg().AsType(weft.Float16)}
	}
	y0 := state{weft.Scalar(float32(1)), weft.Scalar(0.).AsType(weft.Float16)}
	ys := ode.Odeint(f, y0, weft.Of(0., 1, 2), struct{}{}, ode.Config{})
	if ys.X.DType() != weft.Float32 || ys.V.DType() != weft.Float16 {
		t.Errorf("the types became %v and %v", ys.X.DType(), ys.V.DType())
	}
	for i := range 3 {
		x, v := ys.X.Index(i).Float(), ys.V.Index(i).Float()
		if !(math.Abs(x-math.Cos(float64(i))) < 2./1024) || !(math.Abs(v+math.Sin(float64(i))) < 2./1024) { // 2 ε of f16; 1.4 measured
			t.Errorf("at %d: %v, %v", i, x, v)
		}
	}
}

// The derivative with respect to the state of a function that has no arguments and closes over nothing.
func TestNoArguments(t *testing.T) {
	// Within a few ε, in f64 within a few times the solver's tolerance 1.4e-8. Measured: 5.3 and 1.2 ε, 5.4 tolerances.
	for dt, most := range map[weft.DType]float64{weft.Float16: 6. / 1024, weft.Float32: 2 * 0x1p-23, weft.Float64: 6 * 1.4e-8} {
		last := func(y weft.Array) weft.Array {
			decay := func(y, _ weft.Array, _ struct{}) weft.Array { return y.Neg() }
			return ode.Odeint(decay, y, weft.Of(0., 1), struct{}{}, ode.Config{}).Index(-1)
		}
		x := weft.Of(1., 2).AsType(dt)
		for how, f := range map[string]func(weft.Array) weft.Array{
			"Vmap(Grad)": weft.Vmap(weft.Grad(last)), "Jit(Vmap(Grad))": weft.Jit(weft.Vmap(weft.Grad(last))), "Jit(Grad)": weft.Jit(weft.Grad(func(y weft.Array) weft.Array { return last(y).Sum() })),
		} {
			g, err := weft.Try(func() weft.Array { return f(x) })
			if err != nil || !weft.AllClose(g, weft.Full(weft.Shape{2}, math.Exp(-1)), most, 0).Bool() {
				t.Errorf("%v %s: %v %v", dt, how, g, err)
			}
		}
	}
}
