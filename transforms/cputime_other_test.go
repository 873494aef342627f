//go:build !unix

package transforms_test

import "time"

var started = time.Now()

// processorTime returns the time that has passed: this system does not report what was used.
func processorTime() time.Duration { return time.Since(started) }
