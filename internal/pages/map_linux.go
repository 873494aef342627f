package pages

import "golang.org/x/sys/unix"

// hugePage is the size from which Map asks for huge pages.
const hugePage = 2 << 20

// Map returns n bytes of zeros outside of the Go heap, nil if the system refuses.
func Map(n int) []byte {
	b, err := unix.Mmap(-1, 0, n, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		return nil
	}
	if !free(headroom) {
		Unmap(b)
		return nil
	}
	if n >= hugePage {
		_ = unix.Madvise(b, unix.MADV_HUGEPAGE) // slower without, not wrong
	}
	return b
}

// Unmap returns memory of Map to the system.
func Unmap(b []byte) {
	_ = unix.Munmap(b) // mapped by Map, so it cannot fail
}

// free reports whether the system would map n bytes.
func free(n int) bool {
	b, err := unix.Mmap(-1, 0, n, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		return false
	}
	Unmap(b)
	return true
}
