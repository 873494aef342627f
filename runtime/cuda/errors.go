//go:build (linux || windows) && (amd64 || arm64)

package cuda

import (
	"errors"
	"fmt"

	"github.com/weft-go/weft/runtime/cuda/internal/cu"
	"github.com/weft-go/weft/runtime/device"
)

// explain adds to an error of the driver what its code leaves out. An error that running kernels cause, which any
// call may return, gets the names of the kernels launched last. An error about memory gets sizes.
func (d *driver) explain(err error) error { return d.explainFor(0, err) }

// explainFor explains an error of an allocation of so many bytes of device memory; 0: the driver does not state how many.
func (d *driver) explainFor(bytes int, err error) error {
	if err == nil {
		return nil
	}
	err = d.sized(err, bytes)
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.recent.Blame(err)
}

// kernelError explains an error of what was called for a kernel. The caller has locked the driver.
func (d *driver) kernelError(l device.Label, err error) error {
	return d.recent.Fail(l, d.sized(err, 0))
}

// sized adds sizes to an error about memory.
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
