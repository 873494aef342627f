package nd

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/runtime"
)

// To returns x in the memory of device e, or of the default device if e is nil. A traced value is returned as
// it is.
func To(e runtime.Executor, x core.Value) core.Value {
	a, ok := ValueOf("To", x).(*runtime.Array)
	if !ok {
		return x // traced, or a Go number
	}
	if e == nil {
		e = runtime.Default()
	}
	p, err := runtime.To(runtime.Context(), e, a)
	if err != nil {
		panic(err)
	}
	return p
}
