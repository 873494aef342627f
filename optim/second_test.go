package optim_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/internal/test/testcheck"
	"github.com/weft-go/weft/optim"
)

func TestAverageMatchesOptax(t *testing.T) {
	seen := 0
	for _, r := range readOptax(t) {
		if r.Fn != "ema" {
			continue
		}
		seen++
		dt, count := optaxTypes[r.Dtype], weft.Scalar(int64(5))
		o := optim.NewAverage(r.Start.params(dt, count), r.Config.Decay)
		for k, step := range r.Steps {
			got, want := o.Update(step.Grad.params(dt, count)), step.After.params(dt, count)
			for _, c := range [][2]weft.Array{{got.B, want.B}, {got.W, want.W}} {
				// Both divide by 1 − βᵗ, whose first digits cancel in the first steps.
				if !weft.AllClose(c[0], c[1], 4*0x1p-23, 0).Bool() || c[0].DType() != dt {
					t.Errorf("step %d: got %v, want %v", k, c[0], c[1])
				}
			}
		}
	}
	if seen != 2 {
		t.Errorf("compared %d records, want 2", seen)
	}
}

// TestOptimizersUnderJit checks that states with interfaces and functions in them pass through Jit,
// are written back, are saved, and give the same bits as eager steps.
func TestOptimizersUnderJit(t *testing.T) {
	rate := optim.Rate(0.1)
	type model struct{ B, W weft.Array }
	p := model{weft.Of(1., -2), weft.Arange(6.).Reshape(2, 3)}
	grad := weft.Grad(func(p model) weft.Array { return weft.Square(p.W).Sum().Add(weft.Square(p.B.Sub(1)).Sum()) })
	newAdam := func(p model) optim.Optimizer[model] {
		o := optim.NewAdam(p, optim.AdamConfig{Rate: rate, DecayOn: optim.Matrices})
		return &o
	}
	t.Run("Parts", func(t *testing.T) {
		o := optim.NewParts(p, optim.Part[model]{Where: optim.Matrices, New: newAdam}, optim.Part[model]{New: func(p model) optim.Optimizer[model] {
			o := optim.NewSGD(p, rate)
			return &o
		}})
		sameUnderJit(t, p, o, grad, func(o *optim.Parts[model], p, g model) model { return o.Update(p, g) })
	})
	t.Run("Accumulate", func(t *testing.T) {
		o := optim.NewAccumulate(p, newAdam(p), 2)
		sameUnderJit(t, p, o, grad, func(o *optim.Accumulate[model], p, g model) model { return o.Update(p, g) })
	})
	t.Run("LBFGS", func(t *testing.T) {
		o := optim.NewLBFGS(p, optim.LBFGSConfig{Rate: rate, Memory: 3})
		sameUnderJit(t, p, o, grad, func(o *optim.LBFGS[model], p, g model) model { return o.Update(p, g) })
	})
	t.Run("Adafactor", func(t *testing.T) {
		o := optim.NewAdafactor(p, optim.AdafactorConfig{Size: 2})
		sameUnderJit(t, p, o, grad, func(o *optim.Adafactor[model], p, g model) model { return o.Update(p, g) })
	})
	t.Run("Lion", func(t *testing.T) {
		o := optim.NewLion(p, optim.LionConfig{Rate: rate})
		sameUnderJit(t, p, o, grad, func(o *optim.Lion[model], p, g model) model { return o.Update(p, g) })
	})
}

func sameUnderJit[P, O any](t *testing.T, p P, o O, grad func(P) P, update func(*O, P, P) P) {
	t.Helper()
	copyOf := func(o O) O { return weft.TreeMap(func(x weft.Array) weft.Array { return x }, o) }
	eager, eagerState := p, copyOf(o)
	jitted, state := p, copyOf(o)
	step := weft.Jit(func(p *P, o *O) (weft.Array, error) {
		*p = update(o, *p, grad(*p))
		return weft.Scalar(0), nil
	})
	for k := range 5 {
		eager = update(&eagerState, eager, grad(eager))
		if _, err := step(&jitted, &state); err != nil {
			t.Fatal(err)
		}
		for path, x := range weft.TreeLeaves(eager) {
			for other, y := range weft.TreeLeaves(jitted) {
				if path == other && !x.Equal(y) {
					t.Fatalf("step %d: %s: got %v under Jit, %v eagerly", k, path, y, x)
				}
			}
		}
	}
	// A state that was saved goes on to the same bits.
	var b bytes.Buffer
	if err := weft.Save(&b, state); err != nil {
		t.Fatal(err)
	}
	loaded, again := copyOf(o), jitted
	if err := weft.Load(&b, &loaded); err != nil {
		t.Fatal(err)
	}
	for _, s := range []struct {
		p *P
		o *O
	}{{&jitted, &state}, {&again, &loaded}} {
		if _, err := step(s.p, s.o); err != nil {
			t.Fatal(err)
		}
	}
	for path, x := range weft.TreeLeaves(jitted) {
		for other, y := range weft.TreeLeaves(again) {
			if path == other && !x.Equal(y) {
				t.Errorf("after loading: %s: got %v, want %v", path, y, x)
			}
		}
	}
}

