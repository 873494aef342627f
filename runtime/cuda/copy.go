//go:build (linux || windows) && (amd64 || arm64)

package cuda

import (
	goruntime "runtime"
	"sync"

	"github.com/weft-go/weft/runtime/cuda/internal/cu"
	"github.com/weft-go/weft/runtime/device"
)

// stageBytes is the size of a piece of host memory that the device can access. Data are copied
// through such pieces, so that copies run while the caller goes on.
const stageBytes = 1 << 20

// stages bounds the pieces of a staging, which are allocated when they are needed.
const stages = 32

// staging contains the pieces for the copies of one kind (see driver.up, down and inner), and the stream of these copies.
type staging struct {
	stream cu.Handle
	marks  marks

	mu   sync.Mutex // guards the fields below
	ring []*stage   // the pieces in the order of use, without those that a copy has taken
	made int        // the number of pieces, including those taken
}

// stage is one piece. The command that uses it has run when the mark is over.
type stage struct {
	data []byte
	mark device.Mark
}

// take returns a piece that no command uses: the piece that was used first or, if its command has not run, a new piece.
// If there are as many pieces as stages, take waits for that command instead. The caller marks the piece as used.
func (d *driver) take(way *staging) (*stage, error) {
	if len(way.ring) > 0 {
		s := way.ring[0]
		free, err := way.marks.done(s.mark)
		if err != nil {
			return nil, err
		}
		if !free && way.made >= stages {
			if err := way.marks.wait(s.mark); err != nil {
				return nil, err
			}
			free = true
		}
		if free {
			way.ring = append(way.ring[:0], way.ring[1:]...)
			return s, nil
		}
	}
	data, err := d.l.HostMemory(stageBytes)
	if err != nil {
		return nil, err
	}
	way.made++
	return &stage{data: data}, nil
}

// used marks a piece as used by the command given last.
func (way *staging) used(s *stage) (err error) {
	s.mark, err = way.marks.add()
	return err
}

// back puts back pieces whose commands were given after those of all other pieces.
func (way *staging) back(s ...*stage) { way.ring = append(way.ring, s...) }

// Write copies to memory in the order of the stream: commands given before and after may use the memory.
func (d *driver) Write(dst device.Memory, offset int, data []byte) error {
	_, err := d.upload(&d.inner, uintptr(dst)+uintptr(offset), data, 0)
	return err
}

// Upload copies to dst, which no command after the mark called free uses. The copy waits for the commands before that mark only.
func (d *driver) Upload(dst device.Memory, data []byte, free device.Mark) (device.Mark, error) {
	return d.upload(&d.up, uintptr(dst), data, free)
}

// upload copies to the device once the mark called free is over, and returns the mark of the copy.
func (d *driver) upload(way *staging, dst uintptr, data []byte, free device.Mark) (m device.Mark, err error) {
	way.mu.Lock()
	defer way.mu.Unlock()
	err = d.within(func() error {
		if free > 0 {
			if err := d.marks.hold(way.stream, free); err != nil {
				return err
			}
		}
		for len(data) > 0 {
			// Several threads copy to pieces, as one is slower than the bus.
			var filled []*stage
			for at := 0; at < len(data) && len(filled) < min(copying, goruntime.GOMAXPROCS(0)); at += stageBytes {
				s, err := d.take(way)
				if err != nil {
					way.ring = append(filled, way.ring...) // no command uses them
					return err
				}
				filled = append(filled, s)
			}
			part := func(i int) []byte { return data[i*stageBytes : min(len(data), (i+1)*stageBytes)] }
			if len(filled) == 1 {
				copy(filled[0].data, part(0))
			} else {
				each(len(filled), func(i int) { copy(filled[i].data, part(i)) })
			}
			for i, s := range filled {
				p := part(i)
				err := d.l.Upload(dst, s.data[:len(p)], way.stream)
				if err == nil {
					err = way.used(s)
				}
				if err != nil { // a command may use this piece, which is not used again
					way.made--
					way.ring = append(filled[i+1:], way.ring...)
					return err
				}
				way.back(s)
				dst += uintptr(len(p))
				m = s.mark
			}
			data = data[min(len(data), len(filled)*stageBytes):]
		}
		return nil
	})
	return m, d.explain(err)
}

// copying bounds the threads that copy to pieces at once.
const copying = 4

// Join makes the commands that follow wait for an upload.
func (d *driver) Join(m device.Mark) error {
	return d.explain(d.within(func() error { return d.up.marks.hold(d.stream, m) }))
}

// Arrived waits for an upload.
func (d *driver) Arrived(m device.Mark) error {
	return d.explain(d.within(func() error { return d.up.marks.wait(m) }))
}

// Read copies elements, which must have been computed, from the device. It waits for no other command.
func (d *driver) Read(data []byte, src device.Memory, offset int) error {
	d.down.mu.Lock()
	defer d.down.mu.Unlock()
	return d.explain(d.within(func() error { return d.download(data, uintptr(src)+uintptr(offset)) }))
}

// ahead bounds the pieces that are on their way to the host at once.
const ahead = 4

// download copies in pieces. While one is copied out, the next ones are on their way.
func (d *driver) download(data []byte, src uintptr) error {
	down := &d.down
	type piece struct {
		s   *stage
		out []byte
	}
	var way []piece
	defer func() { // after an error
		for _, p := range way {
			down.back(p.s)
		}
	}()
	out := func() error {
		p := way[0]
		if err := down.marks.wait(p.s.mark); err != nil {
			return err
		}
		copy(p.out, p.s.data)
		way = way[1:]
		down.back(p.s)
		return nil
	}
	for len(data) > 0 {
		if len(way) == ahead {
			if err := out(); err != nil {
				return err
			}
		}
		s, err := d.take(down)
		if err != nil {
			return err
		}
		n := min(len(data), len(s.data))
		err = d.l.Download(s.data[:n], src, down.stream)
		if err == nil {
			err = down.used(s)
		}
		if err != nil { // a command may use this piece, which is not used again
			down.made--
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
