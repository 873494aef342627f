//go:build (linux || darwin) && (amd64 || arm64)

package cl

import (
	"runtime"

	"github.com/ebitengine/purego"
)

func open() (uintptr, error) {
	runtime.LockOSThread() // the system keeps an error's text for the thread
	defer runtime.UnlockOSThread()
	files := []string{"libOpenCL.so.1", "libOpenCL.so"}
	if runtime.GOOS == "darwin" {
		files = []string{"/System/Library/Frameworks/OpenCL.framework/OpenCL"}
	}
	var failed error
	for _, f := range files {
		lib, err := purego.Dlopen(f, purego.RTLD_NOW|purego.RTLD_LOCAL)
		if err == nil {
			return lib, nil
		}
		if failed == nil {
			failed = err // report the name that current drivers have
		}
	}
	return 0, failed
}

func symbol(lib uintptr, name string) (uintptr, error) {
	runtime.LockOSThread() // as open does
	defer runtime.UnlockOSThread()
	return purego.Dlsym(lib, name)
}

func keep(b []byte) { runtime.KeepAlive(b) }
