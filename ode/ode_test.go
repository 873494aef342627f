package ode_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/test/statement"
	"github.com/weft-go/weft/internal/test/testcheck"
	"github.com/weft-go/weft/ode"
)

// pendulum is θ' = ω, ω' = −mω − g sin θ.
type pendulum struct{ Angle, Speed weft.Array }

type physics struct{ Friction, Gravity weft.Array }

func (physics) swing(y pendulum, _ weft.Array, q physics) pendulum {
	return pendulum{y.Speed, y.Speed.Mul(q.Friction).Neg().Sub(weft.Sin(y.Angle).Mul(q.Gravity))}
}

func f64(v float64) weft.Array { return weft.FromSlice([]float64{v}).Index(0) }

func times(v ...float64) weft.Array { return weft.FromSlice(v) }

// near requires that a number is within tol. The solver bounds the error of a step, and its results are
// the same bits on every executor, so the tolerances are what was measured, rounded up, mostly to three
// times as much.
func near(t *testing.T, what string, got weft.Array, want, tol float64) {
	t.Helper()
	testcheck.Within(t, what, got.Float(), want, tol)
}

var (
	released = pendulum{f64(math.Pi - 0.1), f64(0)}
	earth    = physics{f64(0.25), f64(9.8)}
)

// The pendulum of the document that the design follows: its state at time 1, and the gradient with
// respect to the first state and the arguments.
func TestPendulum(t *testing.T) {
	statement.Shows(t, "J-26", "odeint of the pendulum, its state and gradient")
	for name, c := range map[string]struct {
		config         ode.Config
		values, slopes float64
	}{
		"default": {ode.Config{}, 1e-6, 1e-5},
		"tight":   {ode.Config{RTol: 1e-12, ATol: 1e-12}, 5e-8, 5e-7}, // the digits that were given
	} {
		end := func(y0 pendulum, q physics) pendulum {
			return weft.TreeIndex(ode.Odeint(q.swing, y0, times(0, 1), q, c.config), 1)
		}
		y := end(released, earth)
		near(t, name+" angle", y.Angle, 2.1134020, c.values)
		near(t, name+" speed", y.Speed, -2.9375809, c.values)
		type both struct {
			Y pendulum
			Q physics
		}
		sum := func(b both) weft.Array { y := end(b.Y, b.Q); return y.Angle.Add(y.Speed) }
		for place, grad := range map[string]func(both) both{"grad": weft.Grad(sum), "jit of grad": weft.Jit(weft.Grad(sum)), "grad of jit": weft.Grad(weft.Jit(sum))} {
			g := grad(both{released, earth})
			near(t, name+" dθ, "+place, g.Y.Angle, 35.003902, c.slopes)
			near(t, name+" dω, "+place, g.Y.Speed, 10.829850, c.slopes)
			near(t, name+" dm, "+place, g.Q.Friction, 1.667956, c.slopes)
			near(t, name+" dg, "+place, g.Q.Gravity, -0.711742, c.slopes)
		}
	}
}

// decay returns y' = −k·y, whose solution is y0·exp(−k·t).
func decay(y, _ weft.Array, k weft.Array) weft.Array { return y.Mul(k).Neg() }

// Derivatives of derivatives are taken by the same rule: it calls Odeint.
func TestHigherOrders(t *testing.T) {
	at2 := func(k weft.Array) weft.Array {
		return ode.Odeint(decay, f64(3), times(0, 2), k, ode.Config{RTol: 1e-10, ATol: 1e-10}).Index(1)
	}
	y := 3 * math.Exp(-2*0.4)
	near(t, "value", at2(f64(0.4)), y, 1e-10)
	near(t, "grad", weft.Grad(at2)(f64(0.4)), -2*y, 5e-10)
	near(t, "grad of grad", weft.Grad(weft.Grad(at2))(f64(0.4)), 4*y, 1e-9)
}

