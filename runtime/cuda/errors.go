//go:build (linux || windows) && (amd64 || arm64)

package cuda

import (
	"errors"
	"fmt"

	"github.com/weft-go/weft/runtime/cuda/internal/cu"
	"github.com/weft-go/weft/runtime/device"
)

// explain adds details to an error of the driver. An error that a running kernel causes may be returned by any call:
// it gets the names of the kernels launched last. An error about memory gets sizes.
func (d *driver) explain(err error) error { return d.explainFor(0, err) }

// explainFor is explain for an allocation of bytes of device memory; 0 means that the number is not known.
func (d *driver) explainFor(bytes int, err error) error {
	if err == nil {
		return nil
	}
	err = d.sized(err, bytes)
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.recent.Blame(err)
}

// kernelError explains an error of a call that was made for a kernel. The caller has locked d.mu.
func (d *driver) kernelError(l device.Label, err error) error {
	return d.recent.Fail(l, d.sized(err, 0))
}

// sized adds sizes to an error about memory: want, unless it is 0, and what the device has.
func (d *driver) sized(err error, want int) error {
	var e *cu.Error
	if !errors.As(err, &e) || !e.OutOfMemory() {
		return err
	}
	wanted := ""
	if want > 0 {
		wanted = "want " + device.Bytes(want) + ", "
	}
	var free, total uint64
	info := d.within(func() (err error) { free, total, err = d.l.MemoryInfo(); return err })
	if info != nil {
		return fmt.Errorf("%w (%sthe device has %s)", err, wanted, device.Bytes(d.capacity))
	}
	return fmt.Errorf("%w (%sgot %s free of %s)", err, wanted, device.Bytes(int(free)), device.Bytes(int(total)))
}
