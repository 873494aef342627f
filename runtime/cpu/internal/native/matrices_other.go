//go:build !linux || !amd64 || purego

package native

// Matrices reports whether the process may use the registers of AMX.
func Matrices() bool { return false }
