//go:build !amd64 || purego

package native

// Chip returns no name: no machine code runs here.
func Chip() string { return "" }
