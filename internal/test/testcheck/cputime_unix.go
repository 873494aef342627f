//go:build unix

package testcheck

import (
	"syscall"
	"time"
)

// CPUTime returns the processor time that the process has used so far. On a busy machine it is a
// better measure than the clock.
func CPUTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
