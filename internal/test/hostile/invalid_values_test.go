package hostile_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/custom"
	"github.com/weft-go/weft/internal/test/testcheck"
	"github.com/weft-go/weft/optim"
	"github.com/weft-go/weft/random"
	"github.com/weft-go/weft/runtime"
	"github.com/weft-go/weft/stablehlo"
)

// noRuntimePanic runs f, which may succeed or refuse with a *core.Error, and reports any other panic.
func noRuntimePanic(t *testing.T, what string, f func()) {
	t.Helper()
	if bad := testcheck.Foreign(f); bad != nil {
		t.Errorf("%s: got the panic %v, want an error of the library", what, bad)
	}
}

// Every method of a nil pointer, and of a pointer to a zero value, works or is an error.
func TestNilAndZeroReceivers(t *testing.T) {
	type fn = func(weft.Array) weft.Array
	type none = custom.None
	testcheck.NilReceivers(t, &weft.Compiled[fn]{}, &custom.JVPRule[none, weft.Array, weft.Array]{}, &custom.VJPRule[none, weft.Array, weft.Array, weft.Array]{},
		&optim.Adam[weft.Array]{}, &optim.SGD[weft.Array]{}, &optim.Momentum[weft.Array]{}, &optim.RMSProp[weft.Array]{}, &stablehlo.Model{})
	var x *weft.Array
	if x.UnmarshalJSON([]byte("1")) == nil || x.UnmarshalBinary([]byte{1}) == nil {
		t.Error("a nil *Array was read into")
	}
	var ir *weft.IR
	if got := ir.String(); got != "<nil>" {
		t.Errorf("a nil program prints %q", got)
	}
}

// A zero Range is refused, and steps of any size count right.
func TestRangesOfAnyStep(t *testing.T) {
	x := weft.Of(1., 2, 3)
	for name, f := range map[string]func() weft.Array{
		"Index": func() weft.Array { return x.Index(weft.Range{}) },
		"Set":   func() weft.Array { return x.At(weft.Range{}).Set(1.) },
		"Get":   func() weft.Array { return x.At(weft.Of(0), weft.Range{}).Get() },
	} {
		noRuntimePanic(t, name, func() {
			if y, err := weft.Try(f); err == nil {
				t.Errorf("%s of the zero Range: got %v, want an error", name, y)
			}
		})
	}
	for step, want := range map[int]weft.Array{math.MaxInt: weft.Of(1.), 2: weft.Of(1., 3), 1: x} {
		if got := x.Index(weft.R(0, weft.End).By(step)); !got.Equal(want) {
			t.Errorf("step %d: got %v, want %v", step, got, want)
		}
	}
	for step, want := range map[int]weft.Array{math.MinInt: weft.Of(3.), -2: weft.Of(3., 1), -1: weft.Of(3., 2, 1)} {
		if got := x.Index(weft.All.By(step)); !got.Equal(want) {
			t.Errorf("step %d: got %v, want %v", step, got, want)
		}
	}
}

// The gradient of a tree that contains a key prints: a key has no tangent.
func TestGradientOfAKeyPrints(t *testing.T) {
	type tree struct {
		W weft.Array
		K random.Key
	}
	g := weft.Grad(func(p tree) weft.Array { return p.W.Mul(2).Sum() })(tree{weft.Of(1., 2), random.New(3)})
	for _, format := range []string{"%v", "%+v", "%s"} {
		if got := fmt.Sprintf(format, g); !strings.Contains(got, "float0[]") || strings.Contains(got, "PANIC") {
			t.Errorf("%s: got %s", format, got)
		}
	}
}

// Arrays of rbg keys are moved as others are; what makes or computes numbers refuses them.
func TestArraysOfRBGKeys(t *testing.T) {
	k := weft.FromValue(runtime.New(core.Aval(core.KeyRBG, 3)))
	for name, f := range map[string]func() weft.Array{
		"BroadcastTo": func() weft.Array { return k.BroadcastTo(2, 3) }, "Transpose": func() weft.Array { return k.Reshape(3, 1).T() },
		"Flip": func() weft.Array { return weft.Flip(k, 0) }, "Roll": func() weft.Array { return weft.Roll(k, 1, 0) },
		"Tile": func() weft.Array { return weft.Tile(k, 2) }, "Concat": func() weft.Array { return weft.Concat(0, k, k) },
		"Pad": func() weft.Array { return weft.Pad(k, [][2]int{{1, 1}}, weft.PadConfig{}) }, "ZerosLike": func() weft.Array { return weft.ZerosLike(k) },
		"Index": func() weft.Array { return k.Index(weft.Of(2, 0)) }, "Range": func() weft.Array { return k.Index("::2") },
		"Set": func() weft.Array { return k.At(0).Set(k.Index(1)) }, "Set many": func() weft.Array { return k.At(weft.Of(0, 2)).Set(k.Index("1:")) },
		"Fill": func() weft.Array { return k.At(weft.Of(7)).Fill(0).Get() }, "Take": func() weft.Array { return weft.Take(k, weft.Of(9)) },
		"Where": func() weft.Array { return weft.Where(weft.Of(true, false, true), k, k) },
		"Switch": func() weft.Array {
			return weft.Cond(weft.Scalar(true), func() weft.Array { return k }, func() weft.Array { return k })
		},
		"Scan": func() weft.Array {
			c, ys := weft.Scan(func(c, x weft.Array) (weft.Array, weft.Array) { return x, c }, k.Index(0), k)
			return weft.Concat(0, ys, c.Reshape(1))
		},
		"dynamic": func() weft.Array {
			return weft.Jit(func(i weft.Array) weft.Array { return k.Index(i) })(weft.Scalar(1))
		},
		"Vmap": func() weft.Array { return weft.Vmap(func(k weft.Array) weft.Array { return weft.Stack(0, k, k) })(k) },
		"Add":  func() weft.Array { return k.Add(k) }, "Eq": func() weft.Array { return k.Eq(k) }, "Sort": func() weft.Array { return k.Sort() },
		"Sum": func() weft.Array { return k.Sum() }, "AsType": func() weft.Array { return k.AsType(weft.Uint32) }, "View": func() weft.Array { return k.View(weft.Uint32) },
		"Max": func() weft.Array { return k.Max() }, "ArgSort": func() weft.Array { return k.ArgSort() }, "OnesLike": func() weft.Array { return weft.OnesLike(k) },
	} {
		noRuntimePanic(t, name, func() {
			for _, g := range []func() weft.Array{f, func() weft.Array { return weft.Jit(func(weft.Array) weft.Array { return f() })(k) }} {
				y, err := weft.Try(g)
				if text := fmt.Sprint(y, err); strings.Contains(text, "BUG") || strings.Contains(text, "PANIC") {
					t.Errorf("%s: got %s", name, text)
				}
			}
		})
	}
}
