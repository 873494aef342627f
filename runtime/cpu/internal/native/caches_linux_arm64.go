//go:build !purego

package native

// synchronize makes the processor run what was written to memory that was just made executable.
func synchronize(start, size uintptr) { cleanCaches(start, start+size) }

// cleanCaches writes lines of the data cache back and invalidates those of the instruction cache.
func cleanCaches(start, end uintptr)
