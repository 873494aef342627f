package runtime_test

import (
	"testing"

	"github.com/weft-go/weft/internal/test/drivertest"
	"github.com/weft-go/weft/internal/test/race"
	"github.com/weft-go/weft/runtime"
)

// Every operation runs on every executor with axes of size 0. That the reference runs them, alone and
// in programs, is half of it: its loops must not read the element that is not there.
func TestEmptyAxes(t *testing.T) {
	race.Values(t)
	for _, e := range runtime.Executors() {
		if e.Available() != nil {
			continue
		}
		stride := 1
		if e.Memory() != runtime.Host {
			stride = 20
		}
		t.Run(e.Name(), func(t *testing.T) { drivertest.Empty(t, e, stride, 16) })
	}
}
