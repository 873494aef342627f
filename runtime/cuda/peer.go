//go:build (linux || windows) && (amd64 || arm64)

package cuda

import "github.com/weft-go/weft/runtime/device"

// Reaches reports whether another device belongs to the same driver library. The library copies between its devices,
// through the host's memory if they cannot access each other.
func (d *driver) Reaches(other device.Driver) bool {
	o, ok := other.(*driver)
	return ok && o != d && o.l == d.l
}

// CopyFrom copies from another device. The copy waits until the elements are computed or uploaded. Later commands of the
// other device wait for the copy, because they may reuse the memory.
func (d *driver) CopyFrom(dst device.Memory, free device.Mark, other device.Driver, src device.Memory, offset, n int, mark device.Mark, uploaded bool) (m device.Mark, _ error) {
	o := other.(*driver)
	d.up.mu.Lock()
	defer d.up.mu.Unlock()
	return m, d.explain(d.within(func() (err error) {
		if free > 0 {
			if err := d.marks.hold(d.up.stream, free); err != nil {
				return err
			}
		}
		computed := &o.marks
		if uploaded {
			computed = &o.up.marks
		}
		if err := computed.hold(d.up.stream, mark); err != nil {
			return err
		}
		if err := d.l.CopyPeer(uintptr(dst), d.context, uintptr(src)+uintptr(offset), o.context, n, d.up.stream); err != nil {
			return err
		}
		if m, err = d.up.marks.add(); err != nil {
			return err
		}
		for _, s := range []*staging{&o.inner, &o.up} { // the streams that reuse memory
			if err := d.up.marks.hold(s.stream, m); err != nil {
				return err
			}
		}
		return nil
	}))
}
