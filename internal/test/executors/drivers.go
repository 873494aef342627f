//go:build drivers

package executors

import (
	_ "github.com/weft-go/weft/runtime/cuda"
	_ "github.com/weft-go/weft/runtime/opencl"
	_ "github.com/weft-go/weft/runtime/pjrt"
)
