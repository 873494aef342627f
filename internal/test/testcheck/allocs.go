package testcheck

import (
	"runtime"
	"testing"
	"time"
)

// SteadyAllocs returns how many allocations a call makes that has run many times: measured after
// a garbage collection, so that pools contain what survives one.
func SteadyAllocs(call func()) float64 {
	for range 500 {
		call()
	}
	runtime.GC()
	time.Sleep(10 * time.Millisecond) // cleanups run beside the test
	return testing.AllocsPerRun(200, call)
}
