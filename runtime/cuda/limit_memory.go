package cuda

import (
	"sync/atomic"

	"github.com/weft-go/weft/core"
)

// limited is the limit that LimitMemory has set: 0 if it was not called, −1 for no limit.
var limited atomic.Int64

// LimitMemory bounds the bytes of each device's memory that the process uses from now on for arrays, including memory
// that it keeps for later arrays. It replaces WEFT_CUDA_MEMORY; 0 removes all limits. Exceeding the limit is the same
// error as exhausting the device's memory. Machine code and the driver's own memory do not count.
func LimitMemory(bytes int64) {
	switch {
	case bytes < 0:
		core.FailOp(core.ErrStatic, "LimitMemory", nil, "the limit is negative (got %d bytes); pass a number of bytes, or 0 for none", bytes)
	case bytes == 0:
		bytes = -1
	}
	limited.Store(bytes)
}
