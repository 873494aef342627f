//go:build (linux || windows) && (amd64 || arm64)

package cuda

import (
	"time"

	"github.com/weft-go/weft/runtime/cuda/internal/cu"
	"github.com/weft-go/weft/runtime/device"
)

// Stamp records the device's time after the commands given so far.
func (d *driver) Stamp() (device.Stamp, error) {
	e, err := d.l.NewClock()
	if err != nil {
		return 0, d.explain(err)
	}
	if err := d.l.Record(e, d.stream); err != nil {
		_ = d.l.DestroyEvent(e)
		return 0, d.explain(err)
	}
	return device.Stamp(e), nil
}

// Elapsed returns the time between two stamps.
func (d *driver) Elapsed(from, to device.Stamp) (t time.Duration, _ error) {
	return t, d.explain(d.within(func() (err error) {
		if err := d.l.Wait(cu.Handle(to)); err != nil {
			return err
		}
		t, err = d.l.Elapsed(cu.Handle(from), cu.Handle(to))
		return err
	}))
}

// Forget destroys the events of stamps. An error means that the context is lost, and the events with it.
func (d *driver) Forget(stamps []device.Stamp) {
	_ = d.within(func() error {
		for _, s := range stamps {
			_ = d.l.DestroyEvent(cu.Handle(s))
		}
		return nil
	})
}
