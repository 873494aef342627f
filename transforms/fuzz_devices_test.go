package transforms_test

import (
	"flag"
	"strings"
	"testing"

	"github.com/weft-go/weft/internal/test/devicecheck"
	"github.com/weft-go/weft/internal/test/drivertest"
	"github.com/weft-go/weft/internal/test/race"
	"github.com/weft-go/weft/runtime"
	"github.com/weft-go/weft/runtime/device"
	"github.com/weft-go/weft/runtime/opencl"
)

var (
	devicePrograms = flag.Int("devices.programs", 400, "how many random programs TestProgramsOnDevices runs")
	openclPrograms = flag.Int("opencl.programs", 40, "how many random programs TestProgramsOnOpenCL runs")
	deviceFrom     = flag.Uint64("devices.from", 20_000_000, "the seed of the first")
	deviceOn       = flag.String("devices.on", "", "the device that runs them, as cuda:0 of a test built with the tag drivers; simulated ones unless set")
)

// Random programs have the reference's bits on simulated devices: one evaluates the
// programs of threads, one the PTX that they print. Both report races, accesses out of
// bounds and barriers that not all threads reach. The flags name a device of the machine and
// the seeds, so that several processes run a share each.
func TestProgramsOnDevices(t *testing.T) {
	t.Parallel()
	n := *devicePrograms
	if testing.Short() {
		n = min(n, race.Few(60))
	}
	if *deviceOn != "" {
		e, err := runtime.Select(*deviceOn)
		if err != nil {
			t.Fatal(err)
		}
		programsOn(t, []runtime.Executor{e}, n, *deviceFrom)
		return
	}
	programsOn(t, []runtime.Executor{device.New(&drivertest.Simulated{}), device.New(&drivertest.Simulated{PTX: true})}, n, *deviceFrom)
}

// Random programs have the reference's bits on the machine's OpenCL devices.
func TestProgramsOnOpenCL(t *testing.T) {
	if testing.Short() {
		t.Skip("compiling for a device takes long")
	}
	lines, err := opencl.Devices()
	if err != nil {
		devicecheck.Absent(t, "opencl", err)
	}
	t.Log(lines)
	var on []runtime.Executor
	for _, e := range runtime.Executors() {
		if strings.HasPrefix(e.Name(), "opencl:") && e.Available() == nil {
			on = append(on, e)
		}
	}
	if len(on) == 0 {
		devicecheck.Absent(t, "opencl", "no device computes the reference's bits")
	}
	programsOn(t, on, *openclPrograms, *deviceFrom)
}
