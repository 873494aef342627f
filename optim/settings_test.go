package optim_test

import (
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/internal/test/testcheck"
	"github.com/weft-go/weft/optim"
	"github.com/weft-go/weft/random"
)

// TestMinimizeLeavesWithoutDerivative checks that frozen fields, integers and keys stay, as with all
// optimizers, and have no part in the estimate of the inverse Hessian.
func TestMinimizeLeavesWithoutDerivative(t *testing.T) {
	type params struct {
		A     weft.Array
		To    weft.Array `weft:"frozen"`
		Count weft.Array
		Key   random.Key
	}
	start := params{weft.Of(1., 2), weft.Of(3., 4), weft.Of(7), random.New(5)}
	minimize := func(p params) optim.Minimum[params] {
		return optim.Minimize(func(p params) weft.Array { return weft.Square(p.A.Sub(p.To)).Sum() }, p, optim.MinimizeConfig{})
	}
	for how, m := range map[string]optim.Minimum[params]{"eagerly": minimize(start), "under Jit": weft.Jit(minimize)(start)} {
		if !weft.AllClose(m.X.A, start.To, 0, 0).Bool() || !m.X.To.Equal(start.To) || !m.X.Count.Equal(start.Count) || !m.X.Key.Data.Equal(start.Key.Data) {
			t.Errorf("%s: got %v, want A at [3 4] and the rest as in %v", how, m.X, start)
		}
		if m.Grad.To.DType() != weft.Float0 || m.Grad.Count.DType() != weft.Float0 || m.Grad.A.DType() != weft.Float32 {
			t.Errorf("%s: got the gradient %v, want float0 but for A", how, m.Grad)
		}
		if h := m.InverseHessian; h.Dim(0) != 2 {
			t.Errorf("%s: got an inverse Hessian of shape %v, want (2, 2)", how, h.Shape())
		}
	}
	_, err := weft.Try(func() weft.Array {
		type pair struct{ A, C weft.Array }
		return optim.Minimize(func(p pair) weft.Array { return weft.Abs(p.C).Sum() }, pair{weft.Of(1.), weft.Of(1i)}, optim.MinimizeConfig{}).Value
	})
	if err == nil || !strings.Contains(err.Error(), "the parameter at \".C\" must be a real floating-point array (got c64[1])") {
		t.Errorf("complex parameters: got %v", err)
	}
}

// TestNegativeSettings checks that a negative setting is 0, where 0 is the default: Adam with β₁ = β₂
// = ε = 0 steps by the sign.
func TestNegativeSettings(t *testing.T) {
	p, g := weft.Of(1., 2), weft.Of(0.5, -3)
	rate := optim.Rate(0.25)
	adam := optim.NewAdam(p, optim.AdamConfig{Rate: rate, Beta1: -1, Beta2: -1, Eps: -1, Decay: -1})
	adamW := optim.NewAdamW(p, optim.AdamConfig{Rate: rate, Beta1: -1, Beta2: -1, Eps: -1, Decay: -1})
	lion := optim.NewLion(p, optim.LionConfig{Rate: rate, Beta1: -1, Beta2: -1, Decay: -1})
	rms := optim.NewRMSProp(p, optim.RMSPropConfig{Rate: rate, Decay: -1, Eps: -1})
	adagrad := optim.NewAdagrad(p, optim.AdagradConfig{Rate: rate, Start: -1, Eps: -1})
	for name, o := range map[string]optim.Optimizer[weft.Array]{"Adam": &adam, "AdamW": &adamW, "Lion": &lion, "RMSProp": &rms, "Adagrad": &adagrad} {
		if got, want := o.Update(p, g), weft.Of(0.75, 2.25); !got.Equal(want) {
			t.Errorf("%s: got %v, want %v", name, got, want)
		}
	}
	if again := optim.NewAdagrad(p, optim.AdagradConfig{Rate: rate}); !again.Update(p, g).Gt(p).Equal(weft.Of(false, true)) {
		t.Error("Adagrad: got a step uphill, want one against the gradient")
	}
	momentum := optim.NewMomentum(p, optim.MomentumConfig{Rate: rate, Decay: -1})
	momentum.Update(p, g)
	if got, want := momentum.Update(p, g), p.Sub(g.Mul(0.25)); !got.Equal(want) {
		t.Errorf("Momentum: got %v after two steps, want that of plain descent, %v", got, want)
	}
}

