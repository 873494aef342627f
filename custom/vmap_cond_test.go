package custom_test

import (
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/custom"
)

// A function with a batching rule contains a constant. In a branch of a conditional whose
// predicate is mapped, its derivative must get the constant as it is: chosen element by
// element it is mapped, and the rule cannot take that.
func TestConstantOfACustomVmapInAMappedBranch(t *testing.T) {
	half := custom.Vmap(func(x weft.Array) weft.Array {
		return weft.Fold(func(c, w weft.Array) weft.Array { return weft.Sin(c).Mul(w) }, x, weft.Of(1., 0.5))
	}, nil)
	plain := func(x weft.Array) weft.Array { return weft.Sin(weft.Sin(x)).Mul(0.5) }
	branch := func(f func(weft.Array) weft.Array) func(weft.Array) weft.Array {
		return func(x weft.Array) weft.Array {
			return weft.Cond(x.Gt(0.5), func() weft.Array { return f(x) }, func() weft.Array { return x.Mul(x) })
		}
	}
	xs := weft.Of(0.7, -0.4, 1.1)
	for name, each := range map[string]func(func(weft.Array) weft.Array) weft.Array{
		"grad":        func(f func(weft.Array) weft.Array) weft.Array { return weft.Vmap(weft.Grad(f))(xs) },
		"grad of jit": func(f func(weft.Array) weft.Array) weft.Array { return weft.Vmap(weft.Grad(weft.Jit(f)))(xs) },
		"grad twice":  func(f func(weft.Array) weft.Array) weft.Array { return weft.Vmap(weft.Grad(weft.Grad(f)))(xs) },
		"jit outside": func(f func(weft.Array) weft.Array) weft.Array { return weft.Jit(weft.Vmap(weft.Grad(f)))(xs) },
		"outer": func(f func(weft.Array) weft.Array) weft.Array {
			return weft.Grad(func(xs weft.Array) weft.Array { return weft.Vmap(f)(xs).Sum() })(xs)
		},
	} {
		got, err := weft.Try(func() weft.Array { return each(branch(half)) })
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if want := each(branch(plain)); weft.Abs(got.Sub(want)).Max().Float() > 1e-6 {
			t.Errorf("%s: got %v, want %v", name, got, want)
		}
	}
}

// An operand that the linear half of a branch needs unchanged is passed to it directly: it is no
// result of the conditional, and needs no zeros in the other branches.
func TestOperandsAreNoResidualsOfACond(t *testing.T) {
	program, err := weft.Jaxpr(weft.Grad(func(x weft.Array) weft.Array {
		return weft.Cond(x.Gt(0), func() weft.Array { return x.Mul(x) }, func() weft.Array { return x.Mul(3) })
	}), 1.)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range program.Eqns {
		if e.Prim.Name() == "cond" && len(e.Outs) != 1 {
			t.Errorf("a conditional has %d results:\n%v", len(e.Outs), program)
		}
	}
}
