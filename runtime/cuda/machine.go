//go:build (linux || windows) && (amd64 || arm64)

package cuda

import (
	"github.com/weft-go/weft/lower/ptx"
	"github.com/weft-go/weft/lower/schedule"
	"github.com/weft-go/weft/runtime/cuda/internal/cu"
)

// Machine describes the device to the planners. Numbers of multiprocessors and bytes of shared memory
// that the driver does not report are 0.
func (d *driver) Machine() schedule.Device {
	attribute := func(what int) int {
		n, err := d.l.Attribute(d.device, what)
		if err != nil {
			return 0
		}
		return n
	}
	m := schedule.Device{Units: attribute(cu.Multiprocessors), Shared: attribute(cu.SharedPerGroup), Room: attribute(cu.SharedPerMulti), Digits: schedule.WarpDigits}
	if ptx.Clusters(d.target) {
		m.Cluster = schedule.PortableCluster
	}
	if !ptx.CopiesAhead(d.target) {
		m.Stages = 2
	}
	return m
}
