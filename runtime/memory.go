package runtime

import (
	"math"
	goruntime "runtime"
	"runtime/debug"
	"sync"
)

// memoryLimit is the number of bytes above which an array is refused rather than allocated: a
// failed allocation would end the process. It is the least of the machine's memory, the Go
// memory limit and addressable.
var memoryLimit = sync.OnceValue(func() int {
	n := min(physicalMemory(), uint64(debug.SetMemoryLimit(-1)), addressable())
	return int(min(n, math.MaxInt))
})

// MemoryLimit returns the number of bytes above which arrays are refused rather than allocated:
// the least of the machine's memory, the Go memory limit and a part of the address space.
func MemoryLimit() int { return memoryLimit() }

// addressable is half of the address space at most: the rest is in use or fragmented.
func addressable() uint64 {
	switch {
	case math.MaxInt == math.MaxInt32:
		return 1 << 30
	case goruntime.GOARCH == "wasm":
		return 1 << 31
	}
	return math.MaxInt
}
