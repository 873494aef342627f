package custom_test

import (
	"math"
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/custom"
	"github.com/weft-go/weft/internal/test/statement"
	"github.com/weft-go/weft/internal/test/testcheck"
)

// Rules run with values that can be looked at, and branch on them; under Jit the same look
// is an error.
func TestRulesLookAtValues(t *testing.T) {
	statement.Shows(t, "J-6", "rules receive concrete values when differentiating eagerly, and checks for NaN fire in them")
	statement.Shows(t, "J-7", "a function with a rule may branch on its argument under Grad")
	branch := custom.JVP(func(x weft.Array) weft.Array {
		if x.Float() > 0 {
			return weft.Sin(x)
		}
		return weft.Cos(x)
	}, func(x, tx weft.Array) (weft.Array, weft.Array) {
		if x.Float() > 0 {
			return weft.Sin(x), tx.Mul(2)
		}
		return weft.Cos(x), tx.Mul(3)
	})
	for _, c := range []struct{ x, y, d float64 }{{2, 0.9092974, 2}, {-2, -0.4161468, 3}} {
		y, d := weft.JVP(branch, s(c.x), s(1))
		near(t, "value", y, c.y)
		near(t, "tangent", d, c.d)
		near(t, "grad", weft.Grad(branch)(s(c.x)), c.d)
	}
	testcheck.Fails(t, core.ErrConcrete, func() { weft.Jit(branch)(s(2)) })
	var seen []float64
	watch := custom.VJP(func(x weft.Array) weft.Array { return x },
		func(x weft.Array) (weft.Array, weft.Array) { return x, x },
		func(x, g weft.Array) weft.Array { seen = append(seen, x.Float(), g.Float()); return g })
	weft.Grad(func(x weft.Array) weft.Array { return watch(x).Mul(5) })(s(3))
	if len(seen) != 2 || seen[0] != 3 || seen[1] != 5 {
		t.Errorf("the reverse rule received %v, want [3 5]", seen)
	}
}

// Functions and rules may close over tracers of transformations that do not differentiate what is
// closed over.
func TestRulesCloseOverTracers(t *testing.T) {
	statement.Shows(t, "V-5", "functions and rules close over tracers of what is not a derivative")
	any3 := func(y, ty weft.Array) (weft.Array, weft.Array) { return y, ty }
	nearAll(t, "function closes over a batch", weft.Vmap(func(x weft.Array) weft.Array {
		return custom.JVP(func(y weft.Array) weft.Array { return x.Mul(y) }, any3)(s(3))
	})(vec(0, 1, 2)), 0, 3, 6)
	type res struct{ X, C weft.Array }
	nearAll(t, "rule closes over a batch", weft.Vmap(func(x weft.Array) weft.Array {
		f := custom.VJP(func(y weft.Array) weft.Array { return x.Mul(weft.Sin(y)) },
			func(y weft.Array) (weft.Array, res) { return x.Mul(weft.Sin(y)), res{x, weft.Cos(y)} },
			func(r res, g weft.Array) weft.Array { return r.C.Mul(g).Mul(r.X) })
		return weft.Grad(f)(s(3))
	})(vec(0, 1, 2)), 0, -0.9899925, -1.9799850)
	f := func(y weft.Array) weft.Array {
		return weft.Grad(custom.VJP(weft.Sin, func(x weft.Array) (weft.Array, weft.Array) { return weft.Sin(x), x },
			func(x, g weft.Array) weft.Array { return weft.Cos(y).Mul(2).Mul(g) }))(s(1))
	}
	near(t, "bwd closes over y, jit", weft.Jit(f)(s(2)), 2*math.Cos(2))
	nearAll(t, "bwd closes over y, vmap", weft.Vmap(f)(vec(0, 1, 2)), 2, 2*math.Cos(1), 2*math.Cos(2))
	near(t, "closing over in a rule is differentiable", weft.Grad(f)(s(4)), 1.5136050)
	near(t, "and under jit", weft.Grad(weft.Jit(f))(s(4)), 1.5136050)
	near(t, "jit of that", weft.Jit(weft.Grad(f))(s(4)), 1.5136050)
}

// What a function with a rule closes over is not differentiated silently.
func TestClosingOverADifferentiatedValueIsRefused(t *testing.T) {
	statement.Shows(t, "V-6", "a differentiated value that the function closes over is refused")
	jvpForm := func(x weft.Array) weft.Array {
		return custom.JVP(func(y weft.Array) weft.Array { return x.Add(y) },
			func(y, ty weft.Array) (weft.Array, weft.Array) { return x.Add(y), ty })(s(1))
	}
	vjpForm := func(x weft.Array) weft.Array {
		return custom.VJP(func(y weft.Array) weft.Array { return x.Add(y) },
			func(y weft.Array) (weft.Array, struct{}) { return x.Add(y), struct{}{} },
			func(_ struct{}, g weft.Array) weft.Array { return g })(s(1))
	}
	for name, f := range map[string]func(weft.Array) weft.Array{"jvp form": jvpForm, "vjp form": vjpForm} {
		near(t, name, f(s(3)), 4)
		for how, run := range map[string]func(){
			"jvp":         func() { weft.JVP(f, s(3), s(1)) },
			"grad":        func() { weft.Grad(f)(s(3)) },
			"grad of jit": func() { weft.Grad(weft.Jit(f))(s(3)) },
			"jit of grad": func() { weft.Jit(weft.Grad(f))(s(3)) },
		} {
			err := core.Catch(run)
			if err == nil || !strings.Contains(err.Error(), "closes over") || !strings.Contains(err.Error(), "pass it as an argument") {
				t.Errorf("%s, %s: got %v", name, how, err)
			}
		}
	}
}
