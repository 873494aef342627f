//go:build drivers

package weft

// With the build tag drivers the library imports the executors of devices, so that any
// program or test runs on them: WEFT_EXECUTOR=opencl:0 go test -tags drivers ./...
import (
	_ "github.com/weft-go/weft/runtime/cuda"
	_ "github.com/weft-go/weft/runtime/opencl"
	_ "github.com/weft-go/weft/runtime/pjrt"
)
