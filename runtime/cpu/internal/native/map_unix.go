//go:build ((amd64 && (darwin || linux || freebsd || netbsd || openbsd)) || (arm64 && (darwin || linux))) && !purego

package native

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// flipMapper maps pages for each piece of code, writes them and makes them executable.
type flipMapper struct{}

func (flipMapper) String() string { return "pages that are written first and then made executable" }

func (flipMapper) place(code []byte) (uintptr, func(), error) {
	size := unix.Getpagesize()
	n := (len(code) + size - 1) / size * size
	m, err := unix.Mmap(-1, 0, n, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		return 0, nil, err
	}
	copy(m, code)
	if err := unix.Mprotect(m, unix.PROT_READ|unix.PROT_EXEC); err != nil {
		_ = unix.Munmap(m)
		return 0, nil, err
	}
	entry := uintptr(unsafe.Pointer(&m[0]))
	synchronize(entry, uintptr(len(code)))
	return entry, func() { _ = unix.Munmap(m) }, nil
}
