package transforms_test

import (
	"testing"

	"github.com/weft-go/weft"
)

// A branch that an element of a batch does not take adds nothing to its derivative, also
// where the branch's derivative is infinite there. Zero times infinity is NaN, so masking
// the results of the branches is not enough.
func TestSingularBranchNotTaken(t *testing.T) {
	type array = weft.Array
	scalarFns := map[string]func(array) array{
		"cond": func(x array) array {
			return weft.Cond(x.Gt(0), func() array { return weft.Sqrt(x) }, func() array { return x.Mul(0) })
		},
		"jit of cond": weft.Jit(func(x array) array {
			return weft.Cond(x.Gt(0), func() array { return weft.Sqrt(x) }, func() array { return x.Mul(0) })
		}),
		"remat of cond": weft.Remat(func(x array) array {
			return weft.Cond(x.Gt(0), func() array { return weft.Sqrt(x) }, func() array { return x.Mul(0) })
		}),
		"switch": func(x array) array {
			return weft.Switch(x.Gt(0).AsType(weft.Int32), func() array { return x.Mul(0) }, func() array { return weft.Sqrt(x) }, func() array { return weft.Log(x) })
		},
		"scan of cond": func(x array) array {
			_, ys := weft.Scan(func(c, i array) (array, array) {
				return c, weft.Cond(x.Gt(0), func() array { return weft.Sqrt(x).Mul(i) }, func() array { return x.Mul(0) })
			}, weft.Scalar(float32(0)), weft.Of[float32](0.25, 0.75))
			return ys.Sum()
		},
		"cond of cond": func(x array) array {
			return weft.Cond(x.Gt(-1), func() array {
				return weft.Cond(x.Gt(0), func() array { return weft.Sqrt(x) }, func() array { return x.Mul(0) })
			}, func() array { return weft.Log(x) })
		},
	}
	x := weft.Of[float32](0, 1, 4)
	want, second := weft.Of[float32](0, .5, .25), weft.Of[float32](0, -.25, -.03125)
	diagonal := func(m array) array { return weft.Diagonal(m) }
	for name, f := range scalarFns {
		sum := func(x array) array { return weft.Vmap(f)(x).Sum() }
		for what, g := range map[string]func(array) array{
			"grad of vmap":        weft.Grad(sum),
			"vmap of grad":        weft.Vmap(weft.Grad(f)),
			"grad of jit of vmap": weft.Grad(weft.Jit(sum)),
			"jit of grad of vmap": weft.Jit(weft.Grad(sum)),
			"jacrev of vmap":      func(x array) array { return diagonal(weft.Jacrev(weft.Vmap(f))(x)) },
			"jacfwd of vmap":      func(x array) array { return diagonal(weft.Jacfwd(weft.Vmap(f))(x)) },
			"vmap of vmap": weft.Grad(func(x array) array {
				return weft.Vmap(weft.Vmap(f))(weft.Stack(0, x, x)).Sum().Mul(.5)
			}),
		} {
			if got := g(x); !weft.AllClose(got, want, 0, 0).Bool() {
				t.Errorf("%s, %s: got %v, want %v", what, name, got, want)
			}
		}
		for what, g := range map[string]func(array) array{
			"hessian":              func(x array) array { return diagonal(weft.Hessian(sum)(x)) },
			"grad of vmap of grad": weft.Grad(func(x array) array { return weft.Vmap(weft.Grad(f))(x).Sum() }),
		} {
			if got := g(x); !weft.AllClose(got, second, 0, 0).Bool() {
				t.Errorf("%s, %s: got %v, want %v", what, name, got, second)
			}
		}
	}
}

// What the branches close over and the batch shares is masked like what is mapped.
func TestSingularBranchOfSharedOperand(t *testing.T) {
	f := func(w, x weft.Array) weft.Array {
		return weft.Vmap(func(x weft.Array) weft.Array {
			return weft.Cond(x.Gt(0), func() weft.Array { return weft.Sqrt(x.Mul(w)) }, func() weft.Array { return x })
		})(x).Sum()
	}
	x := weft.Of[float32](0, 1, 4)
	for name, f := range map[string]func(w, x weft.Array) weft.Array{"eager": f, "jit": weft.Jit(f)} {
		got := weft.Grad(func(w weft.Array) weft.Array { return f(w, x) })(weft.Scalar(float32(1)))
		if got.Float() != 1.5 {
			t.Errorf("%s: the derivative with respect to a shared operand is %v, want 1.5", name, got)
		}
	}
}
