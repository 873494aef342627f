//go:build !(amd64 || arm64) || purego_goid

package core

import "runtime"

// goid identifies the running goroutine by its number, read from the head of its stack trace: "goroutine 12 [running]:".
// It is slower than the assembly of the other platforms, and is called only while some transformation is active.
func goid() uintptr {
	var buf [64]byte
	b := buf[:runtime.Stack(buf[:], false)]
	var n uintptr
	for _, c := range b[len("goroutine "):] {
		if c < '0' || c > '9' {
			break
		}
		n = n*10 + uintptr(c-'0')
	}
	return n
}
