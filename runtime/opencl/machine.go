//go:build (linux || darwin || windows) && (amd64 || arm64)

package opencl

import (
	"github.com/weft-go/weft/lower/schedule"
	"github.com/weft-go/weft/runtime/opencl/internal/cl"
)

// A kernel's parameters are memory and an offset for each buffer, and a few numbers.
const (
	bufferBytes = 16
	symbolBytes = 32
)

// Machine describes the device to the planners: among other things its compute units, its local memory, and the number of
// buffers for which a kernel has parameters. A value that the driver does not report is 0.
func (d *driver) Machine() schedule.Device {
	info := func(what int) int {
		n, err := cl.Info(d.id, what)
		if err != nil {
			return 0
		}
		return int(n)
	}
	local := info(cl.DeviceLocalBytes)
	m := schedule.Device{Units: info(cl.DeviceUnits), Shared: local, Room: local, Stages: 2, Adds: 4, Group: info(cl.DeviceMaxGroup)}
	if bytes := info(cl.DeviceParameterBytes); bytes > 0 {
		m.Buffers = (bytes - symbolBytes) / bufferBytes
	}
	return m
}
