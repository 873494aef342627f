// Package simulated registers an executor, simulated-ptx, which evaluates the PTX that kernels
// print and reports races, accesses out of bounds and barriers that not all threads reach.
// The build tag simulated makes the library import it, so that tests and examples run there:
// WEFT_EXECUTOR=simulated-ptx go test -tags simulated ./examples/...
package simulated

import (
	"github.com/weft-go/weft/internal/test/drivertest"
	"github.com/weft-go/weft/runtime"
	"github.com/weft-go/weft/runtime/device"
)

func init() {
	runtime.RegisterLater("simulated-ptx", func() ([]runtime.Executor, error) {
		return []runtime.Executor{device.New(&drivertest.Simulated{PTX: true})}, nil
	})
}
