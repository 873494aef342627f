//go:build (linux || darwin || windows) && (amd64 || arm64)

package opencl

import (
	"errors"
	"fmt"
	goruntime "runtime"

	"github.com/weft-go/weft/runtime/device"
	"github.com/weft-go/weft/runtime/opencl/internal/cl"
)

// Launch runs a kernel. Each buffer is two arguments: memory and an offset.
func (d *driver) Launch(k device.Kernel, groups int, buffers []device.Place, symbols []int64) error {
	kn := k.(*kernel)
	d.mu.Lock()
	defer d.mu.Unlock()
	d.release()
	if err := d.launch(kn, groups, buffers, symbols); err != nil {
		return d.recent.Fail(kn.Label, d.sized(err))
	}
	d.recent.Add(kn.Label)
	return nil
}

// launch sets those of a kernel's arguments that have changed and launches it.
func (d *driver) launch(k *kernel, groups int, buffers []device.Place, symbols []int64) error {
	if n := 2*len(buffers) + len(symbols); len(k.args) != n {
		k.args, k.set = make([]uint64, n), 0
	}
	if k.epoch != d.epoch {
		k.set, k.epoch = 0, d.epoch
	}
	i := 0
	for _, b := range buffers {
		if err := d.argument(k, i, uint64(b.Memory)); err != nil {
			return err
		}
		if err := d.argument(k, i+1, uint64(b.Offset)); err != nil {
			return err
		}
		i += 2
	}
	for _, s := range symbols {
		if err := d.argument(k, i, uint64(s)); err != nil {
			return err
		}
		i++
	}
	err := d.launcher.Launch(d.queue, k.handle, groups, k.threads)
	goruntime.KeepAlive(k)
	return err
}

// argument sets argument i of a kernel, unless it has this value already.
func (d *driver) argument(k *kernel, i int, word uint64) error {
	if i < k.set && k.args[i] == word {
		return nil
	}
	if err := d.launcher.Set(k.handle, i, word); err != nil {
		k.set = min(k.set, i)
		return err
	}
	k.args[i] = word
	k.set = max(k.set, i+1)
	return nil
}

// sized adds sizes to an error about memory. A launch may return one, too: drivers may allocate memory when a kernel first needs it.
func (d *driver) sized(err error) error {
	var e *cl.Error
	if !errors.As(err, &e) || !e.OutOfMemory() {
		return err
	}
	return fmt.Errorf("%w (arrays have %s, the device has %s)", err, device.Bytes(int(d.allocated.Load())), device.Bytes(d.Capacity()))
}

// explain adds details to an error of the driver. An error that a running kernel may have caused gets the names of the
// kernels launched last; any call may return such an error. An error about memory gets sizes.
func (d *driver) explain(err error) error {
	if err == nil {
		return nil
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.recent.Blame(d.sized(err))
}

// kernelError explains an error of a call that was made for a kernel.
func (d *driver) kernelError(l device.Label, err error) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.recent.Fail(l, d.sized(err))
}

// marks are the events of the latest marks: mark m has event m modulo their number. They are guarded by
// driver.mu.
type marks struct {
	events [64]cl.Handle // 0: none yet
	last   device.Mark
	over   device.Mark // the commands before it have run
}

func (m *marks) event(x device.Mark) *cl.Handle { return &m.events[x%device.Mark(len(m.events))] }

// Mark returns a mark after the commands given so far.
func (d *driver) Mark() (device.Mark, error) {
	m, err := d.mark()
	return m, d.explain(err)
}

func (d *driver) mark() (device.Mark, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.release()
	h, err := d.launcher.Mark(d.queue)
	if err != nil {
		return 0, err
	}
	d.marks.last++
	e := d.marks.event(d.marks.last)
	if *e != 0 {
		d.launcher.ReleaseEvent(*e)
	}
	*e = h
	return d.marks.last, nil
}

// Wait waits for a mark, or a later one that has taken its place.
func (d *driver) Wait(m device.Mark) error {
	e, err := d.keep(m)
	if err != nil || e == 0 {
		return d.explain(err)
	}
	err = cl.Wait(e)
	d.mu.Lock()
	d.launcher.ReleaseEvent(e)
	if err == nil {
		d.marks.over = max(d.marks.over, m)
	}
	d.mu.Unlock()
	return d.explain(err)
}

// keep returns the event to wait for until mark m is over, which the caller releases; 0 if m is known to be over. If a
// later mark has replaced the event of m, it is the event of the oldest mark that still has its own.
func (d *driver) keep(m device.Mark) (cl.Handle, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if n := device.Mark(len(d.marks.events)); m+n <= d.marks.last {
		m = d.marks.last - n + 1
	}
	if m <= d.marks.over {
		return 0, nil
	}
	e := *d.marks.event(m)
	return e, cl.RetainEvent(e)
}
