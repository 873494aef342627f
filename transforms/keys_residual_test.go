package transforms_test

import (
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/custom"
	"github.com/weft-go/weft/random"
)

// A key may be a residual: a branch, or a batching rule, that has none returns another in its place.
func TestKeysAmongResiduals(t *testing.T) {
	type a = weft.Array
	type keyed struct {
		X a
		K random.Key
	}
	noise := func(p keyed) a { // the derivative needs the second half of the key
		_, k := p.K.Split()
		return weft.Remat(func(q keyed) a { return weft.Sin(q.X).Mul(random.Normal(q.K)) })(keyed{weft.Sin(p.X), k})
	}
	gradient := func(f func(keyed) a) func(keyed) a {
		return func(p keyed) a { return weft.Grad(func(x a) a { return f(keyed{x, p.K}) })(p.X) }
	}
	xs, keys := weft.Linspace(0.1, 0.5, 3), random.New(3).SplitN(3)
	first := keyed{xs.Index(0), keys.At(0)}
	want := gradient(noise)(first).Float()
	for name, f := range map[string]func(keyed) a{
		"Cond": func(p keyed) a {
			return weft.Cond(p.X.Gt(0), func() a { return noise(p) }, func() a { return p.X })
		},
		"Switch": func(p keyed) a {
			return weft.Switch(p.X.AsType(weft.Int32), func() a { return noise(p) }, func() a { return p.X }, func() a { return p.X.Mul(2) })
		},
		"custom.Vmap": custom.Vmap[keyed, a](noise, func(n int, _, p keyed) (a, a) { return weft.Vmap(noise)(p), weft.Scalar(true) }),
	} {
		g := gradient(f)
		for way, got := range map[string]a{
			"eager":  g(first),
			"staged": weft.Jit(g)(first),
			"mapped": weft.Vmap(g)(keyed{xs, keys}).Index(0),
		} {
			if got.Float() != want {
				t.Errorf("%s, %s: got %v, want %v", name, way, got, want)
			}
		}
	}
}