// TestSchedulesFailWhenMade checks that a schedule that cannot give a rate is refused with the
// optimizer, which the message names.
func TestSchedulesFailWhenMade(t *testing.T) {
	p := weft.Of(1.)
	for name, c := range map[string]struct {
		make func()
		want string
	}{
		"SGD with a nil pointer": {func() { optim.NewSGD(p, (*optim.Cosine)(nil)) }, "NewSGD: the optimizer has no learning rate"},
		"AdamW without a rate":   {func() { optim.NewAdamW(p, optim.AdamConfig{}) }, "NewAdamW: the optimizer has no learning rate"},
		"Nadam without a rate":   {func() { optim.NewNadam(p, optim.AdamConfig{}) }, "NewNadam: the optimizer has no learning rate"},
		"Warmup without Then":    {func() { optim.NewSGD(p, optim.Warmup{Steps: 3}) }, "set Then"},
		"Cosine without Steps":   {func() { optim.NewAdam(p, optim.AdamConfig{Rate: optim.Cosine{From: 1}}) }, "set Steps"},
		"Join of a nil schedule": {func() { optim.NewLion(p, optim.LionConfig{Rate: optim.Join{Schedules: []optim.Schedule{nil}}}) }, "schedule 0 is nil"},
		"Join of nothing":        {func() { optim.NewLion(p, optim.LionConfig{Rate: optim.Join{}}) }, "set both"},
		"Variable with an axis":  {func() { optim.NewSGD(p, optim.Variable{Rate: weft.Of(1., 2)}) }, "NewSGD: a schedule returns a floating number without axes"},
	} {
		_, err := weft.Try(func() int { c.make(); return 0 })
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "settings_test.go:") {
			t.Errorf("%s: got %v, want %q at the line here", name, err, c.want)
		}
	}
	// A rate that is traced is not a mistake.
	step := weft.Jit(func(p, rate weft.Array) weft.Array {
		o := optim.NewSGD(p, optim.Variable{Rate: rate})
		return o.Update(p, p)
	})
	testcheck.Within(t, "a traced rate", step(weft.Of(1.), weft.Scalar(0.25)).Index(0).Float(), 0.75, 0)
}

// TestNilOptimizers checks that a nil pointer to a state is an error that states the fix.
func TestNilOptimizers(t *testing.T) {
	p := weft.Of(1.)
	for name, o := range map[string]optim.Optimizer[weft.Array]{
		"SGD": (*optim.SGD[weft.Array])(nil), "Momentum": (*optim.Momentum[weft.Array])(nil), "Adam": (*optim.Adam[weft.Array])(nil),
		"RMSProp": (*optim.RMSProp[weft.Array])(nil), "Adagrad": (*optim.Adagrad[weft.Array])(nil), "Lion": (*optim.Lion[weft.Array])(nil),
		"Adafactor": (*optim.Adafactor[weft.Array])(nil), "LBFGS": (*optim.LBFGS[weft.Array])(nil), "Parts": (*optim.Parts[weft.Array])(nil),
		"Accumulate": (*optim.Accumulate[weft.Array])(nil),
	} {
		_, err := weft.Try(func() weft.Array { return o.Update(p, p) })
		if err == nil || !strings.Contains(err.Error(), name+".Update: the optimizer is a nil pointer") {
			t.Errorf("%s: got %v", name, err)
		}
	}
}
