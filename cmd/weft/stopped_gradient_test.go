package main

import (
	"strings"
	"testing"

	weftlib "github.com/weft-go/weft"
	"github.com/weft-go/weft/custom"
)

// Gradients of functions with a stopped gradient, within two calls of every kind, have variables in common
// inside and outside of the calls. weft grad f | weft eval - returns the same as Grad in one process.
func TestGradientTextsOfStoppedGradients(t *testing.T) {
	type array = weftlib.Array
	type fn = func(array) array
	around := map[string]func(fn) fn{
		"nothing": func(f fn) fn { return f },
		"jit":     func(f fn) fn { return weftlib.Jit(f) },
		"call":    func(f fn) fn { return weftlib.Call(f) },
		"remat":   func(f fn) fn { return weftlib.Remat(f) },
		"custom_jvp": func(f fn) fn {
			return custom.JVP(f, func(x, t array) (array, array) { return weftlib.JVP(f, x, t) })
		},
		"custom_vjp": func(f fn) fn {
			return custom.VJP(f, func(x array) (array, array) { return f(x), x }, func(x, ct array) array {
				_, back := weftlib.VJP(f, x)
				return back(ct)
			})
		},
	}
	x := weftlib.Scalar(float32(0.3))
	combinations := 0
	for name, f := range map[string]fn{
		"square of the stopped": func(x array) array { s := weftlib.StopGradient(weftlib.Sin(x)); return x.Mul(s.Mul(s)) },
		"stopped factor": func(x array) array {
			y := weftlib.Tanh(x)
			return y.Mul(y).Mul(weftlib.StopGradient(y))
		},
	} {
		for outer, wrapOuter := range around {
			for inner, wrapInner := range around {
				combinations++
				g := wrapOuter(wrapInner(f))
				what := outer + " of " + inner + " of " + name
				want := "f32[]{" + weftlib.Grad(g)(x).String() + "}\n"
				ir, err := weftlib.Jaxpr(weftlib.Grad(g), x)
				if err != nil {
					t.Errorf("%s: %v", what, err)
					continue
				}
				texts := map[string]string{"in one process": ir.String()}
				if !strings.HasPrefix(outer, "custom") && !strings.HasPrefix(inner, "custom") { // a text does not contain custom rules
					ir, err := weftlib.Jaxpr(g, x)
					if err != nil {
						t.Errorf("%s: %v", what, err)
						continue
					}
					status, text, errs := weft(t, ir.String(), "grad", "-")
					if status != done {
						t.Errorf("weft grad of %s: %s", what, errs)
						continue
					}
					texts["by weft grad"] = text
				}
				for how, text := range texts {
					if status, got, errs := weft(t, text, "eval", "-", "0.3"); status != done || got != want {
						t.Errorf("%s, differentiated %s: got %s%s, want %s\n%s", what, how, got, errs, want, text)
					}
				}
			}
		}
	}
	if combinations != 72 {
		t.Errorf("%d combinations, want 72", combinations)
	}
}
