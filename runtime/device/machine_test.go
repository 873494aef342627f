package device_test

import (
	"strings"
	"testing"

	"github.com/weft-go/weft/lower/simt"
	"github.com/weft-go/weft/runtime/device"
	"github.com/weft-go/weft/runtime/device/drivertest"
)

// little is a device of two multiprocessors with 4 KiB of shared memory.
type little struct {
	*drivertest.Simulated
	t     *testing.T
	built *int
}

func (d little) Machine() simt.Machine { return simt.Machine{Units: 2, Shared: 4 << 10, Room: 4 << 10} }

func (d little) Build(fs []*simt.Func) (device.Code, error) {
	for _, f := range fs {
		if !strings.HasPrefix(f.Name, "convolution") {
			continue
		}
		bytes := 0
		for _, a := range f.Arrays {
			bytes += a.Len * a.Type.Size()
		}
		if *d.built++; bytes > 4<<10 {
			d.t.Errorf("%s of %d threads needs %d bytes", f.Name, f.Threads, bytes)
		}
	}
	return d.Simulated.Build(fs)
}

// Products are cut into pieces for which the device has room.
func TestLittleSharedMemory(t *testing.T) {
	t.Parallel()
	d := little{&drivertest.Simulated{}, t, new(int)}
	drivertest.Operations(t, device.New(d), 12)
	if *d.built == 0 {
		t.Error("no convolution was built")
	}
}
