package transforms_test

import (
	"github.com/weft-go/weft/lower/reference"
	"github.com/weft-go/weft/runtime"
)

func viewF64(a *runtime.Array) []float64 { return reference.View[float64](a.Tensor()) }
