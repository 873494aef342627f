package donation_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/test/fakedevice"
	"github.com/weft-go/weft/internal/test/testcheck"
	wruntime "github.com/weft-go/weft/runtime"
)

// A program that captured an array which was donated later states so; in any part of it
// the array is used.
func TestDonatedCapturedArray(t *testing.T) {
	y := weft.Scalar(2.)
	for name, use := range map[string]func(x, y weft.Array) weft.Array{
		"operand": func(x, y weft.Array) weft.Array { return y.Add(x) },
		"branch": func(x, y weft.Array) weft.Array {
			return weft.Cond(y.Gt(0), func() weft.Array { return x }, func() weft.Array { return x.Neg() })
		},
		"loop": func(x, y weft.Array) weft.Array {
			return weft.ForI(2, func(_, c weft.Array) weft.Array { return c.Add(x) }, weft.Zeros(3).Mul(y))
		},
		"result": func(x, y weft.Array) weft.Array { return x },
	} {
		x := weft.Ones(3)
		f := weft.Jit(func(y weft.Array) weft.Array { return use(x, y) })
		f(y)
		weft.Jit(func(x weft.Array) weft.Array { return x.Add(1) }, weft.Donate(0))(x)
		_, err := weft.Try(func() weft.Array { return f(y) })
		if !errors.Is(err, core.ErrDevice) || !strings.Contains(err.Error(), "captured was donated") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Of an array on a device the host reads a copy, which is made once. A program on the host that returns
// it returns an array of its own each time: donating that leaves the device's array alive.
func TestDonatedCopyOfDeviceArray(t *testing.T) {
	e := fakedevice.Pair()[1]
	before := wruntime.Default()
	defer func() { testcheck.Must(wruntime.SetDefault(before)) }()
	testcheck.Must(wruntime.SetDefault(e))
	host := weft.On(weft.DeviceNamed("reference"))
	take := weft.Jit(func(x weft.Array) weft.Array { return x.Add(1) }, weft.Donate(0), host)
	c := weft.Ones(100).Add(3)
	want := weft.Full(weft.Shape{100}, float32(4))
	constant := weft.Jit(func(x weft.Array) (weft.Array, weft.Array) { return x, c }, weft.Donate(0), host)
	for name, f := range map[string]func() weft.Array{
		"constant": func() weft.Array { _, y := constant(weft.Ones(100).Add(1)); return y },
		"To":       func() weft.Array { return c.To(weft.DeviceNamed("reference")) },
		"argument": func() weft.Array { return weft.Jit(func(x weft.Array) weft.Array { return x }, host)(c) },
	} {
		for range 2 {
			y := f()
			if !y.Equal(want) {
				t.Errorf("%s: got %v, want %v", name, y, want)
			}
			take(y)
			if !c.Equal(want) {
				t.Fatalf("%s: after its result was donated, the array is %v, want %v", name, c, want)
			}
		}
	}
}

// A device's array that is donated to a function on the host leaves copies and what callbacks were given
// as they are.
func TestDonatedDeviceArrayLeavesCopies(t *testing.T) {
	e := fakedevice.Pair()[1]
	before := wruntime.Default()
	defer func() { testcheck.Must(wruntime.SetDefault(before)) }()
	testcheck.Must(wruntime.SetDefault(e))
	for _, name := range hostNames() {
		host := weft.DeviceNamed(name)
		for what, take := range map[string]func(weft.Array) weft.Array{
			"jit":    weft.Jit(func(x weft.Array) weft.Array { return x.Mul(3).Add(1) }, weft.Donate(0), weft.On(host)),
			"update": weft.Jit(func(x weft.Array) weft.Array { return x.At(0).Set(77) }, weft.Donate(0), weft.On(host)),
		} {
			for from, copied := range map[string]func(weft.Array) weft.Array{
				"To": func(x weft.Array) weft.Array { return x.To(host) },
				"result": func(x weft.Array) weft.Array {
					return weft.Jit(func(x weft.Array) weft.Array { return x }, weft.On(host))(x)
				},
				"callback": func(x weft.Array) (kept weft.Array) {
					weft.PureCallback(func(y weft.Array) weft.Array { kept = y; return y }, x, x)
					return kept
				},
			} {
				x := weft.Arange(float32(1 << 16)).Mul(1)
				h := copied(x)
				y := take(x)
				if got := weft.ToSlice[float32](h); got[0] != 0 || got[1] != 1 || got[1<<16-1] != 1<<16-1 {
					t.Errorf("%s on %s: the copy by %s begins with %v and ends with %v", what, name, from, got[:2], got[1<<16-1])
				}
				if got := weft.ToSlice[float32](y); got[0] != map[string]float32{"jit": 1, "update": 77}[what] {
					t.Errorf("%s on %s: got %v", what, name, got[0])
				}
			}
		}
	}
}

// A callback may donate its operand, which leaves the device's array alive.
func TestCallbackDonatesItsOperand(t *testing.T) {
	dev := weft.DeviceNamed(fakedevice.Pair()[1].Name())
	x := weft.Linspace(1, 2, 40).To(dev)
	want := weft.ToSlice[float32](weft.Linspace(1, 2, 40))
	take := weft.Jit(func(x weft.Array) weft.Array { return x.Add(1) }, weft.Donate(0))
	for name, f := range map[string]func(){
		"eager": func() { weft.PureCallback(func(y weft.Array) weft.Array { return take(y) }, x, x) },
		"jit": func() {
			weft.Jit(func(x weft.Array) weft.Array {
				return weft.PureCallback(func(y weft.Array) weft.Array { return take(y) }, x, x)
			})(x)
		},
		"watched": func() {
			weft.With(weft.DebugNaNs(true), func() {
				weft.Jit(func(x weft.Array) weft.Array {
					return weft.PureCallback(func(y weft.Array) weft.Array { return take(y) }, x, x)
				})(x)
			})
		},
	} {
		f()
		if got := weft.ToSlice[float32](x); !slices.Equal(got, want) {
			t.Errorf("%s: the array is %v", name, got)
		}
		if _, err := x.MarshalBinary(); err != nil || x.String() == "" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// hostNames returns the executors of the host that can run.
func hostNames() (names []string) {
	for _, e := range wruntime.Executors() {
		if e.Memory() == wruntime.Host && e.Available() == nil {
			names = append(names, e.Name())
		}
	}
	return names
}
