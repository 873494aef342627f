//go:build !linux

package main

import "time"

var began = time.Now()

// cpuTime returns the time since the start, where that of computing is not to be had.
func cpuTime() time.Duration { return time.Since(began) }
