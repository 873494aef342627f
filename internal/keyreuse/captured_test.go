package keyreuse_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/random"
)

// A key that a function captures and uses once is used once by a transformation of it:
// the derivative takes what was drawn, and draws nothing itself.
func TestCapturedKeysAreUsedOnce(t *testing.T) {
	x, xs := weft.Scalar(2.), weft.Of(2., 3)
	noisy := func(k random.Key) func(weft.Array) weft.Array {
		return func(x weft.Array) weft.Array {
			a, b := k.Split()
			return weft.Sin(x.Mul(random.Normal(a))).Mul(random.Normal(b))
		}
	}
	vector := func(k random.Key) func(weft.Array) weft.Array {
		return func(x weft.Array) weft.Array { return weft.Sin(x.Mul(random.Normal(k, 2))) }
	}
	branch := func(k random.Key) func(weft.Array) weft.Array {
		return func(x weft.Array) weft.Array {
			return weft.Cond(x.Gt(0), func() weft.Array { return noisy(k)(x) }, func() weft.Array { return x })
		}
	}
	loop := func(k random.Key) func(weft.Array) weft.Array {
		layer := func(x weft.Array, k random.Key) weft.Array { return noisy(k)(x) }
		return func(x weft.Array) weft.Array { return weft.Fold(layer, x, k.SplitN(3)) }
	}
	nested := func(k random.Key) func(weft.Array) weft.Array {
		inner := weft.Jit(noisy(k))
		return func(x weft.Array) weft.Array { return inner(x).Mul(2) }
	}
	jitted := func(make func(random.Key) func(weft.Array) weft.Array) func(random.Key) func(weft.Array) weft.Array {
		return func(k random.Key) func(weft.Array) weft.Array { return weft.Jit(make(k)) }
	}
	functions := map[string]func(random.Key) func(weft.Array) weft.Array{
		"plain": noisy, "cond": branch, "loop": loop,
		"jit": jitted(noisy), "jit of cond": jitted(branch), "jit of loop": jitted(loop), "jit of jit": jitted(nested),
	}
	uses := map[string]func(f func(weft.Array) weft.Array) weft.Array{
		"call":         func(f func(weft.Array) weft.Array) weft.Array { return f(x) },
		"Grad":         func(f func(weft.Array) weft.Array) weft.Array { return weft.Grad(f)(x) },
		"ValueAndGrad": func(f func(weft.Array) weft.Array) weft.Array { _, g := weft.ValueAndGrad(f)(x); return g },
		"JVP":          func(f func(weft.Array) weft.Array) weft.Array { _, d := weft.JVP(f, x, x); return d },
		"Linearize": func(f func(weft.Array) weft.Array) weft.Array {
			_, along := weft.Linearize(f, x)
			return along(x).Add(along(x))
		},
		"Vmap":         func(f func(weft.Array) weft.Array) weft.Array { return weft.Vmap(f)(xs) },
		"Vmap of Grad": func(f func(weft.Array) weft.Array) weft.Array { return weft.Vmap(weft.Grad(f))(xs) },
		"Grad of Vmap": func(f func(weft.Array) weft.Array) weft.Array {
			return weft.Grad(func(x weft.Array) weft.Array { return weft.Vmap(f)(x).Sum() })(xs)
		},
		"Grad of Grad": func(f func(weft.Array) weft.Array) weft.Array { return weft.Grad(weft.Grad(f))(x) },
		"Hessian":      func(f func(weft.Array) weft.Array) weft.Array { return weft.Hessian(f)(x) },
		"Jit of Grad":  func(f func(weft.Array) weft.Array) weft.Array { return weft.Jit(weft.Grad(f))(x) },
	}
	check := func(name string, run func() weft.Array) {
		want := run()
		weft.With(weft.DebugKeyReuse(true), func() {
			if got, err := weft.Try(run); err != nil {
				t.Errorf("%s: %v", name, err)
			} else if weft.Abs(got.Sub(want)).Max().Float() > 1e-5 {
				t.Errorf("%s: got %v, want %v", name, got, want)
			}
		})
	}
	for what, f := range functions {
		for how, use := range uses {
			check(how+" of "+what, func() weft.Array { return use(f(random.New(3))) })
		}
	}
	for _, make := range []func(random.Key) func(weft.Array) weft.Array{vector, jitted(vector)} {
		check("Jacrev", func() weft.Array { return weft.Jacrev(make(random.New(3)))(xs) })
		check("Jacfwd", func() weft.Array { return weft.Jacfwd(make(random.New(3)))(xs) })
	}

	// What is drawn is drawn once: the program of the gradient states so.
	program, err := weft.Jaxpr(weft.Grad(weft.Jit(vectorSum(random.New(3)))), xs)
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(program.String(), "random_bits["); n != 1 {
		t.Errorf("the gradient draws %d times, want 1:\n%v", n, program)
	}

	// Called twice, it uses its key twice.
	weft.With(weft.DebugKeyReuse(true), func() {
		for what, f := range functions {
			_, err := weft.Try(func() weft.Array {
				g := weft.Grad(f(random.New(3)))
				return g(x).Add(g(x))
			})
			if !errors.Is(err, core.ErrKeyReuse) {
				t.Errorf("%s, differentiated twice: got %v", what, err)
			}
		}
	})
}

func vectorSum(k random.Key) func(weft.Array) weft.Array {
	return func(x weft.Array) weft.Array { return weft.Sin(x.Mul(random.Normal(k, 2))).Sum() }
}