// What the function closes over has a gradient as its arguments have.
func TestClosure(t *testing.T) {
	c := ode.Config{RTol: 1e-10, ATol: 1e-10}
	loss := func(k weft.Array) weft.Array {
		twice := k.Mul(2)
		return ode.Odeint(func(y, _ weft.Array, _ struct{}) weft.Array { return y.Mul(twice).Neg() }, f64(3), times(0, 1), struct{}{}, c).Index(1)
	}
	y := 3 * math.Exp(-0.8)
	for name, f := range map[string]func(weft.Array) weft.Array{"grad": weft.Grad(loss), "jit of grad": weft.Jit(weft.Grad(loss)), "grad of jit": weft.Grad(weft.Jit(loss))} {
		near(t, name, f(f64(0.4)), -2*y, 5e-10)
	}
	g := weft.Vmap(weft.Grad(loss))(times(0.4, 0.1))
	near(t, "vmap of grad", g.Index(0), -2*y, 5e-10)
	near(t, "vmap of grad", g.Index(1), -6*math.Exp(-0.2), 5e-10)
}

// Under Vmap every element steps by itself: the bits are those of a loop.
func TestVmapIsTheLoop(t *testing.T) {
	ts := times(0, 0.3, 2)
	solve := func(k weft.Array) weft.Array { return ode.Odeint(decay, f64(3), ts, k, ode.Config{}) }
	ks := times(0.1, 3, 40)
	batch := weft.Vmap(solve)(ks)
	slopes := weft.Vmap(weft.Grad(func(k weft.Array) weft.Array { return solve(k).Sum() }))(ks)
	for i := range 3 {
		k := ks.Index(i)
		if one := solve(k); !one.Equal(batch.Index(i)) {
			t.Errorf("element %d: %v alone, %v in a batch", i, one, batch.Index(i))
		}
		want := 0.0
		for _, at := range []float64{0.3, 2} {
			want += -at * 3 * math.Exp(-k.Float()*at)
		}
		near(t, "slope", slopes.Index(i), want, 5e-8)
	}
}

// The gradient with respect to the times: the derivative of the state there, and for
// the first time that of beginning later.
func TestTimes(t *testing.T) {
	ts := times(0, 0.5, 1, 3)
	ct := times(10, 1, -2, 4)
	g := weft.Grad(func(ts weft.Array) weft.Array {
		return ode.Odeint(decay, f64(3), ts, f64(0.7), ode.Config{RTol: 1e-11, ATol: 1e-11}).Mul(ct).Sum()
	})(ts)
	first := 0.0
	for i, at := range weft.ToSlice[float64](ts) {
		if i == 0 {
			continue
		}
		slope := -0.7 * 3 * math.Exp(-0.7*at) * weft.ToSlice[float64](ct)[i]
		near(t, "time", g.Index(i), slope, 5e-11)
		first -= slope
	}
	near(t, "first time", g.Index(0), first, 5e-11)
}

// States and arguments may have any form: integers among the arguments, static fields, and parts of
// different types.
func TestTrees(t *testing.T) {
	type state struct {
		A    weft.Array
		Rest []weft.Array
	}
	type args struct {
		K     weft.Array
		Power weft.Array // an integer: no gradient
		Sign  int        // static
	}
	f := func(y state, _ weft.Array, a args) state {
		slow := a.K.Mul(a.Power.AsType(weft.Float64)).Mul(a.Sign)
		return state{y.A.Mul(slow.AsType(weft.Float32)), []weft.Array{y.Rest[0].Mul(slow)}}
	}
	y0 := state{weft.Scalar(float32(1)), []weft.Array{times(1, 2)}}
	a := args{f64(0.5), weft.Scalar(int32(2)), -1}
	ys := ode.Odeint(f, y0, times(0, 1), a, ode.Config{})
	if ys.A.DType() != weft.Float32 || ys.Rest[0].DType() != weft.Float64 {
		t.Errorf("the state's types are lost: %v %v", ys.A.DType(), ys.Rest[0].DType())
	}
	near(t, "f32 part", ys.A.Index(1), math.Exp(-1), 3e-8)
	near(t, "f64 part", ys.Rest[0].Index(1, 1), 2*math.Exp(-1), 1e-8)
	g := weft.Grad(func(a args) weft.Array {
		return ode.Odeint(f, y0, times(0, 1), a, ode.Config{}).Rest[0].Index(1).Sum()
	})(a)
	near(t, "gradient", g.K, -6*math.Exp(-1), 3e-8)
	if g.Power.DType() != weft.Float0 || g.Sign != -1 {
		t.Errorf("integers and statics: got %v and %d", g.Power.DType(), g.Sign)
	}
}

