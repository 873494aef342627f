package device_test

import (
	"testing"

	"github.com/weft-go/weft/runtime/device"
	"github.com/weft-go/weft/runtime/device/drivertest"
)

// Every sample of every primitive, in every type, has the reference's bits on a device
// that reports races and accesses out of bounds.
func TestSamples(t *testing.T) {
	drivertest.Samples(t, device.New(&drivertest.Simulated{}), 1, 1)
}

// Random operations of rich geometry have the reference's bits.
func TestOperations(t *testing.T) {
	drivertest.Operations(t, device.New(&drivertest.Simulated{}), 60)
}
