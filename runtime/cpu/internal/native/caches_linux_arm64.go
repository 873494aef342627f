//go:build !purego

package native

// synchronize makes the processor run the code that was written to memory just made executable.
func synchronize(start, size uintptr) { cleanCaches(start, start+size) }

// cleanCaches writes lines of the data cache back and invalidates those of the instruction cache.
func cleanCaches(start, end uintptr)
