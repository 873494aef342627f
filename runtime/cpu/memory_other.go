//go:build !linux

package cpu

// mapMemory returns n bytes of memory.
func mapMemory(n int) []byte { return make([]byte, n) }

// unmapMemory leaves memory to the garbage collector.
func unmapMemory([]byte) {}
