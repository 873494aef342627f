//go:build ((amd64 && (darwin || linux || freebsd || netbsd || openbsd)) || (linux && arm64)) && !purego

package native

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// flipMapper maps pages for each piece of code, writes them and makes them executable.
type flipMapper struct{}

func (flipMapper) String() string { return "pages that are written first and then made executable" }

func (flipMapper) place(code []byte) (uintptr, func(), error) {
	n := (len(code) + 4095) &^ 4095
	m, err := unix.Mmap(-1, 0, n, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		return 0, nil, err
	}
	copy(m, code)
	if err := unix.Mprotect(m, unix.PROT_READ|unix.PROT_EXEC); err != nil {
		_ = unix.Munmap(m)
		return 0, nil, err
	}
	synchronize(m)
	return uintptr(unsafe.Pointer(&m[0])), func() { _ = unix.Munmap(m) }, nil
}