// TestOptimizersRefuseNoRate checks that a missing rate fails when the optimizer is made.
func TestOptimizersRefuseNoRate(t *testing.T) {
	p := weft.Ones(2)
	for name, f := range map[string]func() any{
		"NewAdam":     func() any { return optim.NewAdam(p, optim.AdamConfig{}) },
		"NewAdamW":    func() any { return optim.NewAdamW(p, optim.AdamConfig{}) },
		"NewSGD":      func() any { return optim.NewSGD(p, nil) },
		"NewMomentum": func() any { return optim.NewMomentum(p, optim.MomentumConfig{}) },
		"NewRMSProp":  func() any { return optim.NewRMSProp(p, optim.RMSPropConfig{}) },
		"NewLion":     func() any { return optim.NewLion(p, optim.LionConfig{}) },
		"NewAdagrad":  func() any { return optim.NewAdagrad(p, optim.AdagradConfig{}) },
		"NewLBFGS":    func() any { return optim.NewLBFGS(p, optim.LBFGSConfig{}) },
		"a variable":  func() any { return optim.NewAdam(p, optim.AdamConfig{Rate: optim.Variable{}}) },
	} {
		if _, err := weft.Try(f); err == nil || !strings.Contains(err.Error(), "no learning rate; set Rate, as optim.Rate(0.1)") {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// TestMinimize finds the minima of functions that are known for being hard, in both types, eagerly,
// under Jit and under Vmap.
func TestMinimize(t *testing.T) {
	rosenbrock := func(x weft.Array) weft.Array {
		a, b := x.Index("1:"), x.Index(":-1")
		return weft.Square(a.Sub(weft.Square(b))).Mul(100).Add(weft.Square(weft.Sub(1, b))).Sum()
	}
	himmelblau := func(x weft.Array) weft.Array {
		a, b := x.Index(0), x.Index(1)
		return weft.Square(weft.Square(a).Add(b).Sub(11)).Add(weft.Square(a.Add(weft.Square(b)).Sub(7)))
	}
	// A quadratic function of scales from 1 to 10⁴.
	scales := weft.Of(1., 10, 100, 1000, 10000)
	quadratic := func(x weft.Array) weft.Array { return weft.Square(x.Sub(weft.Arange(5.))).Mul(scales).Sum() }
	matyas := func(x weft.Array) weft.Array {
		return weft.Square(x).Sum().Mul(0.26).Sub(x.Prod().Mul(0.48))
	}
	for name, c := range map[string]struct {
		f           func(weft.Array) weft.Array
		start, want []float64
	}{
		"Rosenbrock":   {rosenbrock, []float64{-1.2, 1}, []float64{1, 1}},
		"Rosenbrock 6": {rosenbrock, []float64{-1.2, 1, -1.2, 1, 0, 3}, []float64{1, 1, 1, 1, 1, 1}},
		"Himmelblau":   {himmelblau, []float64{1, 1}, []float64{3, 2}},
		"quadratic":    {quadratic, []float64{5, 5, 5, 5, 5}, []float64{0, 1, 2, 3, 4}},
		"Matyas":       {matyas, []float64{5, -7}, []float64{0, 0}},
	} {
		for _, dt := range []weft.DType{weft.Float32, weft.Float64} {
			minimize := func(x weft.Array) optim.Minimum[weft.Array] { return optim.Minimize(c.f, x, optim.MinimizeConfig{}) }
			start := weft.FromSlice(c.start).AsType(dt)
			// The search ends at gradients below 1e-5; where the Hessian is 1 the point is as near. The worst is between 5e-6 and 1e-5, in f32 below 4e-5.
			tolerance := 1e-5
			if dt == weft.Float32 {
				tolerance = 1e-4
			}
			check := func(how string, m optim.Minimum[weft.Array]) {
				if d := weft.Abs(m.X.Sub(weft.FromSlice(c.want))).Max().Float(); !(d < tolerance) || m.X.DType() != dt {
					t.Errorf("%s of %v %s: got %v after %v steps (off by %g), want %v", name, dt, how, m.X, m.Steps, d, c.want)
				}
				if dt == weft.Float64 && !m.Converged.Bool() {
					t.Errorf("%s %s: did not converge: derivative %v after %v steps", name, how, m.Grad, m.Steps)
				}
				if n := m.Evaluations.Int(); n > 300 {
					t.Errorf("%s %s: %d evaluations", name, how, n)
				}
			}
			check("eagerly", minimize(start))
			check("under Jit", weft.Jit(minimize)(start))
			both := weft.Jit(weft.Vmap(minimize))(weft.Stack(0, start, weft.FromSlice(c.want).AsType(dt)))
			check("under Vmap", weft.TreeIndex(both, 0))
			check("at the minimum", weft.TreeIndex(both, 1))
		}
	}
}

func TestMinimizeTree(t *testing.T) {
	type params struct{ A, B weft.Array }
	x := weft.Linspace(0., 1., 20)
	y := x.Mul(3).Add(weft.Exp(x.Mul(0.5)))
	m := optim.Minimize(func(p params) weft.Array {
		return weft.Square(x.Mul(p.A).Add(weft.Exp(x.Mul(p.B))).Sub(y)).Sum()
	}, params{weft.Scalar(float32(0)), weft.Scalar(float32(0))}, optim.MinimizeConfig{})
	testcheck.Within(t, "A", m.X.A.Float(), 3, 0x1p-22)
	testcheck.Within(t, "B", m.X.B.Float(), 0.5, 0x1p-21) // digits of f32, of a sum of 20 squares
	if h := m.InverseHessian; h.Dim(0) != 2 || h.Dim(1) != 2 {
		t.Errorf("inverse Hessian: got shape %v", h.Shape())
	}
	_, err := weft.Try(func() weft.Array {
		return optim.Minimize(func(x weft.Array) weft.Array { return x.Sum() }, weft.Of(1, 2), optim.MinimizeConfig{}).Value
	})
	if err == nil || !strings.Contains(err.Error(), "Minimize: the parameters are i32[2]: integers and truth values have no derivative") {
		t.Errorf("integers: got %v", err)
	}
	// A function without a minimum ends.
	if m := optim.Minimize(func(x weft.Array) weft.Array { return x.Sum() }, weft.Ones(2), optim.MinimizeConfig{Steps: 5}); m.Converged.Bool() || m.Why() != optim.OutOfSteps {
		t.Errorf("a function without a minimum: converged %v, because %v", m.Converged, m.Why())
	}
	nan := optim.Minimize(func(x weft.Array) weft.Array { return weft.Log(x.Neg()).Sum() }, weft.Ones(2), optim.MinimizeConfig{})
	if nan.Converged.Bool() || nan.Why() != optim.NotFinite {
		t.Errorf("NaN: converged %v, because %v", nan.Converged, nan.Why())
	}
	for want, f := range map[optim.Reason]func(x weft.Array) weft.Array{
		optim.WithinTolerance: func(x weft.Array) weft.Array { return weft.Square(x).Sum() },
		optim.NoDecrease:      func(x weft.Array) weft.Array { return weft.Abs(x).Sum() },
	} {
		minimize := func(x weft.Array) optim.Minimum[weft.Array] { return optim.Minimize(f, x, optim.MinimizeConfig{}) }
		start := weft.Of(0.3, -0.7)
		if m := minimize(start); m.Why() != want || m.Why().String() == "" || m.Converged.Bool() != (want == optim.WithinTolerance) {
			t.Errorf("got %q, want %q", m.Why(), want)
		}
		if m := weft.Jit(minimize)(start); m.Why() != want {
			t.Errorf("under Jit: got %q, want %q", m.Why(), want)
		}
		if r := weft.Vmap(minimize)(start.Reshape(1, 2)).Reason; !r.Equal(weft.Of(int32(want))) {
			t.Errorf("under Vmap: got %v, want %d", r, want)
		}
	}
}

// TestAccumulateComplex checks that the inner optimizer gets complex gradients as Grad returns them.
func TestAccumulateComplex(t *testing.T) {
	p := weft.Of(1+2i, -3i)
	grads := []weft.Array{weft.Of(2-1i, 1i), weft.Of(4+3i, 1), weft.Of(-1i, 2+2i), weft.Of(1-1i, 5i)}
	newAdam := func() *optim.Adam[weft.Array] {
		o := optim.NewAdam(p, optim.AdamConfig{Rate: optim.Rate(0.1)})
		return &o
	}
	direct, want := newAdam(), p
	o, got := optim.NewAccumulate(p, newAdam(), 2), p
	for i := 0; i < len(grads); i += 2 {
		want = direct.Update(want, grads[i].Add(grads[i+1]).Mul(0.5))
		got = o.Update(o.Update(got, grads[i]), grads[i+1])
		if !weft.AllClose(got, want, 0x1p-23, 0).Bool() {
			t.Errorf("got %v, want %v", got, want)
		}
	}
}

func TestInverseSqrt(t *testing.T) {
	s := optim.InverseSqrt{From: 0.1, Steps: 100}
	for step, want := range map[int32]float64{0: 0.1, 100: 0.1, 400: 0.05, 10000: 0.01} {
		testcheck.Within(t, fmt.Sprintf("step %d", step), s.At(weft.Scalar(step)).Float(), want, 0x1p-24*want)
	}
}
