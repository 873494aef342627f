//go:build amd64 && !purego

package native

import (
	"sync"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Matrices reports whether the process may use the registers of AMX. The first call asks Linux for
// permission. Linux refuses if it does not save these registers for threads, or if a thread's
// signal stack has no room for them: 8 KiB, besides 4 KiB for other registers. Go's signal stacks
// have 32 KiB.
var Matrices = sync.OnceValue(func() bool {
	const getPermission, requestPermission, tileData = 0x1022, 0x1023, 18
	if !CPU().AMX {
		return false
	}
	if _, _, refused := unix.RawSyscall(unix.SYS_ARCH_PRCTL, requestPermission, tileData, 0); refused != 0 {
		return false
	}
	// A filter of system calls may pretend success.
	var permitted uint64
	_, _, failed := unix.RawSyscall(unix.SYS_ARCH_PRCTL, getPermission, uintptr(unsafe.Pointer(&permitted)), 0)
	return failed == 0 && permitted>>tileData&1 != 0
})
