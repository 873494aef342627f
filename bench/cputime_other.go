//go:build !linux

package main

import "time"

var began = time.Now()

// cpuTime returns the time since the start: there is no CPU time on this system.
func cpuTime() time.Duration { return time.Since(began) }
