//go:build !linux

package kernel

import "time"

var began = time.Now()

// cpuTime returns the time since the start, where that of computing is not to be had.
func cpuTime() time.Duration { return time.Since(began) }
