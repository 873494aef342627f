//go:build linux && (amd64 || arm64) && !drivers

package cuda

import (
	"testing"

	"github.com/weft-go/weft/internal/test/devicecheck"
	"github.com/weft-go/weft/internal/test/drivertest"
	"github.com/weft-go/weft/internal/test/fakecuda"
	"github.com/weft-go/weft/internal/test/race"
	"github.com/weft-go/weft/runtime"
	"github.com/weft-go/weft/runtime/cuda/internal/cu"
	"github.com/weft-go/weft/runtime/device"
)

// open returns the first device of a fake driver.
func open(t *testing.T, f *fakecuda.Driver, cache string) *driver {
	t.Helper()
	l, err := cu.New(f.Symbol)
	if err != nil {
		t.Fatal(err)
	}
	ds, err := find(l, cache)
	if err != nil {
		t.Fatal(err)
	}
	if err := ds[0].Available(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := f.Fault(); err != nil {
			t.Errorf("a kernel failed: %v", err)
		}
	})
	return ds[0]
}

// Every sample of every primitive, in every type, has the reference's bits through the
// driver's functions and the machine code that it was given; one of five, or all if
// WEFT_SAMPLES is all.
func TestSamples(t *testing.T) {
	race.Values(t)
	f := fakecuda.New()
	drivertest.Samples(t, device.New(open(t, f, "")), 5, 20)
}

// Random operations of varied geometry have the reference's bits.
func TestOperations(t *testing.T) {
	race.Values(t)
	drivertest.Operations(t, device.New(open(t, fakecuda.New(), "")), 15)
}

// Samples have the reference's bits on the machine's devices.
func TestSamplesOnDevices(t *testing.T) {
	devicecheck.Each(t, "cuda:", Devices, func(t *testing.T, e runtime.Executor) {
		stride := 1
		if testing.Short() {
			stride = 20
		}
		drivertest.Samples(t, e, stride, 200)
	})
}

// Kernels with a loop for each of several small arrays have the reference's bits on the machine's devices.
func TestPiecesOnDevices(t *testing.T) {
	devicecheck.Each(t, "cuda:", Devices, func(t *testing.T, e runtime.Executor) { drivertest.Pieces(t, e, 60) })
}

// Random operations have the reference's bits on the machine's devices.
func TestOperationsOnDevices(t *testing.T) {
	devicecheck.Each(t, "cuda:", Devices, func(t *testing.T, e runtime.Executor) { drivertest.Operations(t, e, 60) })
}

// Programs that JAX printed, and those of the StableHLO project, have the reference's bits on the
// machine's devices.
func TestGoldensOnDevices(t *testing.T) {
	devicecheck.Each(t, "cuda:", Devices, func(t *testing.T, e runtime.Executor) { devicecheck.Goldens(t, e, 1) })
}

func TestConformanceOnDevices(t *testing.T) {
	devicecheck.Each(t, "cuda:", Devices, func(t *testing.T, e runtime.Executor) {
		devicecheck.Conformance(t, e, 1, "../../lower/stablehlo")
	})
}
