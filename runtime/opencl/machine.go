//go:build (linux || darwin || windows) && (amd64 || arm64)

package opencl

import (
	"github.com/weft-go/weft/lower/simt"
	"github.com/weft-go/weft/runtime/opencl/internal/cl"
)

// Machine returns the device's compute units and local memory, 0 for what its driver does not
// state.
func (d *driver) Machine() simt.Machine {
	info := func(what int) int {
		n, err := cl.Info(d.id, what)
		if err != nil {
			return 0
		}
		return int(n)
	}
	local := info(cl.DeviceLocalBytes)
	return simt.Machine{Units: info(cl.DeviceUnits), Shared: local, Room: local}
}
