//go:build !(darwin && arm64) || purego

package native

// Perilous returns why the system may end the process at its first instruction of machine code, nil if
// it does not.
func Perilous() error { return nil }
