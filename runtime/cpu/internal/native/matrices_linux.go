//go:build amd64 && !purego

package native

import (
	"sync"

	"golang.org/x/sys/unix"
)

// Matrices reports whether the process may use the registers of AMX. The first call asks Linux for permission: it refuses if it does not keep
// these registers, or if a thread's stack for signals has no room for them, 8 KiB beside 4 of others. Go's have 32.
var Matrices = sync.OnceValue(func() bool {
	const requestPermission, tileData = 0x1023, 18
	if !CPU().AMX {
		return false
	}
	_, _, refused := unix.RawSyscall(unix.SYS_ARCH_PRCTL, requestPermission, tileData, 0)
	return refused == 0
})
