package weft_test

import (
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
)

func TestRemat(t *testing.T) {
	w := weft.Of(0.5, -1)
	f := func(x weft.Array) weft.Array { return weft.Sin(weft.Sin(x.Mul(w))) }
	x := weft.Of(1., 2)
	sum := func(f func(weft.Array) weft.Array) func(weft.Array) weft.Array {
		return func(x weft.Array) weft.Array { return f(x).Sum() }
	}
	want := weft.Grad(sum(f))(x)
	for _, g := range []func(weft.Array) weft.Array{
		weft.Remat(f), weft.Remat(f, weft.Saving(weft.SaveEverything)), weft.Remat(f, weft.Saving(weft.SaveDots), weft.AllowCSE()),
		weft.Jit(weft.Remat(f)), weft.Remat(weft.Jit(f)), weft.Remat(weft.Remat(f)),
	} {
		if got := g(x); !got.Equal(f(x)) {
			t.Errorf("value %v, want %v", got, f(x))
		}
		if got := weft.Grad(sum(g))(x); !got.Equal(want) {
			t.Errorf("gradient %v, want %v", got, want)
		}
		if got := weft.Jit(weft.Grad(sum(g)))(x); !got.Equal(want) {
			t.Errorf("jitted gradient %v, want %v", got, want)
		}
	}
	// What is closed over has its derivative too.
	dw := weft.Grad(func(w weft.Array) weft.Array {
		return weft.Remat(func(x weft.Array) weft.Array { return weft.Sin(x.Mul(w)) })(x).Sum()
	})(w)
	if want := weft.Cos(x.Mul(w)).Mul(x); !dw.Equal(want) {
		t.Errorf("derivative of what is closed over: %v, want %v", dw, want)
	}
}

// The policies decide how many sines the backward pass of a function computes again.
func TestRematPolicies(t *testing.T) {
	f := func(x weft.Array) weft.Array { return weft.Sin(weft.CheckpointName(weft.Sin(weft.Sin(x)), "mid")) }
	count := func(opts ...weft.RematOption) int {
		g := weft.Remat(f, opts...)
		ir, err := weft.Jaxpr(weft.Grad(g), weft.Scalar(1.))
		if err != nil {
			t.Fatal(err)
		}
		return strings.Count(ir.String(), "= sin ")
	}
	// The value takes three; its derivative two more, or those that are not kept.
	for _, c := range []struct {
		opts []weft.RematOption
		want int
	}{
		{nil, 5},
		{[]weft.RematOption{weft.Saving(weft.SaveNothing)}, 5},
		{[]weft.RematOption{weft.Saving(weft.SaveNames("mid"))}, 4},
		{[]weft.RematOption{weft.Saving(weft.SaveAllButNames("mid"))}, 3},
		{[]weft.RematOption{weft.Saving(weft.SaveEverything)}, 3},
	} {
		if got := count(c.opts...); got != c.want {
			t.Errorf("%d sines, want %d", got, c.want)
		}
	}
	ir, err := weft.Jaxpr(weft.Remat(weft.Sin, weft.Saving(weft.SaveNames("b", "a", "b"))), weft.Scalar(1.))
	if err != nil || !strings.Contains(ir.String(), "save_only_these_names(a, b)") {
		t.Errorf("got %v, %v", ir, err)
	}
}

func TestRematErrors(t *testing.T) {
	fails(t, core.ErrStatic, func() { weft.Remat(3) }, "function")
	fails(t, core.ErrTree, func() { weft.Remat(func(p *weft.Array) weft.Array { return *p }) }, "pointer")
	fails(t, core.ErrStatic, func() { weft.SaveNames("a", "b,c") }, `"b,c"`)
	fails(t, core.ErrStatic, func() { weft.SaveAllButNames("") }, "empty")
}
