package promotion_test

import (
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
)

// TestWeakTextIsReadAgain checks that the text with weak marks is the program, marks included, also
// where programs lie within programs.
func TestWeakTextIsReadAgain(t *testing.T) {
	inner := weft.Jit(func(x weft.Array) weft.Array { return x.Mul(2.).Add(1) })
	sum := func(c, x weft.Array) (weft.Array, weft.Array) { return c.Add(x), c.Mul(2) }
	for name, f := range map[string]any{
		"numbers": func(x weft.Array) weft.Array { return x.Mul(2.).Add(weft.Scalar(1)) },
		"jit":     func(x weft.Array) weft.Array { return inner(inner(x)) },
		"scan":    func(x weft.Array) weft.Array { c, _ := weft.Scan(sum, x, weft.Ones(3)); return c },
		"fori": func(x weft.Array) weft.Array {
			return weft.ForI(3, func(_, c weft.Array) weft.Array { return c.Mul(2) }, x)
		},
		"while": func(x weft.Array) weft.Array {
			return weft.While(func(c weft.Array) weft.Array { return c.Lt(9) }, func(c weft.Array) weft.Array { return c.Mul(2) }, x)
		},
		"cond": func(x weft.Array) weft.Array {
			return weft.Cond(x.Gt(0), func() weft.Array { return x }, func() weft.Array { return x.Mul(2) })
		},
		"remat": func(x weft.Array) weft.Array { return weft.Remat(weft.Sin)(x.Mul(2)) },
		"grad":  weft.Grad(func(x weft.Array) weft.Array { return inner(x).Mul(weft.Sin(x)) }),
	} {
		ir, err := weft.Jaxpr(f, 1.)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		text := ir.Text(jaxpr.Options{Weak: true})
		if !strings.Contains(text, "~f32[]") {
			t.Errorf("%s: no weak type is marked:\n%s", name, text)
		}
		again, err := jaxpr.Parse(text, prim.Vocabulary)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if err := jaxpr.Check(again); err != nil {
			t.Errorf("%s: Check: %v", name, err)
		}
		if got := again.Text(jaxpr.Options{Weak: true}); got != text {
			t.Errorf("%s: read again it is\n%s\nwant\n%s", name, got, text)
		}
	}
}

// A Go number beside a weak array keeps its digits in the text; beside a strong array it is
// rounded to the array's type, as in jax.numpy.
func TestDigitsOfConstants(t *testing.T) {
	f := func(x weft.Array) weft.Array { return x.Mul(0.1) }
	for _, c := range []struct {
		x    weft.Array
		want string
	}{{weft.Scalar(1.), "mul a 0.1:f32[]"}, {weft.Scalar(float32(1)), "mul a 0.10000000149011612:f32[]"}} {
		ir, err := weft.Jaxpr(f, c.x)
		if err != nil {
			t.Fatal(err)
		}
		if got := ir.String(); !strings.Contains(got, c.want) {
			t.Errorf("got %s, want %q in it", got, c.want)
		}
	}
}
