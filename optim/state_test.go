package optim_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/optim"
	"github.com/weft-go/weft/promote"
)

// model has all kinds of leaves.
type model struct {
	W      weft.Array
	Layers []struct{ A, B weft.Array }
	Seen   weft.Array // an integer
	Fixed  weft.Array `weft:"frozen"`
}

func newModel() model {
	m := model{
		W:    weft.Of(1., -2, 3),
		Seen: weft.Scalar(int32(7)), Fixed: weft.Of(0.5, 0.5, 0.5),
	}
	m.Layers = append(m.Layers, struct{ A, B weft.Array }{weft.Of(1., 2, 3), weft.Scalar(0.5).AsType(weft.Float32)})
	return m
}

func (m model) loss(x weft.Array) weft.Array {
	y := x.Mul(m.W).Add(m.Layers[0].A.Mul(m.Layers[0].B)).Add(m.Fixed).Add(m.Seen)
	return weft.Square(y).Sum()
}

// all returns the optimizers, made for p.
func all[P any](p P) map[string]func() optim.Optimizer[P] {
	rate := optim.Rate(0.01)
	return map[string]func() optim.Optimizer[P]{
		"SGD":      func() optim.Optimizer[P] { o := optim.NewSGD(p, rate); return &o },
		"Momentum": func() optim.Optimizer[P] { o := optim.NewMomentum(p, optim.MomentumConfig{Rate: rate}); return &o },
		"Adam":     func() optim.Optimizer[P] { o := optim.NewAdam(p, optim.AdamConfig{Rate: rate}); return &o },
		"AdamW":    func() optim.Optimizer[P] { o := optim.NewAdamW(p, optim.AdamConfig{Rate: rate, Decay: 0.1}); return &o },
		"RMSProp": func() optim.Optimizer[P] {
			o := optim.NewRMSProp(p, optim.RMSPropConfig{Rate: rate, Momentum: 0.5})
			return &o
		},
	}
}

func TestLeavesWithoutDerivative(t *testing.T) {
	x := weft.Of(1., 2, 3)
	for name, make := range all(newModel()) {
		m, o := newModel(), make()
		before := m.loss(x).Float()
		for range 10 {
			m = o.Update(m, weft.GradAt(m, func(m model) weft.Array { return m.loss(x) }))
		}
		if !m.Seen.Equal(newModel().Seen) || !m.Fixed.Equal(newModel().Fixed) {
			t.Errorf("%s changed what has no derivative: %v, %v", name, m.Seen, m.Fixed)
		}
		if after := m.loss(x).Float(); !(after < before) {
			t.Errorf("%s: the loss went from %v to %v", name, before, after)
		}
		if m.Layers[0].B.Equal(newModel().Layers[0].B) {
			t.Errorf("%s left a parameter as it was", name)
		}
	}
}

// One step eagerly, staged with pointers, and mapped over many is the same step.
func TestStagedAndMapped(t *testing.T) {
	x := weft.Of(1., 2, 3)
	update := func(o *optim.Adam[model], m model) model {
		return o.Update(m, weft.GradAt(m, func(m model) weft.Array { return m.loss(x) }))
	}
	config := optim.AdamConfig{Rate: optim.Warmup{Steps: 2, Then: optim.Piecewise{From: 0.1, Changes: []optim.Change{{Step: 1, By: 0.5}}}}}
	m := newModel()
	want, o := m, optim.NewAdam(m, config)
	for range 5 {
		want = update(&o, want)
	}

	traced := 0
	step := weft.Jit(func(m *model, o *optim.Adam[model]) error {
		traced++
		*m = update(o, *m)
		return nil
	})
	got, state := newModel(), optim.NewAdam(m, config)
	for range 5 {
		if err := step(&got, &state); err != nil {
			t.Fatal(err)
		}
	}
	if traced != 1 {
		t.Errorf("the step was traced %d times", traced)
	}
	same(t, "Jit", got, want)
	if state.Step.Int() != 5 {
		t.Errorf("%d steps were counted", state.Step.Int())
	}

	ms, states := weft.TreeStack(m, m), weft.TreeStack(optim.NewAdam(m, config), optim.NewAdam(m, config))
	mapped := weft.Vmap(func(m model, o optim.Adam[model]) (model, optim.Adam[model]) {
		m = update(&o, m)
		return m, o
	})
	for range 5 {
		ms, states = mapped(ms, states)
	}
	same(t, "Vmap", weft.TreeIndex(ms, 1), want)
}

func same[P any](t *testing.T, what string, got, want P) {
	t.Helper()
	next := make(map[string]weft.Array)
	for path, x := range weft.TreeLeaves(want) {
		next[path] = x
	}
	for path, x := range weft.TreeLeaves(got) {
		if !x.Equal(next[path]) {
			t.Errorf("%s: %s is %v, want %v", what, path, x, next[path])
		}
	}
}

