package device_test

import (
	"testing"

	"github.com/weft-go/weft/internal/test/devicecheck"
	"github.com/weft-go/weft/internal/test/drivertest"
	"github.com/weft-go/weft/internal/test/race"
	"github.com/weft-go/weft/runtime/device"
)

// One of four programs that JAX printed, and of the StableHLO project's, has the reference's bits
// on a device that evaluates PTX; all of them if WEFT_SAMPLES is all.
func TestGoldens(t *testing.T) {
	race.Values(t)
	t.Parallel()
	devicecheck.Goldens(t, device.New(&drivertest.Simulated{PTX: true}), 4)
}

func TestConformance(t *testing.T) {
	race.Values(t)
	t.Parallel()
	devicecheck.Conformance(t, device.New(&drivertest.Simulated{PTX: true}), 4, "../../lower/stablehlo")
}
