//go:build (linux || windows) && (amd64 || arm64)

package cuda

import (
	"sync"

	"github.com/weft-go/weft/runtime/cuda/internal/cu"
	"github.com/weft-go/weft/runtime/device"
)

// stageBytes is the size of a piece of host memory that the device reaches. Data go
// through such pieces, so that copies run while the caller goes on.
const stageBytes = 1 << 20

// staging is a ring of pieces for the copies of a direction, and the stream of these.
type staging struct {
	stream cu.Handle

	mu   sync.Mutex // of what follows
	ring [4]stage
	next int
}

// stage is one piece. A command that used it is over when its event is.
type stage struct {
	data  []byte
	event cu.Handle
	busy  bool
}

// take returns a piece that no command uses.
func (d *driver) take(way *staging) (*stage, error) {
	s := &way.ring[way.next]
	way.next = (way.next + 1) % len(way.ring)
	if s.data == nil {
		event, err := d.l.NewEvent()
		if err != nil {
			return nil, err
		}
		data, err := d.l.HostMemory(stageBytes)
		if err != nil {
			_ = d.l.DestroyEvent(event)
			return nil, err
		}
		s.data, s.event = data, event
	}
	return s, d.finish(s)
}

// finish waits for the command that uses a piece.
func (d *driver) finish(s *stage) error {
	if !s.busy {
		return nil
	}
	s.busy = false
	return d.l.Wait(s.event)
}

// used records that a command of a stream uses a piece.
func (d *driver) used(s *stage, stream cu.Handle) error {
	if err := d.l.Record(s.event, stream); err != nil {
		return err
	}
	s.busy = true
	return nil
}

// Write copies to the device.
func (d *driver) Write(dst device.Memory, offset int, data []byte) error {
	up := &d.up
	up.mu.Lock()
	defer up.mu.Unlock()
	return d.explain(d.within(func() error {
		for len(data) > 0 {
			s, err := d.take(up)
			if err != nil {
				return err
			}
			n := copy(s.data, data)
			if err := d.l.Upload(uintptr(dst)+uintptr(offset), s.data[:n], up.stream); err != nil {
				return err
			}
			if err := d.used(s, up.stream); err != nil {
				return err
			}
			data, offset = data[n:], offset+n
		}
		return nil
	}))
}

// Read copies from the device what has been computed. It waits for no other command.
func (d *driver) Read(data []byte, src device.Memory, offset int) error {
	d.down.mu.Lock()
	defer d.down.mu.Unlock()
	return d.explain(d.within(func() error { return d.download(data, uintptr(src)+uintptr(offset)) }))
}

// download copies in pieces, the next ones on their way while one is copied out.
func (d *driver) download(data []byte, src uintptr) error {
	down := &d.down
	type piece struct {
		s   *stage
		out []byte
	}
	var way []piece
	out := func() error {
		p := way[0]
		way = way[1:]
		err := d.finish(p.s)
		copy(p.out, p.s.data)
		return err
	}
	for len(data) > 0 {
		if len(way) == len(down.ring) {
			if err := out(); err != nil {
				return err
			}
		}
		s, err := d.take(down)
		if err != nil {
			return err
		}
		n := min(len(data), len(s.data))
		if err := d.l.Download(s.data[:n], src, down.stream); err != nil {
			return err
		}
		if err := d.used(s, down.stream); err != nil {
			return err
		}
		way = append(way, piece{s, data[:n]})
		data, src = data[n:], src+uintptr(n)
	}
	for len(way) > 0 {
		if err := out(); err != nil {
			return err
		}
	}
	return nil
}
