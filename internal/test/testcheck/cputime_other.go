//go:build !unix

package testcheck

import "time"

var started = time.Now()

// CPUTime returns the time since the start: this system does not report what was used.
func CPUTime() time.Duration { return time.Since(started) }
