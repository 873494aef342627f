package runtime

import (
	"math"
	"runtime/debug"
	"sync"
)

// memoryLimit is the number of bytes above which an array is refused rather than
// allocated: a failed allocation would end the process. It is the machine's memory
// or the Go memory limit, whichever is less.
var memoryLimit = sync.OnceValue(func() int {
	n := min(physicalMemory(), uint64(debug.SetMemoryLimit(-1)))
	return int(min(n, math.MaxInt))
})
