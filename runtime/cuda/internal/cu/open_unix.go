//go:build linux && (amd64 || arm64) && !fakecuda

package cu

import (
	"runtime"

	"github.com/ebitengine/purego"
)

func open() (uintptr, error) {
	runtime.LockOSThread() // the system keeps an error's text for the thread
	defer runtime.UnlockOSThread()
	var failed error
	for _, f := range []string{"libcuda.so.1", "libcuda.so", "/usr/lib/wsl/lib/libcuda.so.1"} {
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
