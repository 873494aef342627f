//go:build !(amd64 || arm64) || purego_goid

package core

import (
	"runtime"
	"sync"
)

// traces are buffers for the head of a stack trace. A local one would be allocated in each call.
var traces = sync.Pool{New: func() any { return new([64]byte) }}

// goid identifies the running goroutine by its number, read from the head of its stack trace: "goroutine 12 [running]:".
// It is slower than the assembly of the other platforms.
func goid() uintptr {
	buf := traces.Get().(*[64]byte)
	defer traces.Put(buf)
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
