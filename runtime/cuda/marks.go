//go:build (linux || windows) && (amd64 || arm64)

package cuda

import (
	"sync"

	"github.com/weft-go/weft/runtime/cuda/internal/cu"
	"github.com/weft-go/weft/runtime/device"
)

// marks are the events of the latest marks: mark m has event m modulo their number.
type marks struct {
	mu     sync.Mutex
	events [256]cu.Handle // 0: none yet
	last   device.Mark
	over   device.Mark // the commands before it have run
}

func (m *marks) event(x device.Mark) *cu.Handle { return &m.events[x%device.Mark(len(m.events))] }

// Mark returns a mark behind what was given.
func (d *driver) Mark() (device.Mark, error) {
	d.marks.mu.Lock()
	defer d.marks.mu.Unlock()
	m := d.marks.last + 1
	e := d.marks.event(m)
	if *e == 0 {
		var err error
		if *e, err = d.l.NewEvent(); err != nil {
			return 0, d.explain(err)
		}
	}
	if err := d.l.Record(*e, d.stream); err != nil {
		return 0, d.explain(err)
	}
	d.marks.last = m
	return m, nil
}

// Wait waits for a mark. If its event was recorded again since, it waits for the oldest mark behind it that has its event.
func (d *driver) Wait(m device.Mark) error {
	d.marks.mu.Lock()
	if n := device.Mark(len(d.marks.events)); m+n <= d.marks.last {
		m = d.marks.last - n + 1
	}
	over, e := d.marks.over, *d.marks.event(m)
	d.marks.mu.Unlock()
	if m <= over {
		return nil
	}
	if err := d.within(func() error { return d.l.Wait(e) }); err != nil {
		return d.explain(err)
	}
	d.marks.mu.Lock()
	d.marks.over = max(d.marks.over, m)
	d.marks.mu.Unlock()
	return nil
}
