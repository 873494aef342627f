package kernel

import (
	"syscall"
	"time"
)

// cpuTime returns the time for which this process has computed: on a machine that is
// shared it states more than the clock does.
func cpuTime() time.Duration {
	var u syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano())
}