func TestTypes(t *testing.T) {
	y := ode.Odeint(decay, weft.Scalar(3.), weft.Of(0., 1.), weft.Scalar(0.5), ode.Config{})
	if y.DType() != weft.Float32 || y.Weak() {
		t.Errorf("plain numbers: got %v", y.Value().Aval().Full())
	}
	near(t, "f32", y.Index(1), 3*math.Exp(-0.5), 6e-8)
	// y' = iy turns in the plane; the objective is its real part.
	turn := func(w weft.Array) weft.Array {
		y0 := weft.FromSlice([]complex128{1}).Index(0)
		i := weft.FromSlice([]complex128{1i}).Index(0)
		return ode.Odeint(func(y, _, w weft.Array) weft.Array { return y.Mul(i).Mul(w) }, y0, times(0, 2), w, ode.Config{}).Index(1).Real()
	}
	near(t, "complex", turn(f64(1)), math.Cos(2), 1e-8)
	near(t, "gradient through complex states", weft.Grad(turn)(f64(1)), -2*math.Sin(2), 2e-7)
}

// Single precision cannot meet the usual tolerance, but stays at its own.
func TestSinglePrecision(t *testing.T) {
	single := func(x weft.Array) weft.Array { return x.AsType(weft.Float32) }
	end := func(q physics, narrow bool) weft.Array {
		y0, ts := released, times(0, 4)
		if narrow {
			y0, q, ts = weft.TreeMap(single, y0), weft.TreeMap(single, q), single(ts)
		}
		y := ode.Odeint(q.swing, y0, ts, q, ode.Config{})
		return y.Angle.Index(1).Add(y.Speed.Index(1))
	}
	narrow, wide := end(earth, true), end(earth, false)
	if narrow.DType() != weft.Float32 {
		t.Errorf("the result is %v", narrow.DType())
	}
	near(t, "state", narrow, wide.Float(), 2e-5)
	g := weft.Grad(func(q physics) weft.Array { return end(q, true) })(weft.TreeMap(single, earth))
	h := weft.Grad(func(q physics) weft.Array { return end(q, false) })(earth)
	near(t, "slope by friction", g.Friction, h.Friction.Float(), 3e-4)
	near(t, "slope by gravity", g.Gravity, h.Gravity.Float(), 6e-5)
}

// MxStep, HMax, times that coincide, a single time, and solutions that end.
func TestCorners(t *testing.T) {
	solve := func(ts weft.Array, c ode.Config) weft.Array { return ode.Odeint(decay, f64(3), ts, f64(1), c) }
	few := solve(times(0, 0.001, 5, 6), ode.Config{MxStep: 2})
	near(t, "within the steps", few.Index(1), 3*math.Exp(-0.001), 1e-13)
	for i := 2; i < 4; i++ {
		if !math.IsNaN(few.Index(i).Float()) {
			t.Errorf("output %d is %v although the steps had been used up", i, few.Index(i))
		}
	}
	near(t, "one time", solve(times(7), ode.Config{}).Index(0), 3, 0)
	same := solve(times(0, 0, 1, 1), ode.Config{})
	near(t, "no time passed", same.Index(1), 3, 0)
	near(t, "the same time again", same.Index(3), same.Index(2).Float(), 0)
	// A bump that a step over it would miss.
	bump := func(y, t weft.Array, _ struct{}) weft.Array {
		return weft.Where(weft.Abs(t.Sub(50)).Lt(0.5), 1., 0.).AsType(weft.Float64)
	}
	at := times(0, 100)
	if blind := ode.Odeint(bump, f64(0), at, struct{}{}, ode.Config{}).Index(1).Float(); blind != 0 {
		t.Errorf("without HMax the step over the bump finds %g", blind)
	}
	near(t, "with HMax", ode.Odeint(bump, f64(0), at, struct{}{}, ode.Config{HMax: 0.1}).Index(1), 1, 1e-5)
	// A solution that ends: y' = y², y = 1/(1−t).
	blowup := ode.Odeint(func(y, _ weft.Array, _ struct{}) weft.Array { return weft.Square(y) }, f64(1), times(0, 0.5, 2), struct{}{}, ode.Config{})
	near(t, "before it ends", blowup.Index(1), 2, 1e-7)
	if end := blowup.Index(2).Float(); !math.IsNaN(end) {
		t.Errorf("beyond the pole the solution is %g", end)
	}
}

