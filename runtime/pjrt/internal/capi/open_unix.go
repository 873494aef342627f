//go:build (linux || darwin) && (amd64 || arm64)

package capi

import (
	"runtime"

	"github.com/ebitengine/purego"
)

// open loads a library and returns its function of that name.
func open(path, name string) (uintptr, error) {
	runtime.LockOSThread() // the system keeps an error's text for the thread
	defer runtime.UnlockOSThread()
	lib, err := purego.Dlopen(path, purego.RTLD_NOW|purego.RTLD_LOCAL)
	if err != nil {
		return 0, err
	}
	f, err := purego.Dlsym(lib, name)
	if err != nil {
		_ = purego.Dlclose(lib)
	}
	return f, err
}
