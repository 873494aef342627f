package custom_test

import (
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/custom"
)

// A reverse rule closes over values that its function's argument leads to without a derivative. They are
// computed again where the rule runs when the function's trace and its derivative are over.
func TestRuleClosesOverStoppedValue(t *testing.T) {
	x := weft.Scalar(3.)
	for what, stop := range map[string]func(x weft.Array) weft.Array{
		"StopGradient":          weft.StopGradient[weft.Array],
		"StopGradient of Sin":   func(x weft.Array) weft.Array { return weft.StopGradient(weft.Sin(x)) },
		"Sin of StopGradient":   func(x weft.Array) weft.Array { return weft.Sin(weft.StopGradient(x)) },
		"Floor":                 weft.Floor,
		"Where":                 func(x weft.Array) weft.Array { return weft.Where(x.Gt(0), 2., 1.) },
		"a jitted StopGradient": weft.Jit(weft.StopGradient[weft.Array]),
	} {
		f := func(x weft.Array) weft.Array {
			s := stop(x)
			return custom.VJP(
				func(y weft.Array) weft.Array { return weft.Sin(y) },
				func(y weft.Array) (weft.Array, weft.Array) { return weft.Sin(y), weft.Cos(y) },
				func(cos, ct weft.Array) weft.Array { return cos.Mul(ct).Mul(s) })(x)
		}
		want := weft.Cos(x).Mul(stop(x))
		for where, g := range map[string]func(x weft.Array) weft.Array{
			"Grad":                 weft.Grad(f),
			"Grad of Jit":          weft.Grad(weft.Jit(f)),
			"Grad of Jit of Jit":   weft.Grad(weft.Jit(weft.Jit(f))),
			"Jit of Grad of Jit":   weft.Jit(weft.Grad(weft.Jit(f))),
			"Grad of Remat":        weft.Grad(weft.Remat(f)),
			"Grad of Call":         weft.Grad(weft.Call(f)),
			"Grad of Remat of Jit": weft.Grad(weft.Remat(weft.Jit(f))),
			"Vmap of Grad of Jit": func(x weft.Array) weft.Array {
				return weft.Vmap(weft.Grad(weft.Jit(f)))(weft.Stack(0, x, x)).Index(1)
			},
			"Grad of a branch": weft.Grad(func(x weft.Array) weft.Array {
				return weft.Cond(x.Gt(0), func() weft.Array { return f(x) }, func() weft.Array { return x })
			}),
		} {
			got, err := weft.Try(func() weft.Array { return g(x) })
			if err != nil || !got.Equal(want) {
				t.Errorf("%s, %s: got %v, %v, want %v", what, where, got, err, want)
			}
		}
	}
}
