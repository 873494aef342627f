package main

import (
	"time"

	"golang.org/x/sys/unix"
)

// cpuTime returns the time for which this process has computed: on a machine that is
// shared it states more than the clock does.
func cpuTime() time.Duration {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_PROCESS_CPUTIME_ID, &t); err != nil {
		return time.Since(began)
	}
	return time.Duration(t.Nano())
}

var began = time.Now()
