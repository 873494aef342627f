//go:build drivers

package args

import (
	_ "github.com/weft-go/weft/runtime/cuda" // so that WEFT_EXECUTOR can select a device here
	_ "github.com/weft-go/weft/runtime/opencl"
)
