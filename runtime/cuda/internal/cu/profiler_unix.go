//go:build linux && (amd64 || arm64)

package cu

import (
	"runtime"

	"github.com/ebitengine/purego"
)

// profiler returns the function that starts a profiler.
func profiler(path string) (uintptr, error) {
	runtime.LockOSThread() // as open does
	defer runtime.UnlockOSThread()
	lib, err := purego.Dlopen(path, purego.RTLD_NOW|purego.RTLD_LOCAL)
	if err != nil {
		return 0, err
	}
	return purego.Dlsym(lib, "InitializeInjectionNvtx2")
}
