//go:build !linux

package runtime

// physicalMemory returns not known here: a terabyte keeps nonsense out.
func physicalMemory() uint64 { return 1 << 40 }
