package opencl_test

import (
	"os"
	"testing"

	"github.com/weft-go/weft/internal/test/devicecheck"
	"github.com/weft-go/weft/internal/test/drivertest"
	"github.com/weft-go/weft/internal/test/samples"
	"github.com/weft-go/weft/runtime"
	"github.com/weft-go/weft/runtime/opencl"
)

// onDevices runs a test on the machine's OpenCL devices, or on the one that WEFT_DEVICE names.
func onDevices(t *testing.T, f func(t *testing.T, e runtime.Executor)) {
	if testing.Short() {
		t.Skip("compiling for a device takes long")
	}
	devicecheck.Each(t, "opencl:", opencl.Devices, f)
}

// One of 40 samples of every primitive, in every type, or of 160 where tests are not thorough, has the reference's bits
// on each device; all of them if WEFT_SAMPLES is all.
func TestSamplesOnDevices(t *testing.T) {
	few := 160
	if samples.Thorough() {
		few = 40
	}
	onDevices(t, func(t *testing.T, e runtime.Executor) { drivertest.Samples(t, e, few, 100) })
}

// Random operations of varied geometry have the reference's bits on each device.
func TestOperationsOnDevices(t *testing.T) {
	rounds := 3
	if os.Getenv("WEFT_SAMPLES") != "" { // all of them, or a share
		rounds = 60
	}
	onDevices(t, func(t *testing.T, e runtime.Executor) { drivertest.Operations(t, e, rounds) })
}

// One of 60 programs that JAX printed, and of the StableHLO project's, has the reference's bits on
// each device; all of them if WEFT_SAMPLES is all.
func TestGoldensOnDevices(t *testing.T) {
	onDevices(t, func(t *testing.T, e runtime.Executor) { devicecheck.Goldens(t, e, 60) })
}

func TestConformanceOnDevices(t *testing.T) {
	onDevices(t, func(t *testing.T, e runtime.Executor) {
		devicecheck.Conformance(t, e, 60, "../../lower/stablehlo")
	})
}

// Kernels with a loop for each of several small arrays have the reference's bits on each device.
func TestPiecesOnDevices(t *testing.T) {
	onDevices(t, func(t *testing.T, e runtime.Executor) { drivertest.Pieces(t, e, 12) })
}
