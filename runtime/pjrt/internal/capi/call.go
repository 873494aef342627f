//go:build (linux || darwin || windows) && (amd64 || arm64)

package capi

import (
	"sync"

	"github.com/ebitengine/purego"
)

var words = sync.Pool{New: func() any { return new([1]uintptr) }}

func invoke(f, arg uintptr) uintptr {
	w := words.Get().(*[1]uintptr)
	w[0] = arg
	r, _, _ := purego.SyscallN(f, w[:]...)
	words.Put(w)
	return r
}

func invoke3(f, x, y, z uintptr) uintptr {
	r, _, _ := purego.SyscallN(f, x, y, z)
	return r
}

// Callback returns the address of a function that a plugin calls with one argument. It is never
// freed: a process has room for some 2,000.
func Callback(f func(arg uintptr) uintptr) uintptr { return purego.NewCallback(f) }
