//go:build !unix

package testcheck

import "time"

var started = time.Now()

// CPUTime returns the time since the start, because this system does not report processor time.
func CPUTime() time.Duration { return time.Since(started) }
