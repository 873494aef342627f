package device_test

import (
	"context"
	"errors"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/internal/test/drivertest"
	"github.com/weft-go/weft/internal/test/testcheck"
	"github.com/weft-go/weft/runtime"
	"github.com/weft-go/weft/runtime/device"
)

// cancelling is a device without graphs. It calls cancel at the launch whose number is at.
type cancelling struct {
	device.Driver
	launches, at int
	cancel       func()
}

// Name returns the device's name.
func (c *cancelling) Name() string { return "cancelling" }

// Launch evaluates a kernel.
func (c *cancelling) Launch(k device.Kernel, groups int, buffers []device.Place, symbols []int64) error {
	if c.launches++; c.launches == c.at {
		c.cancel()
	}
	return c.Driver.Launch(k, groups, buffers, symbols)
}

// A context that ends while kernels are launched ends the run between two kernels: in the first run, in runs
// that replay it, and in loops. Later runs are complete.
func TestContextEndsBetweenKernels(t *testing.T) {
	c := &cancelling{Driver: &drivertest.Simulated{}}
	if err := runtime.Register(device.New(c)); err != nil {
		t.Fatal(err)
	}
	d := weft.DeviceNamed("cancelling")
	x := weft.Linspace(1, 0, 20)
	for name, f := range map[string]func(x weft.Array) weft.Array{
		"many kernels": func(x weft.Array) weft.Array {
			for range 10 {
				x = x.Sort().CumSum(0)
			}
			return x
		},
		"counted loop": func(x weft.Array) weft.Array {
			return weft.ForI(20, func(i, x weft.Array) weft.Array { return x.Sort().Mul(0.5).Add(i) }, x)
		},
		"loop": func(x weft.Array) weft.Array {
			return weft.While(func(x weft.Array) weft.Array { return x.Sum().Lt(500) }, func(x weft.Array) weft.Array { return x.Sort().CumSum(0) }, x)
		},
	} {
		want := f(x)
		count := func(g func(weft.Array) weft.Array) int {
			c.launches = 0
			if got := g(x); !testcheck.SameBinary(got, want) {
				t.Errorf("%s: got %v, want %v", name, got, want)
			}
			return c.launches
		}
		all := count(weft.Jit(f, weft.On(d)))
		if all < 4 {
			t.Errorf("%s: got %d launches, want 4", name, all)
		}
		for before := range 3 { // runs before the one that ends
			g := weft.Jit(f, weft.On(d))
			for range before {
				count(g)
			}
			ctx, cancel := context.WithCancel(t.Context())
			c.launches, c.at, c.cancel = 0, 2, cancel
			var err error
			weft.With(weft.Context(ctx), func() { _, err = weft.Try(func() weft.Array { return g(x) }) })
			if c.at = 0; !errors.Is(err, context.Canceled) || c.launches != 2 {
				t.Errorf("%s, run %d: got %v after %d of %d launches, want the context's error after 2", name, before+1, err, c.launches, all)
			}
			if n := count(g); n < 4 {
				t.Errorf("%s: a later run has %d launches", name, n)
			}
			cancel()
		}
	}
}
