package keyreuse_test

import (
	"errors"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/random"
)

// What Remat computes again it draws again, from the same key and with the same numbers:
// that is no second use. A key that the function itself uses twice is one.
func TestRematDrawsAgain(t *testing.T) {
	x := weft.Scalar(2.)
	noisy := func(x weft.Array, k random.Key) weft.Array {
		a, b := k.Split()
		return weft.Sin(x.Mul(random.Normal(a))).Mul(random.Normal(b))
	}
	of := func(layer func(weft.Array, random.Key) weft.Array) map[string]func() weft.Array {
		k := random.New(1)
		loss := func(x weft.Array) weft.Array { return layer(x, k) }
		deep := func(x weft.Array) weft.Array { return weft.Fold(layer, x, k.SplitN(3)) }
		return map[string]func() weft.Array{
			"grad":      func() weft.Array { return weft.Grad(loss)(x) },
			"jit":       func() weft.Array { return weft.Jit(weft.Grad(loss))(x) },
			"twice":     func() weft.Array { return weft.Grad(weft.Grad(loss))(x) },
			"jit twice": func() weft.Array { return weft.Jit(weft.Grad(weft.Grad(loss)))(x) },
			"hvp":       func() weft.Array { return weft.HVP(loss, x, x) },
			"scan":      func() weft.Array { return weft.Grad(deep)(x) },
			"vmap":      func() weft.Array { return weft.Vmap(weft.Grad(deep))(weft.Of(2., 3)) },
		}
	}
	plain := of(noisy)
	for name := range plain {
		want := plain[name]()
		weft.With(weft.DebugKeyReuse(true), func() {
			got, err := weft.Try(of(weft.Remat(noisy))[name])
			if err != nil {
				t.Errorf("%s: %v", name, err)
			} else if weft.Abs(got.Sub(want)).Max().Float() > 1e-6 {
				t.Errorf("%s: got %v, want %v", name, got, want)
			}
			twice := weft.Remat(func(x weft.Array, k random.Key) weft.Array {
				return noisy(x, k).Mul(random.Normal(k))
			})
			if _, err := weft.Try(of(twice)[name]); !errors.Is(err, core.ErrKeyReuse) {
				t.Errorf("%s: a key that is used twice: %v", name, err)
			}
		})
	}
}
