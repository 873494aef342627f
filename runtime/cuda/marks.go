//go:build (linux || windows) && (amd64 || arm64)

package cuda

import (
	"sync"
	"time"

	"github.com/weft-go/weft/runtime/cuda/internal/cu"
	"github.com/weft-go/weft/runtime/device"
)

// marks are the events of the latest marks of a stream: mark m has event m modulo their number.
type marks struct {
	l      *cu.Library
	stream cu.Handle

	mu     sync.Mutex     // guards the fields below
	events [256]cu.Handle // 0: none yet
	last   device.Mark
	over   device.Mark // the commands before it have run
}

// add returns a mark after the commands that the stream was given. The caller has called Enter.
func (m *marks) add() (device.Mark, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.locked()
}

// locked is add for a caller that has locked m.
func (m *marks) locked() (device.Mark, error) {
	x := m.last + 1
	e := &m.events[x%device.Mark(len(m.events))]
	if *e == 0 {
		var err error
		if *e, err = m.l.NewEvent(); err != nil {
			return 0, err
		}
	}
	if err := m.l.Record(*e, m.stream); err != nil {
		return 0, err
	}
	m.last = x
	return x, nil
}

// event returns the event to wait for until mark x is over, 0 if x is known to be over. If the event of x was recorded
// again since, it is the event of the oldest mark after x that still has its own. The caller has locked m.
func (m *marks) event(x device.Mark) cu.Handle {
	if n := device.Mark(len(m.events)); x+n <= m.last {
		x = m.last - n + 1
	}
	if x <= m.over {
		return 0
	}
	return m.events[x%device.Mark(len(m.events))]
}

// known reports whether a mark was found to be over.
func (m *marks) known(x device.Mark) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return x <= m.over
}

// done reports whether the commands before a mark are known to have run. It records a mark that has not been recorded, so
// that such a mark passes even if no commands follow. The caller has called Enter.
func (m *marks) done(x device.Mark) (bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.passed(x)
}

// passed is done for a caller that has locked m.
func (m *marks) passed(x device.Mark) (bool, error) {
	for x > m.last {
		if _, err := m.locked(); err != nil {
			return false, err
		}
	}
	e := m.event(x)
	if e == 0 {
		return true, nil
	}
	is, err := m.l.Done(e)
	if is {
		m.over = max(m.over, x)
	}
	return is, err
}

// hold makes the commands that a stream is given from now on wait for a mark. The caller has called Enter.
func (m *marks) hold(stream cu.Handle, x device.Mark) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if is, err := m.passed(x); is || err != nil {
		return err
	}
	return m.l.WaitEvent(stream, m.event(x))
}

// wait waits until a mark is over. It polls for a while, because most waits are short, and then sleeps: a thread that polls
// takes a processor from others. The caller has called Enter.
func (m *marks) wait(x device.Mark) error {
	m.mu.Lock()
	e := m.event(x)
	m.mu.Unlock()
	if e == 0 {
		return nil
	}
	for start := time.Now(); ; {
		is, err := m.l.Done(e)
		if err != nil {
			return err
		}
		if is {
			break
		}
		if time.Since(start) > askingTime {
			if err := m.l.Wait(e); err != nil {
				return err
			}
			break
		}
	}
	m.mu.Lock()
	m.over = max(m.over, x)
	m.mu.Unlock()
	return nil
}

// askingTime is how long a thread polls an event before it sleeps: about the time that waking it takes.
const askingTime = 20 * time.Microsecond

// Mark returns a mark after the commands given so far. It also destroys garbage that commands no longer use.
func (d *driver) Mark() (device.Mark, error) {
	m, err := d.marks.add()
	if err != nil {
		return 0, d.explain(err)
	}
	d.sweep()
	return m, nil
}

// Wait waits for a mark.
func (d *driver) Wait(m device.Mark) error {
	if d.marks.known(m) {
		return nil
	}
	return d.explain(d.within(func() error { return d.marks.wait(m) }))
}

// Last returns the latest mark that is recorded.
func (d *driver) Last() device.Mark {
	d.marks.mu.Lock()
	defer d.marks.mu.Unlock()
	return d.marks.last
}

// Over reports whether the commands before a mark are known to have run.
func (d *driver) Over(m device.Mark) bool {
	if d.marks.known(m) {
		return true
	}
	is := false
	err := d.within(func() (err error) { is, err = d.marks.done(m); return err })
	return is && err == nil
}
