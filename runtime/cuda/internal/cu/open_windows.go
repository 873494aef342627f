//go:build windows && (amd64 || arm64)

package cu

import "syscall"

func open() (uintptr, error) {
	lib, err := syscall.LoadLibrary("nvcuda.dll")
	return uintptr(lib), err
}

// profiler returns the function that starts a profiler.
func profiler(path string) (uintptr, error) {
	lib, err := syscall.LoadLibrary(path)
	if err != nil {
		return 0, err
	}
	return syscall.GetProcAddress(lib, "InitializeInjectionNvtx2")
}

func symbol(lib uintptr, name string) (uintptr, error) {
	return syscall.GetProcAddress(syscall.Handle(lib), name)
}