func TestRefusals(t *testing.T) {
	one := func(k weft.Array) weft.Array { return ode.Odeint(decay, f64(3), times(0, 1), k, ode.Config{}).Index(1) }
	for name, c := range map[string]struct {
		kind    error
		message []string
		f       func()
	}{
		"JVP":        {core.ErrCustomRule, []string{"odeint", "forward-mode", "use Grad or VJP"}, func() { weft.JVP(one, f64(1), f64(1)) }},
		"Jacfwd":     {core.ErrCustomRule, []string{"odeint", "forward-mode", "use Grad or VJP"}, func() { weft.Jacfwd(one)(f64(1)) }},
		"jit":        {core.ErrCustomRule, []string{"odeint", "forward-mode"}, func() { weft.Jacfwd(weft.Jit(one))(f64(1)) }},
		"integers":   {core.ErrDType, []string{"Odeint", "i32", "floating"}, func() { ode.Odeint(decay, weft.Scalar(3), times(0, 1), f64(1), ode.Config{}) }},
		"times":      {core.ErrDType, []string{"Odeint", "times", "i32"}, func() { ode.Odeint(decay, f64(3), weft.Of(0, 1), f64(1), ode.Config{}) }},
		"a scalar":   {core.ErrShape, []string{"Odeint", "one axis"}, func() { ode.Odeint(decay, f64(3), f64(1), f64(1), ode.Config{}) }},
		"backwards":  {core.ErrIndex, []string{"increase", "time 1 is 2", "time 2 is 1"}, func() { ode.Odeint(decay, f64(3), times(0, 2, 1), f64(1), ode.Config{}) }},
		"tolerances": {core.ErrStatic, []string{"RTol:-1"}, func() { ode.Odeint(decay, f64(3), times(0, 1), f64(1), ode.Config{RTol: -1}) }},
		"type": {core.ErrDType, []string{"f64[]", "f32[]", "AsType"}, func() {
			ode.Odeint(func(y, t, k weft.Array) weft.Array { return k }, weft.Scalar(float32(1)), times(0, 1), f64(1), ode.Config{})
		}},
		"shape": {core.ErrDType, []string{"f64[2]", "f64[]"}, func() {
			ode.Odeint(func(y, t, k weft.Array) weft.Array { return times(1, 2) }, f64(1), times(0, 1), f64(1), ode.Config{})
		}},
		"form": {core.ErrTree, []string{"1 array ", "state of 2"}, func() {
			ode.Odeint(func(y []weft.Array, t, k weft.Array) []weft.Array { return y[:1] }, []weft.Array{f64(1), f64(2)}, times(0, 1), f64(1), ode.Config{})
		}},
	} {
		err := core.Catch(c.f)
		if !errors.Is(err, c.kind) {
			t.Errorf("%s: got %v", name, err)
			continue
		}
		for _, part := range append(c.message, "ode_test.go:") {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%s: the error does not contain %q: %v", name, part, err)
			}
		}
	}
}
