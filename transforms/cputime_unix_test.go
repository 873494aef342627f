//go:build unix

package transforms_test

import (
	"syscall"
	"time"
)

// processorTime returns what the process has used so far: on a machine that does other work,
// too, it states more than the clock.
func processorTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
