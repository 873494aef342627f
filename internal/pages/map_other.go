//go:build !linux

package pages

// Map returns n bytes of zeros.
func Map(n int) []byte { return make([]byte, n) }

// Unmap leaves memory to the garbage collector.
func Unmap([]byte) {}

func free(int) bool { return true }
