//go:build windows && (amd64 || arm64)

package capi

import "syscall"

// open loads a library and returns its function of that name.
func open(path, name string) (uintptr, error) {
	lib, err := syscall.LoadLibrary(path)
	if err != nil {
		return 0, err
	}
	f, err := syscall.GetProcAddress(lib, name)
	if err != nil {
		_ = syscall.FreeLibrary(lib)
	}
	return f, err
}
