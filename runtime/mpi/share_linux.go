//go:build linux && (amd64 || arm64)

package mpi

import (
	"bytes"
	"crypto/rand"
	"encoding/binary"
	"fmt"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// segmentName names the memory of boxes. It is a file in no folder, which vanishes when the processes
// end, however they end.
const segmentName = "weft-mpi"

// A segment is the memory with the boxes of a process, one for each process of the job.
type segment struct {
	fd     int
	token  [16]byte
	memory []byte
}

// newSegment returns memory for boxes, nil if the system has none.
func newSegment(size int) *segment {
	fd, err := unix.MemfdCreate(segmentName, unix.MFD_CLOEXEC)
	if err != nil {
		return nil
	}
	s := &segment{fd: fd}
	rand.Read(s.token[:])
	if unix.Ftruncate(fd, int64(size+1)*boxBytes) == nil {
		if _, err := unix.Pwrite(fd, s.token[:], int64(size)*boxBytes); err == nil {
			if s.memory, err = unix.Mmap(fd, 0, size*boxBytes, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED); err == nil {
				return s
			}
		}
	}
	unix.Close(fd)
	return nil
}

// announcement returns the bytes by which other processes find the segment; all are 0 if s is nil.
func (s *segment) announcement() []byte {
	b := make([]byte, announced)
	if s != nil {
		binary.LittleEndian.PutUint64(b, uint64(os.Getpid()))
		binary.LittleEndian.PutUint64(b[8:], uint64(s.fd))
		copy(b[16:], s.token[:])
	}
	return b
}

// closeFile closes the segment's file, so that no other process finds it any more. The memory stays.
func (s *segment) closeFile() {
	if s != nil {
		unix.Close(s.fd)
	}
}

// boxOf maps the box for the messages of process rank in the segment that another process has
// announced. It returns nil if that process is on another machine, or its files cannot be opened. A
// process of this machine may have the same ID as one of another: only the token identifies it.
func boxOf(announcement []byte, rank, size int) []byte {
	pid, number := binary.LittleEndian.Uint64(announcement), binary.LittleEndian.Uint64(announcement[8:])
	file := fmt.Sprintf("/proc/%d/fd/%d", pid, number)
	if name, err := os.Readlink(file); pid == 0 || err != nil || !strings.HasPrefix(name, "/memfd:"+segmentName) {
		return nil
	}
	fd, err := unix.Open(file, unix.O_RDWR|unix.O_CLOEXEC|unix.O_NONBLOCK, 0)
	if err != nil {
		return nil
	}
	defer unix.Close(fd)
	var token [16]byte
	if n, err := unix.Pread(fd, token[:], int64(size)*boxBytes); err != nil || n != len(token) || !bytes.Equal(token[:], announcement[16:announced]) {
		return nil
	}
	memory, err := unix.Mmap(fd, int64(rank)*boxBytes, boxBytes, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if err != nil {
		return nil
	}
	return memory
}

func unmap(memory []byte) {
	if memory != nil {
		unix.Munmap(memory)
	}
}
