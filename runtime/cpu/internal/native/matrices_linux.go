//go:build amd64 && !purego

package native

import (
	"sync"

	"golang.org/x/sys/unix"
)

// Matrices reports whether the process may use the registers of AMX. The first call asks Linux for
// permission. Linux refuses if it does not save these registers for threads, or if a thread's
// signal stack has no room for them, which takes 8 KiB besides 4 KiB for other registers. Go's
// signal stacks have 32 KiB.
var Matrices = sync.OnceValue(func() bool {
	const requestPermission, tileData = 0x1023, 18
	if !CPU().AMX {
		return false
	}
	_, _, refused := unix.RawSyscall(unix.SYS_ARCH_PRCTL, requestPermission, tileData, 0)
	return refused == 0
})
