package weft_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
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
	e := pretended()[1]
	before := wruntime.Default()
	defer func() { must(wruntime.SetDefault(before)) }()
	must(wruntime.SetDefault(e))
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
