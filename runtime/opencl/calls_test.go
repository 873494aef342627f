//go:build linux && (amd64 || arm64) && !drivers

package opencl

import (
	"fmt"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/internal/test/race"
	"github.com/weft-go/weft/internal/test/testcheck"
	"github.com/weft-go/weft/runtime"
	"github.com/weft-go/weft/runtime/device"
)

var devices int

// registered registers a driver's device, so that package weft can use it.
func registered(d *driver) weft.Device {
	devices++
	d.name = fmt.Sprintf("here%d", devices)
	if err := runtime.Register(device.New(d)); err != nil {
		panic(err)
	}
	return weft.DeviceNamed(d.name)
}

// A call of a program that has run before allocates five objects for each result, and the list of
// results, whatever the number of kernels.
func TestSteadyCallsAllocateResults(t *testing.T) {
	if race.Enabled {
		t.Skip("the race detector allocates on its own")
	}
	dev := registered(opened(t))
	x := weft.Ones(10).To(dev)
	many := weft.Jit(func(x weft.Array) weft.Array { return x.Sort().CumSum(0).Sort().CumSum(0) })
	one := weft.Jit(func(x weft.Array) weft.Array { return x.Add(1) })
	two := weft.Jit(func(x weft.Array) (weft.Array, weft.Array) { return x.CumSum(0).Sort(), x.Sort().CumSum(0) })
	for name, c := range map[string]struct {
		call    func()
		results int
	}{
		"one launch":   {func() { one(x) }, 1},
		"many kernels": {func() { many(x) }, 1},
		"two results":  {func() { two(x) }, 2},
	} {
		if got, most := testcheck.SteadyAllocs(c.call), float64(2+5*c.results); got > most {
			t.Errorf("%s: got %v allocations, want %v at most", name, got, most)
		}
	}
}
