//go:build amd64 && !purego

package native

import (
	"sync"
	"unsafe"

	"golang.org/x/sys/unix"
)

func mappers() []mapper { return []mapper{new(dualMapper), flipMapper{}} }

// dualMapper keeps segments of a memory file that are mapped twice.
type dualMapper struct {
	mu       sync.Mutex
	segments []segment
	free     map[int][]place // released places by size
}

// A segment is memory that code is written to through one mapping and run from the other.
type segment struct {
	write, run []byte
	used       int
}

type place struct{ segment, offset int }

// segmentSize is the size of a segment, unless one piece of code is larger.
const segmentSize = 1 << 20

func (*dualMapper) String() string { return "a memory file, mapped once to write and once to run" }

func (d *dualMapper) place(code []byte) (uintptr, func(), error) {
	n := (len(code) + 63) &^ 63
	d.mu.Lock()
	defer d.mu.Unlock()
	p, err := d.find(n)
	if err != nil {
		return 0, nil, err
	}
	s := &d.segments[p.segment]
	room := s.write[p.offset : p.offset+n]
	for i := copy(room, code); i < n; i++ {
		room[i] = 0xcc
	}
	release := func() {
		d.mu.Lock()
		d.free[n] = append(d.free[n], p)
		d.mu.Unlock()
	}
	return uintptr(unsafe.Pointer(&s.run[p.offset])), release, nil
}

func (d *dualMapper) find(n int) (place, error) {
	if f := d.free[n]; len(f) > 0 {
		d.free[n] = f[:len(f)-1]
		return f[len(f)-1], nil
	}
	last := len(d.segments) - 1
	if last < 0 || d.segments[last].used+n > len(d.segments[last].run) {
		s, err := newSegment(max(n, segmentSize))
		if err != nil {
			return place{}, err
		}
		if d.free == nil {
			d.free = make(map[int][]place)
		}
		d.segments = append(d.segments, s)
		last++
	}
	s := &d.segments[last]
	p := place{last, s.used}
	s.used += n
	return p, nil
}

func newSegment(size int) (segment, error) {
	size = (size + 4095) &^ 4095
	fd, err := unix.MemfdCreate("weft-code", unix.MFD_CLOEXEC|unix.MFD_EXEC)
	if err == unix.EINVAL { // before Linux 6.3
		fd, err = unix.MemfdCreate("weft-code", unix.MFD_CLOEXEC)
	}
	if err != nil {
		return segment{}, err
	}
	defer unix.Close(fd)
	if err := unix.Ftruncate(fd, int64(size)); err != nil {
		return segment{}, err
	}
	write, err := unix.Mmap(fd, 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if err != nil {
		return segment{}, err
	}
	run, err := unix.Mmap(fd, 0, size, unix.PROT_READ|unix.PROT_EXEC, unix.MAP_SHARED)
	if err != nil {
		_ = unix.Munmap(write)
		return segment{}, err
	}
	return segment{write: write, run: run}, nil
}
