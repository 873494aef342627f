package opencl_test

import (
	"os"
	"testing"

	"github.com/weft-go/weft/internal/devicecheck"
	"github.com/weft-go/weft/runtime"
	"github.com/weft-go/weft/runtime/device/drivertest"
	"github.com/weft-go/weft/runtime/opencl"
)

// devices returns the executors of the machine's devices that can be used.
func devices(t *testing.T) []runtime.Executor {
	lines, err := opencl.Devices()
	if err != nil {
		t.Skip(err)
	}
	t.Log(lines)
	var all []runtime.Executor
	for _, e := range runtime.Executors() {
		if m := e.Memory(); m != runtime.Host && e.Available() == nil {
			all = append(all, e)
		}
	}
	if len(all) == 0 {
		t.Skip("no device computes the reference's bits")
	}
	return all
}

// One of 40 samples of every primitive, in every type, has the reference's bits on each
// device; all of them if WEFT_SAMPLES is all.
func TestSamples(t *testing.T) {
	if testing.Short() {
		t.Skip("compiling for a device takes long")
	}
	for _, e := range devices(t) {
		t.Run(e.Name(), func(t *testing.T) { drivertest.Samples(t, e, 40, 100) })
	}
}

// Random operations of rich geometry have the reference's bits on each device.
func TestOperations(t *testing.T) {
	if testing.Short() {
		t.Skip("compiling for a device takes long")
	}
	rounds := 3
	if os.Getenv("WEFT_SAMPLES") == "all" {
		rounds = 60
	}
	for _, e := range devices(t) {
		t.Run(e.Name(), func(t *testing.T) { drivertest.Operations(t, e, rounds) })
	}
}

// One of 60 programs that JAX printed, and of the StableHLO project's, has the reference's bits on
// each device; all of them if WEFT_SAMPLES is all.
func TestGoldens(t *testing.T) {
	if testing.Short() {
		t.Skip("compiling for a device takes long")
	}
	for _, e := range devices(t) {
		t.Run(e.Name(), func(t *testing.T) { devicecheck.Goldens(t, e, 60) })
	}
}

func TestConformance(t *testing.T) {
	if testing.Short() {
		t.Skip("compiling for a device takes long")
	}
	for _, e := range devices(t) {
		t.Run(e.Name(), func(t *testing.T) { devicecheck.Conformance(t, e, 60, "../../lower/stablehlo") })
	}
}

// Kernels with a loop for each of several small arrays have the reference's bits on each device.
func TestPieces(t *testing.T) {
	for _, e := range devices(t) {
		t.Run(e.Name(), func(t *testing.T) { drivertest.Pieces(t, e, 12) })
	}
}
