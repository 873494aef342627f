//go:build long

package cpu_test

import (
	"flag"
	"testing"
	"time"
)

var stressTime = flag.Duration("stress", 10*time.Minute, "how long TestStress runs, on all executors together")

// Sixteen goroutines call programs, collect garbage and panic for ten minutes.
func TestStress(t *testing.T) { hammer(t, 16, *stressTime/2) }