// A state that was saved goes on where it was.
func TestSaved(t *testing.T) {
	x := weft.Of(1., 2, 3)
	grad := func(m model) model { return weft.GradAt(m, func(m model) weft.Array { return m.loss(x) }) }
	m := newModel()
	o := optim.NewAdamW(m, optim.AdamConfig{Rate: optim.Rate(0.1)})
	m = o.Update(m, grad(m))
	var b bytes.Buffer
	if err := weft.Save(&b, o); err != nil {
		t.Fatal(err)
	}
	again := optim.NewAdamW(m, optim.AdamConfig{Rate: optim.Rate(0.1)})
	if err := weft.Load(&b, &again); err != nil {
		t.Fatal(err)
	}
	same(t, "after loading", again.Update(m, grad(m)), o.Update(m, grad(m)))
}

// A rate that is data may change without a new program.
func TestVariableRate(t *testing.T) {
	p := weft.Of(1., 2)
	o := optim.NewSGD(p, optim.Variable{Rate: weft.Scalar(0.5)})
	traced := 0
	step := weft.Jit(func(p *weft.Array, o *optim.SGD[weft.Array]) error {
		traced++
		*p = o.Update(*p, weft.Of(1., 1))
		return nil
	})
	for _, rate := range []float64{0.5, 0.25} {
		o.Rate = optim.Variable{Rate: weft.Scalar(rate)}
		if err := step(&p, &o); err != nil {
			t.Fatal(err)
		}
	}
	if want := weft.Of(0.25, 1.25); !p.Equal(want) || traced != 1 {
		t.Errorf("got %v after %d traces, want %v after 1", p, traced, want)
	}
}

// Parameters keep their types, whatever promotion the user's settings select.
func TestTypesAndSettings(t *testing.T) {
	for _, dt := range []weft.DType{weft.BFloat16, weft.Float16, weft.Float32, weft.Float64} {
		p := weft.Of(1., 2).AsType(dt)
		g := weft.Of(0.5, -0.5).AsType(dt)
		for name, make := range all(p) {
			want := make().Update(p, g)
			if want.DType() != dt || want.Equal(p) {
				t.Errorf("%s of %v returns %v", name, dt, want)
			}
			for _, set := range []weft.Setting{weft.Promotion(promote.MAX), weft.RankPromotion(weft.Raise), weft.DefaultBits(64)} {
				weft.With(set, func() {
					if got := make().Update(p, g); !got.Equal(want) {
						t.Errorf("%s of %v: %v, want %v", name, dt, got, want)
					}
				})
			}
		}
	}
}

func TestNorms(t *testing.T) {
	g := model{W: weft.Of(3., 0, 0), Seen: weft.ZerosOf(weft.Float0), Fixed: weft.ZerosOf(weft.Float0, 3)}
	g.Layers = []struct{ A, B weft.Array }{{weft.Of(0., 4, 0), weft.Scalar(0.).AsType(weft.Float32)}}
	clipped, norm := optim.ClipByNorm(g, 1)
	if norm.Float() != 5 {
		t.Errorf("the norm is %v, want 5", norm)
	}
	if n := optim.Norm(clipped).Float(); n < 0.999999 || n > 1.000001 {
		t.Errorf("clipped to 1, the norm is %v", n)
	}
	whole, _ := optim.ClipByNorm(g, 5.5)
	same(t, "a small gradient", whole, g)
	if got := optim.ClipByValue(g, 3.5).Layers[0].A; !got.Equal(weft.Of(0., 3.5, 0)) {
		t.Errorf("clipped by value: %v", got)
	}
	if n := optim.Norm(weft.Of(1, 2)).Float(); n != 0 {
		t.Errorf("the norm of integers is %v", n)
	}
}

func TestRefusals(t *testing.T) {
	w := weft.Of(1., 2)
	for _, c := range []struct {
		f    func()
		want []string
	}{
		{func() { o := optim.NewAdam(w, optim.AdamConfig{}); o.Update(w, w) }, []string{"state_test.go:", "Adam", "optim.Rate"}},
		{func() { var o optim.Adam[weft.Array]; o.Config.Rate = optim.Rate(1); o.Update(w, w) }, []string{"NewAdam"}},
		{func() { o := optim.NewSGD(w, optim.Cosine{From: 1}); o.Update(w, w) }, []string{"positive number of steps"}},
		{func() { optim.ClipByNorm(w, 0) }, []string{"ClipByNorm", "positive"}},
		{func() { optim.ClipByValue(weft.Of(1i), 1) }, []string{"ClipByValue", "ClipByNorm"}},
		{func() {
			a, b := newModel(), newModel()
			b.Layers = nil
			o := optim.NewSGD(a, optim.Rate(1))
			o.Update(a, b)
		}, []string{"state_test.go:", "Layers"}},
	} {
		_, err := weft.Try(func() int { c.f(); return 0 })
		if err == nil {
			t.Errorf("no error with %q", c.want)
			continue
		}
		for _, w := range c.want {
			if !strings.Contains(err.Error(), w) {
				t.Errorf("%v\nholds no %q", err, w)
			}
		}
	}
}
