package cuda

import (
	"sync/atomic"

	"github.com/weft-go/weft/core"
)

// limited is what LimitMemory has set; 0: nothing, −1: no limit.
var limited atomic.Int64

// LimitMemory bounds the bytes of each device that arrays of the process, and memory that it keeps for later ones,
// may have from now on, instead of WEFT_CUDA_MEMORY; 0 ends all limits. What exceeds the bound is an error about
// memory, as where the device has no more. Machine code and the driver's own memory do not count.
func LimitMemory(bytes int64) {
	switch {
	case bytes < 0:
		core.FailOp(core.ErrStatic, "LimitMemory", nil, "the limit is negative (got %d bytes); pass a number of bytes, or 0 for none", bytes)
	case bytes == 0:
		bytes = -1
	}
	limited.Store(bytes)
}
