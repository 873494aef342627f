package device_test

import (
	"testing"

	"github.com/weft-go/weft/runtime/device"
	"github.com/weft-go/weft/runtime/device/drivertest"
)

func TestSamples(t *testing.T) {
	drivertest.Samples(t, device.New(&drivertest.Simulated{}), 3, 1)
}
