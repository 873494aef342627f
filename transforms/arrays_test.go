package transforms_test

import (
	"github.com/weft-go/weft/lower/kernel"
	"github.com/weft-go/weft/runtime"
)

func viewF64(a *runtime.Array) []float64 { return kernel.View[float64](a.Tensor()) }
