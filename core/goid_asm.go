//go:build (amd64 || arm64) && !purego_goid

package core

// goid identifies the running goroutine by the address of its g, which is not
// moved and not reused while the goroutine lives.
func goid() uintptr
