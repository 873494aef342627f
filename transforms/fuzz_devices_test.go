package transforms_test

import (
	"flag"
	"testing"

	"github.com/weft-go/weft/runtime"
	"github.com/weft-go/weft/runtime/device"
	"github.com/weft-go/weft/runtime/device/drivertest"
)

var (
	devicePrograms = flag.Int("devices.programs", 1000, "how many random programs TestProgramsOnDevices tries")
	deviceFrom     = flag.Uint64("devices.from", 20_000_000, "the seed of the first")
)

// Random programs have the reference's bits on simulated devices: one evaluates the
// programs of threads, one the PTX that they print. Both report races, accesses out of
// bounds and barriers that not all threads reach.
func TestProgramsOnDevices(t *testing.T) {
	t.Parallel()
	n := *devicePrograms
	if testing.Short() {
		n = min(n, 60)
	}
	programsOn(t, []runtime.Executor{device.New(&drivertest.Simulated{}), device.New(&drivertest.Simulated{PTX: true})}, n, *deviceFrom)
}
