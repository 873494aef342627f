package cpu

import "golang.org/x/sys/unix"

// hugePage is the size from which blocks ask for huge pages.
const hugePage = 2 << 20

// mapMemory returns n bytes of memory outside of the Go heap, nil if the system refuses.
func mapMemory(n int) []byte {
	b, err := unix.Mmap(-1, 0, n, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		return nil
	}
	if n >= hugePage {
		_ = unix.Madvise(b, unix.MADV_HUGEPAGE) // slower without, not wrong
	}
	return b
}

// unmapMemory returns memory of mapMemory back.
func unmapMemory(b []byte) {
	_ = unix.Munmap(b) // mapped by mapMemory, so it cannot fail
}
