//go:build unix

package weft_test

import (
	"syscall"
	"time"
)

// userTime returns the processor time that the process has used so far: on a machine that
// does other work, too, it states more than the clock.
func userTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
